//! `#assert`: conditions that must hold at compile time (lib/SILOptimizer/Mandatory/DataflowDiagnostics.cpp).
//!
//! Owns: the diagnostics of conditions that do not hold or are not constant. Does not own: their evaluation
//! (`transform::constant_evaluation`), constant folding (`constant_folding`).

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::Builtin;
use sil_ir::model::{Body, Details, FunctionId, InstructionId, Module};
use sil_text::syntax::Libraries;

use super::linking::link_all_called;
use crate::constant_evaluation::{EvaluationLimits, Evaluator, FunctionState, Place, SymbolicValue, Unknown};
use crate::messages::findings::error_at;
use crate::pass::settings::StaticAssertions;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const EVALUATED_FUNCTION_LINKING: Pass = Pass::new(&Description {
    name: "evaluated-function-linking",
    class_name: "EvaluatedFunctionLinking",
    summary: "Links the bodies of functions that static assertions call. A pass of silc alone.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| link(module, libraries)),
});

pub(crate) const STATIC_ASSERTIONS: Pass = Pass::new(&Description {
    name: "static-assertions",
    class_name: "StaticAssertions",
    summary: "Evaluates static assertions. A pass of silc alone: sil-opt does that in `dataflow-diagnostics`.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// Reports the failing assertions of a function, if they are enabled.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    if environment.settings.static_assertions == StaticAssertions::Ignored {
        return Ok(None);
    }
    let diagnostics = body.placed_instructions().filter_map(|id| finding(environment, id)).collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// Returns whether a module contains assertions.
pub(crate) fn are_in(module: &Module) -> bool {
    if module.context.find_name(NamedBuiltin::PoundAssert.name()).is_none() {
        return false;
    }
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    bodies.into_iter().any(|body| body.placed_instructions().any(|id| is_assertion(body, id)))
}

fn is_assertion(body: &Body, id: InstructionId) -> bool {
    let Some(Builtin { builtin, .. }) = Builtin::get(body, id) else { return false };
    let kind = builtin.kind();
    kind == Some(BuiltinKind::Named(NamedBuiltin::PoundAssert))
}

/// Links the transitive callees of functions with assertions.
pub(crate) fn link(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    let has_assertion = |id: &FunctionId| {
        let body = module.functions[*id].body.as_ref();
        body.is_some_and(|body| body.placed_instructions().any(|found| is_assertion(body, found)))
    };
    let asserting = module.functions.keys().filter(has_assertion).collect();
    link_all_called(module, libraries, asserting)
}

fn finding(environment: Environment<'_>, id: InstructionId) -> Option<Diagnostic> {
    let body = environment.body;
    if !is_assertion(body, id) {
        return None;
    }
    let Builtin { arguments, .. } = Builtin::get(body, id)?;
    let [condition, message] = *arguments else { return None };
    let Environment { module, queries, function, analyses, settings, .. } = environment;
    let id_of_function = module.function_named(function.name)?;
    let mut evaluator = Evaluator::new(module, queries, EvaluationLimits::of(settings));
    let mut state = FunctionState::on_demand(id_of_function, body, analyses.uses(body));
    match evaluator.evaluate(&mut state, condition) {
        Ok(SymbolicValue::Integer(holds)) if holds.is_zero() => {
            let literal = body.defining(message).map(|id| &body.instructions[id]);
            let text = match literal.map(|literal| (literal.opcode, &literal.details)) {
                Some((Opcode::StringLiteral, Details::String(literal))) => String::from_utf8_lossy(&literal.bytes),
                _ => "".into(),
            };
            let text = if text.is_empty() { "assertion failed".into() } else { text };
            Some(error_at(body, id, "static-assertion", text))
        }
        Ok(SymbolicValue::Integer(_)) => None,
        Ok(_) => Some(error_at(body, id, "static-assertion", "#assert condition not constant")),
        Err(unknown) => {
            let error = error_at(body, id, "static-assertion", "#assert condition not constant");
            Some(explained(error, Place::of(body, id), &unknown))
        }
    }
}

/// Adds notes on why a condition is not constant.
fn explained(error: Diagnostic, assertion: Place, unknown: &Unknown) -> Diagnostic {
    let notes = unknown.notes(assertion).into_iter();
    notes.fold(error, |error, (place, note)| error.note_in_source(note, Some(place.span), place.source))
}
