//! Optimises a module like `swiftc -O`: decides whether a module needs it, the visibility of its definitions, and the
//! findings that count.
//!
//! Does not own: the passes and their order (`performance_passes`).

use sil_analysis::{ApplyKind, FunctionEffects, InstructionEffects, ModuleExtent};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Function, FunctionFlag, LanguageMode, Linkage, Module, Stage};
use sil_ir::parallel;
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

use super::performance_passes::performance_passes;
use crate::manager::run_recording;
use crate::optimizations::dead_functions::may_be_named_in_c;
use crate::pass::Findings;
use crate::pass::settings::{ExemptFunctions, Settings};

/// The part of the program that a module is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// The whole program: only the module itself uses its definitions, except for those that C can refer to.
    Whole,
    /// A part: others may use its visible definitions.
    Part,
}

/// Optimises a canonical module, with bodies from `libraries`. Code that a pass does not support is left unchanged
/// without a diagnostic.
pub fn optimize(module: &mut Module, program: Program, libraries: &Libraries<'_>, settings: &Settings) -> Findings {
    if module.stage != Stage::Canonical {
        return Findings::default();
    }
    let is_whole = program == Program::Whole || module.mode == LanguageMode::Embedded;
    let extent = if is_whole { ModuleExtent::Whole } else { settings.extent };
    let settings = Settings { extent, exempt: ExemptFunctions::Unoptimized, ..settings.clone() };
    if program == Program::Whole {
        hide(module);
    }
    let passes = performance_passes(module.mode);
    let mut findings = run_recording(module, &passes, libraries, &settings);
    findings.diagnostics.retain(|diagnostic| !diagnostic.is_unsupported());
    findings
}

/// Hides the definitions of a whole program, except for those that C can refer to: the entry point, and functions that
/// the runtime calls.
fn hide(module: &mut Module) {
    use Linkage::{Hidden, Package, PackageNonAbi, Public, PublicNonAbi};
    let is_seen = |linkage: Linkage| matches!(linkage, Public | PublicNonAbi | Package | PackageNonAbi);
    let may_hide = |function: &Function| {
        function.body.is_some() && is_seen(function.linkage) && !may_be_named_in_c(module, function)
    };
    let hidden: Vec<_> = module.functions.iter().filter(|(_, function)| may_hide(function)).map(|(id, _)| id).collect();
    hidden.into_iter().for_each(|id| module.functions[id].linkage = Hidden);
}

/// Returns whether a canonical module went through the performance passes of Swift or silc. Only these passes compute
/// side effect attributes (`ComputeSideEffects`) for the module's own functions. So every function whose effects are
/// all known must have them, and at least one must. Functions of libraries may have them in other modules too.
pub fn is_optimized(module: &Module) -> bool {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let functions: Vec<&Function> = module.functions.values().filter(|function| function.body.is_some()).collect();
    let effects = InstructionEffects::new(module, queries);
    let evidence = parallel::map(&functions, |function| Evidence::of(effects, function));
    evidence.contains(&Evidence::Stated) && !evidence.contains(&Evidence::Unoptimized)
}

/// The evidence of a function for the passes that its module went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Evidence {
    /// It has side effect attributes.
    Stated,
    /// It would have them, or be different, after the performance passes.
    Unoptimized,
    /// No evidence.
    None,
}

impl Evidence {
    fn of(effects: InstructionEffects<'_>, function: &Function) -> Self {
        let Some(body) = &function.body else { return Self::None };
        if function.has(FunctionFlag::OptimizeNone) || function.linkage.is_external() {
            return Self::None;
        }
        if FunctionEffects::of(effects.context(), function, None).side.is_some() {
            return if has_debug_steps(body) { Self::Unoptimized } else { Self::Stated };
        }
        let promises = [FunctionFlag::ReadNone, FunctionFlag::ReadOnly, FunctionFlag::ReleaseNone];
        let is_known = !promises.iter().any(|flag| function.has(*flag)) && is_quiet(effects, function, body);
        if is_known || function.has(FunctionFlag::Ossa) || has_debug_steps(body) {
            return Self::Unoptimized;
        }
        Self::None
    }
}

/// Returns whether a function contains no calls and no releases, so that all its effects are known.
fn is_quiet(effects: InstructionEffects<'_>, function: &Function, body: &Body) -> bool {
    body.placed_instructions().all(|id| {
        let is_call = ApplyKind::of(body.instructions[id].opcode).is_some();
        !is_call && !effects.may_release(body, function.signature, id)
    })
}

/// Returns whether a body contains `debug_step`s, which stand for removed instructions in code that is not optimised.
fn has_debug_steps(body: &Body) -> bool {
    body.placed_instructions().any(|id| body.instructions[id].opcode == Opcode::DebugStep)
}
