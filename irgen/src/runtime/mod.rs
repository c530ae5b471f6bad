//! The C runtime as part of the program. `embedded` holds the files that irgen's build makes of `runtime-c/`,
//! `members` lists the symbols that they share with a program.

pub mod embedded;
mod members;

pub use members::Members;
