//! Text to model: the lexer, readers of types, declarations, top-level entities and function bodies.

pub mod cursor;
pub mod lexer;
pub mod names;
pub mod reader;
pub mod suggestion;
mod types;

use crate::diagnostic::Diagnostic;

/// What a reader gives: something, or the one error that stopped it.
pub type Parsed<T> = Result<T, Box<Diagnostic>>;
