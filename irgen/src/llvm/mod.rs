//! What silc says to LLVM beyond inkwell: safe functions over inkwell's types, by topic.
//!
//! This module is the only place in the workspace with `unsafe`. It is needed where LLVM's C API has what inkwell
//! lacks (or offers only as `unsafe`); every such call sits in a function of a few lines that is safe to call with
//! any values of one and the same [`inkwell::context::Context`]. The everyday instructions are in
//! [`builder`]; the other files take inkwell's own builder (`Builder::inkwell`).
//!
//! Wrongly typed operands are not undefined behaviour but a broken module, which [`modules::verify`] reports before
//! any pass or code generator sees it.
//!
//! ```text
//! builder       everyday instructions, by bytes and explosions
//! attributes    what is known of functions, parameters, results and call sites
//! calls         calls with their convention, tail calls, operand bundles, inline assembly
//! memory        loads, stores, atomics, addresses of elements
//! stack         stack slots, those of `swifterror` included
//! instructions  flags (nsw, nuw, exact), freeze
//! intrinsics    LLVM's intrinsics by name, and short forms of those used everywhere
//! coroutines    the retcon and async coroutine intrinsics, which pass tokens
//! constants     constant expressions: relative references, addresses within globals, structs
//! globals       aliases, used lists, comdats, sections, visibility
//! metadata      TBAA, alias scopes, branch weights, ranges, module flags
//! debug_types   types in debug information, with members that come later or depend on a value
//! debug_variables  variables in debug information, and where their values are
//! modules       read, print, verify, link
//! splitting     who refers to a symbol, bodies read when they are wanted
//! diagnostics   what LLVM reports through its context, as values
//! fatal         LLVM's fatal errors end the process our way
//! ```
#![allow(unsafe_code, reason = "this module is the boundary to LLVM's C API")]

pub mod attributes;
pub mod builder;
pub mod calls;
pub mod constants;
pub mod coroutines;
pub mod debug_types;
pub mod debug_variables;
pub mod diagnostics;
pub mod fatal;
pub mod globals;
pub mod instructions;
pub mod intrinsics;
pub mod memory;
pub mod metadata;
pub mod modules;
pub mod splitting;
pub mod stack;

use std::ffi::CString;

use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::{LLVMGetTypeContext, LLVMTypeOf};
use inkwell::values::{AnyValue, AsValueRef, BasicValueEnum};

/// The result of building an instruction; inkwell's builder gives the same.
pub type BuildResult<T> = Result<T, BuilderError>;

/// Fails where inkwell's own `build_*` functions would: when no block was chosen to build into.
fn check_positioned(builder: &Builder<'_>) -> BuildResult<()> {
    match builder.get_insert_block() {
        Some(_) => Ok(()),
        None => Err(BuilderError::UnsetPosition),
    }
}

/// The context that a value lives in.
fn context_of<'ctx>(value: &impl AsValueRef) -> ContextRef<'ctx> {
    // SAFETY: a value holds its type and the type its context, which outlives every value of it.
    unsafe { ContextRef::new(LLVMGetTypeContext(LLVMTypeOf(value.as_value_ref()))) }
}

/// A name for LLVM's C API. SIL names hold no NUL; one that did is cut there, as LLVM would.
fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Takes over a reference that LLVM just returned for an instruction or constant with a first-class type.
///
/// # Safety
/// `value` is a valid value of the context `'ctx` whose type is neither void, label, token nor metadata.
unsafe fn basic_value<'ctx>(value: inkwell::llvm_sys::prelude::LLVMValueRef) -> BasicValueEnum<'ctx> {
    // SAFETY: the caller's promise.
    unsafe { BasicValueEnum::new(value) }
}

/// The text of any value, as LLVM prints it; for messages and tests.
pub fn text_of<'ctx>(value: &impl AnyValue<'ctx>) -> String {
    value.print_to_string().to_string()
}
