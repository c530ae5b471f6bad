//! The SIL language: text, model, verifier, analyses and transformations. No LLVM in it.
//!
//! Text is read by `syntax` into the [`model`], printed by `print`, checked by `verify`. The facts about each kind of
//! instruction stand once, in the table of [`instructions`]. Types and names are interned in a [`context::Context`].
#![forbid(unsafe_code)]

pub mod analysis;
pub mod cache;
pub mod context;
pub mod declarations;
pub mod diagnostic;
pub mod draw;
pub mod dump;
pub mod instructions;
pub mod model;
pub mod parallel;
pub mod print;
pub mod source;
pub mod swift_source;
pub mod symbols;
pub mod syntax;
pub mod transform;
pub mod types;
pub mod verify;
