//! Calls that may throw as calls that do not, where the errors go nowhere (`simplifyTryApplyBlock` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//! Calls of functions that are only converted to such that may throw are in `converted_calls`.

use super::Simplifier;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::TryApply;
use crate::model::{InstructionId, Place};

impl Simplifier<'_> {
    /// A call whose error ends nowhere throws none.
    pub(super) fn call_without_error(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let TryApply { normal, error, .. } = TryApply::of(body, id);
        let ends = body.first_instruction(error).is_some_and(|first| self.editor.opcode(first) == Opcode::Unreachable);
        let [received] = body.blocks[normal].arguments[..] else { return };
        if !ends {
            return;
        }
        let ty = body.ty(received);
        let (operands, mut attributes) = (body.operands(id).to_vec(), body.instructions[id].attributes);
        let details = body.instructions[id].details.clone();
        attributes.insert(Attribute::NoThrow);
        self.editor.build(Place::Before(id), id, |builder| {
            let result = builder.value_with_attributes(Opcode::Apply, attributes, details, &operands, ty);
            builder.branch(normal, &[result]);
        });
        self.editor.erase(id);
    }
}
