//! The C runtime as part of the program. `embedded` holds the files that irgen's build makes of `runtime-c/`.

pub mod embedded;
