//! `Builtin.staticReport`: code that must not remain at compile time
//! (lib/SILOptimizer/Mandatory/DataflowDiagnostics.cpp).
//!
//! Runs after constant folding: a report is made if its condition became true. Does not own: `#assert`
//! (`static_assertions`).

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::Builtin;
use sil_ir::model::{Body, Details, InstructionId, Value};

use crate::messages::findings::error_at;
use crate::pass::{Environment, Rewrite};

/// Emits the reports of a function.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let is_made = |id: &InstructionId| is_made(environment, *id);
    let made = body.placed_instructions().filter(is_made);
    let diagnostics = made.map(|id| error_at(body, id, "static-report", "static report error")).collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// Returns whether an instruction is a report whose condition is true.
fn is_made(environment: Environment<'_>, id: InstructionId) -> bool {
    let Environment { body, .. } = environment;
    let Some(Builtin { builtin, arguments }) = Builtin::get(body, id) else { return false };
    let kind = builtin.kind();
    kind == Some(BuiltinKind::Named(NamedBuiltin::StaticReport))
        && arguments.first().is_some_and(|condition| is_true(body, *condition))
}

fn is_true(body: &Body, condition: Value) -> bool {
    let literal = body.defining(condition).map(|id| &body.instructions[id]);
    // A one-bit true is -1 or 1 in SIL text.
    literal.is_some_and(|literal| {
        literal.opcode == Opcode::IntegerLiteral && matches!(literal.details, Details::Integer(-1 | 1))
    })
}
