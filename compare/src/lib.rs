//! Compares LLVM IR as LLVM prints it. No LLVM is in here: text comes in, findings go out.
//!
//! ```text
//! read        text to model; metadata, attribute groups and type names are resolved
//! model       modules, symbols, bodies, instructions
//! pairing     which symbol of A is which of B, and why
//! align       which block and instruction of a pair of bodies is which
//! judge       differences of related instructions; verdicts
//! comparison  all of it for two modules
//! listing     assembly and SIL, function by function as text
//! objects     sizes of object files
//! report      all of these for terminals, as JSON, as HTML
//! ```
//!
//! Invariant: a result of equal is proved (every instruction related, every operand related), whatever the heuristics
//! of pairing and aligning did; they only decide how well differences are shown.
#![forbid(unsafe_code)]

pub mod align;
pub mod atoms;
pub mod comparison;
pub mod judge;
pub mod listing;
pub mod model;
pub mod objects;
pub mod pairing;
pub mod part;
pub mod read;
pub mod report;
pub mod row_kind;

pub use comparison::{Comparison, compare, compare_functions};
pub use judge::Verdict;
pub use part::{Part, Parts};
