//! Replaces stores to the only field of a struct with stores of the struct.

use sil_analysis::Use;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Store, StructExtract};
use sil_ir::model::{InstructionId, Place};
use sil_ir::types::Copyability;

use super::Simplifier;

impl Simplifier<'_> {
    /// Stores the struct instead of its only field.
    pub(super) fn store(&mut self, id: InstructionId) {
        while self.store_to_whole(id).is_some() {}
    }

    fn store_to_whole(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let Store { source, destination } = Store::of(body, id);
        let projection = self.editor.made_by(destination, Opcode::StructElementAddr)?;
        let whole = StructExtract::of(body, projection).operand;
        let ty = body.ty(whole).object_type();
        let queries = self.editor.environment.queries;
        let declaration = queries.declaration_of(ty.ty)?;
        let properties = queries.properties(ty.ty, self.editor.environment.function.signature);
        if queries.field_types(ty.ty)?.len() != 1
            || declaration.attributes.c_layout.is_some()
            || properties.is_address_only()
            || properties.is_guessed()
            // A noncopyable aggregate has a different lifetime than its parts.
            || properties.copyability == Copyability::Noncopyable
        {
            return None;
        }
        let made = self.editor.build(Place::Before(id), id, |builder| builder.structure(&[source], ty));
        self.editor.forget_ownership();
        self.editor.set_operand(Use { user: id, operand: 0 }, made);
        self.editor.set_operand(Use { user: id, operand: 1 }, whole);
        if self.editor.uses(destination).is_empty() {
            self.editor.erase(projection);
        }
        Some(())
    }
}
