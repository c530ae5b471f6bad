//! Analyses of function bodies: the control-flow graph, dominators and post-dominators, uses, dead ends, ownership; what
//! instructions do to memory.

mod access;
mod alias;
mod apply_site;
mod archetypes;
mod cfg;
mod control_dependence;
mod dead_ends;
mod dependence;
mod dominators;
mod effects;
mod escape;
mod function_effects;
mod immutable_scope;
mod loops;
mod module;
mod ownership;
mod pack_metadata;
mod projection_path;
pub mod tbaa;
mod uses;
mod view;
mod walk;

pub use access::{
    AccessBase, AccessKind, AccessPath, AccessScope, AccessStorage, ElementOffset, LocatedAccess, NestedAccess,
    StoragePath, StorageUses, UseRelation, accessed_operands, reference_root,
};
pub use alias::AliasAnalysis;
pub use apply_site::{ApplyKind, ApplySite, ArgumentNumbering, callee_origin};
pub use archetypes::{named_archetypes, opened_archetypes, opening};
pub use cfg::ControlFlowGraph;
pub use control_dependence::ControlDependence;
pub use dead_ends::DeadEndBlocks;
pub use dependence::{DependenceKind, ValueDependence};
pub use dominators::{Dominators, PostDominators};
pub use effects::InstructionEffects;
pub use function_effects::{EscapeEffect, EscapeTarget, Exclusivity, FunctionEffects};
pub use loops::Loops;
pub use module::AnalyzedModule;
pub use ownership::{Conflict, OperandOwnership, OwnershipKinds};
pub use pack_metadata::may_need_pack_metadata;
pub use projection_path::{Projection, ProjectionPath};
pub use uses::{Use, Uses};
pub use view::{BodyView, field_number};
