//! Values that nothing uses any more, and that nothing happens without, in bodies that no editor has.
//!
//! Does not own: the deletion of any instruction that nothing needs (`deleter`).

use rustc_hash::FxHashSet;

use sil_analysis::Uses;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId, Value};

/// Removes the unused definitions of `values`, as far as they are references, literals or conversions of these, and
/// then their operands' definitions.
pub(crate) fn remove_unused(body: &mut Body, values: Vec<Value>) {
    remove(body, values, |_, _| false);
}

/// Removes unused definitions like [`remove_unused`]. Debug uses are ignored and removed too.
pub(crate) fn remove_unused_and_variables(body: &mut Body, values: Vec<Value>) {
    remove(body, values, |body, user| body.instructions[user].opcode == Opcode::DebugValue);
}

fn remove(body: &mut Body, mut values: Vec<Value>, is_no_use: impl Fn(&Body, InstructionId) -> bool) {
    if values.is_empty() {
        return;
    }
    let uses = Uses::new(body);
    // Uses in removed blocks do not count.
    let placed: FxHashSet<InstructionId> = body.placed_instructions().collect();
    let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
    while let Some(value) = values.pop() {
        let Some(id) = body.defining(value).filter(|id| placed.contains(id) && !gone.contains(id)) else { continue };
        let users: Vec<InstructionId> = uses.of(value).iter().map(|found| found.user).collect();
        let is_unused = users.iter().all(|user| gone.contains(user) || is_no_use(body, *user));
        if is_unused && has_no_effect(body, id) {
            gone.extend(users);
            gone.insert(id);
            values.extend(body.operands(id));
        }
    }
    gone.into_iter().for_each(|id| body.erase(id));
}

/// Removes the copy or borrow `value` if its only uses end it, and then its operand's definition, by the rules of
/// lib/SILOptimizer/Utils/InstructionDeleter.cpp. Lexical scopes are kept.
pub(crate) fn remove_idle(body: &mut Body, mut value: Value) {
    loop {
        let Some(id) = body.defining(value) else { return };
        let instruction = &body.instructions[id];
        let end = match instruction.opcode {
            Opcode::CopyValue => Opcode::DestroyValue,
            Opcode::BeginBorrow if !instruction.attributes.contains(Attribute::Lexical) => Opcode::EndBorrow,
            _ => return,
        };
        let uses = Uses::new(body);
        let is_idle = uses.of(value).iter().all(|found| body.instructions[found.user].opcode == end);
        if !is_idle || !body.placed_instructions().any(|placed| placed == id) {
            return;
        }
        let operand = body.operands(id).first().copied();
        uses.of(value).iter().for_each(|found| body.erase(found.user));
        body.erase(id);
        let Some(next) = operand else { return };
        value = next;
    }
}

fn has_no_effect(body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    let opcode = body.instructions[id].opcode;
    // The extraction from another owned enum ends its lifetime.
    let takes_out_what_was_put_in = || {
        body.operands(id)
            .first()
            .and_then(|whole| body.defining(*whole))
            .is_some_and(|whole| body.instructions[whole].opcode == Enum)
    };
    if opcode == UncheckedEnumData {
        return takes_out_what_was_put_in();
    }
    matches!(
        opcode,
        FunctionRef
            | ThinToThickFunction
            | ConvertFunction
            | UncheckedRefCast
            | StructExtract
            | TupleExtract
            | Struct
            | Tuple
            | Enum
            | GlobalAddr
            | IntegerLiteral
            | FloatLiteral
            | StringLiteral
            | Metatype
            | InitExistentialMetatype
            | WitnessMethod
    )
}
