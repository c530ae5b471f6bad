//! Optimising a module as `swiftc -O` does: which modules need it, what is known of who uses them, and what of the findings counts.
//!
//! Does not own: which passes run, and in which order (`performance_passes`).

use super::performance_passes::performance_passes;
use crate::analysis::{ApplyKind, FunctionEffects, InstructionEffects, ModuleExtent};
use crate::instructions::Opcode;
use crate::model::{Body, Function, FunctionFlag, LanguageMode, Linkage, Module, Stage};
use crate::parallel;
use crate::syntax::Libraries;
use crate::transform::manager::run_recording;
use crate::transform::optimizations::dead_functions::may_be_named_in_c;
use crate::transform::pass::Findings;
use crate::transform::pass::settings::{ExemptFunctions, Settings};
use crate::types::{ConformanceTable, TypeQueries};

/// What of a program a module is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// All of it: nothing but the module itself uses what it defines, apart from what C can name.
    Whole,
    /// A part: others may use what they see.
    Part,
}

/// Optimises a canonical module, with bodies from `libraries`. What passes do not support they leave as it is; of that nothing is said.
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

/// Makes everything that a whole program defines its own, but what C can name: the entry point, and what the runtime calls.
fn hide(module: &mut Module) {
    use Linkage::{Hidden, Package, PackageNonAbi, Public, PublicNonAbi};
    let is_seen = |linkage: Linkage| matches!(linkage, Public | PublicNonAbi | Package | PackageNonAbi);
    let may_hide = |function: &Function| {
        function.body.is_some() && is_seen(function.linkage) && !may_be_named_in_c(module, function)
    };
    let hidden: Vec<_> = module.functions.iter().filter(|(_, function)| may_hide(function)).map(|(id, _)| id).collect();
    hidden.into_iter().for_each(|id| module.functions[id].linkage = Hidden);
}

/// Whether a canonical module went through Swift's performance passes, or silc's. They state what each function does, as far as they know it
/// (`ComputeSideEffects`), and nothing else does for what a module itself defines: so functions of which all is known state it, and there is one that
/// does. Functions of libraries state it in other modules too.
pub fn is_optimized(module: &Module) -> bool {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let functions: Vec<&Function> = module.functions.values().filter(|function| function.body.is_some()).collect();
    let effects = InstructionEffects::new(module, queries);
    let evidence = parallel::map(&functions, |function| Evidence::of(effects, function));
    evidence.contains(&Evidence::Stated) && !evidence.contains(&Evidence::Unoptimized)
}

/// What a function tells of the passes that its module went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Evidence {
    /// It states what it does.
    Stated,
    /// It would state that, or would be another one, behind the performance passes.
    Unoptimized,
    /// Nothing.
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

/// Whether a function calls nothing and releases nothing, so that all that it does is known.
fn is_quiet(effects: InstructionEffects<'_>, function: &Function, body: &Body) -> bool {
    body.placed_instructions().all(|id| {
        let is_call = ApplyKind::of(body.instructions[id].opcode).is_some();
        !is_call && !effects.may_release(body, function.signature, id)
    })
}

/// Whether instructions stand for others that were taken away, for debuggers to stop at: that is for programs which are not optimised.
fn has_debug_steps(body: &Body) -> bool {
    body.placed_instructions().any(|id| body.instructions[id].opcode == Opcode::DebugStep)
}
