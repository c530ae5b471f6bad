//! Simplifies uniqueness checks whose result is unused.

use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{InstructionId, Value};

use super::Simplifier;

impl Simplifier<'_> {
    pub(super) fn begin_cow_mutation(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let buffer = Unary::of(body, id).operand;
        let results: Vec<Value> = body.results(id).collect();
        let [is_unique, mutable] = results[..] else { return };
        // The empty collections of the library are shared.
        if self.is_empty_singleton(buffer) && !self.editor.uses_but_debug(is_unique).is_empty() {
            let ty = self.editor.body().ty(is_unique);
            let zero = self.integer(id, 0, ty);
            self.editor.replace_all(is_unique, zero);
        }
        if self.editor.uses_but_debug(is_unique).is_empty() {
            self.remove_pair(id, buffer, mutable);
        }
    }

    /// Removes pairs of `begin_cow_mutation` and `end_cow_mutation` with nothing in between.
    fn remove_pair(&mut self, id: InstructionId, buffer: Value, mutable: Value) {
        let ends = |id: InstructionId| {
            let instruction = &self.editor.body().instructions[id];
            instruction.opcode == Opcode::EndCowMutation && !instruction.attributes.contains(Attribute::KeepUnique)
        };
        let users: Vec<InstructionId> =
            self.editor.uses_but_debug(mutable).into_iter().map(|found| found.user).collect();
        if users.iter().all(|user| ends(*user)) {
            users.into_iter().for_each(|end| self.editor.replace(end, buffer));
            self.erase_with_debug_uses(id);
            return;
        }
        let Some(end) = self.editor.made_by(buffer, Opcode::EndCowMutation).filter(|end| ends(*end)) else { return };
        let is_alone = self.editor.uses_but_debug(buffer).iter().all(|found| found.user == id);
        if is_alone {
            let before = Unary::of(self.editor.body(), end).operand;
            self.editor.replace_all(mutable, before);
            self.erase_with_debug_uses(id);
            self.erase_with_debug_uses(end);
        }
    }

    fn is_empty_singleton(&self, buffer: Value) -> bool {
        let body = self.editor.body();
        let mut value = buffer;
        while let Some(made) = body.defining(value) {
            match self.editor.opcode(made) {
                Opcode::UncheckedRefCast
                | Opcode::Upcast
                | Opcode::RawPointerToRef
                | Opcode::AddressToPointer
                | Opcode::CopyValue => value = Unary::of(body, made).operand,
                Opcode::GlobalAddr => return self.is_empty_collection(made),
                _ => return false,
            }
        }
        false
    }
}
