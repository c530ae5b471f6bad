//! Builtins on string literals (lib/SILOptimizer/Utils/ConstantFolding.cpp).

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::{self, Builtin};
use sil_ir::model::{Details, FunctionFlag, InstructionId, Place, StringEncoding, Value};

use crate::editing::editor::Editor;
use crate::knowledge::strings::makes_string;
use crate::messages::findings::error_at;

/// Makes a `cond_fail` of a check whose message is a literal, and returns it; `None` if the message is not known.
pub(super) fn fold_check(editor: &mut Editor<'_>, id: InstructionId) -> Option<InstructionId> {
    let (condition, message) = (editor.operand(id, 0)?, editor.operand(id, 1)?);
    let literal = editor.made_by(message, Opcode::StringLiteral)?;
    let Details::String(literal) = &editor.body().instructions[literal].details else { return None };
    if literal.encoding != StringEncoding::Utf8 || !editor.uses(editor.body().result(id)?).is_empty() {
        return None;
    }
    let message = String::from_utf8_lossy(&literal.bytes).into_owned();
    let check = editor.build(Place::Before(id), id, |builder| builder.cond_fail(condition, &message));
    editor.erase(id);
    Some(check)
}

/// Returns the literal of the string for a pointer to its bytes; `None` if it is not made from a literal.
pub(super) fn literal_of_pointer(editor: &Editor<'_>, id: InstructionId) -> Option<Value> {
    let mut string = editor.operand(id, 0)?;
    let made = loop {
        let made = editor.body().defining(string)?;
        match editor.opcode(made) {
            Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue => string = editor.operand(made, 0)?,
            Opcode::Apply => break made,
            _ => return None,
        }
    };
    if !makes_string(editor.environment.module, editor.body(), made) {
        return None;
    }
    let literal = *views::Apply::of(editor.body(), made).arguments.first()?;
    editor.made_by(literal, Opcode::StringLiteral).map(|_| literal)
}

/// Diagnoses pointers to strings that are no literals.
pub(super) fn diagnose(editor: &Editor<'_>) -> Vec<Diagnostic> {
    let body = editor.body();
    if editor.environment.function.has(FunctionFlag::Transparent) {
        return Vec::new();
    }
    let is_pointer = |id: &InstructionId| {
        let Some(Builtin { builtin, .. }) = Builtin::get(body, *id) else { return false };
        let operation = builtin.operation();
        operation.is_some_and(|found| found.kind == BuiltinKind::Named(NamedBuiltin::GlobalStringTablePointer))
    };
    let message = "globalStringTablePointer builtin must be used only on string literals";
    body.placed_instructions().filter(is_pointer).map(|id| error_at(body, id, "string-pointer", message)).collect()
}
