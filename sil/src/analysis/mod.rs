//! Analyses of function bodies: the control-flow graph, dominators and post-dominators, uses, dead ends, ownership; what
//! instructions do to memory.

mod apply_site;
mod cfg;
mod control_dependence;
mod dead_ends;
mod dominators;
mod effects;
mod ownership;
mod uses;

pub use apply_site::{ApplyKind, ApplySite, callee_origin};
pub use cfg::ControlFlowGraph;
pub use control_dependence::ControlDependence;
pub use dead_ends::DeadEndBlocks;
pub use dominators::{Dominators, PostDominators};
pub use effects::InstructionEffects;
pub use ownership::{Conflict, OperandOwnership, OwnershipKinds};
pub use uses::{Use, Uses};
