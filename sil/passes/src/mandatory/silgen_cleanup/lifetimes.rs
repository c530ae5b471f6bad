//! Removes copies that are only destroyed, borrows that the borrowed value can replace, and destructures for destroys.

use sil_analysis::Use;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{InstructionId, Ownership, Place, Stage};

use super::Cleanup;

impl Cleanup<'_> {
    /// Removes a copy that is only destroyed.
    pub(super) fn remove_copy(&mut self, id: InstructionId) {
        let Some(copy) = self.editor.body().result(id) else { return };
        let is_kept = self.preserves_debug_information();
        let is_end = |found: &Use| match self.editor.opcode(found.user) {
            Opcode::DestroyValue => true,
            Opcode::DebugValue => !is_kept,
            _ => false,
        };
        if self.editor.uses(copy).iter().all(is_end) {
            let operand = Unary::of(self.editor.body(), id).operand;
            self.editor.erase_with_users(id);
            self.remove_unused(vec![operand]);
        }
    }

    /// Replaces a borrow by the borrowed value, if its uses allow that.
    pub(super) fn remove_borrow(&mut self, id: InstructionId) {
        let attributes = self.editor.body().instructions[id].attributes;
        let stays = |attribute| attributes.contains(attribute);
        // In raw SIL, borrows of variables are kept for diagnostics; in canonical SIL, lexical ones keep the scope.
        let is_raw = self.editor.environment.module.stage == Stage::Raw;
        if stays(Attribute::Lexical) || is_raw && (stays(Attribute::Fixed) || stays(Attribute::VarDecl)) {
            return;
        }
        let Some(borrow) = self.editor.body().result(id) else { return };
        let base = Unary::of(self.editor.body(), id).operand;
        let kind = self.editor.ownership(base);
        let uses = self.editor.uses(borrow);
        let (ends, others): (Vec<Use>, Vec<Use>) =
            uses.into_iter().partition(|found| self.editor.opcode(found.user) == Opcode::EndBorrow);
        let used: Vec<Use> =
            others.iter().copied().filter(|found| self.editor.opcode(found.user) != Opcode::DebugValue).collect();
        let as_what = self.editor.operand_ownerships(&used);
        if !as_what.into_iter().all(|ownership| !ownership.ends_lifetime() && ownership.accepts(kind)) {
            return;
        }
        ends.into_iter().for_each(|found| self.editor.erase(found.user));
        others.into_iter().for_each(|found| self.editor.set_operand(found, base));
        self.editor.erase(id);
        self.remove_unused(vec![base]);
    }

    /// Destroys an aggregate that is only destructured for that. Returns whether it was.
    pub(super) fn destroy_whole(&mut self, id: InstructionId) -> bool {
        if !matches!(self.editor.opcode(id), Opcode::DestructureTuple | Opcode::DestructureStruct)
            || self.preserves_debug_information()
        {
            return false;
        }
        let results: Vec<_> = self.editor.body().results(id).collect();
        let is_end = |found: &Use| self.editor.opcode(found.user) == Opcode::DestroyValue;
        let is_destroyed = |value: &_| {
            let ty = self.editor.body().ty(*value);
            let uses = self.editor.uses_but_debug(*value);
            if self.editor.is_trivial(ty) { uses.is_empty() } else { matches!(&uses[..], [only] if is_end(only)) }
        };
        if !results.iter().all(is_destroyed) {
            return false;
        }
        let Some(operand) = self.editor.operand(id, 0) else { return false };
        self.editor.build(Place::Before(id), id, |builder| {
            builder.destroy_value(operand);
        });
        self.editor.erase_with_users(id);
        true
    }

    /// Destroys the operands of an aggregate that is only destroyed. Returns whether it was.
    pub(super) fn destroy_parts(&mut self, id: InstructionId) -> bool {
        let whole = self.editor.body().result(id);
        let is_made = matches!(self.editor.opcode(id), Opcode::Struct | Opcode::Tuple);
        let uses = whole.filter(|_| is_made).map(|whole| self.editor.uses(whole)).unwrap_or_default();
        let is_end = |found: &Use| self.editor.opcode(found.user) == Opcode::DestroyValue;
        if uses.is_empty() || !uses.iter().all(is_end) {
            return false;
        }
        let parts = self.editor.body().operands(id).to_vec();
        let owned: Vec<_> = parts.into_iter().filter(|part| self.editor.ownership(*part) == Ownership::Owned).collect();
        self.editor.build(Place::Before(id), id, |builder| {
            for part in owned {
                builder.destroy_value(part);
            }
        });
        self.editor.erase_with_users(id);
        true
    }
}
