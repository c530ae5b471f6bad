//! `#assert`: conditions that must hold when the program is compiled (lib/SILOptimizer/Mandatory/DataflowDiagnostics.cpp).
//!
//! Owns: which conditions do not hold or are no constants, and what is said of those. `evaluator` computes them, `constants` has what it computes
//! with. Does not own: constants that are folded (`constant_folding`).

mod constants;
mod evaluator;

use self::constants::{Constant, Place, Unknown, UnknownReason};
use self::evaluator::{Evaluator, INSTRUCTION_LIMIT};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin, parse_builtin};
use crate::model::views::Builtin;
use crate::model::{Details, InstructionId};
use crate::symbols::{Style, demangle_as};
use crate::transform::messages::findings::error_at;
use crate::transform::pipeline::{Environment, Rewrite};
use crate::transform::settings::StaticAssertions;

/// Says which assertions of a function do not hold, where they are asked for.
pub(in crate::transform) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    if environment.settings.static_assertions == StaticAssertions::Ignored {
        return Ok(None);
    }
    let diagnostics = body.placed_instructions().filter_map(|id| finding(environment, id)).collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

fn finding(environment: Environment<'_>, id: InstructionId) -> Option<Diagnostic> {
    let body = environment.body;
    let Builtin { arguments, builtin } = Builtin::get(body, id)?;
    let kind = parse_builtin(environment.module.context.text(builtin.name))?.kind;
    if kind != BuiltinKind::Named(NamedBuiltin::PoundAssert) {
        return None;
    }
    let [condition, message] = *arguments else { return None };
    match Evaluator::new(environment).value(condition) {
        Ok(Constant::Number(0)) => {
            let literal = body.defining(message).map(|id| &body.instructions[id]);
            let text = match literal.map(|literal| (literal.opcode, &literal.details)) {
                Some((Opcode::StringLiteral, Details::String(literal))) => String::from_utf8_lossy(&literal.bytes),
                _ => "".into(),
            };
            let text = if text.is_empty() { "assertion failed".into() } else { text };
            Some(error_at(body, id, "static-assertion", text))
        }
        Ok(Constant::Number(_)) => None,
        Ok(_) => Some(error_at(body, id, "static-assertion", "#assert condition not constant")),
        Err(unknown) => {
            let error = error_at(body, id, "static-assertion", "#assert condition not constant");
            Some(explained(error, Place::of(body, id), &unknown))
        }
    }
}

/// Adds why a condition is no constant: at the call in the function that led there, and in what that calls.
fn explained(error: Diagnostic, assertion: Place, unknown: &Unknown) -> Diagnostic {
    let first = unknown.call.or(unknown.place).unwrap_or(assertion);
    let inner = unknown.place.filter(|place| unknown.call.is_some() && *place != first);
    let note = |diagnostic: Diagnostic, place: Place, message: &str| {
        diagnostic.note_in_source(message, Some(place.span), place.source)
    };
    let (message, detail) = match &unknown.reason {
        UnknownReason::Default => {
            ("cannot evaluate expression as constant here".to_owned(), "cannot constant evaluate operation")
        }
        UnknownReason::TooManyInstructions => (
            format!("exceeded instruction limit: {INSTRUCTION_LIMIT} when evaluating the expression at compile time"),
            "limit exceeded here",
        ),
        UnknownReason::Loop => ("control-flow loop found during evaluation ".to_owned(), "found loop here"),
        UnknownReason::Overflow => ("integer overflow detected".to_owned(), "operation overflows"),
        UnknownReason::Trap(message) => (format!("trap: {message}"), "operation traps"),
        UnknownReason::MultipleWriters => {
            return note(error, inner.unwrap_or(first), "top-level value has multiple assignments");
        }
        UnknownReason::NotTopLevelConstant => {
            return note(error, inner.unwrap_or(first), "cannot evaluate top-level value as constant here");
        }
        UnknownReason::UnsupportedInstruction(name) => (
            format!("encountered operation not supported by the evaluator: {name}"),
            "operation not supported by the evaluator",
        ),
        UnknownReason::NoBody(symbol) => {
            let name = demangle_as(symbol, Style::Simplified).unwrap_or_else(|| symbol.clone());
            let message = format!(
                "encountered call to '{name}' whose body is not available. Imported functions must be marked '@inlinable' to \
                 constant evaluate"
            );
            (message, "function whose body is not available")
        }
    };
    let error = note(error, first, &message);
    match inner {
        Some(inner) => note(error, inner, detail),
        None => error,
    }
}
