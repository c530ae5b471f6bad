//! Rewrites the uses of opaque values as uses of memory.
//!
//! Does not own: operands of aggregates, which `definitions` stores where the aggregate is made, including loadable
//! ones.

use sil_analysis::Use;
use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::builtins::NamedBuiltin;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{DebugValue, Store, Unary};
use sil_ir::model::{DebugOperator, Details, InstructionId, Ownership, Value};

use super::lowering::{Destination, Lowered, Lowering, Site, Transfer};
use super::storage::Projection;
use crate::editing::debug_values::salvage_single_store;

impl Lowering<'_> {
    /// Rewrites a use of an opaque value that is in memory.
    pub(super) fn rewrite_use(&mut self, found: Use) -> Lowered<()> {
        let id = found.user;
        let value = found.value(self.body());
        match self.opcode(id) {
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply => self.pass_address(found),
            // The operand is only a use of its type.
            Opcode::WitnessMethod => Ok(()),
            Opcode::Yield | Opcode::ValueMetatype | Opcode::ExistentialMetatype | Opcode::IgnoredUse => {
                let address = self.address_of(value, id)?;
                self.editor.set_operand(found, address);
                Ok(())
            }
            Opcode::Builtin => self.rewrite_builtin(found),
            Opcode::BeginBorrow | Opcode::MoveValue => self.rewrite_scope(id, value),
            Opcode::CopyableToMoveonlywrapper => self.rewrite_same(id, Opcode::CopyableToMoveonlywrapperAddr),
            Opcode::MoveonlywrapperToCopyable => self.rewrite_same(id, Opcode::MoveonlywrapperToCopyableAddr),
            Opcode::MarkUnresolvedNonCopyableValue => self.rewrite_same(id, Opcode::MarkUnresolvedNonCopyableValue),
            Opcode::EndBorrow | Opcode::Return | Opcode::Enum | Opcode::Struct | Opcode::Tuple => Ok(()),
            Opcode::InitExistentialValue => Ok(()),
            Opcode::FixLifetime => self.replace_by(id, value, Opcode::FixLifetime),
            Opcode::DestroyValue => self.replace_by(id, value, Opcode::DestroyAddr),
            Opcode::Br => {
                self.move_to_argument(found)?;
                let undef = self.editor.undef(self.ty(value));
                self.editor.set_operand(found, undef);
                Ok(())
            }
            Opcode::CopyValue | Opcode::ExplicitCopyValue => self.rewrite_copy(id, value),
            Opcode::DebugValue => self.rewrite_debug_value(id, value),
            Opcode::DestructureStruct | Opcode::DestructureTuple => self.rewrite_destructure(id, value),
            Opcode::OpenExistentialValue => self.rewrite_opening(id, value),
            Opcode::StoreBorrow => self.rewrite_lending(id, value),
            Opcode::Store => self.rewrite_store(id, value),
            Opcode::SelectEnum => self.rewrite_selection(id),
            Opcode::StrongCopyUnownedValue => self.rewrite_referent(id, value, Opcode::LoadUnowned),
            Opcode::StrongCopyWeakValue => self.rewrite_referent(id, value, Opcode::LoadWeak),
            Opcode::StructExtract | Opcode::TupleExtract | Opcode::TuplePackExtract => {
                self.rewrite_extraction(id, value)
            }
            Opcode::SwitchEnum => self.rewrite_switch(id),
            Opcode::UncheckedValueCast => self.rewrite_value_cast(id, value),
            Opcode::UncheckedBitwiseCast => self.rewrite_bitwise_cast(id, value),
            Opcode::UnconditionalCheckedCast => self.rewrite_cast(id),
            Opcode::CheckedCastBr => self.rewrite_cast_branch(id),
            Opcode::UncheckedEnumData => self.rewrite_payload(id),
            opcode => self.unsupported(id, format_args!("`{}` of an opaque value", opcode.name())),
        }
    }

    fn rewrite_builtin(&mut self, found: Use) -> Lowered<()> {
        let id = found.user;
        let Details::Builtin(builtin) = &self.body().instructions[id].details else { return Ok(()) };
        let kind = NamedBuiltin::from_name(self.lowered.context.text(builtin.name()));
        let protection = match kind {
            Some(
                NamedBuiltin::ResumeNonThrowingContinuationReturning
                | NamedBuiltin::ResumeThrowingContinuationReturning,
            ) => {
                let address = self.address_of(found.value(self.body()), id)?;
                self.editor.set_operand(found, address);
                return Ok(());
            }
            Some(NamedBuiltin::AddressOfBorrowOpaque) => super::lowering::with(Attribute::StackProtection),
            Some(NamedBuiltin::UnprotectedAddressOfBorrowOpaque) => AttributeSet::default(),
            _ => return self.unsupported(id, "this builtin of an opaque value"),
        };
        let address = self.address_of(found.value(self.body()), id)?;
        let ty = SilType::object(self.lowered.context.ty(Type::Builtin(BuiltinType::RawPointer)));
        let pointer = self.build(Site::before(id), |builder| builder.with(protection).address_to_pointer(address, ty));
        self.editor.replace(id, pointer);
        Ok(())
    }

    /// A borrow or a move is the same memory. A lexical one makes the memory that of a variable.
    fn rewrite_scope(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let address = self.address_of(value, id)?;
        if let Some(result) = self.body().result(id) {
            self.storages.set_rewritten(result, address);
        }
        if self.body().instructions[id].attributes.contains(Attribute::Lexical)
            && let Some(allocation) = self.editor.made_by(self.memory_after(address), Opcode::AllocStack)
        {
            self.editor.edit_attributes(allocation, |attributes| attributes.insert(Attribute::Lexical));
        }
        Ok(())
    }

    /// A conversion to another type or a mark of the same value is the same memory.
    fn rewrite_same(&mut self, id: InstructionId, opcode: Opcode) -> Lowered<()> {
        let Unary { operand } = Unary::of(self.body(), id);
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let address = self.address_of(operand, id)?;
        let attributes = self.body().instructions[id].attributes;
        let ty = SilType::address(self.ty(result).ty);
        let same = self.build(Site::before(id), |builder| match opcode {
            Opcode::MarkUnresolvedNonCopyableValue => builder.with(attributes).unary(opcode, address),
            _ => builder.unary_of_type(opcode, address, ty),
        });
        self.storages.set_rewritten(result, same);
        Ok(())
    }

    /// Replaces an instruction on the value by one on its memory.
    fn replace_by(&mut self, id: InstructionId, value: Value, opcode: Opcode) -> Lowered<()> {
        let address = self.address_of(value, id)?;
        self.build(Site::before(id), |builder| builder.effect(opcode, address));
        self.editor.erase(id);
        Ok(())
    }

    fn rewrite_copy(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let source = self.address_of(value, id)?;
        let site = Site::before(id);
        let at = self.materializer(result, site);
        let destination = self.materialize(at, result)?;
        if destination != source {
            self.copy(site, (source, Transfer::Copy), (destination, Destination::Uninitialized));
        }
        self.storages.set_rewritten(result, destination);
        Ok(())
    }

    fn rewrite_debug_value(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let address = self.address_of(value, id)?;
        let DebugValue { variable, .. } = DebugValue::of(self.body(), id);
        let mut variable = variable.cloned().map(Box::new);
        let attributes = self.body().instructions[id].attributes;
        let is_variable = self.editor.made_by(address, Opcode::AllocStack).is_some();
        if let Some(variable) = variable.as_mut().filter(|_| !is_variable) {
            variable.expression.insert(0, DebugOperator::Dereference);
        }
        self.build(Site::before(id), |builder| builder.with(attributes).debug_value(address, variable));
        self.editor.erase(id);
        Ok(())
    }

    fn rewrite_destructure(&mut self, id: InstructionId, whole: Value) -> Lowered<()> {
        let is_borrowed = self.ownership(whole) == Ownership::Guaranteed;
        let site = Site::before(id);
        for result in self.body().results(id) {
            let at = self.materializer(result, site);
            let address = self.taken_out_address(at, result)?;
            if self.is_opaque(result) {
                self.storages.set_rewritten(result, address);
                continue;
            }
            let is_borrow = is_borrowed && !self.is_trivial(self.ty(result));
            let loaded = match is_borrow {
                true => self.load_borrow(site, address),
                false => self.load(site, address, Transfer::Take),
            };
            self.replace_all(result, loaded);
            if is_borrow {
                self.end_with_enclosing(loaded, whole)?;
            }
        }
        if !self.body().results(id).any(|result| self.storages.ordinal(result).is_some()) {
            self.editor.erase(id);
        }
        Ok(())
    }

    fn rewrite_extraction(&mut self, id: InstructionId, whole: Value) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let site = Site::before(id);
        let at = self.materializer(result, site);
        let address = self.taken_out_address(at, result)?;
        if self.is_opaque(result) {
            self.storages.set_rewritten(result, address);
            return Ok(());
        }
        if self.is_trivial(self.ty(result)) {
            let loaded = self.load(site, address, Transfer::Copy);
            self.replace_all(result, loaded);
        } else if let Some(copy) = self.only_copy(result) {
            let loaded = self.load(site, address, Transfer::Copy);
            self.replace_copy(copy, loaded);
        } else {
            let loaded = self.load_borrow(site, address);
            self.replace_all(result, loaded);
            self.end_with_enclosing(loaded, whole)?;
        }
        self.editor.erase(id);
        Ok(())
    }

    /// Returns the copy that is the only user of a value.
    fn only_copy(&self, value: Value) -> Option<InstructionId> {
        let user = self.single_use(value)?.user;
        (self.opcode(user) == Opcode::CopyValue).then_some(user)
    }

    fn replace_copy(&mut self, copy: InstructionId, by: Value) {
        if let Some(result) = self.body().result(copy) {
            self.replace_all(result, by);
        }
        self.editor.erase(copy);
    }

    fn rewrite_opening(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let address = self.address_of(value, id)?;
        let ty = SilType::address(self.ty(result).ty);
        let opened = self.build(Site::before(id), |builder| {
            let access = super::lowering::with(Attribute::ImmutableAccess);
            builder.with(access).open_existential_addr(address, ty)
        });
        self.use_opened(result, opened);
        self.storages.set_rewritten(result, opened);
        Ok(())
    }

    /// Replaces type-dependent uses of an opened value by its address.
    pub(super) fn use_opened(&mut self, value: Value, address: Value) {
        for found in self.uses(value) {
            if self.opcode(found.user) == Opcode::WitnessMethod {
                self.editor.set_operand(found, address);
            }
        }
    }

    fn rewrite_lending(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let address = self.address_of(value, id)?;
        for found in self.uses(result) {
            if self.opcode(found.user) == Opcode::EndBorrow {
                self.editor.erase(found.user);
            }
        }
        let Store { destination, .. } = Store::of(self.body(), id);
        self.replace_all(result, address);
        self.editor.erase(id);
        self.erase_unused_memory(destination);
        Ok(())
    }

    /// Rewrites a store. A copy made for the store is in the memory of the copied value, and is copied here.
    fn rewrite_store(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Store { destination, .. } = Store::of(self.body(), id);
        let source = self.address_of(value, id)?;
        let is_folded = self.editor.made_by(value, Opcode::CopyValue).is_some()
            && self.storages.of(value).is_some_and(|storage| matches!(storage.projection, Projection::Definition(_)));
        let attributes = self.body().instructions[id].attributes;
        let found = match attributes.contains(Attribute::Assign) {
            true => Destination::Initialized,
            false => Destination::Uninitialized,
        };
        let transfer = if is_folded { Transfer::Copy } else { Transfer::Take };
        self.copy(Site::after(id), (source, transfer), (destination, found));
        salvage_single_store(&mut self.editor, id);
        self.editor.erase(id);
        Ok(())
    }

    /// Rewrites a conversion of a weak or unowned reference to a strong one.
    fn rewrite_referent(&mut self, id: InstructionId, value: Value, opcode: Opcode) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let address = self.address_of(value, id)?;
        let ty = self.ty(result);
        let loaded = self.build(Site::before(id), |builder| builder.unary_of_type(opcode, address, ty));
        self.replace_all(result, loaded);
        self.editor.erase(id);
        Ok(())
    }

    /// Returns the address of a value cast to the type of `result`.
    fn cast_address(&mut self, id: InstructionId, value: Value, result: Value) -> Lowered<Value> {
        let address = self.address_of(value, id)?;
        let ty = SilType::address(self.ty(result).ty);
        Ok(self.build(Site::before(id), |builder| builder.unchecked_addr_cast(address, ty)))
    }

    /// Rewrites an instruction that forwards ownership to another type.
    fn rewrite_value_cast(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let cast = self.cast_address(id, value, result)?;
        if self.is_opaque(result) {
            self.storages.set_rewritten(result, cast);
            return Ok(());
        }
        let is_borrow = self.ownership(value) == Ownership::Guaranteed && !self.is_trivial(self.ty(result));
        let loaded = match is_borrow {
            true => self.load_borrow(Site::before(id), cast),
            false => self.load(Site::before(id), cast, Transfer::Take),
        };
        self.replace_all(result, loaded);
        self.editor.erase(id);
        if is_borrow { self.end_with_enclosing(loaded, value) } else { Ok(()) }
    }

    fn rewrite_bitwise_cast(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let site = Site::before(id);
        let cast = self.cast_address(id, value, result)?;
        let ty = self.ty(cast);
        if self.is_opaque(result) {
            self.storages.set_rewritten(result, cast);
            return Ok(());
        }
        if let Some(copy) = self.only_copy(result) {
            let loaded = self.load(Site::before(copy), cast, Transfer::Copy);
            self.replace_copy(copy, loaded);
            self.editor.erase(id);
            return Ok(());
        }
        let loaded = self.load_borrow(site, cast);
        self.replace_all(result, loaded);
        self.editor.erase(id);
        if !self.is_trivial(ty) {
            self.end_after_uses(loaded);
        }
        Ok(())
    }
}
