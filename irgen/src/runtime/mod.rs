//! The C runtime as part of the program. `embedded` contains the files that irgen's build makes from `runtime-c/`.

pub mod embedded;
