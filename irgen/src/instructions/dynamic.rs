//! Instructions on values of dynamic layout: slots on the stack, parts of structs and tuples, cases of enums.

use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::{MemberId, MemberTarget, NominalId, TypeId};
use sil_ir::model::views::{EnumCase, SwitchEnum};
use sil_ir::model::{DefaultCase, InstructionId, Value};

use crate::generation::{FIELD_OFFSET_SIZE, IRGenFunction};
use crate::layout::TypeLayout;
use crate::refusal::Generated;
use crate::values::opaque::{EnumWitness, LayoutFact, MAXIMUM_ALIGNMENT};

/// The position of the instance size in the metadata of a class: after kind, superclass, flags and address point
/// (`TargetClassMetadata`).
const INSTANCE_SIZE_WORDS: u64 = 2;
const INSTANCE_SIZE_BYTES: u64 = 8;

/// The size of the tag of a case, in bytes.
const TAG_SIZE: u64 = 4;

/// The functions that set and get the case of an enum value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tagged {
    /// The witnesses of the enum.
    ByType,
    /// The witnesses of the only payload: this number of cases without a payload use invalid values of it
    /// (lib/IRGen/GenEnum.cpp, `SinglePayloadEnumImplStrategy`).
    ByPayload { payload: TypeId, empty: u64 },
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Allocates a slot for a value of the canonical type `ty`, until [`Self::leave_dynamic_slot`].
    pub(super) fn enter_dynamic_slot(&mut self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let size = self.layout_fact(self.type_metadata(ty)?, LayoutFact::Size);
        Ok(self.enter_slot(size, MAXIMUM_ALIGNMENT))
    }

    /// Allocates a slot of `size` bytes, until [`Self::leave_dynamic_slot`].
    pub(in crate::instructions) fn enter_slot(&mut self, size: IntValue<'ctx>, alignment: u64) -> PointerValue<'ctx> {
        let memory = self.allocate_dynamic(size, alignment);
        self.state.dynamic_slots.push(memory);
        memory.address
    }

    /// Frees the slot and all later allocations.
    pub(in crate::instructions) fn leave_dynamic_slot(&self, slot: PointerValue<'ctx>) {
        if let Some(memory) = self.state.dynamic_slots.iter().find(|memory| memory.address == slot) {
            self.free_dynamic(*memory);
        }
    }

    /// Returns the address of element number `index` of a tuple, or of the stored property of a struct, of the
    /// canonical type `ty` at `base`.
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

    /// Returns the address of stored property number `index` of `class` in an object, whose offset is in metadata or in
    /// a variable.
    pub(super) fn dynamic_stored_property(
        &self,
        object: PointerValue<'ctx>,
        class: NominalId,
        index: usize,
    ) -> Generated<PointerValue<'ctx>> {
        let (word, size) = (self.module.word_type().into(), self.module.pointer_size());
        let offset = if self.module.reads_offsets(class)? {
            self.builder.load(word, self.module.field_offset(class, index as u32)?, size)
        } else {
            let place = self.module.stored_offset_place(class, index)?;
            let place = self.place_in_metadata(self.load_heap_metadata(object), place)?;
            self.builder.load_invariant(word, place, size)
        };
        Ok(self.builder.index_bytes(object, offset.into_int_value()))
    }

    /// Returns the size and the alignment mask of instances of the class with this metadata.
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

    /// Returns the tag of a case: cases with a payload come first, in order. A resilient library provides its enums'
    /// tags at run time.
    fn case_tag(&self, instruction: InstructionId, ty: TypeId, case: MemberId) -> Generated<IntValue<'ctx>> {
        let unknown = || self.unsupported(instruction, "a case of a type that is not an enum");
        let MemberTarget::Case(number) = self.module.sil.context.get_member(case).target else {
            return Err(unknown());
        };
        let nominal = self.module.types.queries.as_nominal(ty).ok_or_else(unknown)?.declaration;
        if self.module.types.is_resilient(self.module.sil.declarations.get(nominal)) {
            let place = self.module.case_tag(nominal, number)?;
            return Ok(self.builder.load_invariant(self.builder.int_type(32).into(), place, TAG_SIZE).into_int_value());
        }
        let (payloads, empty) = self.module.cases_by_payload(nominal)?;
        let tag = payloads.iter().chain(&empty).position(|other| *other == number as usize).ok_or_else(unknown)?;
        Ok(self.tag_constant(tag as u64))
    }

    fn tag_constant(&self, tag: u64) -> IntValue<'ctx> {
        self.builder.int(32, tag)
    }

    /// The functions that set and get the cases of the enum of type `ty`.
    fn tagged(&self, ty: TypeId) -> Generated<Tagged> {
        let queries = self.module.types.queries;
        let Some(nominal) = queries.as_nominal(ty).map(|nominal| nominal.declaration) else {
            return Ok(Tagged::ByType);
        };
        if self.module.types.is_resilient(self.module.sil.declarations.get(nominal)) {
            return Ok(Tagged::ByType);
        }
        let (payloads, empty) = self.module.cases_by_payload(nominal)?;
        let [only] = payloads[..] else { return Ok(Tagged::ByType) };
        let Some(payload) = queries.case_payload(ty, only as u32) else { return Ok(Tagged::ByType) };
        Ok(match self.module.types.layout(self.module.types.erased(payload, self.generics))? {
            TypeLayout::Dynamic(payload) => Tagged::ByPayload { payload, empty: empty.len() as u64 },
            TypeLayout::Fixed(_) => Tagged::ByType,
        })
    }

    /// The tag of the enum of type `ty` at `address`.
    fn dynamic_tag(&self, ty: TypeId, address: PointerValue<'ctx>) -> Generated<Option<IntValue<'ctx>>> {
        Ok(match self.tagged(ty)? {
            Tagged::ByPayload { empty: 0, .. } => Some(self.tag_constant(0)),
            Tagged::ByPayload { payload, empty } => {
                let metadata = self.type_metadata(payload)?;
                Some(self.get_single_payload_tag(address, self.tag_constant(empty), metadata))
            }
            Tagged::ByType => self.call_enum_witness(EnumWitness::GetTag, address, None, self.type_metadata(ty)?),
        })
    }

    /// `inject_enum_addr`
    pub(super) fn inject_dynamic_enum(
        &self,
        instruction: InstructionId,
        ty: TypeId,
        address: PointerValue<'ctx>,
        case: MemberId,
    ) -> Generated<()> {
        let tag = self.case_tag(instruction, ty, case)?;
        match self.tagged(ty)? {
            Tagged::ByPayload { empty: 0, .. } => {}
            Tagged::ByPayload { payload, empty } => {
                let metadata = self.type_metadata(payload)?;
                self.store_single_payload_tag(address, tag, self.tag_constant(empty), metadata);
            }
            Tagged::ByType => {
                self.call_enum_witness(EnumWitness::InjectTag, address, Some(tag), self.type_metadata(ty)?);
            }
        }
        Ok(())
    }

    /// `unchecked_take_enum_data_addr`
    pub(super) fn project_dynamic_enum(&self, ty: TypeId, address: PointerValue<'ctx>) -> Generated<()> {
        if self.tagged(ty)? == Tagged::ByType {
            self.call_enum_witness(EnumWitness::ProjectData, address, None, self.type_metadata(ty)?);
        }
        Ok(())
    }

    /// Returns whether the enum of type `ty` at `address` is this case.
    pub(super) fn is_dynamic_case(
        &self,
        instruction: InstructionId,
        ty: TypeId,
        address: PointerValue<'ctx>,
        case: MemberId,
    ) -> Generated<IntValue<'ctx>> {
        let tag = self.case_tag(instruction, ty, case)?;
        let found = self.dynamic_tag(ty, address)?;
        Ok(self.builder.equal(found.unwrap_or(tag), tag))
    }

    /// `switch_enum_addr`
    pub(super) fn switch_dynamic_enum(
        &self,
        instruction: InstructionId,
        ty: TypeId,
        switch: &SwitchEnum<'_>,
    ) -> Generated<()> {
        let address = self.address(switch.operand)?;
        let found = self.dynamic_tag(ty, address)?;
        let Some(found) = found else { return Ok(()) };
        let targets = switch.cases.members.iter().zip(switch.targets);
        let cases: Generated<Vec<_>> = targets
            .map(|(member, target)| Ok((self.case_tag(instruction, ty, *member)?, self.block(*target))))
            .collect();
        let cases = cases?;
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
        if cases.iter().all(|(tag, _)| tag.is_const()) {
            self.builder.switch(found, default, &cases);
            return Ok(());
        }
        for (tag, block) in cases {
            let next = self.new_block("");
            self.builder.branch_if(self.builder.equal(found, tag), block, next);
            self.builder.position_at_end(next);
        }
        self.builder.branch(default);
        Ok(())
    }

    /// Returns the canonical type of the values at the address `value`, if their layout is dynamic.
    pub(super) fn dynamic_type(&self, value: Value) -> Generated<Option<TypeId>> {
        Ok(match self.layout(self.body.ty(value).ty)? {
            TypeLayout::Fixed(_) => None,
            TypeLayout::Dynamic(ty) => Some(ty),
        })
    }
}

/// Returns the case of an instruction on one case of an enum in memory of dynamic layout.
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
