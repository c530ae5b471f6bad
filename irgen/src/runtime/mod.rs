//! The C runtime as part of the program. `embedded` holds what irgen's build made of `runtime-c/`.

pub mod embedded;
