//! Values that nothing uses any more, and that nothing happens without.

use rustc_hash::FxHashSet;

use crate::analysis::Uses;
use crate::instructions::Opcode;
use crate::model::{Body, InstructionId, Value};

/// Removes what makes `values`, as far as it is a reference, a literal or a conversion of one that nothing uses; then what that was made of.
pub(in crate::transform) fn remove_unused(body: &mut Body, mut values: Vec<Value>) {
    if values.is_empty() {
        return;
    }
    let uses = Uses::new(body);
    // What was in blocks that are not there any more needs nothing.
    let placed: FxHashSet<InstructionId> = body.placed_instructions().collect();
    let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
    while let Some(value) = values.pop() {
        let Some(id) = body.defining(value).filter(|id| placed.contains(id) && !gone.contains(id)) else { continue };
        let is_unused = uses.of(value).iter().all(|found| gone.contains(&found.user));
        if is_unused && has_no_effect(body.instructions[id].opcode) {
            gone.insert(id);
            values.extend(body.operands(id));
        }
    }
    gone.into_iter().for_each(|id| body.erase(id));
}

fn has_no_effect(opcode: Opcode) -> bool {
    use Opcode::*;
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
            | WitnessMethod
    )
}
