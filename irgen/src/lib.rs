//! Lowers the SIL model to LLVM IR, optimises it, and writes objects and executables.

pub mod generation;
mod instructions;
pub mod llvm;
mod mangling;
pub mod types;
pub mod runtime;
