//! Analyses of function bodies: the control-flow graph, dominators and post-dominators, uses, dead ends, ownership;
//! effects of instructions on memory.
#![forbid(unsafe_code)]

mod access;
pub mod access_summaries;
mod accessed_storage;
mod address_uses;
mod alias;
mod alias_objects;
mod analyses;
mod apply_site;
mod archetypes;
mod block_range;
mod callees;
pub mod captured_arguments;
mod cfg;
mod control_dependence;
mod dead_ends;
mod deinit_barriers;
mod dependence;
mod destruction;
mod dominators;
mod effect_set;
mod effects;
mod enclosing_definitions;
pub mod escape;
mod forwarding;
mod function_accesses;
mod function_effects;
mod function_order;
mod function_uses;
mod immutable_scope;
mod instruction_range;
mod loop_nest;
mod loops;
mod module;
mod ownership;
pub mod ownership_scopes;
mod pack_metadata;
mod pointer_escape;
mod projection_path;
mod pruned_liveness;
mod rc_identity;
pub mod regions;
mod simple_liveness;
pub mod tbaa;
mod temporary_origins;
pub mod thunks;
mod uses;
mod variable_names;
mod view;
pub mod walk;
mod worklist;

pub use access::{
    AccessBase, AccessKind, AccessPath, AccessScope, AccessStorage, ElementOffset, LocatedAccess, NestedAccess,
    StorageIdentity, StoragePath, StorageUses, UseRelation, accessed_operands, is_storage_cast, reference_root,
    value_roots,
};
pub use accessed_storage::{AccessedStorage, KnownStorage, NestedConflict, StorageAccess};
pub use address_uses::{AddressEscape, AddressUses, loads_nothing};
pub use alias::AliasAnalysis;
pub use analyses::{Analyses, Change};
pub use apply_site::{ApplyKind, ApplySite, ArgumentNumbering, callee_origin};
pub use archetypes::{named_archetypes, opened_archetypes, opening};
pub use block_range::BlockRange;
pub use callees::{CalleeAnalysis, Callees, Completeness, ModuleExtent, is_method_knowable};
pub use cfg::ControlFlowGraph;
pub use control_dependence::ControlDependence;
pub use dead_ends::DeadEndBlocks;
pub use deinit_barriers::{accesses_pointer, is_deinit_barrier, may_be_deinit_barrier};
pub use dependence::{DependenceKind, ValueDependence};
pub use destruction::Destruction;
pub use dominators::{Dominators, PostDominators};
pub use effect_set::{Effect, EffectSet, Reach};
pub use effects::InstructionEffects;
pub use enclosing_definitions::{enclosing_definitions, scope_introducers};
pub use forwarding::{ForwardedUse, forwarded_from, forwarded_uses, lifetime_introducers};
pub use function_accesses::{AccessContext, AccessSet, FunctionAccesses, may_deinitialize, running_call};
pub use function_effects::{
    ArgumentEffects, Authority, EscapeEffect, EscapeTarget, Exclusivity, FunctionEffects, SideEffects,
};
pub use function_order::{bottom_up, callees_first};
pub use function_uses::{FunctionUses, is_seen_elsewhere};
pub use instruction_range::{InstructionRange, PathOverlap};
pub use loop_nest::{Loop, LoopId, LoopNest};
pub use loops::Loops;
pub use module::AnalyzedModule;
pub use ownership::{Conflict, OperandOwnership, OwnershipKinds, OwnershipTable, escapes_as_bits, forwards};
pub use pack_metadata::may_need_pack_metadata;
pub use pointer_escape::escapes_into_pointer;
pub use projection_path::{Projection, ProjectionPath};
pub use pruned_liveness::{BlockLiveness, LiveBoundary, LiveDefinition, LiveUse, PrunedLiveness};
pub use rc_identity::{RcIdentity, cast_keeps_reference};
pub use simple_liveness::{InnerBorrows, LifetimeFacts, LivenessSummary};
pub use uses::{Use, Uses};
pub use variable_names::{CallsOfMethods, VariableName, variable_name};
pub use view::{BodyView, field_number, stored_property, stored_property_count};
pub use worklist::Worklist;
