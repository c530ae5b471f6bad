//! The list of all passes. A pass has one row here; its value stands beside its code.

use super::pass::Pass;

macro_rules! registry {
    ($($($module:ident)::+ { $($pass:ident),+ $(,)? })*) => {
        $(pub(crate) use super::$($module)::+::{$($pass),+};)*

        impl Pass {
            /// All passes.
            pub const ALL: &'static [Pass] = &[$($($pass,)+)*];

            /// The pass that has this name on the command line.
            pub fn from_name(name: &str) -> Option<Pass> {
                Pass::ALL.iter().copied().find(|pass| pass.name() == name)
            }
        }
    };
}

registry! {
    editing::ownership_lowering { LATE_OWNERSHIP_LOWERING, OWNERSHIP_LOWERING }
    mandatory::access_enforcement { ACCESS_ENFORCEMENT_SELECTION }
    mandatory::address_lowering { ADDRESS_LOWERING }
    mandatory::boolean_literals { BOOLEAN_LITERAL_FOLDING }
    mandatory::box_to_stack { BOX_TO_STACK }
    mandatory::capture_promotion { CAPTURE_PROMOTION }
    mandatory::circular_inlining { CIRCULAR_INLINING }
    mandatory::closure_lifetimes { CLOSURE_LIFETIMES }
    mandatory::constant_folding { CONSTANT_FOLDING, CONSTANT_PROPAGATION, DIAGNOSTIC_CONSTANT_PROPAGATION }
    mandatory::constant_values { CONSTANT_VALUES }
    mandatory::consume_operator { CONSUME_OPERATOR_ADDRESSES, CONSUME_OPERATOR_VALUES }
    mandatory::coroutine_variables { COROUTINE_VARIABLES }
    mandatory::critical_edges { CRITICAL_EDGE_SPLITTING }
    mandatory::dead_allocations { DEAD_ALLOCATION_ELIMINATION }
    mandatory::definite_initialization { DEFINITE_INITIALIZATION }
    mandatory::differentiation { DIFFERENTIATION }
    mandatory::escaping_captures { INVALID_ESCAPING_CAPTURES }
    mandatory::flow_isolation { FLOW_ISOLATION }
    mandatory::for_each_unrolling { FOR_EACH_UNROLLING }
    mandatory::hop_lowering { HOP_TO_ACTOR_LOWERING }
    mandatory::hop_to_executor { HOP_TO_EXECUTOR_OPTIMIZATION }
    mandatory::infinite_recursion { INFINITE_RECURSION }
    mandatory::inlining { MANDATORY_INLINING, TRANSPARENT_CLOSURE_INLINING }
    mandatory::let_properties { LET_PROPERTY_LOWERING }
    mandatory::lifetime_dependence {
        LIFETIME_DEPENDENCE_DIAGNOSTICS,
        LIFETIME_DEPENDENCE_INSERTION,
        LIFETIME_DEPENDENCE_SCOPE_FIXUP,
    }
    mandatory::lifetime_issues { LIFETIME_ISSUES }
    mandatory::linking { MANDATORY_LINKING }
    mandatory::missing_return { MISSING_RETURN }
    mandatory::move_only_wrappers { MOVE_ONLY_TYPE_ELIMINATOR, TRIVIAL_MOVE_ONLY_TYPE_ELIMINATOR }
    mandatory::nested_semantics { NESTED_SEMANTIC_FUNCTION_CHECK }
    mandatory::noncopyable {
        NONCOPYABLE_CHECKER,
        NONCOPYABLE_MEMORY_CHECKER,
        NONCOPYABLE_TEMPORARIES,
        NONCOPYABLE_VALUE_CHECKER,
    }
    mandatory::noreturn_folding { NO_RETURN_FOLDING }
    mandatory::os_log { OS_LOG_OPTIMIZATION }
    mandatory::pack_metadata { PACK_METADATA_MARKING }
    mandatory::performance { DEAD_FUNCTION_ELIMINATION, MANDATORY_PERFORMANCE, TRANSPARENT_COMPLETION }
    mandatory::performance_diagnostics { PERFORMANCE_DIAGNOSTICS }
    mandatory::raw_lowering { RAW_INSTRUCTION_LOWERING, TUPLE_CONSTRUCTOR_LOWERING }
    mandatory::reference_bindings { REFERENCE_BINDING_TRANSFORM }
    mandatory::region_isolation { REGION_ISOLATION }
    mandatory::silgen_cleanup { SILGEN_CLEANUP }
    mandatory::static_assertions { EVALUATED_FUNCTION_LINKING, STATIC_ASSERTIONS }
    mandatory::static_exclusivity { STATIC_EXCLUSIVITY }
    mandatory::static_globals { STATIC_GLOBAL_INITIALIZATION }
    mandatory::thunk_lowering { THUNK_LOWERING }
    mandatory::unreachable_code { UNREACHABLE_BLOCK_ELIMINATION, UNREACHABLE_CODE }
    mandatory::unused_originals { UNUSED_ORIGINALS }
    mandatory::yield_once { YIELD_ONCE_CHECK }
    optimizations::access_dominance { DOMINATED_ACCESS_REMOVAL }
    optimizations::access_folding { ACCESS_FOLDING }
    optimizations::access_release_sinking { ACCESS_RELEASE_SINKING }
    optimizations::address_destroy_hoisting { ADDRESS_DESTROY_HOISTING }
    optimizations::arc_sequences { ARC_LOOPS, ARC_SEQUENCES }
    optimizations::argument_simplification { ARGUMENT_SIMPLIFICATION }
    optimizations::argument_splitting { ARGUMENT_SPLITTING }
    optimizations::array_counts { ARRAY_COUNT_PROPAGATION }
    optimizations::array_properties { ARRAY_PROPERTY_SPECIALIZATION }
    optimizations::array_uniqueness { ARRAY_UNIQUENESS_HOISTING }
    optimizations::borrowed_phis { UPDATE_BORROWED_FROM }
    optimizations::bounds_checks { BOUNDS_CHECK_OPTIMIZATION }
    optimizations::call_inlining { ALWAYS_INLINE, EARLY_INLINE, INLINE }
    optimizations::capture_propagation { CAPTURE_PROPAGATION }
    optimizations::cfg_simplification { BRANCH_SIMPLIFICATION, JUMP_THREADING }
    optimizations::check_hoisting { CHECK_HOISTING }
    optimizations::closure_specialization { CLOSURE_SPECIALIZATION }
    optimizations::code_motion { EARLY_CODE_MOTION, LATE_CODE_MOTION }
    optimizations::code_sinking { CODE_SINKING }
    optimizations::common_subexpressions {
        COMMON_SUBEXPRESSION_ELIMINATION,
        HIGH_LEVEL_COMMON_SUBEXPRESSION_ELIMINATION,
    }
    optimizations::cond_fail_merging { COND_FAIL_MERGING }
    optimizations::condition_forwarding { CONDITION_FORWARDING }
    optimizations::constant_let_properties { CONSTANT_LET_PROPERTIES }
    optimizations::constant_strings { CONSTANT_STRINGS }
    optimizations::copy_forwarding { COPY_FORWARDING }
    optimizations::copy_propagation { COPY_PROPAGATION, MANDATORY_COPY_PROPAGATION }
    optimizations::cow_uniqueness { COW_UNIQUENESS_FOLDING }
    optimizations::dead_code { DEAD_CODE_ELIMINATION }
    optimizations::dead_objects { DEAD_OBJECT_ELIMINATION }
    optimizations::dead_stores { DEAD_STORE_ELIMINATION }
    optimizations::deinit_devirtualization { DEINIT_DEVIRTUALIZATION }
    optimizations::derivative_references { DIFFERENTIABILITY_WITNESS_DEVIRTUALIZER }
    optimizations::destroy_hoisting { DESTROY_HOISTING }
    optimizations::devirtualization { DEVIRTUALIZER, SPECULATIVE_DEVIRTUALIZATION }
    optimizations::existential_specialization { EXISTENTIAL_SPECIALIZER }
    optimizations::function_effects { ESCAPE_EFFECTS, SIDE_EFFECTS }
    optimizations::function_signatures { CAPTURED_ARGUMENT_ELIMINATION, FUNCTION_SIGNATURE_OPTIMIZATION }
    optimizations::generic_specialization { GENERIC_SPECIALIZER }
    optimizations::global_properties { GLOBAL_PROPERTY_OPTIMIZATION }
    optimizations::loop_canonicalization { LOOP_CANONICALIZATION }
    optimizations::loop_invariants { HIGH_LEVEL_LOOP_INVARIANT_CODE_MOTION, LOOP_INVARIANT_CODE_MOTION }
    optimizations::loop_rotation { LOOP_ROTATION }
    optimizations::loop_unrolling { LOOP_UNROLLING }
    optimizations::lower_aggregates { AGGREGATE_LOWERING }
    optimizations::memory_promotion { MEMORY_PROMOTION }
    optimizations::module_accesses { MODULE_ACCESS_REMOVAL }
    optimizations::named_return_values { NAMED_RETURN_VALUES }
    optimizations::object_headers { OBJECT_HEADER_STRIPPING }
    optimizations::object_outlining { OBJECT_OUTLINING }
    optimizations::overflow_checks { OVERFLOW_CHECK_REMOVAL }
    optimizations::partial_apply_simplification { PARTIAL_APPLY_SIMPLIFICATION }
    optimizations::phi_arguments { PHI_EXPANSION, REDUNDANT_PHI_ELIMINATION }
    optimizations::read_only_globals { READ_ONLY_GLOBALS }
    optimizations::redundant_loads {
        EARLY_REDUNDANT_LOAD_ELIMINATION,
        MANDATORY_REDUNDANT_LOAD_ELIMINATION,
        REDUNDANT_LOAD_ELIMINATION,
    }
    optimizations::reference_motion { LATE_RELEASE_HOISTING, RELEASE_HOISTING, RETAIN_SINKING }
    optimizations::release_devirtualization { RELEASE_DEVIRTUALIZATION }
    optimizations::scalar_replacement { SCALAR_REPLACEMENT }
    optimizations::semantic_arc { SEMANTIC_ARC }
    optimizations::serialization { SERIALIZATION_END }
    optimizations::simplification {
        COMBINATION,
        LATE_ONONE_SIMPLIFICATION,
        ONONE_SIMPLIFICATION,
        SIMPLIFICATION,
        UNSUPPORTED_SIMPLIFICATION,
    }
    optimizations::stack_hoisting { STACK_HOISTING }
    optimizations::stack_promotion { STACK_PROMOTION }
    optimizations::stack_protection { FUNCTION_STACK_PROTECTION, STACK_PROTECTION }
    optimizations::stripping {
        ACCESS_MARKER_ELIMINATION,
        DEBUG_INFORMATION_STRIPPING,
        DEBUG_STEP_CLEANUP,
        LEXICAL_LIFETIME_ELIMINATOR,
    }
    optimizations::temporary_copies { TEMPORARY_COPY_ELIMINATION }
    optimizations::temporary_destinations { TEMPORARY_DESTINATION_ELIMINATION }
    optimizations::unreachable_ends { UNREACHABLE_ENDS }
    optimizations::vtable_pruning { V_TABLE_PRUNING }
}
