//! What silc adds to inkwell.

pub mod builder;
