//! The mandatory pipeline, which makes raw SIL canonical at all optimisation levels
//! (lib/SILOptimizer/PassManager/PassPipeline.cpp).

use sil_analysis::ModuleExtent;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{AddressLowering, LanguageMode, Module, Stage};
use sil_text::syntax::Libraries;

use crate::manager::run_recording;
use crate::mandatory::linking::link_referred;
use crate::mandatory::performance_diagnostics::generic_methods;
use crate::mandatory::{missing_return, static_assertions};
use crate::pass::settings::{
    ConcurrencyChecking, CopyPropagation, Lifetimes, Settings, StackCaptures, StaticAssertions,
};
use crate::pass::{Findings, Pass};
use crate::registry::{
    ACCESS_ENFORCEMENT_SELECTION, ADDRESS_LOWERING, BOOLEAN_LITERAL_FOLDING, BOX_TO_STACK, CAPTURE_PROMOTION,
    CIRCULAR_INLINING, CLOSURE_LIFETIMES, CONSTANT_FOLDING, CONSTANT_PROPAGATION, CONSTANT_VALUES,
    CONSUME_OPERATOR_ADDRESSES, CONSUME_OPERATOR_VALUES, DEAD_ALLOCATION_ELIMINATION, DEAD_FUNCTION_ELIMINATION,
    DEFINITE_INITIALIZATION, DIFFERENTIATION, EVALUATED_FUNCTION_LINKING, FLOW_ISOLATION, HOP_TO_EXECUTOR_OPTIMIZATION,
    INFINITE_RECURSION, INVALID_ESCAPING_CAPTURES, LIFETIME_DEPENDENCE_DIAGNOSTICS, LIFETIME_DEPENDENCE_INSERTION,
    LIFETIME_DEPENDENCE_SCOPE_FIXUP, LIFETIME_ISSUES, MANDATORY_INLINING, MANDATORY_LINKING, MANDATORY_PERFORMANCE,
    MANDATORY_REDUNDANT_LOAD_ELIMINATION, MISSING_RETURN, MOVE_ONLY_TYPE_ELIMINATOR, NESTED_SEMANTIC_FUNCTION_CHECK,
    NO_RETURN_FOLDING, NONCOPYABLE_CHECKER, PERFORMANCE_DIAGNOSTICS, RAW_INSTRUCTION_LOWERING,
    REFERENCE_BINDING_TRANSFORM, REGION_ISOLATION, SILGEN_CLEANUP, STATIC_ASSERTIONS, STATIC_EXCLUSIVITY,
    STATIC_GLOBAL_INITIALIZATION, TRANSPARENT_CLOSURE_INLINING, TRANSPARENT_COMPLETION, TUPLE_CONSTRUCTOR_LOWERING,
    UNREACHABLE_BLOCK_ELIMINATION, UNREACHABLE_CODE, UNSUPPORTED_SIMPLIFICATION, UNUSED_ORIGINALS, YIELD_ONCE_CHECK,
};

/// The diagnostic passes and their preparations, in order. None of them changes the canonical SIL of libraries.
const DIAGNOSING: &[Pass] = &[
    SILGEN_CLEANUP,
    LIFETIME_DEPENDENCE_INSERTION,
    LIFETIME_DEPENDENCE_SCOPE_FIXUP,
    INVALID_ESCAPING_CAPTURES,
    REFERENCE_BINDING_TRANSFORM,
    STATIC_EXCLUSIVITY,
    NESTED_SEMANTIC_FUNCTION_CHECK,
    CAPTURE_PROMOTION,
    ACCESS_ENFORCEMENT_SELECTION,
    BOX_TO_STACK,
    NO_RETURN_FOLDING,
    BOOLEAN_LITERAL_FOLDING,
    DEFINITE_INITIALIZATION,
    RAW_INSTRUCTION_LOWERING,
    ADDRESS_LOWERING,
    FLOW_ISOLATION,
    REGION_ISOLATION,
    DIFFERENTIATION,
    CLOSURE_LIFETIMES,
    TUPLE_CONSTRUCTOR_LOWERING,
    UNUSED_ORIGINALS,
    NONCOPYABLE_CHECKER,
    CONSUME_OPERATOR_ADDRESSES,
    CONSUME_OPERATOR_VALUES,
    LIFETIME_DEPENDENCE_DIAGNOSTICS,
    MOVE_ONLY_TYPE_ELIMINATOR,
    CIRCULAR_INLINING,
    MANDATORY_LINKING,
    CONSTANT_FOLDING,
    UNREACHABLE_BLOCK_ELIMINATION,
    HOP_TO_EXECUTOR_OPTIMIZATION,
    INFINITE_RECURSION,
    YIELD_ONCE_CHECK,
    MISSING_RETURN,
    LIFETIME_ISSUES,
];

/// The passes that fold the conditions of static assertions after inlining, and evaluate them.
const ASSERTING: &[Pass] = &[
    MANDATORY_REDUNDANT_LOAD_ELIMINATION,
    CONSTANT_PROPAGATION,
    DEAD_ALLOCATION_ELIMINATION,
    UNREACHABLE_CODE,
    STATIC_ASSERTIONS,
];

/// Diagnoses static assertions that do not hold.
fn check_assertions(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Findings {
    let inlining = [EVALUATED_FUNCTION_LINKING, MANDATORY_INLINING];
    // Errors of the program were diagnosed before. The text of a library does not distinguish some integer conversions,
    // which leads to a cycle of inlining. The other pass uses the types of the call.
    let mut inlined = run_recording(module, &inlining, libraries, settings);
    if inlined.wrong.is_none() && !inlined.diagnostics.is_empty() {
        inlined = run_recording(module, &[TRANSPARENT_COMPLETION], libraries, settings);
    }
    match inlined.wrong {
        None => run_recording(module, ASSERTING, libraries, settings),
        wrong => Findings { wrong, ..Findings::default() },
    }
}

/// The passes that only run on programs without errors.
const COMPLETING: &[Pass] = &[
    TRANSPARENT_COMPLETION,
    MANDATORY_PERFORMANCE,
    UNSUPPORTED_SIMPLIFICATION,
    TRANSPARENT_CLOSURE_INLINING,
    STATIC_GLOBAL_INITIALIZATION,
    DEAD_FUNCTION_ELIMINATION,
    CONSTANT_VALUES,
    PERFORMANCE_DIAGNOSTICS,
];

/// Makes a raw module canonical, with bodies from `libraries`. Returns diagnostics of its code. Other modules are left
/// unchanged. After an error the module remains raw.
pub fn make_canonical(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    make_canonical_with(module, libraries, &Settings::default())
}

/// Makes a module canonical with settings. Returns only the diagnostics.
pub fn make_canonical_with(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Vec<Diagnostic> {
    make_canonical_recording(module, libraries, settings).diagnostics
}

/// Makes a module canonical like [`make_canonical_with`]. Returns all findings of the passes, including those of the
/// verifier if verification is enabled.
pub fn make_canonical_recording(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Findings {
    let mut findings = Findings::default();
    if module.stage == Stage::Raw {
        diagnose(module, libraries, settings, &mut findings);
        let doubtful = take_doubtful(&mut findings);
        if findings.are_harmless() {
            complete(module, libraries, settings, &mut findings, doubtful);
        }
        if findings.are_harmless() {
            module.stage = Stage::Canonical;
        }
    }
    findings
}

/// Diagnoses a program.
fn diagnose(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings, findings: &mut Findings) {
    // The conditions are evaluated once, when more is known about them.
    let (static_assertions, stack_captures) = (StaticAssertions::Ignored, StackCaptures::Refused);
    let before = Settings { static_assertions, stack_captures, lifetimes: lifetimes(settings), ..settings.clone() };
    findings.add(run_recording(module, &diagnosing(module, settings), libraries, &before));
    let checks_assertions =
        settings.static_assertions == StaticAssertions::Checked && static_assertions::are_in(module);
    if checks_assertions && findings.wrong.is_none() {
        findings.add(check_assertions(module, libraries, settings));
    }
    // Unsupported code only matters if the program is correct.
    let is_wrong = |diagnostic: &Diagnostic| diagnostic.is_error() && !diagnostic.is_unsupported();
    if findings.diagnostics.iter().any(is_wrong) {
        findings.diagnostics.retain(|diagnostic| !diagnostic.is_unsupported());
    }
}

/// Removes the diagnostics of missing returns, if there are no other errors: the end of the function may be unreachable
/// after inlining, as after `precondition(false)`.
fn take_doubtful(findings: &mut Findings) -> Vec<Diagnostic> {
    let is_doubtful = |found: &Diagnostic| found.code == missing_return::CODE;
    match findings.diagnostics.iter().any(|found| found.is_error() && !is_doubtful(found)) {
        true => Vec::new(),
        false => findings.diagnostics.extract_if(.., |found| is_doubtful(found)).collect(),
    }
}

/// The `doubtful` diagnostics that still apply after inlining.
fn confirmed(
    module: &mut Module,
    libraries: &Libraries<'_>,
    settings: &Settings,
    doubtful: &[Diagnostic],
) -> Vec<Diagnostic> {
    // Errors in constants were diagnosed before.
    run_recording(module, &[CONSTANT_FOLDING], libraries, settings);
    let found = run_recording(module, &[MISSING_RETURN], libraries, settings).diagnostics;
    let is_found = |doubted: &&Diagnostic| found.iter().any(|found| found.span == doubted.span);
    doubtful.iter().filter(is_found).cloned().collect()
}

/// Runs the remaining passes on a program without errors other than those in `doubtful`.
fn complete(
    module: &mut Module,
    libraries: &Libraries<'_>,
    settings: &Settings,
    findings: &mut Findings,
    mut doubtful: Vec<Diagnostic>,
) {
    let mode = module.mode;
    let of_mode = &Settings { extent: extent(mode, settings), ..settings.clone() };
    for pass in COMPLETING.iter().filter(|pass| completes(**pass, mode)) {
        let mut found = run_recording(module, &[*pass], libraries, of_mode);
        if *pass == TRANSPARENT_CLOSURE_INLINING && !doubtful.is_empty() {
            found.diagnostics.extend(confirmed(module, libraries, of_mode, &std::mem::take(&mut doubtful)));
        }
        // Performance diagnostics report errors in constants too.
        let fails = !found.are_harmless() && *pass != CONSTANT_VALUES;
        findings.add(found);
        // Diagnostics of generic methods do not stop those of other code.
        if *pass == MANDATORY_PERFORMANCE {
            findings.diagnostics.extend(generic_methods(module));
        }
        if fails {
            findings.diagnostics.append(&mut doubtful);
            return;
        }
    }
}

/// The completion of lifetimes in dead ends. It includes functions with lifetime-dependent values, which are diagnosed.
fn lifetimes(settings: &Settings) -> Lifetimes {
    match settings.lifetimes {
        Lifetimes::Incomplete | Lifetimes::WhereDependent => Lifetimes::WhereDependent,
        Lifetimes::Complete => Lifetimes::Complete,
    }
}

/// The extent of the module. Modules of Embedded Swift are compiled as a whole (docs/EmbeddedSwift/UserManual.md).
fn extent(mode: LanguageMode, settings: &Settings) -> ModuleExtent {
    match mode {
        LanguageMode::Embedded => ModuleExtent::Whole,
        LanguageMode::Full => settings.extent,
    }
}

/// Returns whether a pass runs in this mode. In Embedded Swift, uncalled functions must be removed early, since they
/// may still be generic. Otherwise they are kept, since debuggers may call them.
fn completes(pass: Pass, mode: LanguageMode) -> bool {
    pass != DEAD_FUNCTION_ELIMINATION || mode == LanguageMode::Embedded
}

/// The diagnostic passes to run. Address lowering follows the lowering of raw instructions, which it does not support.
fn diagnosing(module: &Module, settings: &Settings) -> Vec<Pass> {
    let lowers_addresses = module.address_lowering == AddressLowering::Opaque;
    let mut passes = Vec::new();
    for pass in DIAGNOSING.iter().copied().filter(|pass| is_wanted(*pass, settings)) {
        if pass != ADDRESS_LOWERING {
            passes.push(pass);
        } else if lowers_addresses {
            passes.extend([RAW_INSTRUCTION_LOWERING, TUPLE_CONSTRUCTOR_LOWERING, ADDRESS_LOWERING]);
        }
    }
    passes
}

/// Returns whether a pass runs with these settings. The diagnostics of weak references only matter if passes shorten
/// lifetimes (lib/SILOptimizer/PassManager/PassPipeline.cpp).
fn is_wanted(pass: Pass, settings: &Settings) -> bool {
    let is_unneeded = pass == LIFETIME_ISSUES && settings.copy_propagation != CopyPropagation::Everywhere
        || pass == REGION_ISOLATION && settings.concurrency == ConcurrencyChecking::Minimal;
    !is_unneeded
}

/// Links the bodies that a canonical module refers to and for which no library has code, since running single passes
/// leaves them out.
pub fn complete_canonical(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    match (module.stage, module.mode) {
        (Stage::Canonical, LanguageMode::Full) if !libraries.is_empty() => link_referred(module, libraries),
        _ => Vec::new(),
    }
}
