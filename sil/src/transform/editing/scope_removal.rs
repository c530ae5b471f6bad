//! Removes dead instructions of functions with ownership whose results are only ended, together with these ends.
//! Consumed operands are destroyed in their place (lib/SILOptimizer/Utils/InstructionDeleter.cpp).

use super::editor::Editor;
use super::unused::is_removable;
use crate::analysis::{LifetimeFacts, OperandOwnership, Use, ValueDependence};
use crate::instructions::{Attribute, Opcode};
use crate::model::{Details, FunctionFlag, InstructionId, Ownership, Place};
use crate::transform::constant_evaluation::is_read_only_call;
use crate::transform::pass::Environment;
use crate::transform::pass::settings::OptimizationMode;
use crate::types::Copyability;

/// Removes an instruction if it is dead. Returns whether it was removed.
pub(in crate::transform) fn remove_if_dead(editor: &mut Editor<'_>, id: InstructionId) -> bool {
    let is_dead = is_dead(editor, id);
    if is_dead {
        force_remove(editor, id);
    }
    is_dead
}

/// Returns whether an instruction is dead.
pub(in crate::transform) fn is_dead(editor: &Editor<'_>, id: InstructionId) -> bool {
    editor.is_placed(id) && (is_trivially_dead(editor, id) || is_dead_scope(editor, id))
}

/// Removes the dead instructions among the candidates, and then their dead operands' definitions.
pub(in crate::transform) fn remove_dead(editor: &mut Editor<'_>, mut candidates: Vec<InstructionId>) {
    while let Some(id) = candidates.pop() {
        let makers: Vec<InstructionId> =
            editor.body().operands(id).iter().filter_map(|value| editor.body().defining(*value)).collect();
        if remove_if_dead(editor, id) {
            candidates.extend(makers);
        }
    }
}

fn results_are_unused(editor: &Editor<'_>, id: InstructionId, is_ignored: impl Fn(Opcode) -> bool) -> bool {
    let mut uses = editor.body().results(id).flat_map(|result| editor.uses(result));
    uses.all(|found| is_ignored(editor.opcode(found.user)))
}

/// Debug uses keep values alive unless the code is optimised.
fn ignores_debug_uses(editor: &Editor<'_>) -> bool {
    editor.environment.settings.optimization == OptimizationMode::Optimized
}

fn is_trivially_dead(editor: &Editor<'_>, id: InstructionId) -> bool {
    let ignores_debug_uses = ignores_debug_uses(editor);
    is_removable(editor, id) && results_are_unused(editor, id, |user| user == Opcode::DebugValue && ignores_debug_uses)
}

fn is_dead_scope(editor: &Editor<'_>, id: InstructionId) -> bool {
    if !editor.environment.function.has(FunctionFlag::Ossa) || !makes_scope(editor, id) {
        return false;
    }
    let ignores_debug_uses = ignores_debug_uses(editor);
    // Swift's pass ignores `fix_lifetime` too, and removes values that the program keeps alive explicitly.
    let ends = |user| match user {
        Opcode::EndAccess | Opcode::EndBorrow | Opcode::EndLifetime | Opcode::DestroyValue => true,
        Opcode::DebugValue => ignores_debug_uses,
        _ => false,
    };
    let keeps = |result| {
        let Environment { queries, function, .. } = editor.environment;
        let properties = queries.properties(editor.body().ty(result).ty, function.signature);
        properties.copyability == Copyability::Noncopyable && editor.ownership(result) == Ownership::Owned
    };
    results_are_unused(editor, id, ends) && !editor.body().results(id).any(keeps) && !is_lexical(editor, id)
}

/// Returns whether an instruction begins a lexical lifetime.
fn is_lexical(editor: &Editor<'_>, id: InstructionId) -> bool {
    let is_marked = editor.body().instructions[id].attributes.contains(Attribute::Lexical);
    is_marked && matches!(editor.opcode(id), Opcode::BeginBorrow | Opcode::MoveValue)
}

/// Returns whether an instruction only creates values whose lifetimes are ended separately.
fn makes_scope(editor: &Editor<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    match editor.opcode(id) {
        CopyValue
        | CopyBlock
        | CopyBlockWithoutEscaping
        | BeginBorrow
        | BeginAccess
        | MoveValue
        | LoadBorrow
        | Load
        | Struct
        | Tuple
        | Enum
        | ConvertFunction
        | DestructureStruct
        | DestructureTuple
        | Upcast
        | UncheckedRefCast
        | RefToBridgeObject
        | BridgeObjectToRef => true,
        Apply => {
            let Environment { module, queries, .. } = editor.environment;
            is_read_only_call(module, queries, editor.body(), id)
        }
        PartialApply => {
            let captured = &editor.body().operands(id)[1..];
            captured.iter().all(|value| !editor.body().ty(*value).is_address())
        }
        _ => false,
    }
}

/// Removes an instruction with all users of its results. Consumed operands are destroyed in its place.
pub(in crate::transform) fn force_remove(editor: &mut Editor<'_>, id: InstructionId) {
    let consumed: Vec<Use> = {
        let view = editor.view();
        let dependence = ValueDependence::new(&view);
        let kinds = LifetimeFacts { view: &view, dependence: &dependence }.dependence.ownership_kinds();
        let operands = 0..view.body.operands(id).len() as u32;
        let uses = operands.map(|operand| Use { user: id, operand });
        let takes =
            |found: &Use| matches!(kinds.operand(*found), OperandOwnership::Consume | OperandOwnership::ForwardOwned);
        uses.filter(takes).collect()
    };
    for found in consumed {
        let value = found.value(editor.body());
        editor.build(Place::Before(id), id, |builder| {
            builder.instruction(Opcode::DestroyValue, Details::None, &[value]);
        });
    }
    let takes_memory =
        editor.opcode(id) == Opcode::Load && editor.body().instructions[id].attributes.contains(Attribute::Take);
    if let Some(address) = editor.operand(id, 0).filter(|_| takes_memory) {
        editor.build(Place::Before(id), id, |builder| {
            builder.instruction(Opcode::DestroyAddr, Details::None, &[address]);
        });
    }
    editor.erase_with_users(id);
}
