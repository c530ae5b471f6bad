//! The user of a non-escaping closure: one call, or the task of an `async let`.

use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::{Details, InstructionId, Value};

use crate::editing::editor::Editor;

/// The only user of a closure and of the values converted from it.
#[derive(Clone, Copy)]
pub(super) enum ClosureUser {
    /// The instruction calls the closure, or passes it to its callee.
    Call(InstructionId),
    /// A task runs it, until this instruction.
    AsyncLet { end: InstructionId },
}

impl ClosureUser {
    /// Returns the user of the value of `conversion`. `None` if there are several users, or if the end of its use is
    /// not known.
    pub(super) fn of(editor: &Editor<'_>, conversion: InstructionId) -> Option<Self> {
        use Opcode::*;
        let mut user = conversion;
        loop {
            user = match editor.opcode(user) {
                ConvertFunction | ConvertEscapeToNoescape | PartialApply | BeginBorrow => {
                    only_user(editor, editor.body().result(user)?)?
                }
                Apply | TryApply => return Some(ClosureUser::Call(user)),
                Builtin => return Some(ClosureUser::AsyncLet { end: end_of_async_let(editor, user)? }),
                _ => return None,
            };
        }
    }
}

/// Returns the only user of a value apart from ends of its lifetime and debug values.
pub(super) fn only_user(editor: &Editor<'_>, value: Value) -> Option<InstructionId> {
    let is_needless =
        |id: InstructionId| matches!(editor.opcode(id), Opcode::DestroyValue | Opcode::EndBorrow | Opcode::DebugValue);
    let mut users = editor.uses(value).into_iter().map(|found| found.user).filter(|id| !is_needless(*id));
    users.next().filter(|_| users.next().is_none())
}

/// Returns the builtin that an instruction calls.
pub(super) fn builtin(editor: &Editor<'_>, id: InstructionId) -> Option<BuiltinKind> {
    let Details::Builtin(builtin) = &editor.body().instructions[id].details else { return None };
    builtin.kind()
}

/// Returns the end of the lifetime of the task that an instruction starts.
fn end_of_async_let(editor: &Editor<'_>, start: InstructionId) -> Option<InstructionId> {
    let is = |id: InstructionId, named: NamedBuiltin| builtin(editor, id) == Some(BuiltinKind::Named(named));
    if !is(start, NamedBuiltin::StartAsyncLetWithLocalBuffer) {
        return None;
    }
    let users = editor.uses(editor.body().result(start)?).into_iter().map(|found| found.user);
    let mut ends = users.filter(|user| is(*user, NamedBuiltin::EndAsyncLetLifetime));
    ends.next().filter(|_| ends.next().is_none())
}
