//! Lowers the SIL model to LLVM IR, optimises it, and writes objects and executables.

pub mod runtime;
