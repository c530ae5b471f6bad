//! Passes that every program goes through, at whatever level of optimisation: raw SIL becomes canonical, with what is wrong with the Swift program
//! said, and canonical SIL what code is made of (docs/SIL, lib/SILOptimizer/Mandatory).

pub(super) mod access_enforcement;
mod actor_executors;
pub(super) mod boolean_literals;
pub(super) mod box_to_stack;
pub(super) mod capture_promotion;
pub(super) mod closure_lifetimes;
pub(super) mod constant_folding;
pub(super) mod consume_operator;
pub(super) mod critical_edges;
pub(super) mod dead_allocations;
pub(super) mod definite_initialization;
pub(super) mod escaping_captures;
pub(super) mod guessed_conversions;
pub(super) mod hop_lowering;
pub(super) mod hop_to_executor;
pub(super) mod infinite_recursion;
pub(super) mod inlining;
pub(super) mod let_properties;
pub(super) mod linking;
pub(super) mod missing_return;
pub(super) mod move_only_wrappers;
pub(super) mod noncopyable;
pub(super) mod noreturn_folding;
pub(super) mod pack_metadata;
pub(super) mod performance;
pub(super) mod performance_diagnostics;
pub(super) mod polymorphic_builtins;
pub(super) mod raw_lowering;
pub(super) mod silgen_cleanup;
pub(super) mod static_assertions;
pub(super) mod static_exclusivity;
pub(super) mod static_globals;
pub(super) mod unavailable_cases;
pub(super) mod unreachable_code;
pub(super) mod unused_originals;
pub(super) mod yield_once;
