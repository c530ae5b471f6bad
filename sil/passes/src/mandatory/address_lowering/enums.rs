//! Rewrites projections of opaque enums in memory. Taking a payload there destroys the enum: the payload has its
//! memory.

use sil_ir::context::{MemberId, SilType};

use super::lowering::{Lowered, Lowering, Site, Transfer};

use sil_ir::model::views::{EnumCase, SelectEnum, SwitchEnum};
use sil_ir::model::{BlockId, DefaultCase, InstructionId, Ownership, Value};

use crate::knowledge::enum_cases::case_of_default;

impl Lowering<'_> {
    /// Rewrites a `switch_enum` over an opaque enum as a `switch_enum_addr`.
    pub(super) fn rewrite_switch(&mut self, id: InstructionId) -> Lowered<()> {
        let SwitchEnum { operand, targets, cases } = SwitchEnum::of(self.body(), id);
        let (targets, cases) = (targets.to_vec(), cases.clone());
        self.require_owned(id, operand)?;
        let address = self.address_of(operand, id)?;
        for (member, block) in cases.members.iter().zip(&targets) {
            self.take_payload((id, address), *block, *member);
        }
        if cases.default == DefaultCase::Present
            && let Some(block) = targets.last()
        {
            match case_of_default(self.editor.environment, self.ty(operand).ty, &cases) {
                Some(member) => self.take_payload((id, address), *block, member),
                None => self.take_whole(*block, address),
            }
        }
        self.build(Site::before(id), |builder| {
            builder.switch_enum_addr(address, cases, &targets);
        });
        self.editor.erase(id);
        Ok(())
    }

    /// Requires an owned operand. A payload or cast taken in memory leaves no value that could be borrowed.
    pub(super) fn require_owned(&self, id: InstructionId, value: Value) -> Lowered<()> {
        match self.ownership(value) {
            Ownership::Guaranteed => self.unsupported(id, "taking apart or casting an opaque value that is borrowed"),
            Ownership::None | Ownership::Owned | Ownership::Unowned => Ok(()),
        }
    }

    /// Takes the payload of a case out of the enum in memory, if the block of the case has an argument for it.
    fn take_payload(&mut self, (switch, address): (InstructionId, Value), block: BlockId, case: MemberId) {
        let Some(payload) = self.body().blocks[block].arguments.first().copied() else { return };
        let ty = SilType::address(self.ty(payload).ty);
        let first = self
            .body()
            .first_instruction(block)
            .map_or(Site::start(block, switch), |first| Site { like: switch, ..Site::before(first) });
        let taken = self.build(first, |builder| builder.unchecked_take_enum_data_addr(address, case, ty));
        if self.is_opaque(payload) {
            self.storages.set_rewritten(payload, taken);
        } else {
            let loaded = self.load(first, taken, Transfer::Take);
            self.replace_all(payload, loaded);
        }
        self.editor.remove_argument(block, 0);
    }

    /// The block of a default for several cases gets the whole enum.
    fn take_whole(&mut self, block: BlockId, address: Value) {
        if let Some(whole) = self.body().blocks[block].arguments.first().copied() {
            self.storages.set_rewritten(whole, address);
            self.editor.remove_argument(block, 0);
        }
    }

    /// Rewrites a `select_enum` of an opaque enum as a `select_enum_addr`.
    pub(super) fn rewrite_selection(&mut self, id: InstructionId) -> Lowered<()> {
        let SelectEnum { operand, values, cases } = SelectEnum::of(self.body(), id);
        let (values, cases) = (values.to_vec(), cases.clone());
        let Some(result) = self.body().result(id) else { return Ok(()) };
        let mut operands = vec![self.address_of(operand, id)?];
        operands.extend(values);
        let ty = self.ty(result);
        let selected = self.build(Site::before(id), |builder| builder.select_enum_addr(cases, &operands, ty));
        self.replace_all(result, selected);
        self.editor.erase(id);
        Ok(())
    }

    /// Takes the payload of an opaque enum whose case is known.
    pub(super) fn rewrite_payload(&mut self, id: InstructionId) -> Lowered<()> {
        let EnumCase { operand, case } = EnumCase::of(self.body(), id);
        let Some(result) = self.body().result(id) else { return Ok(()) };
        self.require_owned(id, operand)?;
        let address = self.address_of(operand, id)?;
        let ty = SilType::address(self.ty(result).ty);
        let taken = self.build(Site::before(id), |builder| builder.unchecked_take_enum_data_addr(address, case, ty));
        if self.is_opaque(result) {
            self.storages.set_rewritten(result, taken);
        } else {
            let loaded = self.load(Site::before(id), taken, Transfer::Take);
            self.replace_all(result, loaded);
            self.editor.erase(id);
        }
        Ok(())
    }
}
