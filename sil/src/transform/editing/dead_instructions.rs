//! Removes dead instructions, and instructions whose results are only ended. Consumed operands are destroyed in their
//! place (lib/SILOptimizer/Utils/InstructionDeleter.cpp).
//!
//! Does not own: the decision which other unused instructions can be removed (`unused`).

use super::editor::Editor;
use super::unused::{is_unneeded, keeps_shown};
use crate::analysis::{ApplySite, Use};
use crate::instructions::{Attribute, Opcode};
use crate::model::{Details, InstructionId, Ownership, Place, Value};
use crate::transform::editing::debug_values::salvage;
use crate::types::Copyability;

/// Removes the dead definitions of `values`, and then their dead operands' definitions.
pub(in crate::transform) fn remove_dead(editor: &mut Editor<'_>, values: Vec<Value>) {
    let mut open: Vec<InstructionId> = values.into_iter().filter_map(|value| editor.body().defining(value)).collect();
    while let Some(id) = open.pop() {
        if editor.is_placed(id) && (is_unneeded(editor, id) || is_idle_scope(editor, id)) {
            open.extend(editor.body().operands(id).iter().filter_map(|value| editor.body().defining(*value)));
            remove(editor, id);
        }
    }
}

/// Returns whether the results of an instruction are only ended, and their lifetimes may be shortened. Requires
/// ownership.
fn is_idle_scope(editor: &Editor<'_>, id: InstructionId) -> bool {
    editor.has_ownership()
        && editor.opcode(id) != Opcode::DropDeinit
        && editor.body().results(id).all(|result| is_only_ended(editor, result) && may_end_earlier(editor, id, result))
        && may_be_idle(editor, id)
}

fn is_only_ended(editor: &Editor<'_>, value: Value) -> bool {
    let keeps_shown = keeps_shown(editor);
    editor.uses(value).iter().all(|found| match editor.opcode(found.user) {
        Opcode::DestroyValue | Opcode::EndLifetime | Opcode::DeallocStack | Opcode::EndBorrow | Opcode::EndAccess => {
            true
        }
        Opcode::DebugValue => !keeps_shown,
        _ => false,
    })
}

/// Returns whether a lifetime may be shortened: it is neither lexical nor that of a noncopyable value.
fn may_end_earlier(editor: &Editor<'_>, id: InstructionId, value: Value) -> bool {
    let (ty, signature) = (editor.body().ty(value), editor.environment.function.signature);
    let is_copyable = editor.environment.queries.properties(ty.ty, signature).copyability == Copyability::Copyable;
    let is_lexical = editor.body().instructions[id].attributes.contains(Attribute::Lexical);
    (is_copyable || editor.ownership(value) != Ownership::Owned) && (!is_lexical || editor.is_trivial(ty))
}

/// Returns whether an instruction has no effects other than creating its results.
fn may_be_idle(editor: &Editor<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    let body = editor.body();
    match editor.opcode(id) {
        CopyValue | BeginBorrow | BeginAccess | MarkDependence | MoveValue | LoadBorrow | Load | Struct | Enum
        | Tuple | ConvertFunction | DestructureStruct | DestructureTuple | Upcast | UncheckedRefCast
        | UncheckedValueCast | OpenExistentialRef | RefToBridgeObject | BridgeObjectToRef => true,
        AllocStack => {
            let shows = matches!(body.instructions[id].details, Details::Variable(_));
            !shows || !keeps_shown(editor)
        }
        // A closure destroys its indirect captures.
        PartialApply => {
            let captured = ApplySite::new(body, id).map(|_| &body.operands(id)[1..]);
            captured.is_some_and(|captured| captured.iter().all(|value| !body.ty(*value).is_address()))
        }
        _ => false,
    }
}

fn remove(editor: &mut Editor<'_>, id: InstructionId) {
    salvage(editor, id);
    let uses: Vec<Use> = editor.body().results(id).flat_map(|result| editor.uses(result)).collect();
    uses.into_iter().for_each(|found| editor.erase(found.user));
    if editor.has_ownership() {
        end_consumed(editor, id);
    }
    editor.erase(id);
}

/// Ends the lifetimes of the consumed operands before an instruction.
fn end_consumed(editor: &mut Editor<'_>, id: InstructionId) {
    let operands = editor.body().operands(id).to_vec();
    let uses: Vec<Use> = (0..operands.len() as u32).map(|operand| Use { user: id, operand }).collect();
    for (value, ownership) in operands.into_iter().zip(editor.operand_ownerships(&uses)) {
        let takes =
            editor.opcode(id) == Opcode::Load && editor.body().instructions[id].attributes.contains(Attribute::Take);
        let end = match () {
            () if takes => Opcode::DestroyAddr,
            () if !ownership.ends_lifetime() || editor.ownership(value) != Ownership::Owned => continue,
            () if editor.made_by(value, Opcode::DropDeinit).is_some() => Opcode::EndLifetime,
            () => Opcode::DestroyValue,
        };
        editor.build(Place::Before(id), id, |builder| {
            builder.instruction(end, Details::None, &[value]);
        });
    }
}
