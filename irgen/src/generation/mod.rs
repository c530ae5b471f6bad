//! From a SIL module to an LLVM module: symbols, globals, function bodies. What single instructions become is in `instructions`,
//! what types become in `types`.

mod archetypes;
mod blocks;
mod class_metadata;
mod entities;
mod function;
mod globals;
mod heap_layouts;
mod locations;
mod module;
mod native;
mod program;
mod runtime_functions;
mod runtime_inlining;
pub mod signature;
mod signature_builder;
mod strings;
mod witness_tables;
mod worklist;

pub use entities::{CFunction, Entity};
pub use function::{IRGenFunction, Lowered};
pub use heap_layouts::HeapLayout;
pub use module::{IRGenModule, IRGenOptions, Optimization, Roots, RuntimeSource, Threads};
pub use program::Program;
pub use runtime_functions::RuntimeFunction;

use sil::diagnostic::Diagnostic;

/// What generating code gives: a value, or what silc cannot do with the input.
pub type Generated<T> = Result<T, Box<Diagnostic>>;

/// The error for what silc does not lower yet, where the caller knows the place.
pub fn unsupported_without_place(what: impl std::fmt::Display) -> Diagnostic {
    error_without_place("unsupported", format!("not supported yet: {what}"))
}

/// The code of the error for a type whose layout is not known. All uses of the type have the same message.
pub const UNKNOWN_LAYOUT: &str = "unknown-layout";

/// An error where the caller knows the place.
pub fn error_without_place(code: &'static str, message: String) -> Diagnostic {
    Diagnostic {
        level: sil::diagnostic::Level::Error,
        code,
        message,
        span: None,
        function: None,
        notes: Vec::new(),
        hint: None,
    }
}
