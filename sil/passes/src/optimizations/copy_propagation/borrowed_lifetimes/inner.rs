//! Rewrites the uses within a borrow scope to use the borrowed value. Only consuming uses get a copy.

use sil_analysis::Use;
use sil_ir::instructions::Opcode;
use sil_ir::model::Value;

use super::super::rewriting::copy_for;
use super::walk::{Found, Step};
use super::{original, remove_unused_copies};
use crate::editing::editor::Editor;

/// Rewrites all uses.
pub(super) fn rewrite(editor: &mut Editor<'_>, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Use(found) => rewrite_use(editor, *found),
            Step::Forward(found, results) => {
                results.iter().for_each(|(_, steps)| rewrite(editor, steps));
                rewrite_forward(editor, *found);
            }
        }
    }
}

/// Replaces the operand of a use with the borrowed value, or with a copy if the use consumes it.
pub(super) fn rewrite_use(editor: &mut Editor<'_>, found: Found) {
    if !editor.is_placed(found.at.user) {
        return;
    }
    let value = found.at.value(editor.body());
    if editor.opcode(found.at.user) == Opcode::DestroyValue {
        editor.erase(found.at.user);
        remove_unused_copies(editor, value);
        return;
    }
    let borrowed = original(editor, value);
    if !found.consumes() {
        set(editor, found.at, borrowed);
        remove_unused_copies(editor, value);
        return;
    }
    let block = editor.body().instructions[found.at.user].block;
    let own = editor
        .made_by(value, Opcode::CopyValue)
        .filter(|copy| editor.uses(value).len() == 1 && editor.body().instructions[*copy].block == block);
    match own.and_then(|copy| Some((copy, editor.operand(copy, 0)?))) {
        Some((copy, copied)) => {
            set(editor, Use { user: copy, operand: 0 }, borrowed);
            remove_unused_copies(editor, copied);
        }
        None => {
            set(editor, found.at, borrowed);
            copy_for(editor, found.at);
            remove_unused_copies(editor, value);
        }
    }
}

/// Replaces the operand of a forwarding instruction with the borrowed value.
pub(super) fn rewrite_forward(editor: &mut Editor<'_>, found: Found) {
    let value = found.at.value(editor.body());
    let borrowed = original(editor, value);
    set(editor, found.at, borrowed);
    editor.forward_borrowed(found.at.user);
    remove_unused_copies(editor, value);
}

fn set(editor: &mut Editor<'_>, at: Use, value: Value) {
    if at.value(editor.body()) != value {
        editor.set_operand(at, value);
    }
}
