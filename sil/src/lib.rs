//! The SIL language: text, model, verifier, analyses and passes. No LLVM in it.
//!
//! Text is read by [`syntax`] into the [`model`], printed by [`print`](mod@print), checked by [`verify`](mod@verify).
//! The facts about each kind of instruction stand once, in the table of [`instructions`]. Types and names are interned
//! in a [`context::Context`]. [`analysis`] has questions on function bodies, [`transform`] the passes that change them.
//!
//! This crate has no code of its own. Its parts are crates, so that a change of a pass compiles the passes alone.
#![forbid(unsafe_code)]

#[doc(inline)]
pub use sil_analysis as analysis;
#[doc(inline)]
pub use sil_dump as dump;
#[doc(inline)]
pub use sil_ir::{cache, context, declarations, diagnostic, instructions, model, parallel, source, symbols, types};
#[doc(inline)]
pub use sil_passes as transform;
#[doc(inline)]
pub use sil_text::{draw, print, swift_source, syntax};
#[doc(inline)]
pub use sil_verify as verify;
