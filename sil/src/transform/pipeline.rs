//! Running passes: over all functions at once, with the whole module in view, one pass after the other.
//!
//! A pass sees the module, bodies of callees too, as it was before the pass. So the order of the functions, and how many threads
//! there are, makes no difference.

use std::time::{Duration, Instant};

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;

use super::Pass;
use super::editing::ownership_lowering;
use super::mandatory::{
    access_enforcement, address_lowering, boolean_literals, box_to_stack, capture_promotion, circular_inlining,
    closure_lifetimes, constant_folding, consume_operator, coroutine_variables, critical_edges, dead_allocations,
    definite_initialization, differentiation, escaping_captures, flow_isolation, for_each_unrolling, hop_lowering,
    hop_to_executor, infinite_recursion, inlining, let_properties, lifetime_dependence, lifetime_issues, linking,
    missing_return, move_only_wrappers, nested_semantics, noncopyable, noreturn_folding, os_log, pack_metadata,
    performance, performance_diagnostics, polymorphic_builtins, raw_lowering, reference_bindings, region_isolation,
    silgen_cleanup, static_assertions, static_exclusivity, static_globals, static_reports, thunk_lowering,
    unreachable_code, unused_originals, yield_once,
};
use super::optimizations::{
    access_dominance, access_folding, access_release_sinking, address_destroy_hoisting, arc_sequences,
    argument_simplification, argument_splitting, array_counts, array_properties, array_uniqueness, borrowed_phis,
    bounds_checks, call_inlining, capture_propagation, cfg_simplification, check_hoisting, closure_specialization,
    code_motion, code_sinking, common_subexpressions, cond_fail_merging, condition_forwarding, constant_let_properties,
    constant_strings, copy_forwarding, copy_propagation, cow_uniqueness, dead_code, dead_objects, dead_stores,
    deinit_devirtualization, derivative_references, destroy_hoisting, devirtualization, existential_specialization,
    function_effects, function_signatures, generic_specialization, global_properties, loop_canonicalization,
    loop_invariants, loop_rotation, loop_unrolling, lower_aggregates, memory_promotion, module_accesses,
    named_return_values, object_headers, object_outlining, overflow_checks, partial_apply_simplification,
    phi_arguments, read_only_globals, redundant_loads, reference_motion, release_devirtualization, scalar_replacement,
    semantic_arc, serialization, simplification, stack_hoisting, stack_promotion, stack_protection, stripping,
    temporary_copies, temporary_destinations, unreachable_ends, vtable_pruning,
};
use super::printing::Unit;
use super::profile::{PassTimes, repeated, timed};
use super::remarks::Remark;
use super::settings::{PassVerification, Settings};
use super::worklist::{Scope, Worklist, group_length};
use crate::analysis::{Analyses, BodyView, Change};
use crate::context::Name;
use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, FunctionAttribute, FunctionId, Global, GlobalId, Module};
use crate::parallel;
use crate::syntax::Libraries;
use crate::types::{ConformanceTable, TypeQueries};
use crate::verify::verify;

/// What a pass knows of the function that it works on.
#[derive(Clone, Copy)]
pub struct Environment<'m> {
    /// The module, with the bodies that it had before the pass.
    pub module: &'m Module,
    /// Answers about the module's types.
    pub queries: &'m TypeQueries<'m>,
    /// The function.
    pub function: &'m Function,
    /// Its body.
    pub body: &'m Body,
    /// What is known of `body`.
    pub analyses: &'m Analyses,
    /// What is known of all functions of the module, where that is at hand.
    pub of_module: Option<&'m PrimaryMap<FunctionId, Analyses>>,
    /// What passes are told.
    pub settings: &'m Settings,
}

impl<'m> Environment<'m> {
    /// Whether the function `id` of the module, whose body that is, refers to the function `name`.
    pub(super) fn refers_to(&self, id: FunctionId, body: &Body, name: Name) -> bool {
        match self.of_module.and_then(|analyses| analyses.get(id)) {
            Some(analyses) => analyses.refers_to(body, name),
            None => Analyses::default().refers_to(body, name),
        }
    }

    /// The function with another body, of which something else is known.
    pub(super) fn with_body<'b>(&self, body: &'b Body, analyses: &'b Analyses) -> Environment<'b>
    where
        'm: 'b,
    {
        Environment { body, analyses, ..*self }
    }

    /// A view of the body, through what is known of it.
    pub fn view(&self) -> BodyView<'m> {
        debug_assert!(self.analyses.fit(self.body));
        BodyView::with(self.module, self.queries, (self.function, self.body), self.analyses)
    }
}

/// What a pass makes of a function.
pub struct Rewrite {
    /// The body from now on.
    pub body: Body,
    /// What is other in it.
    pub change: Change,
    /// The function's attributes from now on.
    pub attributes: Vec<FunctionAttribute>,
    /// Functions that it made, each with the one that it is to stand before. Of several of one name the first is taken: a name says all
    /// that made the function what it is.
    pub functions: Vec<(FunctionId, Function)>,
    /// Functions that it made and that are to stand behind all others.
    pub appended: Vec<Function>,
    /// Other functions of the module, each with what becomes of it: that is for passes which go function by function alone.
    pub others: Vec<(FunctionId, Function)>,
    /// Globals that it made, of names that the module does not have.
    pub globals: Vec<Global>,
    /// Globals of the module, each with the value that it starts with from now on.
    pub initial_values: Vec<(GlobalId, Body)>,
    /// What it has to say of the function's code.
    pub diagnostics: Vec<Diagnostic>,
    /// What it remarks of what it did.
    pub remarks: Vec<Remark>,
}

impl Rewrite {
    /// Another body for `function`, and nothing else.
    pub fn new(function: &Function, body: Body, change: Change) -> Self {
        let attributes = function.attributes.clone();
        Self {
            body,
            change,
            attributes,
            functions: Vec::new(),
            appended: Vec::new(),
            others: Vec::new(),
            globals: Vec::new(),
            initial_values: Vec::new(),
            diagnostics: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The same body, with what is to be said of it; none where nothing is.
    pub(super) fn diagnostics_alone(function: &Function, body: &Body, diagnostics: Vec<Diagnostic>) -> Option<Self> {
        let unchanged = || Self::new(function, body.clone(), Change::Instructions);
        (!diagnostics.is_empty()).then(|| Self { diagnostics, ..unchanged() })
    }
}

/// What a pass knows of a module that it works on as a whole.
#[derive(Clone, Copy)]
pub(super) struct ModuleEnvironment<'m> {
    /// The module as it was before the pass.
    pub(super) module: &'m Module,
    pub(super) queries: &'m TypeQueries<'m>,
    /// What is known of each function's body.
    pub(super) analyses: &'m PrimaryMap<FunctionId, Analyses>,
    /// What passes are told.
    pub(super) settings: &'m Settings,
    /// The function that alone is worked on, those that it calls have been; none where all are.
    pub(super) only: Option<FunctionId>,
}

impl<'m> ModuleEnvironment<'m> {
    /// What is known of a function of it that has a body.
    pub(super) fn of_function(&self, id: FunctionId) -> Option<Environment<'m>> {
        let ModuleEnvironment { module, queries, analyses, settings, .. } = *self;
        let function = &module.functions[id];
        let body = function.body.as_ref()?;
        let of_module = Some(analyses);
        Some(Environment { module, queries, function, body, analyses: &analyses[id], of_module, settings })
    }

    /// The functions that are worked on.
    pub(super) fn functions(&self) -> Vec<FunctionId> {
        self.only.map_or_else(|| self.module.functions.keys().collect(), |only| vec![only])
    }
}

/// What a pass makes of the functions that it changes.
pub(super) type Rewrites = Vec<(FunctionId, Result<Rewrite, Box<Diagnostic>>)>;

/// How a pass runs.
pub(super) enum Runner {
    /// Over one function at a time. None where the function stays as it is.
    Function(fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>),
    /// Over one function after the other, those that are called first, with what became of them in view.
    FunctionByFunction(fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>, Afterwards),
    /// Over the module, where what becomes of a function depends on what became of others.
    Module(fn(ModuleEnvironment<'_>) -> Rewrites),
    /// Likewise, but never with others function by function: it looks at all functions to know something of the module.
    Whole(fn(ModuleEnvironment<'_>) -> Rewrites),
    /// As over the module. Where it runs with others function by function, all of them begin anew with a function that it changes.
    Restarting(fn(ModuleEnvironment<'_>) -> Rewrites),
    /// Over the program, where functions are added from libraries or taken away.
    Program(fn(&mut Module, &Libraries<'_>) -> Vec<Diagnostic>),
    /// Over the program, where functions are added from libraries, with what passes are told.
    ToldProgram(fn(&mut Module, &Libraries<'_>, &Settings) -> Vec<Diagnostic>),
    /// Over the program, with what passes are told.
    Told(fn(&mut Module, &Settings) -> Vec<Diagnostic>),
    /// Likewise or, where it runs with others function by function, over one function.
    ToldOrFunction(
        fn(&mut Module, &Settings) -> Vec<Diagnostic>,
        fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>,
    ),
    /// In several steps.
    Steps(&'static [Runner]),
}

/// What happens to a function behind a pass that made others of it, or put others into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Afterwards {
    /// The next pass.
    GoOn,
    /// All passes of the group once more.
    BeginAnew,
}

impl Runner {
    /// What the pass runs over.
    pub(super) fn scope(&self) -> Scope {
        match self {
            Runner::Function(_) | Runner::Module(_) | Runner::ToldOrFunction(..) => Scope::Functions,
            Runner::Restarting(_) => Scope::FunctionsAgain,
            Runner::FunctionByFunction(..) => Scope::FunctionByFunction,
            Runner::Steps(steps) if steps.iter().all(|step| step.scope() == Scope::Functions) => Scope::Functions,
            Runner::Steps(_) | Runner::Whole(_) | Runner::Program(_) | Runner::ToldProgram(_) | Runner::Told(_) => {
                Scope::Program
            }
        }
    }

    /// What happens to a function behind it.
    pub(super) fn afterwards(&self) -> Afterwards {
        match self {
            Runner::FunctionByFunction(_, afterwards) => *afterwards,
            Runner::Restarting(_) => Afterwards::BeginAnew,
            _ => Afterwards::GoOn,
        }
    }
}

pub(super) fn runner(pass: Pass) -> Runner {
    match pass {
        Pass::AccessEnforcementSelection => Runner::Module(access_enforcement::select),
        Pass::AddressLowering => Runner::Told(address_lowering::lower),
        Pass::ArgumentSimplification => Runner::Function(argument_simplification::simplify),
        Pass::ArgumentSplitting => Runner::Function(argument_splitting::split),
        Pass::CheckHoisting => Runner::Function(check_hoisting::hoist),
        Pass::BoxToStack => {
            const {
                Runner::Steps(&[
                    Runner::ToldOrFunction(box_to_stack::specialize, box_to_stack::specialize_for),
                    Runner::Function(box_to_stack::promote),
                ])
            }
        }
        Pass::BooleanLiteralFolding => Runner::Function(boolean_literals::fold),
        Pass::CapturePropagation => Runner::Function(capture_propagation::propagate),
        Pass::CapturePromotion => Runner::Told(capture_promotion::promote),
        Pass::DeadAllocationElimination => Runner::Function(dead_allocations::eliminate),
        Pass::DeadFunctionElimination => Runner::Told(performance::eliminate_unused),
        Pass::ForEachUnrolling => Runner::Function(for_each_unrolling::unroll),
        Pass::HopToActorLowering => Runner::Function(hop_lowering::lower),
        Pass::HopToExecutorOptimization => Runner::Function(hop_to_executor::optimize),
        Pass::LetPropertyLowering => Runner::Function(let_properties::lower),
        Pass::TupleConstructorLowering => Runner::Function(raw_lowering::lower_tuples),
        Pass::ThunkLowering => Runner::Function(thunk_lowering::lower),
        Pass::CoroutineVariables => Runner::Function(coroutine_variables::say_anew),
        Pass::YieldOnceCheck => Runner::Function(yield_once::diagnose),
        Pass::MandatoryRedundantLoadElimination => Runner::Module(redundant_loads::eliminate_mandatory),
        Pass::EarlyRedundantLoadElimination => Runner::Module(redundant_loads::eliminate_early),
        Pass::RedundantLoadElimination => Runner::Module(redundant_loads::eliminate),
        Pass::CodeSinking => Runner::Function(code_sinking::sink),
        Pass::SpeculativeDevirtualization => Runner::Function(devirtualization::speculation::speculate),
        Pass::FunctionSignatureOptimization => {
            Runner::FunctionByFunction(function_signatures::optimize, Afterwards::BeginAnew)
        }
        Pass::CapturedArgumentElimination => {
            Runner::FunctionByFunction(function_signatures::remove_captured_arguments, Afterwards::GoOn)
        }
        Pass::VTablePruning => Runner::Told(vtable_pruning::mark),
        Pass::ClosureSpecialization => Runner::FunctionByFunction(closure_specialization::specialize, Afterwards::GoOn),
        Pass::ExistentialSpecializer => {
            Runner::FunctionByFunction(existential_specialization::specialize, Afterwards::GoOn)
        }
        Pass::ClosureLifetimes => Runner::Function(closure_lifetimes::fix),
        Pass::DiagnosticConstantPropagation => {
            const {
                Runner::Steps(&[
                    Runner::Function(constant_folding::diagnose),
                    Runner::Function(constant_folding::propagate_own),
                ])
            }
        }
        Pass::ConstantFolding => {
            const {
                Runner::Steps(&[
                    Runner::Function(constant_folding::fold),
                    Runner::Function(constant_folding::propagate_own),
                ])
            }
        }
        Pass::EscapeEffects => Runner::Module(function_effects::compute_escape_effects),
        Pass::SideEffects => Runner::Module(function_effects::compute_side_effects),
        Pass::ConstantPropagation => Runner::Function(constant_folding::propagate),
        Pass::ConsumeOperatorAddresses => Runner::Function(consume_operator::check_memory),
        Pass::ConsumeOperatorValues => Runner::Function(consume_operator::check_values),
        Pass::CopyPropagation | Pass::MandatoryCopyPropagation => {
            const { Runner::Steps(&[Runner::Function(copy_propagation::propagate), Runner::Function(borrowed_phis::update)]) }
        }
        Pass::CriticalEdgeSplitting => Runner::Function(critical_edges::split),
        Pass::DeadCodeElimination => Runner::Function(dead_code::eliminate),
        Pass::DeadStoreElimination => Runner::Module(dead_stores::eliminate),
        Pass::DefiniteInitialization => Runner::Function(definite_initialization::initialize),
        Pass::GenericSpecializer => Runner::FunctionByFunction(generic_specialization::specialize, Afterwards::GoOn),
        Pass::InfiniteRecursion => Runner::Function(infinite_recursion::diagnose),
        Pass::LifetimeDependenceInsertion => Runner::Function(lifetime_dependence::insert),
        Pass::LifetimeDependenceScopeFixup => Runner::Function(lifetime_dependence::fix_up),
        Pass::LifetimeDependenceDiagnostics => Runner::Function(lifetime_dependence::diagnose),
        Pass::LifetimeIssues => Runner::Function(lifetime_issues::diagnose),
        Pass::InvalidEscapingCaptures => Runner::Module(escaping_captures::diagnose),
        Pass::MandatoryInlining => Runner::Function(inlining::inline),
        Pass::MissingReturn => {
            const {
                Runner::Steps(&[
                    Runner::Function(missing_return::diagnose),
                    Runner::Function(static_reports::diagnose),
                    Runner::Function(polymorphic_builtins::diagnose),
                    Runner::Function(static_assertions::diagnose),
                ])
            }
        }
        Pass::MandatoryLinking => Runner::Program(linking::link),
        Pass::AlwaysInline => Runner::Restarting(call_inlining::inline_always),
        Pass::EarlyInline => Runner::Restarting(call_inlining::inline_early),
        Pass::Inline => Runner::Restarting(call_inlining::inline),
        Pass::MandatoryPerformance => {
            const {
                Runner::Steps(&[
                    Runner::Program(performance::optimize_embedded),
                    Runner::Program(performance::annotated::optimize),
                ])
            }
        }
        Pass::EvaluatedFunctionLinking => Runner::Program(static_assertions::link),
        Pass::StaticAssertions => Runner::Function(static_assertions::diagnose),
        Pass::OSLogOptimization => Runner::Function(os_log::optimize),
        Pass::ReferenceBindingTransform => Runner::Function(reference_bindings::bind),
        Pass::NestedSemanticFunctionCheck => Runner::Module(nested_semantics::diagnose),
        Pass::CircularInlining => Runner::Program(circular_inlining::diagnose),
        Pass::PerformanceDiagnostics => Runner::Program(performance_diagnostics::diagnose),
        Pass::TransparentClosureInlining => Runner::Function(inlining::inline_closures),
        Pass::TransparentCompletion => Runner::Program(performance::complete),
        Pass::TrivialMoveOnlyTypeEliminator => Runner::Function(move_only_wrappers::eliminate_trivial),
        Pass::MoveOnlyTypeEliminator => Runner::Function(move_only_wrappers::eliminate),
        Pass::NoncopyableChecker => {
            const {
                Runner::Steps(&[
                    Runner::Function(silgen_cleanup::complete_checked_lifetimes),
                    Runner::Function(noncopyable::check),
                ])
            }
        }
        Pass::NoncopyableMemoryChecker => Runner::Function(noncopyable::check_memory),
        Pass::NoncopyableValueChecker => Runner::Function(noncopyable::check_values),
        Pass::PackMetadataMarking => Runner::Function(pack_metadata::mark),
        Pass::NoncopyableTemporaries => Runner::Function(noncopyable::forward_temporaries),
        Pass::NoReturnFolding => Runner::Function(noreturn_folding::fold),
        Pass::OnoneSimplification => Runner::Function(simplification::simplify_for_debugging),
        Pass::UnsupportedSimplification => Runner::Function(simplification::simplify_unsupported),
        Pass::LateOnoneSimplification => Runner::Function(simplification::simplify_late),
        Pass::BranchSimplification => {
            const {
                Runner::Steps(&[
                    Runner::Function(cfg_simplification::remove_unreachable),
                    Runner::Function(argument_splitting::split),
                    Runner::Function(cfg_simplification::simplify),
                    Runner::Function(cfg_simplification::name_last_cases),
                    Runner::Function(borrowed_phis::update),
                ])
            }
        }
        Pass::JumpThreading => {
            const {
                Runner::Steps(&[
                    Runner::Function(cfg_simplification::remove_unreachable),
                    Runner::Function(argument_splitting::split),
                    Runner::Function(cfg_simplification::simplify_and_thread),
                    Runner::Function(cfg_simplification::name_last_cases),
                    Runner::Function(borrowed_phis::update),
                ])
            }
        }
        Pass::Combination => Runner::Function(simplification::combine),
        Pass::Simplification => Runner::Function(simplification::simplify_for_speed),
        Pass::BoundsCheckOptimization => Runner::Function(bounds_checks::optimize),
        Pass::ArrayUniquenessHoisting => Runner::Function(array_uniqueness::hoist),
        Pass::ArrayPropertySpecialization => {
            const {
                Runner::Steps(&[
                    Runner::Function(array_properties::specialize),
                    Runner::Function(borrowed_phis::update),
                ])
            }
        }
        Pass::GlobalPropertyOptimization => Runner::Whole(global_properties::answer),
        Pass::ArrayCountPropagation => Runner::Function(array_counts::propagate),
        Pass::ConditionForwarding => {
            const {
                Runner::Steps(&[
                    Runner::Function(condition_forwarding::forward),
                    Runner::Function(borrowed_phis::update),
                ])
            }
        }
        Pass::AccessReleaseSinking => Runner::Function(access_release_sinking::sink),
        Pass::AccessFolding => Runner::Module(access_folding::fold),
        Pass::ModuleAccessRemoval => Runner::Whole(module_accesses::remove_checks),
        Pass::LoopCanonicalization => Runner::Function(loop_canonicalization::canonicalize),
        Pass::StackHoisting => Runner::Function(stack_hoisting::hoist),
        Pass::DominatedAccessRemoval => Runner::Function(access_dominance::remove_dominated),
        Pass::PartialApplySimplification => Runner::Told(partial_apply_simplification::simplify),
        Pass::ObjectOutlining => Runner::Function(object_outlining::outline),
        Pass::ObjectHeaderStripping => Runner::Function(object_headers::strip),
        Pass::AccessMarkerElimination => Runner::Function(stripping::strip_accesses),
        Pass::DebugStepCleanup => Runner::Function(stripping::clean_up_debug_steps),
        Pass::DebugInformationStripping => Runner::Function(stripping::strip_debug_information),
        Pass::LexicalLifetimeEliminator => Runner::Function(stripping::strip_lexical_lifetimes),
        Pass::AggregateLowering => Runner::Function(lower_aggregates::lower),
        Pass::CommonSubexpressionElimination => Runner::Function(common_subexpressions::eliminate),
        Pass::HighLevelCommonSubexpressionElimination => Runner::Function(common_subexpressions::eliminate_high_level),
        Pass::OverflowCheckRemoval => Runner::Function(overflow_checks::remove),
        Pass::CondFailMerging => Runner::Function(cond_fail_merging::merge),
        Pass::NamedReturnValues => Runner::Function(named_return_values::make_in_place),
        Pass::MemoryPromotion => Runner::Function(memory_promotion::promote),
        Pass::PhiExpansion => Runner::Function(phi_arguments::expand),
        Pass::RedundantPhiElimination => Runner::Function(phi_arguments::unify),
        Pass::StaticGlobalInitialization => {
            Runner::ToldOrFunction(static_globals::initialize, static_globals::initialize_by)
        }
        Pass::SilgenCleanup => {
            const {
                Runner::Steps(&[
                    Runner::Function(silgen_cleanup::complete_lifetimes),
                    Runner::Function(silgen_cleanup::clean_up),
                ])
            }
        }
        Pass::SemanticArc => {
            const { Runner::Steps(&[Runner::Function(semantic_arc::optimize), Runner::Function(borrowed_phis::update)]) }
        }
        Pass::ScalarReplacement => Runner::Function(scalar_replacement::replace),
        Pass::Differentiation => Runner::ToldProgram(differentiation::differentiate),
        Pass::DifferentiabilityWitnessDevirtualizer => Runner::Program(derivative_references::devirtualize),
        Pass::Devirtualizer => Runner::Function(devirtualization::devirtualize),
        Pass::UnreachableCode => {
            const {
                Runner::Steps(&[
                    Runner::Function(unreachable_code::fold),
                    Runner::Function(noreturn_folding::fold),
                    Runner::Function(unreachable_code::propagate_arguments),
                    Runner::Function(unreachable_code::fold),
                    Runner::Function(noreturn_folding::fold),
                ])
            }
        }
        Pass::UnreachableBlockElimination => Runner::Function(unreachable_code::remove_blocks),
        Pass::UnusedOriginals => Runner::Program(unused_originals::empty),
        Pass::TemporaryDestinationElimination => Runner::Module(temporary_destinations::make_in_place),
        Pass::TemporaryCopyElimination => Runner::Module(temporary_copies::eliminate),
        Pass::StackPromotion => Runner::Module(stack_promotion::promote),
        Pass::CopyForwarding => Runner::Function(copy_forwarding::forward),
        Pass::ArcSequences => Runner::Module(arc_sequences::remove_pairs),
        Pass::EarlyCodeMotion => Runner::Module(code_motion::move_early),
        Pass::LateCodeMotion => Runner::Module(code_motion::move_late),
        Pass::RetainSinking => Runner::Module(reference_motion::sink_retains),
        Pass::ReleaseHoisting => Runner::Module(reference_motion::hoist_releases),
        Pass::LateReleaseHoisting => Runner::Module(reference_motion::hoist_all_releases),
        Pass::ArcLoops => Runner::Module(arc_sequences::remove_pairs_in_loops),
        Pass::SerializationEnd => Runner::Told(serialization::end),
        Pass::StackProtection => Runner::Told(stack_protection::protect),
        Pass::FunctionStackProtection => Runner::Function(stack_protection::protect_function),
        Pass::ConstantStrings => Runner::Function(constant_strings::optimize),
        Pass::ConstantLetProperties => Runner::Whole(constant_let_properties::propagate),
        Pass::AddressDestroyHoisting => Runner::Function(address_destroy_hoisting::hoist),
        Pass::DestroyHoisting => Runner::Module(destroy_hoisting::hoist),
        Pass::LoopInvariantCodeMotion => Runner::Module(loop_invariants::hoist),
        Pass::HighLevelLoopInvariantCodeMotion => Runner::Module(loop_invariants::hoist_high_level),
        Pass::LoopRotation => {
            const { Runner::Steps(&[Runner::Function(loop_rotation::rotate), Runner::Function(borrowed_phis::update)]) }
        }
        Pass::LoopUnrolling => {
            const { Runner::Steps(&[Runner::Function(loop_unrolling::unroll), Runner::Function(borrowed_phis::update)]) }
        }
        Pass::DeadObjectElimination => Runner::Module(dead_objects::eliminate),
        Pass::DeinitDevirtualization => Runner::Function(deinit_devirtualization::devirtualize),
        Pass::ReleaseDevirtualization => Runner::Module(release_devirtualization::devirtualize),
        Pass::CowUniquenessFolding => Runner::Module(cow_uniqueness::fold),
        Pass::UpdateBorrowedFrom => Runner::Function(borrowed_phis::update),
        Pass::RawInstructionLowering => Runner::Function(raw_lowering::lower),
        Pass::StaticExclusivity => Runner::Module(static_exclusivity::diagnose),
        Pass::RegionIsolation => Runner::Function(region_isolation::diagnose),
        Pass::FlowIsolation => Runner::Function(flow_isolation::diagnose),
        Pass::ReadOnlyGlobals => Runner::Program(read_only_globals::mark),
        Pass::UnreachableEnds => Runner::Function(unreachable_ends::empty),
        Pass::LateOwnershipLowering => Runner::Function(ownership_lowering::lower_what_is_called),
        Pass::OwnershipLowering => Runner::Function(ownership_lowering::lower),
    }
}

/// Runs `passes`, in order, on all functions of a module that the verifier accepts. Gives what they say of the code, and what they do not support: a
/// pass leaves such functions as they are.
pub fn run(module: &mut Module, passes: &[Pass], libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    run_with(module, passes, libraries, &Settings::default())
}

/// The same with settings, without what [`run_recording`] gives beside that.
pub fn run_with(
    module: &mut Module,
    passes: &[Pass],
    libraries: &Libraries<'_>,
    settings: &Settings,
) -> Vec<Diagnostic> {
    run_recording(module, passes, libraries, settings).diagnostics
}

/// What passes find.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// What they say of the code, and what they do not support.
    pub diagnostics: Vec<Diagnostic>,
    /// What they remark of what they did.
    pub remarks: Vec<Remark>,
    /// How often one of them ran on a function, where that is limited.
    pub runs: u32,
    /// How long they ran.
    pub duration: Duration,
    /// How long each of them ran, with what else running it takes.
    pub times: PassTimes,
    /// What the verifier found behind a pass, where it was asked to look; no pass ran behind that.
    pub wrong: Option<MadeWrong>,
}

impl Findings {
    /// Finds out whether a module is wrong behind a pass, where the verifier is to look. What is left of a wrong program need not be right.
    fn verify(&mut self, module: &Module, pass: Pass, settings: &Settings) {
        if settings.pass_verification == PassVerification::Skip || !self.are_harmless() {
            return;
        }
        let errors: Vec<Diagnostic> = verify(module).into_iter().filter(Diagnostic::is_error).collect();
        if !errors.is_empty() {
            self.wrong = Some(MadeWrong { pass, errors });
        }
    }

    /// Whether the program may be right, as far as this tells.
    pub(super) fn are_harmless(&self) -> bool {
        self.wrong.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What others found behind it.
    pub fn add(&mut self, others: Findings) {
        let Findings { diagnostics, remarks, runs, duration, times, wrong } = others;
        self.diagnostics.extend(diagnostics);
        self.remarks.extend(remarks);
        self.runs += runs;
        self.duration += duration;
        self.times.append(times);
        self.wrong = self.wrong.take().or(wrong);
    }
}

/// What is wrong with what a pass made.
#[derive(Clone, Debug)]
pub struct MadeWrong {
    /// The pass.
    pub pass: Pass,
    /// What the verifier says.
    pub errors: Vec<Diagnostic>,
}

/// Runs passes as [`run_with`] does, and gives their remarks, too.
pub fn run_recording(module: &mut Module, passes: &[Pass], libraries: &Libraries<'_>, settings: &Settings) -> Findings {
    let mut analyses: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    let mut findings = Findings::default();
    let mut left = passes;
    while let Some(first) = left.first() {
        if settings.disabled.has(*first) {
            let before = settings.printing.before(*first, module, Unit::Module);
            analyses = run_on_others(module, &runner(*first), libraries, settings, analyses, &mut findings);
            settings.printing.after(before, *first, module, Unit::Module);
            left = &left[1..];
            continue;
        }
        let running = left.iter().take_while(|pass| !settings.disabled.has(**pass)).count();
        let (left_running, _) = left.split_at(running);
        let (group, others) = left.split_at(group_length(left_running, settings));
        let runners: Vec<Runner> = group.iter().map(|pass| runner(*pass)).collect();
        let by_function = |runner: &Runner| runner.scope() == Scope::FunctionByFunction;
        if runners.len() > 1 || settings.limit.is_some() || runners.iter().any(by_function) {
            analyses = Worklist::new(module, settings, analyses, &mut findings).run(group, &runners);
        } else {
            let before = settings.printing.before(*first, module, Unit::Module);
            let start = Instant::now();
            analyses = run_one(module, &runner(*first), libraries, settings, analyses, &mut findings);
            findings.times.add(*first, start.elapsed());
            settings.printing.after(before, *first, module, Unit::Module);
        }
        findings.verify(module, *first, settings);
        if findings.wrong.is_some() {
            return findings;
        }
        left = others;
    }
    findings
}

/// Runs a pass that does not run on some functions on all others: on none where it runs over the whole program.
fn run_on_others(
    module: &mut Module,
    runner: &Runner,
    libraries: &Libraries<'_>,
    settings: &Settings,
    analyses: PrimaryMap<FunctionId, Analyses>,
    findings: &mut Findings,
) -> PrimaryMap<FunctionId, Analyses> {
    if settings.disabled.functions.is_empty() || runner.scope() == Scope::Program {
        return analyses;
    }
    let concerned: Vec<FunctionId> = {
        let named = |id: &FunctionId| settings.disabled.concerns(module.context.text(module.functions[*id].name));
        module.functions.keys().filter(named).collect()
    };
    let kept: Vec<(FunctionId, Option<Body>, Vec<FunctionAttribute>)> = concerned
        .into_iter()
        .map(|id| (id, module.functions[id].body.clone(), module.functions[id].attributes.clone()))
        .collect();
    let names: Vec<_> = kept.iter().map(|(id, ..)| module.functions[*id].name).collect();
    let mut analyses = run_one(module, runner, libraries, settings, analyses, findings);
    for ((_, body, attributes), name) in kept.into_iter().zip(names) {
        let Some(id) = module.function_named(name) else { continue };
        module.functions[id].body = body;
        module.functions[id].attributes = attributes;
        analyses[id] = Analyses::default();
    }
    analyses
}

/// Runs one pass or a step of one, and gives what is still known of the functions.
fn run_one(
    module: &mut Module,
    runner: &Runner,
    libraries: &Libraries<'_>,
    settings: &Settings,
    mut analyses: PrimaryMap<FunctionId, Analyses>,
    findings: &mut Findings,
) -> PrimaryMap<FunctionId, Analyses> {
    let mut rewritten = match runner {
        Runner::Steps(steps) => {
            for step in *steps {
                analyses = run_one(module, step, libraries, settings, analyses, findings);
            }
            return analyses;
        }
        Runner::Program(pass) => {
            let said = timed(&mut findings.duration, || pass(module, libraries));
            findings.diagnostics.extend(said);
            return module.functions.keys().map(|_| Analyses::default()).collect();
        }
        Runner::ToldProgram(pass) => {
            findings.diagnostics.extend(pass(module, libraries, settings));
            return module.functions.keys().map(|_| Analyses::default()).collect();
        }
        Runner::Told(pass) | Runner::ToldOrFunction(pass, _) => {
            let said = timed(&mut findings.duration, || pass(module, settings));
            findings.diagnostics.extend(said);
            return module.functions.keys().map(|_| Analyses::default()).collect();
        }
        Runner::Module(pass) | Runner::Whole(pass) | Runner::Restarting(pass) => {
            repeated(settings, &mut findings.duration, || over_module(module, &analyses, settings, *pass))
        }
        Runner::Function(pass) | Runner::FunctionByFunction(pass, _) => {
            repeated(settings, &mut findings.duration, || over_functions(module, &analyses, settings, pass))
        }
    };
    rewritten.retain(|(id, _)| !settings.exempts(&module.functions[*id]));
    apply(module, rewritten, analyses, findings)
}

/// Runs a pass that is not one of [`Pass::ALL`] on all functions of a module that the verifier accepts, and gives what [`run`] gives.
pub fn run_function_pass(
    module: &mut Module,
    pass: impl Fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> + Sync,
) -> Vec<Diagnostic> {
    let analyses: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    let rewritten = over_functions(module, &analyses, &Settings::default(), pass);
    let mut findings = Findings::default();
    apply(module, rewritten, analyses, &mut findings);
    findings.diagnostics
}

/// Makes the module what a pass made of its functions, and gives what is still known of them.
pub(super) fn apply(
    module: &mut Module,
    rewritten: Rewrites,
    mut analyses: PrimaryMap<FunctionId, Analyses>,
    findings: &mut Findings,
) -> PrimaryMap<FunctionId, Analyses> {
    let mut made = Vec::new();
    let mut appended = Vec::new();
    for (id, rewrite) in rewritten {
        match rewrite {
            Ok(mut rewrite) => {
                module.add_globals_of(&mut rewrite.body, rewrite.globals);
                let name = module.functions[id].name;
                let said = rewrite.diagnostics.into_iter().map(|diagnostic| diagnostic.in_function(name));
                findings.diagnostics.extend(said);
                findings.remarks.extend(rewrite.remarks);
                let function = &mut module.functions[id];
                function.body = Some(rewrite.body);
                function.attributes = rewrite.attributes;
                analyses[id].forget(rewrite.change);
                for (global, value) in rewrite.initial_values {
                    module.globals[global].initializer = Some(Box::new(value));
                }
                for (other, function) in rewrite.others {
                    module.functions[other] = function;
                    analyses[other] = Analyses::default();
                }
                made.extend(rewrite.functions);
                appended.extend(rewrite.appended);
            }
            Err(diagnostic) => findings.diagnostics.push(diagnostic.in_function(module.functions[id].name)),
        }
    }
    if !made.is_empty() {
        analyses = insert(module, analyses, made);
    }
    let mut behind = Vec::new();
    for function in appended {
        if module.function_named(function.name).is_none() {
            behind.push(module.add_function(function));
            analyses.push(Analyses::default());
        }
    }
    module.give_own_scopes(behind);
    analyses
}

/// Adds functions to a module. What is known of those that are there goes with them.
fn insert(
    module: &mut Module,
    analyses: PrimaryMap<FunctionId, Analyses>,
    made: Vec<(FunctionId, Function)>,
) -> PrimaryMap<FunctionId, Analyses> {
    let names = made.iter().map(|(_, function)| function.name);
    let new: FxHashSet<Name> = names.filter(|name| module.function_named(*name).is_none()).collect();
    let moved = module.insert_functions(made);
    let functions = module.functions.iter().filter(|(_, function)| new.contains(&function.name));
    let ids: Vec<FunctionId> = functions.map(|(id, _)| id).collect();
    module.give_own_scopes(ids);
    let mut inserted: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    for (id, known) in analyses {
        inserted[moved[id]] = known;
    }
    inserted
}

fn over_module(
    module: &Module,
    analyses: &PrimaryMap<FunctionId, Analyses>,
    settings: &Settings,
    pass: fn(ModuleEnvironment<'_>) -> Rewrites,
) -> Rewrites {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    pass(ModuleEnvironment { module, queries: &TypeQueries::of(module, &conformances), analyses, settings, only: None })
}

fn over_functions(
    module: &Module,
    analyses: &PrimaryMap<FunctionId, Analyses>,
    settings: &Settings,
    pass: impl Fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> + Sync,
) -> Rewrites {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let all = ModuleEnvironment { module, queries, analyses, settings, only: None };
    let rewrite = |id: &FunctionId| Some((*id, pass(all.of_function(*id)?).transpose()?));
    parallel::map(&all.functions(), rewrite).into_iter().flatten().collect()
}
