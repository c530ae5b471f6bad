//! The model of SIL, Swift's intermediate language: modules and their functions, instructions, types, declarations and
//! symbols.
//!
//! The facts about each kind of instruction stand once, in the table of [`instructions`]. Types and names are interned
//! in a [`context::Context`]. [`types::TypeQueries`] answers questions on types. Text is read and printed by the crate
//! `sil-text`; programs use all of these crates through `sil`.
#![forbid(unsafe_code)]

pub mod cache;
pub mod context;
pub mod declarations;
pub mod diagnostic;
pub mod instructions;
pub mod model;
pub mod parallel;
pub mod source;
pub mod symbols;
pub mod types;
