//! From a SIL module to an LLVM module: symbols, globals, function bodies. What single instructions become is in `instructions`,
//! what types become in `types`.

mod blocks;
mod function;
mod linkage;
mod module;
mod runtime_functions;
mod strings;

pub use function::{IRGenFunction, Lowered};
pub use module::{IRGenModule, IRGenOptions, Optimization};
pub use runtime_functions::RuntimeFunction;

use sil::diagnostic::Diagnostic;

/// What generating code gives: a value, or what silc cannot do with the input.
pub type Generated<T> = Result<T, Box<Diagnostic>>;
