//! Runs passes: one pass after the other over all functions, or function by function (`worklist`).
//!
//! A pass sees the module, including the bodies of callees, in its state before the pass. So the result does not depend
//! on the order of functions or the number of threads.

mod differences;
mod profile;
mod settled;
mod worklist;

use std::time::Instant;

use cranelift_entity::PrimaryMap;
use sil_analysis::Analyses;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, FunctionAttribute, FunctionId, Module};
use sil_ir::parallel;
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

use self::profile::{repeated, timed};
use self::settled::Settled;
use self::worklist::Worklist;
pub use self::worklist::group_length;
use super::pass::settings::Settings;
use super::pass::{
    Findings, FunctionPass, Gates, ModuleEnvironment, ModulePass, Pass, Rewrites, Runner, Scope, Step, Unit, apply,
};

/// Runs `passes`, in order, on all functions of a valid module. Returns diagnostics of the code and of unsupported
/// code. A pass leaves unsupported functions unchanged.
pub fn run(module: &mut Module, passes: &[Pass], libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    run_with(module, passes, libraries, &Settings::default())
}

/// Runs passes with settings. Returns only the diagnostics of [`run_recording`].
pub fn run_with(
    module: &mut Module,
    passes: &[Pass],
    libraries: &Libraries<'_>,
    settings: &Settings,
) -> Vec<Diagnostic> {
    run_recording(module, passes, libraries, settings).diagnostics
}

/// Runs passes like [`run_with`]. Returns all findings.
pub fn run_recording(module: &mut Module, passes: &[Pass], libraries: &Libraries<'_>, settings: &Settings) -> Findings {
    let mut analyses: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    let mut findings = Findings::default();
    let mut settled = Settled::default();
    let mut left = passes;
    while let Some(first) = left.first() {
        if settings.disabled.has(*first) {
            let before = settings.printing.before(*first, module, Unit::Module);
            analyses = run_on_others(module, first.step(), libraries, settings, analyses, &mut findings);
            settled.clear();
            settings.printing.after(before, *first, module, Unit::Module);
            left = &left[1..];
            continue;
        }
        let running = left.iter().take_while(|pass| !settings.disabled.has(**pass)).count();
        let (left_running, _) = left.split_at(running);
        let (group, others) = left.split_at(group_length(left_running, settings));
        let by_function = |pass: &Pass| pass.runner().scope() == Scope::FunctionByFunction;
        if group.len() > 1 || settings.limit.is_some() || group.iter().any(by_function) {
            analyses = Worklist::new(module, settings, (analyses, &mut settled), &mut findings).run(group);
        } else {
            let before = settings.printing.before(*first, module, Unit::Module);
            let start = Instant::now();
            analyses = run_one(module, first.step(), libraries, settings, (analyses, &mut settled), &mut findings);
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

/// Runs a pass that is disabled for some functions on all others. A pass over the whole program does not run at all.
fn run_on_others(
    module: &mut Module,
    step: Step,
    libraries: &Libraries<'_>,
    settings: &Settings,
    analyses: PrimaryMap<FunctionId, Analyses>,
    findings: &mut Findings,
) -> PrimaryMap<FunctionId, Analyses> {
    if settings.disabled.functions.is_empty() || step.runner.scope() == Scope::Program {
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
    let mut analyses = run_one(module, step, libraries, settings, (analyses, &mut Settled::default()), findings);
    for ((_, body, attributes), name) in kept.into_iter().zip(names) {
        let Some(id) = module.function_named(name) else { continue };
        module.functions[id].body = body;
        module.functions[id].attributes = attributes;
        analyses[id] = Analyses::default();
    }
    analyses
}

/// Runs one pass or a step of one. Returns the analyses that are still valid.
fn run_one(
    module: &mut Module,
    step: Step,
    libraries: &Libraries<'_>,
    settings: &Settings,
    (mut analyses, settled): (PrimaryMap<FunctionId, Analyses>, &mut Settled),
    findings: &mut Findings,
) -> PrimaryMap<FunctionId, Analyses> {
    let mut rewritten = match step.runner {
        Runner::Steps(steps) => {
            for runner in *steps {
                analyses =
                    run_one(module, Step { runner, ..step }, libraries, settings, (analyses, &mut *settled), findings);
            }
            return analyses;
        }
        Runner::Program(pass) | Runner::ProgramOrFunction(pass, _) => {
            let said = timed(&mut findings.duration, || pass(module, libraries, settings));
            findings.diagnostics.extend(said);
            settled.clear();
            return module.functions.keys().map(|_| Analyses::default()).collect();
        }
        Runner::Module(pass) | Runner::Whole(pass) | Runner::Restarting(pass) => {
            repeated(settings, &mut findings.duration, || over_module(module, &analyses, settings, (*pass, step.gates)))
        }
        Runner::Function(pass) | Runner::FunctionByFunction(pass, _) => {
            repeated(settings, &mut findings.duration, || {
                over_functions(module, &analyses, settings, (*pass, step.gates))
            })
        }
    };
    rewritten.retain(|(id, _)| !settings.exempts(&module.functions[*id]));
    settled.forget_rewritten(module, &rewritten);
    apply(module, rewritten, analyses, findings)
}

fn over_module(
    module: &Module,
    analyses: &PrimaryMap<FunctionId, Analyses>,
    settings: &Settings,
    (pass, gates): (ModulePass, Gates),
) -> Rewrites {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    pass(ModuleEnvironment { module, queries, analyses, settings, gates, only: None })
}

fn over_functions(
    module: &Module,
    analyses: &PrimaryMap<FunctionId, Analyses>,
    settings: &Settings,
    (pass, gates): (FunctionPass, Gates),
) -> Rewrites {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let all = ModuleEnvironment { module, queries, analyses, settings, gates, only: None };
    let rewrite = |id: &FunctionId| Some((*id, pass(all.of_function(*id)?).transpose()?));
    parallel::map(&all.functions(), rewrite).into_iter().flatten().collect()
}
