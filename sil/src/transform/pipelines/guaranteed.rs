//! The guaranteed pipeline: what raw SIL goes through to become canonical, whatever the level of optimisation
//! (lib/SILOptimizer/PassManager/PassPipeline.cpp).

use crate::analysis::ModuleExtent;
use crate::diagnostic::Diagnostic;
use crate::model::{AddressLowering, LanguageMode, Module, Stage};
use crate::syntax::Libraries;
use crate::transform::manager::run_recording;
use crate::transform::mandatory::linking::link_referred;
use crate::transform::mandatory::performance_diagnostics::generic_methods;
use crate::transform::mandatory::{missing_return, static_assertions};
use crate::transform::pass::settings::{
    ConcurrencyChecking, CopyPropagation, Lifetimes, Settings, StackCaptures, StaticAssertions,
};
use crate::transform::pass::{Findings, Pass};
use crate::transform::registry::{
    ACCESS_ENFORCEMENT_SELECTION, ADDRESS_LOWERING, BOOLEAN_LITERAL_FOLDING, BOX_TO_STACK, CAPTURE_PROMOTION,
    CIRCULAR_INLINING, CLOSURE_LIFETIMES, CONSTANT_FOLDING, CONSTANT_PROPAGATION, CONSUME_OPERATOR_ADDRESSES,
    CONSUME_OPERATOR_VALUES, DEAD_ALLOCATION_ELIMINATION, DEAD_FUNCTION_ELIMINATION, DEFINITE_INITIALIZATION,
    DIFFERENTIATION, EVALUATED_FUNCTION_LINKING, FLOW_ISOLATION, HOP_TO_EXECUTOR_OPTIMIZATION, INFINITE_RECURSION,
    INVALID_ESCAPING_CAPTURES, LIFETIME_DEPENDENCE_DIAGNOSTICS, LIFETIME_DEPENDENCE_INSERTION,
    LIFETIME_DEPENDENCE_SCOPE_FIXUP, LIFETIME_ISSUES, MANDATORY_INLINING, MANDATORY_LINKING, MANDATORY_PERFORMANCE,
    MANDATORY_REDUNDANT_LOAD_ELIMINATION, MISSING_RETURN, MOVE_ONLY_TYPE_ELIMINATOR, NESTED_SEMANTIC_FUNCTION_CHECK,
    NO_RETURN_FOLDING, NONCOPYABLE_CHECKER, PERFORMANCE_DIAGNOSTICS, RAW_INSTRUCTION_LOWERING,
    REFERENCE_BINDING_TRANSFORM, REGION_ISOLATION, SILGEN_CLEANUP, STATIC_ASSERTIONS, STATIC_EXCLUSIVITY,
    STATIC_GLOBAL_INITIALIZATION, TRANSPARENT_CLOSURE_INLINING, TRANSPARENT_COMPLETION, TUPLE_CONSTRUCTOR_LOWERING,
    UNREACHABLE_BLOCK_ELIMINATION, UNREACHABLE_CODE, UNSUPPORTED_SIMPLIFICATION, UNUSED_ORIGINALS, YIELD_ONCE_CHECK,
};

/// The passes that say what is wrong with programs and prepare them for that, in order. Each leaves alone what a library has as canonical SIL.
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

/// What makes constants of the conditions that must hold when a program is compiled, behind inlining, and computes them.
const ASSERTING: &[Pass] = &[
    MANDATORY_REDUNDANT_LOAD_ELIMINATION,
    CONSTANT_PROPAGATION,
    DEAD_ALLOCATION_ELIMINATION,
    UNREACHABLE_CODE,
    STATIC_ASSERTIONS,
];

/// Says which conditions do not hold that must hold when a program is compiled.
fn check_assertions(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Findings {
    let inlining = [EVALUATED_FUNCTION_LINKING, MANDATORY_INLINING];
    // What is wrong with the program was said before. Conversions of integers that the text of a library does not tell apart lead round in a circle
    // there; the other pass looks at what they are called with.
    let mut inlined = run_recording(module, &inlining, libraries, settings);
    if inlined.wrong.is_none() && !inlined.diagnostics.is_empty() {
        inlined = run_recording(module, &[TRANSPARENT_COMPLETION], libraries, settings);
    }
    match inlined.wrong {
        None => run_recording(module, ASSERTING, libraries, settings),
        wrong => Findings { wrong, ..Findings::default() },
    }
}

/// The passes that only programs go through that nothing is wrong with.
const COMPLETING: &[Pass] = &[
    TRANSPARENT_COMPLETION,
    MANDATORY_PERFORMANCE,
    UNSUPPORTED_SIMPLIFICATION,
    TRANSPARENT_CLOSURE_INLINING,
    STATIC_GLOBAL_INITIALIZATION,
    DEAD_FUNCTION_ELIMINATION,
    PERFORMANCE_DIAGNOSTICS,
];

/// Makes a raw module canonical, with bodies from `libraries`, and gives what is to be said of its code. Other modules stay as they are. After an
/// error the module stays raw.
pub fn make_canonical(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    make_canonical_with(module, libraries, &Settings::default())
}

/// The same with settings.
pub fn make_canonical_with(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Vec<Diagnostic> {
    make_canonical_recording(module, libraries, settings).diagnostics
}

/// Makes a module canonical as [`make_canonical_with`] does, and gives all that the passes found: what the verifier did, too, where it is to look behind
/// each of them.
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

/// Says what is wrong with a program.
fn diagnose(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings, findings: &mut Findings) {
    // Conditions are computed once, when more is known of them.
    let (static_assertions, stack_captures) = (StaticAssertions::Ignored, StackCaptures::Refused);
    let before = Settings { static_assertions, stack_captures, lifetimes: lifetimes(settings), ..settings.clone() };
    findings.add(run_recording(module, &diagnosing(module, settings), libraries, &before));
    let checks_assertions =
        settings.static_assertions == StaticAssertions::Checked && static_assertions::are_in(module);
    if checks_assertions && findings.wrong.is_none() {
        findings.add(check_assertions(module, libraries, settings));
    }
    // What silc does not support yet matters where the program is right.
    let is_wrong = |diagnostic: &Diagnostic| diagnostic.is_error() && !diagnostic.is_unsupported();
    if findings.diagnostics.iter().any(is_wrong) {
        findings.diagnostics.retain(|diagnostic| !diagnostic.is_unsupported());
    }
}

/// Takes out what is said of ends of functions that may never be reached, where nothing else is wrong: what is inlined may not return there, as
/// `precondition(false)` does not.
fn take_doubtful(findings: &mut Findings) -> Vec<Diagnostic> {
    let is_doubtful = |found: &Diagnostic| found.code == missing_return::CODE;
    match findings.diagnostics.iter().any(|found| found.is_error() && !is_doubtful(found)) {
        true => Vec::new(),
        false => findings.diagnostics.extract_if(.., |found| is_doubtful(found)).collect(),
    }
}

/// Those of the `doubtful` findings that are still found now that calls are inlined.
fn confirmed(module: &mut Module, libraries: &Libraries<'_>, doubtful: &[Diagnostic]) -> Vec<Diagnostic> {
    // What is wrong with constants was said before.
    run_recording(module, &[CONSTANT_FOLDING], libraries, &Settings::default());
    let found = run_recording(module, &[MISSING_RETURN], libraries, &Settings::default()).diagnostics;
    let is_found = |doubted: &&Diagnostic| found.iter().any(|found| found.span == doubted.span);
    doubtful.iter().filter(is_found).cloned().collect()
}

/// Makes what is left to be made of a program that nothing is wrong with but, perhaps, what is `doubtful`.
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
            found.diagnostics.extend(confirmed(module, libraries, &std::mem::take(&mut doubtful)));
        }
        let fails = !found.are_harmless();
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

/// Where values end that are there on ways which never leave functions: what depends on them is checked there too.
fn lifetimes(settings: &Settings) -> Lifetimes {
    match settings.lifetimes {
        Lifetimes::Incomplete | Lifetimes::WhereDependent => Lifetimes::WhereDependent,
        Lifetimes::Complete => Lifetimes::Complete,
    }
}

/// How much of a program the module is: modules of Embedded Swift are compiled as a whole (docs/EmbeddedSwift/UserManual.md).
fn extent(mode: LanguageMode, settings: &Settings) -> ModuleExtent {
    match mode {
        LanguageMode::Embedded => ModuleExtent::Whole,
        LanguageMode::Full => settings.extent,
    }
}

/// Whether a pass completes programs of this mode. In Embedded Swift what is not called must not be looked at any further: it may be generic still. Elsewhere
/// debuggers may call it.
fn completes(pass: Pass, mode: LanguageMode) -> bool {
    pass != DEAD_FUNCTION_ELIMINATION || mode == LanguageMode::Embedded
}

/// The diagnosing passes that run. Address lowering comes behind the lowering of raw instructions, which it does not know.
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

/// Whether a pass runs with these settings. Lifetimes of weakly referenced objects matter only where passes shorten them
/// (lib/SILOptimizer/PassManager/PassPipeline.cpp).
fn is_wanted(pass: Pass, settings: &Settings) -> bool {
    let is_unneeded = pass == LIFETIME_ISSUES && settings.copy_propagation != CopyPropagation::Everywhere
        || pass == REGION_ISOLATION && settings.concurrency == ConcurrencyChecking::Minimal;
    !is_unneeded
}

/// Links the bodies that a canonical module of ordinary Swift refers to and no library has code of: who ran passes one by one left them out.
pub fn complete_canonical(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    match (module.stage, module.mode) {
        (Stage::Canonical, LanguageMode::Full) if !libraries.is_empty() => link_referred(module, libraries),
        _ => Vec::new(),
    }
}
