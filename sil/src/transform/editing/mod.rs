//! Making and changing bodies: what passes do to instructions, blocks and whole functions. Which changes are made, and why, is the business of passes.

pub(super) mod address_projections;
pub(super) mod block_merging;
pub(super) mod block_order;
pub(super) mod builder;
pub(super) mod canonical_memory;
pub(super) mod cast_folding;
pub(super) mod cloning;
pub(super) mod critical_edges;
pub(super) mod debug_values;
pub(super) mod deinitializer_calls;
pub(super) mod editor;
pub(super) mod identities;
pub(super) mod inlining;
pub(super) mod instruction_copies;
pub(super) mod literals;
pub(super) mod ownership_lowering;
pub(super) mod ownership_replacement;
pub(super) mod reference_identity;
pub(super) mod scope_removal;
pub(super) mod specialized_functions;
pub(super) mod specialized_names;
pub(super) mod stack_nesting;
pub(super) mod store_division;
pub(super) mod unneeded_conversions;
pub(super) mod unused;
pub(super) mod value_flow;
