//! Constants in memory. The tables of the runtime and the initial values of globals are described here without LLVM,
//! and every one of them becomes a variable by
//! [`IRGenModule::declare_constant`](crate::generation::IRGenModule::declare_constant).
//!
//! ```text
//! structs    packed structs, field by field: integers, addresses, relative references, padding
//! image      a value as its bytes, with the addresses in them
//! evaluator  the results of a static initialiser's instructions
//! numbers    the results of builtins on numbers, and on addresses with a number added
//! references how a constant refers to an entity
//! lowering   from there to LLVM
//! ```

mod evaluator;
mod image;
mod lowering;
mod numbers;
mod references;
mod structs;

#[cfg(test)]
mod tests;

pub(super) use evaluator::Evaluator;
pub(super) use image::Image;
pub(super) use structs::ConstantStruct;
