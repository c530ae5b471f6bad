//! A second pass: an addition of the literal zero is replaced by its other operand.
//!
//! Owns the pass. Does not own the removal of literals without uses: dead code elimination has that.

use sil::diagnostic::Diagnostic;
use sil::instructions::builtins::{BinaryOperation, BuiltinKind};
use sil::model::views::{Builtin, IntegerLiteral, IntegerValue};
use sil::model::{Body, InstructionId, Module, Replacements, Value};
use sil::syntax::Libraries;
use sil::transform::{self, Change, Description, Environment, Gates, Pass, Rewrite, Runner};

/// The pass.
pub const ADDITIONS_OF_ZERO: Pass = Pass::new(&Description {
    name: "additions-of-zero",
    class_name: "AdditionsOfZero",
    summary: "Replaces additions of zero by the other operand.",
    gates: Gates::OPEN,
    runner: Runner::Function(fold),
});

/// Runs the pass on all functions of a module that the verifier accepts.
pub fn run(module: &mut Module) -> Vec<Diagnostic> {
    transform::run(module, &[ADDITIONS_OF_ZERO], &Libraries::default())
}

/// Replaces the additions of one function.
fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let mut replacements = Replacements::default();
    let mut folded = Vec::new();
    for id in body.blocks.keys().flat_map(|block| body.instructions_in(block)) {
        if let (Some(sum), Some(operand)) = (body.result(id), operand_left(body, id)) {
            replacements.replace(sum, operand);
            folded.push(id);
        }
    }
    if folded.is_empty() {
        return Ok(None);
    }
    let mut body = body.clone();
    body.replace_values(&replacements);
    folded.into_iter().for_each(|id| body.erase(id));
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// The operand that the addition `id` returns unchanged; none for other instructions and other operands.
fn operand_left(body: &Body, id: InstructionId) -> Option<Value> {
    let Builtin { arguments, builtin } = Builtin::get(body, id)?;
    match (builtin.kind()?, arguments) {
        (BuiltinKind::Binary(BinaryOperation::Add), [left, right]) if is_zero(body, *right) => Some(*left),
        (BuiltinKind::Binary(BinaryOperation::Add), [left, right]) if is_zero(body, *left) => Some(*right),
        _ => None,
    }
}

fn is_zero(body: &Body, value: Value) -> bool {
    let literal = body.defining(value).and_then(|id| IntegerLiteral::get(body, id));
    literal.is_some_and(|literal| matches!(literal.value, IntegerValue::Narrow(0)))
}
