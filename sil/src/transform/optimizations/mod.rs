//! Passes that make programs smaller or faster and change nothing that they do (lib/SILOptimizer/Transforms).

pub(super) mod borrowed_phis;
pub(super) mod call_inlining;
pub(super) mod capture_propagation;
pub(super) mod closure_specialization;
pub(super) mod code_sinking;
pub(super) mod common_subexpressions;
pub(super) mod cond_fail_merging;
pub(super) mod dead_code;
pub(super) mod dead_functions;
pub(super) mod devirtualization;
pub(super) mod existential_specialization;
pub(super) mod function_signatures;
pub(super) mod generic_specialization;
pub(super) mod jump_threading;
pub(super) mod lower_aggregates;
pub(super) mod memory_promotion;
pub(super) mod named_return_values;
pub(super) mod phi_arguments;
pub(super) mod read_only_globals;
pub(super) mod redundant_loads;
pub(super) mod scalar_replacement;
pub(super) mod simplification;
pub(super) mod stripping;
pub(super) mod unreachable_ends;
pub(super) mod vtable_pruning;
