//! Instructions on values whose layout only metadata knows: slots on the stack, parts of structs and tuples, cases of enums.

use inkwell::values::{IntValue, PointerValue};
use sil::context::{MemberId, MemberTarget, NominalId, TypeId};
use sil::model::views::{EnumCase, SwitchEnum};
use sil::model::{DefaultCase, InstructionId, Value};

use crate::generation::{FIELD_OFFSET_SIZE, IRGenFunction};
use crate::layout::TypeLayout;
use crate::refusal::Generated;
use crate::values::opaque::{EnumWitness, LayoutFact, MAXIMUM_ALIGNMENT};

/// Where the metadata of a class has the size of instances: behind kind, superclass, flags and address point (`TargetClassMetadata`).
const INSTANCE_SIZE_WORDS: u64 = 2;
const INSTANCE_SIZE_BYTES: u64 = 8;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// A slot for a value of the canonical type `ty`, until [`Self::leave_dynamic_slot`].
    pub(super) fn enter_dynamic_slot(&mut self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let size = self.layout_fact(self.type_metadata(ty)?, LayoutFact::Size);
        Ok(self.enter_slot(size, MAXIMUM_ALIGNMENT))
    }

    /// A slot of `size` bytes, until [`Self::leave_dynamic_slot`].
    pub(in crate::instructions) fn enter_slot(&mut self, size: IntValue<'ctx>, alignment: u64) -> PointerValue<'ctx> {
        let memory = self.allocate_dynamic(size, alignment);
        self.state.dynamic_slots.push(memory);
        memory.address
    }

    /// The slot ends, and what was allocated behind it.
    pub(in crate::instructions) fn leave_dynamic_slot(&self, slot: PointerValue<'ctx>) {
        if let Some(memory) = self.state.dynamic_slots.iter().find(|memory| memory.address == slot) {
            self.free_dynamic(*memory);
        }
    }

    /// The address of element number `index` of a tuple or stored property of a struct of the canonical type `ty` at `base`.
    pub(crate) fn part_address(
        &self,
        ty: TypeId,
        base: PointerValue<'ctx>,
        index: usize,
    ) -> Generated<PointerValue<'ctx>> {
        if index == 0 {
            return Ok(base);
        }
        let metadata = self.type_metadata(ty)?;
        let place = self.builder.offset(metadata, self.module.part_offset_place(ty, index)?);
        let offset = self.builder.load_invariant(self.builder.int_type(32).into(), place, FIELD_OFFSET_SIZE);
        let offset = self.builder.resize(offset.into_int_value(), self.module.pointer_bits());
        Ok(self.builder.index_bytes(base, offset))
    }

    /// The address of stored property number `index` of `class` in an object whose metadata has its offset.
    pub(super) fn dynamic_stored_property(
        &self,
        object: PointerValue<'ctx>,
        class: NominalId,
        index: usize,
    ) -> Generated<PointerValue<'ctx>> {
        let word = self.module.pointer_size();
        let place = self.module.stored_offset_place(class, index)?;
        let place = self.place_in_metadata(self.load_heap_metadata(object), place)?;
        let offset = self.builder.load_invariant(self.module.word_type().into(), place, word).into_int_value();
        Ok(self.builder.index_bytes(object, offset))
    }

    /// The size and the alignment mask of instances of the class with this metadata.
    pub(super) fn instance_size(&self, metadata: PointerValue<'ctx>) -> [IntValue<'ctx>; 2] {
        let word = self.module.pointer_size();
        let load = |offset: u64, bits: u32| {
            let place = self.builder.offset(metadata, offset);
            let number = self.builder.load_invariant(self.builder.int_type(bits).into(), place, u64::from(bits / 8));
            self.builder.resize(number.into_int_value(), self.module.pointer_bits())
        };
        let size = INSTANCE_SIZE_WORDS * word + INSTANCE_SIZE_BYTES;
        [load(size, 32), load(size + 4, 16)]
    }

    /// The tag of a case: cases with a payload come first, in their order.
    fn case_tag(&self, instruction: InstructionId, ty: TypeId, case: MemberId) -> Generated<u64> {
        let payloads = self.module.types.case_payloads(ty, self.generics)?;
        let alike =
            |is: bool, cases: &[Option<TypeId>]| cases.iter().filter(|case| case.is_some() == is).count() as u64;
        let MemberTarget::Case(number) = self.module.sil.context.get_member(case).target else {
            return Err(self.unsupported(instruction, "a case of a type that is not an enum"));
        };
        let Some(is) = payloads.get(number as usize).map(Option::is_some) else {
            return Err(self.unsupported(instruction, "a case of a type that is not an enum"));
        };
        let before = alike(is, &payloads[..number as usize]);
        Ok(if is { before } else { alike(true, &payloads) + before })
    }

    fn tag_constant(&self, tag: u64) -> IntValue<'ctx> {
        self.builder.int(32, tag)
    }

    /// `inject_enum_addr`
    pub(super) fn inject_dynamic_enum(
        &self,
        instruction: InstructionId,
        ty: TypeId,
        address: PointerValue<'ctx>,
        case: MemberId,
    ) -> Generated<()> {
        let tag = self.tag_constant(self.case_tag(instruction, ty, case)?);
        self.call_enum_witness(EnumWitness::InjectTag, address, Some(tag), self.type_metadata(ty)?);
        Ok(())
    }

    /// `unchecked_take_enum_data_addr`
    pub(super) fn project_dynamic_enum(&self, ty: TypeId, address: PointerValue<'ctx>) -> Generated<()> {
        self.call_enum_witness(EnumWitness::ProjectData, address, None, self.type_metadata(ty)?);
        Ok(())
    }

    /// Whether the enum of type `ty` at `address` is this case.
    pub(super) fn is_dynamic_case(
        &self,
        instruction: InstructionId,
        ty: TypeId,
        address: PointerValue<'ctx>,
        case: MemberId,
    ) -> Generated<IntValue<'ctx>> {
        let tag = self.case_tag(instruction, ty, case)?;
        let found = self.call_enum_witness(EnumWitness::GetTag, address, None, self.type_metadata(ty)?);
        let found = found.unwrap_or_else(|| self.tag_constant(tag));
        Ok(self.builder.equal(found, self.tag_constant(tag)))
    }

    /// `switch_enum_addr`
    pub(super) fn switch_dynamic_enum(
        &self,
        instruction: InstructionId,
        ty: TypeId,
        switch: &SwitchEnum<'_>,
    ) -> Generated<()> {
        let address = self.address(switch.operand)?;
        let found = self.call_enum_witness(EnumWitness::GetTag, address, None, self.type_metadata(ty)?);
        let Some(found) = found else { return Ok(()) };
        let mut cases = Vec::new();
        for (member, target) in switch.cases.members.iter().zip(switch.targets) {
            cases.push((self.tag_constant(self.case_tag(instruction, ty, *member)?), self.block(*target)));
        }
        let default = match (switch.cases.default, switch.targets.last()) {
            (DefaultCase::Present, Some(default)) => self.block(*default),
            _ => {
                let block = self.new_block("");
                let here = self.builder.block();
                self.builder.position_at_end(block);
                self.builder.unreachable();
                self.builder.position_at_end(here);
                block
            }
        };
        self.builder.switch(found, default, &cases);
        Ok(())
    }

    /// The canonical type of the values at the address `value`, where only metadata know their layout.
    pub(super) fn dynamic_type(&self, value: Value) -> Generated<Option<TypeId>> {
        Ok(match self.layout(self.body.ty(value).ty)? {
            TypeLayout::Fixed(_) => None,
            TypeLayout::Dynamic(ty) => Some(ty),
        })
    }
}

/// What an instruction on one case of an enum in memory speaks of, where only metadata know the layout.
pub(super) fn dynamic_case<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<Option<(TypeId, PointerValue<'ctx>, MemberId)>> {
    let EnumCase { operand, case } = EnumCase::of(function.body, instruction);
    if !function.body.ty(operand).is_address() {
        return Ok(None);
    }
    match function.dynamic_type(operand)? {
        Some(ty) => Ok(Some((ty, function.address(operand)?, case))),
        None => Ok(None),
    }
}
