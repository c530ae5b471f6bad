//! Eliminates a message with constant parts and its construction (lib/SILOptimizer/Mandatory/OSLogOptimization.cpp,
//! `tryEliminateOSLogMessage`).

use sil_analysis::ApplySite;
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use super::{called, is_no_assignment};
use crate::constant_evaluation::is_evaluable;
use crate::editing::deleter::{Deadness, delete_if_dead, force_delete};
use crate::editing::editor::Editor;

/// Removes a message and its operands, as far as they are unused. Returns whether the message is removed.
pub(super) fn eliminate(editor: &mut Editor<'_>, message: InstructionId) -> bool {
    let mut open = vec![message];
    let mut next = 0;
    while next < open.len() {
        let id = open[next];
        next += 1;
        if !editor.is_placed(id) {
            continue;
        }
        if editor.opcode(id) == Opcode::AllocStack {
            if let Some(address) = editor.body().result(id).filter(|address| is_only_stored_to(editor, *address)) {
                remove_memory(editor, id, address, &mut open);
            }
        } else {
            remove_users_if_dead(editor, id, &mut open);
        }
    }
    !editor.is_placed(message)
}

/// Returns the definitions of an instruction's operands.
fn makers(editor: &Editor<'_>, id: InstructionId) -> Vec<InstructionId> {
    editor.body().operands(id).iter().filter_map(|value| editor.body().defining(*value)).collect()
}

fn remove_users_if_dead(editor: &mut Editor<'_>, id: InstructionId, open: &mut Vec<InstructionId>) {
    let users: Vec<InstructionId> =
        editor.body().results(id).flat_map(|result| editor.uses(result)).map(|found| found.user).collect();
    for user in users.into_iter().filter(|user| *user != id) {
        if editor.is_placed(user) {
            remove_users_if_dead(editor, user, open);
        }
    }
    let made = makers(editor, id);
    if editor.is_placed(id) && delete_if_dead(editor, id, Deadness::Scopes) {
        open.extend(made);
    }
}

/// Returns whether memory is only stored to and destroyed. Evaluated calls store too.
fn is_only_stored_to(editor: &Editor<'_>, address: Value) -> bool {
    let body = editor.body();
    editor.uses(address).into_iter().all(|found| match editor.opcode(found.user) {
        Opcode::BeginAccess => body.result(found.user).is_some_and(|inner| is_only_stored_to(editor, inner)),
        Opcode::Store => is_no_assignment(body, found.user),
        Opcode::EndAccess | Opcode::DestroyAddr | Opcode::InjectEnumAddr | Opcode::DeallocStack => true,
        Opcode::Apply => is_evaluated_store(editor, found.user, found.operand as usize),
        _ => false,
    })
}

fn is_evaluated_store(editor: &Editor<'_>, call: InstructionId, operand: usize) -> bool {
    let (module, queries, body) = (editor.environment.module, editor.environment.queries, editor.body());
    let is_unused = body.results(call).all(|result| editor.uses(result).is_empty());
    let is_evaluated = called(module, body, call).is_some_and(|function| is_evaluable(module, function));
    let conventions = ApplySite::new(body, call).and_then(|site| Some((site, site.conventions(queries)?)));
    let Some((site, conventions)) = conventions.filter(|_| is_unused && is_evaluated) else { return false };
    let is_written = |convention: ArgumentConvention| {
        matches!(
            convention,
            ArgumentConvention::Result(_)
                | ArgumentConvention::Parameter(ParameterConvention::InOut | ParameterConvention::InOutAliasable)
        )
    };
    let written = conventions.arguments().filter(|argument| is_written(argument.convention)).count();
    let own = site.argument_of_operand(conventions, operand);
    let is_own_read = own.is_some_and(|argument| {
        matches!(
            argument.convention,
            ArgumentConvention::Parameter(ParameterConvention::In | ParameterConvention::InGuaranteed)
        )
    });
    written <= 1 && !(is_own_read && written > 0)
}

/// Removes memory with all its uses. Stored values are destroyed.
fn remove_memory(editor: &mut Editor<'_>, id: InstructionId, address: Value, open: &mut Vec<InstructionId>) {
    for user in editor.uses(address).into_iter().map(|found| found.user) {
        if !editor.is_placed(user) {
            continue;
        }
        match editor.opcode(user) {
            Opcode::EndAccess | Opcode::DeallocStack | Opcode::DebugValue => {}
            Opcode::DestroyAddr => editor.erase(user),
            Opcode::BeginAccess => {
                if let Some(inner) = editor.body().result(user) {
                    remove_memory(editor, user, inner, open);
                }
            }
            _ => {
                open.extend(makers(editor, user));
                force_delete(editor, user);
            }
        }
    }
    editor.erase_with_users(id);
}
