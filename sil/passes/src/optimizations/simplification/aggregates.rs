//! Simplifies structs and tuples that are created and taken apart.

use sil_ir::context::{MemberId, MemberTarget, SilType};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Composition, StructExtract, TupleExtract, Unary};
use sil_ir::model::{Definition, InstructionId, Ownership, Place, Value};

use super::Simplifier;
use crate::knowledge::aggregate_parts::parts;

impl Simplifier<'_> {
    /// Replaces the extraction of a field of a `struct` with its operand.
    pub(super) fn struct_extract(&mut self, id: InstructionId) {
        let StructExtract { operand, field } = StructExtract::of(self.editor.body(), id);
        let Some(made) = self.editor.made_by(operand, Opcode::Struct) else { return };
        let part = self.stored_index(field).and_then(|index| self.editor.operand(made, index));
        if let Some(part) = part {
            self.replace_pair(made, id, part);
        }
    }

    /// Replaces the extraction of an element of a `tuple` with its operand.
    pub(super) fn tuple_extract(&mut self, id: InstructionId) {
        let TupleExtract { operand, index } = TupleExtract::of(self.editor.body(), id);
        let Some(made) = self.editor.made_by(operand, Opcode::Tuple) else { return };
        if let Some(part) = self.editor.operand(made, index as usize) {
            self.replace_pair(made, id, part);
        }
    }

    /// The index of a stored property among those of its type.
    pub(super) fn stored_index(&self, field: MemberId) -> Option<usize> {
        match self.editor.environment.queries.context.get_member(field).target {
            MemberTarget::Stored(index) => Some(index as usize),
            MemberTarget::Case(_) | MemberTarget::Other => None,
        }
    }

    /// Replaces the result of `second`, which extracts it from the result of `first`, with `by`. Erases `first` too if
    /// it has no other uses. Does nothing if that would need a copy.
    pub(super) fn replace_pair(&mut self, first: InstructionId, second: InstructionId, by: Value) {
        let goes = self.is_only_user(first, second);
        if !goes && self.editor.has_ownership() {
            if self.editor.ownership(by) == Ownership::Owned {
                return;
            }
            let Some(whole) = self.editor.body().result(first) else { return };
            // An enum may be owned although its payload is trivial, and `second` consumed it.
            if self.editor.ownership(whole) == Ownership::Owned {
                self.editor.build(Place::Before(second), second, |builder| {
                    builder.destroy_value(whole);
                });
            }
        }
        self.editor.replace(second, by);
        if goes {
            self.erase_with_debug_uses(first);
        }
    }

    /// Replaces a tuple of all elements of a destructured tuple with that tuple.
    pub(super) fn tuple(&mut self, id: InstructionId) {
        let Composition { elements } = Composition::of(self.editor.body(), id);
        let elements = elements.to_vec();
        let body = self.editor.body();
        let taken = elements.first().and_then(|first| self.editor.made_by(*first, Opcode::DestructureTuple));
        let Some(taken) = taken else { return };
        let whole = Unary::of(body, taken).operand;
        let is_same = body.result(id).is_some_and(|tuple| body.ty(tuple) == body.ty(whole));
        let in_order = |(index, element): (u32, &Value)| {
            body.values[*element].definition == Definition::Result { instruction: taken, index }
        };
        if !is_same || body.results(taken).len() != elements.len() || !(0..).zip(&elements).all(in_order) {
            return;
        }
        let used_once = elements.iter().all(|element| {
            let uses = match self.preserves_debug_information() {
                true => self.editor.uses(*element),
                false => self.editor.uses_but_debug(*element),
            };
            uses.len() == 1
        });
        if !used_once && elements.iter().any(|element| self.editor.ownership(*element) == Ownership::Owned) {
            return;
        }
        if let Some(tuple) = self.editor.body().result(id) {
            self.editor.replace_all(tuple, whole);
        }
        if used_once {
            self.erase_with_debug_uses(id);
        }
    }

    /// Replaces the destructure of a trivial tuple with extractions, and that of a new tuple with its operands.
    pub(super) fn destructure_tuple(&mut self, id: InstructionId) {
        let whole = Unary::of(self.editor.body(), id).operand;
        if self.editor.is_trivial(self.editor.body().ty(whole)) {
            self.extract_each(id);
        } else if let Some(made) = self.editor.made_by(whole, Opcode::Tuple) {
            self.undo(made, id);
        }
    }

    /// Simplifies the destructure of a struct like that of a tuple. A copy of a new struct becomes a struct of copies.
    pub(super) fn destructure_struct(&mut self, id: InstructionId) {
        let whole = Unary::of(self.editor.body(), id).operand;
        let ty = self.editor.body().ty(whole);
        if self.editor.is_trivial(ty) {
            self.extract_each(id);
        } else if let Some(made) = self.editor.made_by(whole, Opcode::Struct) {
            self.undo(made, id);
        } else if let Some(copy) = self.editor.made_by(whole, Opcode::CopyValue) {
            self.copy_parts(copy, id);
        }
    }

    fn extract_each(&mut self, id: InstructionId) {
        let whole = Unary::of(self.editor.body(), id).operand;
        let ty = self.editor.body().ty(whole).ty;
        let results: Vec<Value> = self.editor.body().results(id).collect();
        let parts = parts(self.editor.environment.queries, ty).filter(|parts| parts.len() == results.len());
        let Some(parts) = parts else { return };
        for (part, result) in parts.into_iter().zip(results) {
            let part = self.editor.build(Place::Before(id), id, |builder| part.extract(builder, whole));
            self.editor.replace_all(result, part);
        }
        self.editor.erase(id);
    }

    /// Replaces the results of `apart` with the operands of `made`.
    fn undo(&mut self, made: InstructionId, apart: InstructionId) {
        let goes = self.is_only_user(made, apart);
        let Some(whole) = self.editor.body().result(made) else { return };
        if !goes && self.editor.ownership(whole) == Ownership::Owned {
            return;
        }
        let parts = self.editor.body().operands(made).to_vec();
        let results: Vec<Value> = self.editor.body().results(apart).collect();
        for (result, part) in results.into_iter().zip(parts) {
            self.editor.replace_all(result, part);
        }
        if goes {
            self.erase_with_debug_uses(apart);
        }
    }

    fn copy_parts(&mut self, copy: InstructionId, apart: InstructionId) {
        let body = self.editor.body();
        let mut copied = Unary::of(body, copy).operand;
        while let Some(inner) = self.editor.made_by(copied, Opcode::CopyValue) {
            copied = Unary::of(body, inner).operand;
        }
        let block = |id: InstructionId| body.instructions[id].block;
        let made = self.editor.made_by(copied, Opcode::Struct).filter(|made| block(*made) == block(apart));
        let Some(made) = made else { return };
        let is_used_once = body.result(copy).is_some_and(|copy| self.editor.uses(copy).len() == 1);
        if !is_used_once {
            return;
        }
        let parts = body.operands(made).to_vec();
        let results: Vec<Value> = body.results(apart).collect();
        for (result, part) in results.into_iter().zip(parts) {
            let ty: SilType = self.editor.body().ty(part);
            let part = match self.editor.is_trivial(ty) {
                true => part,
                false => self.editor.build(Place::Before(made), made, |builder| builder.copy_value(part)),
            };
            self.editor.replace_all(result, part);
        }
        self.editor.erase(apart);
        self.editor.erase(copy);
    }
}
