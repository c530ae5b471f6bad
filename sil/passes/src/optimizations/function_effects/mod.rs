//! Computes the effect attributes of functions for their callers: the escaping of arguments (`escapes`), and the reads,
//! writes, copies and destroys (`side_effects`). Functions are visited bottom-up, so that the effects of callees are
//! known.
//!
//! Does not own: the syntax and meaning of the attributes (`analysis::function_effects`).

mod argument_uses;
mod escapes;
mod side_effects;

use sil_analysis::{AnalyzedModule, BodyView, Change, FunctionEffects, bottom_up};
use sil_ir::model::{Body, Function, FunctionAttribute};

use crate::pass::{Description, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const ESCAPE_EFFECTS: Pass = Pass::new(&Description {
    name: "compute-escape-effects",
    class_name: "ComputeEscapeEffects",
    summary: "Computes where the arguments of functions escape to.",
    gates: Gates::OPEN,
    runner: Runner::Module(compute_escape_effects),
});

pub(crate) const SIDE_EFFECTS: Pass = Pass::new(&Description {
    name: "compute-side-effects",
    class_name: "ComputeSideEffects",
    summary: "Computes which memory functions read, write, copy and destroy.",
    gates: Gates::OPEN,
    runner: Runner::Module(compute_side_effects),
});

/// Computes the side effects of functions.
pub(crate) fn compute_side_effects(environment: ModuleEnvironment<'_>) -> Rewrites {
    compute(environment, side_effects::effects)
}

/// Computes the escape effects of functions.
pub(crate) fn compute_escape_effects(environment: ModuleEnvironment<'_>) -> Rewrites {
    compute(environment, escapes::effects)
}

fn compute(
    environment: ModuleEnvironment<'_>,
    effects: fn(&AnalyzedModule<'_>, &BodyView<'_>, &FunctionEffects) -> Option<FunctionEffects>,
) -> Rewrites {
    let ModuleEnvironment { module, queries, settings, only, .. } = environment;
    let mut analyzed = AnalyzedModule::of_extent(module, queries, settings.extent);
    let mut rewrites = Rewrites::new();
    let all = || bottom_up(module, analyzed.callees()).into_iter().flatten().collect();
    // The callees already have their effects.
    for id in only.map_or_else(all, |only| vec![only]) {
        let Some(known) = environment.of_function(id) else { continue };
        if let Some(found) = effects(&analyzed, &known.view(), &analyzed.effects(id)) {
            rewrites.push((id, Ok(restated(environment, known.function, known.body, &found))));
            analyzed.set_effects(id, found);
        }
    }
    rewrites
}

/// Returns the function with these effects as its effect attributes.
fn restated(
    environment: ModuleEnvironment<'_>,
    function: &Function,
    body: &Body,
    effects: &FunctionEffects,
) -> Rewrite {
    let mut rewrite = Rewrite::new(function, body.clone(), Change::Instructions);
    rewrite.attributes.retain(|attribute| !matches!(attribute, FunctionAttribute::Effects(_)));
    let context = &environment.module.context;
    let stated = effects.attributes().into_iter().map(|text| FunctionAttribute::Effects(context.name(&text)));
    rewrite.attributes.extend(stated);
    rewrite
}
