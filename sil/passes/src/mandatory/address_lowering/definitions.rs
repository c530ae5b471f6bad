//! Rewrites the definitions of opaque values so that they make the values in memory. Owns the order: each definition
//! precedes its uses.

use sil_analysis::{ApplyKind, Use};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Enum, Unary};
use sil_ir::model::{InstructionId, Value};
use std::collections::BTreeSet;

use super::lowering::{Destination, Lowered, Lowering, Site, Transfer};
use super::storage::Ordinal;
use crate::InstructionBuilder;

impl Lowering<'_> {
    /// Rewrites all definitions and uses of opaque values, then calls, casts, returns and yields of other values.
    pub(super) fn rewrite(&mut self) -> Lowered<()> {
        for ordinal in self.storages.ordinals() {
            self.rewrite_value(ordinal)?;
        }
        for call in self.calls.clone() {
            self.rewrite_call(call)?;
        }
        for id in self.loadable_casts.clone() {
            match self.opcode(id) {
                Opcode::CheckedCastBr => self.rewrite_cast_branch(id)?,
                _ => self.rewrite_cast(id)?,
            }
        }
        self.rewrite_returns()?;
        for id in self.yields.clone() {
            self.rewrite_yield(id)?;
        }
        Ok(())
    }

    fn rewrite_value(&mut self, ordinal: Ordinal) -> Lowered<()> {
        let value = self.storages.get(ordinal).value;
        if !self.storages.get(ordinal).is_rewritten {
            self.rewrite_definition(value)?;
            self.storages.get_mut(ordinal).is_rewritten = true;
        }
        if self.ty(value).is_address() {
            return Ok(());
        }
        // The ends of borrows are needed until all other uses are rewritten.
        let uses = self.uses(value);
        let (ending, others): (Vec<Use>, Vec<Use>) = uses.iter().partition(|found| self.ending_uses.contains(found));
        for found in others.into_iter().chain(ending) {
            self.rewrite_standing_use(found, value)?;
        }
        let before: BTreeSet<Use> = uses.into_iter().collect();
        for found in self.uses(value) {
            if !before.contains(&found) {
                self.rewrite_standing_use(found, value)?;
            }
        }
        Ok(())
    }

    /// Rewrites a use that still exists.
    fn rewrite_standing_use(&mut self, found: Use, value: Value) -> Lowered<()> {
        let is_there = self.editor.is_placed(found.user) && found.value(self.body()) == value;
        if is_there { self.rewrite_use(found) } else { Ok(()) }
    }

    fn rewrite_definition(&mut self, value: Value) -> Lowered<()> {
        let Some(id) = self.body().defining(value) else { return self.rewrite_argument(value) };
        let site = Site::before(id);
        match self.opcode(id) {
            Opcode::Apply | Opcode::BeginApply => self.rewrite_call_of_value(id),
            Opcode::DestructureTuple => {
                let Unary { operand } = Unary::of(self.body(), id);
                match self.call_of_tuple(operand) {
                    Some(call) => self.rewrite_call_of_value(call),
                    None => self.unsupported(id, "taking a tuple apart that is nowhere"),
                }
            }
            Opcode::Enum => {
                if !self.body().operands(id).is_empty() {
                    self.put_in_all(id, value)?;
                }
                let address = self.materialize_at(site, value)?;
                let case = Enum::of(self.body(), id).case;
                self.build(site, |builder| builder.inject_enum_addr(address, case));
                Ok(())
            }
            Opcode::Struct | Opcode::Tuple | Opcode::InitExistentialValue => self.put_in_all(id, value),
            Opcode::OpenExistentialBoxValue => self.open_box(id, value),
            Opcode::Load => self.rewrite_load(id, value),
            Opcode::LoadBorrow => {
                let Unary { operand } = Unary::of(self.body(), id);
                self.storages.set_address(value, operand);
                Ok(())
            }
            Opcode::UnconditionalCheckedCast => self.rewrite_cast(id),
            Opcode::UnownedCopyValue => self.store_reference(id, value, |at, value, to| at.store_unowned(value, to)),
            Opcode::WeakCopyValue => self.store_reference(id, value, |at, value, to| at.store_weak(value, to)),
            opcode => self.unsupported(id, format_args!("`{}` that makes an opaque value", opcode.name())),
        }
    }

    fn materialize_at(&mut self, site: Site, value: Value) -> Lowered<Value> {
        let at = self.materializer(value, site);
        self.materialize(at, value)
    }

    fn rewrite_argument(&mut self, value: Value) -> Lowered<()> {
        match self.giving_terminator(value) {
            Some(id) if self.opcode(id) == Opcode::TryApply => self.rewrite_call_of_value(id),
            Some(id) if self.opcode(id) == Opcode::CheckedCastBr => self.rewrite_cast_branch(id),
            Some(id) => self.unsupported(id, "passing an opaque value to a block like this"),
            None => {
                let Some(first) = self.first_after(value) else { return Ok(()) };
                self.materialize_at(Site::before(first), value).map(|_| ())
            }
        }
    }

    /// Rewrites a call that returns an opaque value.
    fn rewrite_call_of_value(&mut self, call: InstructionId) -> Lowered<()> {
        self.pass_addresses(call)?;
        match self.opcode(call) {
            Opcode::BeginApply => self.rewrite_yields(call),
            _ => self.rewrite_results(call),
        }
    }

    /// Rewrites a call with indirect arguments or results that returns no opaque value.
    fn rewrite_call(&mut self, call: InstructionId) -> Lowered<()> {
        self.pass_addresses(call)?;
        match ApplyKind::of(self.opcode(call)) {
            Some(ApplyKind::BeginApply) if self.changes_yields(call) => self.rewrite_yields(call),
            Some(ApplyKind::Apply | ApplyKind::TryApply) if self.changes_results(call) => {
                self.rewrite_results(call)?;
                if self.editor.is_placed(call) {
                    self.editor.erase(call);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn put_in_all(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let at = self.materializer(value, Site::before(id));
        for operand in 0..self.body().operands(id).len() as u32 {
            self.put_operand_in(at, Use { user: id, operand })?;
        }
        Ok(())
    }

    fn open_box(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Unary { operand } = Unary::of(self.body(), id);
        let ty = SilType::address(self.ty(value).ty);
        let opened = self.build(Site::before(id), |builder| builder.open_existential_box(operand, ty));
        self.use_opened(value, opened);
        self.storages.set_address(value, opened);
        Ok(())
    }

    fn rewrite_load(&mut self, id: InstructionId, value: Value) -> Lowered<()> {
        let Unary { operand } = Unary::of(self.body(), id);
        let address = self.materialize_at(Site::before(id), value)?;
        let is_taken = self.body().instructions[id].attributes.contains(Attribute::Take);
        let transfer = if is_taken { Transfer::Take } else { Transfer::Copy };
        if address != operand {
            self.copy(Site::before(id), (operand, transfer), (address, Destination::Uninitialized));
        }
        Ok(())
    }

    fn store_reference(
        &mut self,
        id: InstructionId,
        value: Value,
        store: impl FnOnce(&mut InstructionBuilder<'_>, Value, Value) -> InstructionId,
    ) -> Lowered<()> {
        let Unary { operand } = Unary::of(self.body(), id);
        let site = Site::before(id);
        let address = self.materialize_at(site, value)?;
        self.build(site, |builder| {
            store(builder.with([Attribute::Init]), operand, address);
        });
        Ok(())
    }
}
