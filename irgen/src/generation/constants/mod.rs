//! Constants in memory. The tables of the runtime and the initial values of globals are described here without LLVM;
//! each of them becomes a variable in
//! [`IRGenModule::declare_constant`](crate::generation::IRGenModule::declare_constant).
//!
//! ```text
//! structs    packed structs, field by field: integers, addresses, relative references, padding
//! image      a value as its bytes, with the addresses in them
//! evaluator  the results of a static initialiser's instructions
//! numbers    the results of builtins on numbers, and on addresses with a number added
//! references how a constant refers to an entity
//! lowering   the lowering to LLVM
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
