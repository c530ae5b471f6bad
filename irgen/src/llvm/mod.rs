//! The boundary to LLVM: safe functions over inkwell's types, by topic. The rest of the crate handles inkwell's types
//! and values; all building, and all requests to LLVM, go through here.
//!
//! This module is the only place in this crate with `unsafe`, which the compiler checks. It is needed for parts of
//! LLVM's C API that inkwell lacks (or offers only as `unsafe`); every such call is in a short function that is safe to
//! call with any values of one and the same [`inkwell::context::Context`].
//!
//! Wrongly typed operands are not undefined behaviour but an invalid module, which [`modules::verify`] reports before
//! any pass or code generator sees it.
//!
//! ```text
//! builder       instructions, by bytes and explosions
//! arithmetic    the builder's arithmetic and comparisons
//! async_functions  the builder's intrinsics for async functions
//! atomics       the builder's atomic operations
//! constants     scalars, addresses and distances between them, packed structs
//! conventions   the calling convention of a function and its calls
//! coroutines    the builder's coroutine intrinsics, which take tokens
//! attributes    attributes of functions, parameters, results and call sites
//! stack         the stack slots of `swifterror`, and the alignment of an address's memory
//! intrinsics    LLVM's intrinsics by name
//! globals       changes to all symbols: made local, kept alive
//! metadata      module flags
//! debug_types   types in debug information, with members that are added later or depend on a value
//! debug_variables  variables in debug information, and the locations of their values
//! modules       parsing, printing, verification, linking
//! fast_selection  blocks that end where fast instruction selection would give up
//! shifts        shifts of wide integers where LLVM's own are wrong
//! diagnostics   LLVM's reports through its context, as values
//! fatal         handlers for LLVM's fatal errors
//! ```
#![allow(unsafe_code, reason = "this module is the boundary to LLVM's C API")]

mod arithmetic;
pub mod async_functions;
mod atomics;
pub mod attributes;
pub mod builder;
mod constants;
pub mod conventions;
pub mod coroutines;
pub mod debug_types;
pub mod debug_variables;
pub mod diagnostics;
pub mod fast_selection;
pub mod fatal;
pub mod globals;
pub mod intrinsics;
pub mod metadata;
pub mod modules;
pub mod shifts;
pub mod stack;
#[cfg(test)]
mod tests;
pub mod threads;

pub use atomics::SyncScope;
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::{LLVMGetTypeContext, LLVMTypeOf};
use inkwell::values::AsValueRef;

/// Returns the context of a value.
fn context_of<'ctx>(value: &impl AsValueRef) -> ContextRef<'ctx> {
    // SAFETY: a value holds its type and the type its context, which outlives every value of it.
    unsafe { ContextRef::new(LLVMGetTypeContext(LLVMTypeOf(value.as_value_ref()))) }
}
