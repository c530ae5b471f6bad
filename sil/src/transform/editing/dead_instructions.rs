//! Instructions that nothing needs any more, and those that only end what they make: what they consumed ends in their place
//! (lib/SILOptimizer/Utils/InstructionDeleter.cpp).
//!
//! Does not own: what else may go where nothing uses it (`unused`).

use super::editor::Editor;
use super::unused::{is_unneeded, keeps_shown};
use crate::analysis::{ApplySite, Use};
use crate::instructions::{Attribute, Opcode};
use crate::model::{Details, InstructionId, Ownership, Place, Value};
use crate::transform::editing::debug_values::salvage;
use crate::types::Copyability;

/// Removes what makes `values`, as far as nothing needs it, and then what that was made of.
pub(in crate::transform) fn remove_dead(editor: &mut Editor<'_>, values: Vec<Value>) {
    let mut open: Vec<InstructionId> = values.into_iter().filter_map(|value| editor.body().defining(value)).collect();
    while let Some(id) = open.pop() {
        if editor.is_placed(id) && (is_unneeded(editor, id) || is_idle_scope(editor, id)) {
            open.extend(editor.body().operands(id).iter().filter_map(|value| editor.body().defining(*value)));
            remove(editor, id);
        }
    }
}

/// Whether an instruction of a function with ownership makes what is only ended, and whether that may end earlier.
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

/// Whether a lifetime is nobody's business: people see those of variables, and of values that cannot be copied.
fn may_end_earlier(editor: &Editor<'_>, id: InstructionId, value: Value) -> bool {
    let (ty, signature) = (editor.body().ty(value), editor.environment.function.signature);
    let is_copyable = editor.environment.queries.properties(ty.ty, signature).copyability == Copyability::Copyable;
    let is_lexical = editor.body().instructions[id].attributes.contains(Attribute::Lexical);
    (is_copyable || editor.ownership(value) != Ownership::Owned) && (!is_lexical || editor.is_trivial(ty))
}

/// Whether an instruction does nothing but to make what is ended behind it.
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
        // What is captured by address is the closure's to destroy.
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

/// Ends what an instruction consumes before it.
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
