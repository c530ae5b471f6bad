//! The command line of silc.

fn main() {}
