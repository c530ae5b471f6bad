//! Analyses of function bodies: the control-flow graph, dominators and post-dominators, uses, dead ends, ownership.

mod cfg;
mod dead_ends;
mod dominators;
mod ownership;
mod uses;

pub use cfg::ControlFlowGraph;
pub use dead_ends::DeadEndBlocks;
pub use dominators::{Dominators, PostDominators};
pub use ownership::{Conflict, OperandOwnership, OwnershipKinds};
pub use uses::{Use, Uses};
