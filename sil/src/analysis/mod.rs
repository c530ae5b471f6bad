//! Analyses of function bodies: the control-flow graph, dominators and post-dominators.

mod cfg;
mod dominators;

pub use cfg::ControlFlowGraph;
pub use dominators::{Dominators, PostDominators};
