//! Simplifies copies, destroys, retains and releases.

use sil_analysis::Use;
use sil_ir::context::TypeId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{InitExistential, Unary};
use sil_ir::model::{InstructionId, Ownership, Place, Value};
use sil_ir::types::Copyability;

use super::Simplifier;
use crate::knowledge::counting::Counting;

impl Simplifier<'_> {
    /// Replaces the copy of a value without ownership with the value.
    pub(super) fn copy_value(&mut self, id: InstructionId) {
        let copied = Unary::of(self.editor.body(), id).operand;
        if self.editor.ownership(copied) == Ownership::None {
            self.editor.replace(id, copied);
        } else if self.canonicalizes() {
            self.remove_unused_copy(id);
        }
    }

    /// Removes a copy that is only destroyed.
    fn remove_unused_copy(&mut self, id: InstructionId) {
        let Some(copy) = self.editor.body().result(id) else { return };
        let uses = self.editor.uses(copy);
        let is_end = |id: InstructionId| matches!(self.editor.opcode(id), Opcode::DestroyValue | Opcode::DebugValue);
        if uses.iter().all(|found| is_end(found.user)) {
            uses.into_iter().for_each(|found| self.editor.erase(found.user));
            self.editor.erase(id);
        }
    }

    /// Erases the end of a borrow without ownership.
    pub(super) fn end_borrow(&mut self, id: InstructionId) {
        let borrowed = Unary::of(self.editor.body(), id).operand;
        // A borrowed address is the result of a `store_borrow`.
        let is_address = self.editor.body().ty(borrowed).is_address();
        if !is_address && self.editor.ownership(borrowed) == Ownership::None {
            self.editor.erase(id);
        }
    }

    /// Erases the destroy of a value without ownership.
    pub(super) fn destroy_value(&mut self, id: InstructionId) {
        let destroyed = Unary::of(self.editor.body(), id).operand;
        if self.editor.ownership(destroyed) == Ownership::None {
            self.editor.erase(id);
        }
    }

    pub(super) fn retain_value(&mut self, id: InstructionId) {
        let value = Unary::of(self.editor.body(), id).operand;
        if self.erase_with_previous(id, Opcode::ReleaseValue, value) {
            return;
        }
        self.simplify_counting(id, Counting::retain);
    }

    pub(super) fn release_value(&mut self, id: InstructionId) {
        self.simplify_counting(id, Counting::release);
    }

    /// Erases a retain together with a release of the same value directly before it.
    fn erase_with_previous(&mut self, id: InstructionId, opcode: Opcode, value: Value) -> bool {
        let editor = &self.editor;
        let undoes = |previous: &InstructionId| {
            editor.opcode(*previous) == opcode && editor.operand(*previous, 0) == Some(value)
        };
        let Some(previous) = editor.body().previous(id).filter(undoes) else { return false };
        self.editor.erase(previous);
        self.editor.erase(id);
        true
    }

    /// Replaces the counting of an enum with that of its payload, and that of a value with a single reference with the
    /// specific instruction.
    fn simplify_counting(&mut self, id: InstructionId, opcode: impl Fn(Counting) -> Option<Opcode>) {
        let value = Unary::of(self.editor.body(), id).operand;
        if let Some(payload) = self.counted_payload(value) {
            self.editor.set_operand(Use { user: id, operand: 0 }, payload);
        }
        let value = Unary::of(self.editor.body(), id).operand;
        if self.is_trivial_value(value) {
            self.editor.erase(id);
            return;
        }
        let ty = self.editor.body().ty(value);
        let counting = Counting::of(self.editor.environment, ty);
        if counting == Counting::Parts {
            return;
        }
        let Some(opcode) = opcode(counting) else { return };
        let attributes = self.editor.body().instructions[id].attributes;
        self.editor.build(Place::Before(id), id, |builder| {
            builder.with(attributes).effect(opcode, value);
        });
        self.editor.erase(id);
    }

    /// Returns whether a copy of a value has no effect, even if its type is nontrivial.
    fn is_trivial_value(&self, value: Value) -> bool {
        let body = self.editor.body();
        if self.editor.is_trivial(body.ty(value)) {
            return true;
        }
        let Some(id) = body.defining(value) else { return false };
        match self.editor.opcode(id) {
            Opcode::ValueToBridgeObject => true,
            // A noncopyable value may have a deinit.
            Opcode::Struct | Opcode::Tuple | Opcode::Enum if self.is_copyable(body.ty(value).ty) => {
                body.operands(id).iter().all(|part| self.is_trivial_value(*part))
            }
            _ => false,
        }
    }

    pub(super) fn is_copyable(&self, ty: TypeId) -> bool {
        let signature = self.editor.environment.function.signature;
        self.editor.environment.queries.properties(ty, signature).copyability == Copyability::Copyable
    }

    pub(super) fn strong_retain(&mut self, id: InstructionId) {
        let value = Unary::of(self.editor.body(), id).operand;
        if self.is_not_counted(value) {
            self.editor.erase(id);
        } else {
            self.erase_with_previous(id, Opcode::StrongRelease, value);
        }
    }

    pub(super) fn strong_release(&mut self, id: InstructionId) {
        let value = Unary::of(self.editor.body(), id).operand;
        if self.is_not_counted(value) {
            self.editor.erase(id);
            return;
        }
        let wrapped = self.editor.made_by(value, Opcode::InitExistentialRef);
        if let Some(wrapped) = wrapped.filter(|_| self.editor.uses(value).len() == 1) {
            let inner = InitExistential::of(self.editor.body(), wrapped).operand;
            self.editor.set_operand(Use { user: id, operand: 0 }, inner);
            self.editor.erase(wrapped);
        }
    }

    /// Returns whether retains and releases of a value have no effect.
    fn is_not_counted(&self, value: Value) -> bool {
        let body = self.editor.body();
        let Some(id) = body.defining(value) else { return false };
        let through = |value: Option<Value>| value.is_some_and(|value| self.is_not_counted(value));
        match self.editor.opcode(id) {
            Opcode::ConvertFunction | Opcode::Upcast | Opcode::UncheckedRefCast => {
                through(body.operands(id).first().copied())
            }
            // Statically initialised objects are never deallocated.
            Opcode::GlobalValue => true,
            Opcode::RawPointerToRef => {
                let pointer = self.editor.made_by(Unary::of(body, id).operand, Opcode::AddressToPointer);
                let address = pointer.map(|id| Unary::of(body, id).operand);
                address.is_some_and(|address| self.editor.made_by(address, Opcode::GlobalAddr).is_some())
            }
            Opcode::ThinToThickFunction
            | Opcode::ObjcExistentialMetatypeToObject
            | Opcode::ObjcMetatypeToObject
            | Opcode::ValueToBridgeObject => true,
            _ => false,
        }
    }

    /// Erases the reference counting of a statically initialised object that does not escape.
    pub(super) fn global_value(&mut self, id: InstructionId) {
        let mut counting = Vec::new();
        let Some(object) = self.editor.body().result(id) else { return };
        if self.collect_counting(object, &mut counting) {
            counting.into_iter().for_each(|id| self.editor.erase(id));
        }
    }

    fn collect_counting(&self, object: Value, counting: &mut Vec<InstructionId>) -> bool {
        self.editor.uses(object).into_iter().all(|found| match self.editor.opcode(found.user) {
            Opcode::StrongRetain
            | Opcode::StrongRelease
            | Opcode::RetainValue
            | Opcode::ReleaseValue
            | Opcode::DebugValue
            | Opcode::FixLifetime => {
                counting.push(found.user);
                true
            }
            Opcode::Upcast => {
                let result = self.editor.body().result(found.user);
                result.is_some_and(|object| self.collect_counting(object, counting))
            }
            Opcode::RefElementAddr | Opcode::RefTailAddr => true,
            _ => false,
        })
    }
}
