//! The value witnesses of structs and enums with a dynamic layout (lib/IRGen/GenStruct.cpp, `NonFixedStructTypeInfo`;
//! lib/IRGen/GenEnum.cpp): an operation on a value is applied to its parts, at the offsets in the metadata.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::declarations::NominalKind;
use sil_ir::symbols::ValueWitness;

use super::value_witnesses::{store_in_series, tag_in_series};
use crate::generation::{IRGenFunction, RuntimeFunction};
use crate::layout::{IS_NOT_INLINE, ReferenceKind, TypeLayout};
use crate::refusal::{Generated, unsupported_without_place};
use crate::values::opaque::{self, LayoutFact};

/// The structure of a type with a dynamic layout.
enum Shape {
    /// A struct with these stored properties.
    Struct(Vec<TypeId>),
    /// An enum with one case, which has this payload.
    SingleCase(TypeId),
    /// An enum with one payload case and this number of other cases.
    SinglePayload(TypeId, u64),
    /// An enum with several payload cases.
    MultiPayload(Vec<TypeId>),
}

/// The operation on the parts of a value, which is that of the witness with the same name.
#[derive(Clone, Copy)]
enum PartOperation<'ctx> {
    Destroy(PointerValue<'ctx>),
    Move(opaque::ValueWitness, PointerValue<'ctx>, PointerValue<'ctx>),
}

/// A value witness under construction.
pub(super) struct DynamicWitnessBody<'f, 'm, 'ctx> {
    function: &'f IRGenFunction<'m, 'ctx>,
    ty: TypeId,
    metadata: PointerValue<'ctx>,
    shape: Shape,
}

impl<'f, 'm, 'ctx> DynamicWitnessBody<'f, 'm, 'ctx> {
    pub(super) fn new(
        function: &'f IRGenFunction<'m, 'ctx>,
        ty: TypeId,
        metadata: PointerValue<'ctx>,
    ) -> Generated<Self> {
        let module = function.module;
        let queries = module.types.queries;
        let shape = match queries.declaration_of(ty).map(|declaration| declaration.kind) {
            Some(NominalKind::Struct) => {
                Shape::Struct(queries.stored_property_types(ty).ok_or_else(|| module.unsupported_type(ty))?)
            }
            _ => match module.payload_cases(ty, function.generics)? {
                (payloads, 0) if payloads.len() == 1 => Shape::SingleCase(payloads[0]),
                (payloads, empty) if payloads.len() == 1 => Shape::SinglePayload(payloads[0], empty),
                (payloads, _) => Shape::MultiPayload(payloads),
            },
        };
        Ok(Self { function, ty, metadata, shape })
    }

    pub(super) fn emit(&self, witness: ValueWitness) -> Generated<()> {
        let first = self.function.address_parameter(0);
        let moved = |by| PartOperation::Move(by, first, self.function.address_parameter(1));
        let operation = match witness {
            ValueWitness::Destroy => PartOperation::Destroy(first),
            ValueWitness::InitializeWithCopy => moved(opaque::ValueWitness::InitializeWithCopy),
            ValueWitness::InitializeWithTake => moved(opaque::ValueWitness::InitializeWithTake),
            ValueWitness::AssignWithCopy => moved(opaque::ValueWitness::AssignWithCopy),
            ValueWitness::AssignWithTake => moved(opaque::ValueWitness::AssignWithTake),
            ValueWitness::InitializeBufferWithCopyOfBuffer => {
                self.copy_buffer(first, self.function.address_parameter(1));
                return Ok(());
            }
            ValueWitness::GetEnumTagSinglePayload => return self.get_single_payload_tag(first),
            ValueWitness::StoreEnumTagSinglePayload => return self.store_single_payload_tag(first),
            ValueWitness::GetExtraInhabitantIndex => return self.get_extra_inhabitant(first),
            ValueWitness::StoreExtraInhabitant => return self.store_extra_inhabitant(first),
            ValueWitness::GetEnumTag => {
                let tag = self.enum_tag(first)?;
                self.function.builder.ret(Some(tag.into()));
                return Ok(());
            }
            // The payload is at the beginning, and other bits discriminate cases.
            ValueWitness::DestructiveProjectEnumData => {
                self.function.builder.ret(None);
                return Ok(());
            }
            ValueWitness::DestructiveInjectEnumTag => {
                self.inject_tag(first, self.function.number_parameter(1))?;
                self.function.builder.ret(None);
                return Ok(());
            }
            _ => return Err(Box::new(unsupported_without_place("a value witness of this kind"))),
        };
        if let PartOperation::Destroy(address) = operation
            && self.function.call_dynamic_deinit(self.ty, address)?
        {
            self.function.builder.ret(None);
            return Ok(());
        }
        match &self.shape {
            Shape::Struct(fields) => self.operate_on_fields(fields, operation)?,
            Shape::SingleCase(payload) => self.operate(*payload, operation)?,
            Shape::SinglePayload(payload, _) => self.operate_on_enum(std::slice::from_ref(payload), operation)?,
            Shape::MultiPayload(payloads) => self.operate_on_enum(payloads, operation)?,
        }
        match operation {
            PartOperation::Destroy(_) => self.function.builder.ret(None),
            PartOperation::Move(..) => self.function.builder.ret(Some(first.into())),
        }
        Ok(())
    }

    /// Emits `operation` on a value of the lowered type `ty`.
    fn operate(&self, ty: TypeId, operation: PartOperation<'ctx>) -> Generated<()> {
        use opaque::ValueWitness::*;
        let function = self.function;
        match (operation, function.layout(ty)?) {
            (PartOperation::Destroy(address), _) => function.destroy_value(ty, address)?,
            (PartOperation::Move(by, to, from), TypeLayout::Dynamic(ty)) => {
                function.move_dynamic(ty, by, [to, from])?;
            }
            (PartOperation::Move(by, to, from), TypeLayout::Fixed(info)) => match by {
                InitializeWithCopy => function.initialize_with_copy(&info, to, from),
                InitializeWithTake => function.initialize_with_take(&info, to, from),
                AssignWithCopy => function.assign_with_copy(&info, to, from),
                AssignWithTake => function.assign_with_take(&info, to, from),
                InitializeBufferWithCopyOfBuffer | Destroy => {}
            },
        }
        Ok(())
    }

    fn operate_on_fields(&self, fields: &[TypeId], operation: PartOperation<'ctx>) -> Generated<()> {
        let place = |base, index| self.function.part_address(self.ty, base, index);
        for (index, field) in fields.iter().enumerate() {
            let part = match operation {
                PartOperation::Destroy(address) => PartOperation::Destroy(place(address, index)?),
                PartOperation::Move(by, to, from) => PartOperation::Move(by, place(to, index)?, place(from, index)?),
            };
            self.operate(*field, part)?;
        }
        Ok(())
    }

    /// Applies the operation on the whole to the payload, if there is one.
    fn operate_on_enum(&self, payloads: &[TypeId], operation: PartOperation<'ctx>) -> Generated<()> {
        use opaque::ValueWitness::*;
        match operation {
            PartOperation::Destroy(address) => {
                self.for_payload(payloads, address, |payload| self.operate(payload, PartOperation::Destroy(address)))
            }
            // The assigned value is copied or moved to a temporary first, since the two may be the same memory.
            PartOperation::Move(AssignWithCopy, to, from) => {
                let temporary = self.temporary();
                self.copy_enum(payloads, InitializeWithCopy, temporary, from)?;
                self.operate_on_enum(payloads, PartOperation::Destroy(to))?;
                self.copy_enum(payloads, InitializeWithTake, to, temporary)
            }
            PartOperation::Move(AssignWithTake, to, from) => {
                self.operate_on_enum(payloads, PartOperation::Destroy(to))?;
                self.copy_enum(payloads, InitializeWithTake, to, from)
            }
            PartOperation::Move(by, to, from) => self.copy_enum(payloads, by, to, from),
        }
    }

    fn temporary(&self) -> PointerValue<'ctx> {
        let size = self.function.layout_fact(self.metadata, LayoutFact::Size);
        self.function.builder.dynamic_alloca(size, 16)
    }

    /// Moves the bits of an enum, then applies the operation to its payload, if it has one.
    fn copy_enum(
        &self,
        payloads: &[TypeId],
        by: opaque::ValueWitness,
        to: PointerValue<'ctx>,
        from: PointerValue<'ctx>,
    ) -> Generated<()> {
        let size = self.function.layout_fact(self.metadata, LayoutFact::Size);
        self.function.builder.memmove(to, from, size, 1);
        self.for_payload(payloads, from, |payload| self.operate(payload, PartOperation::Move(by, to, from)))
    }

    /// Emits code for each payload, which runs if the enum at `address` has it.
    fn for_payload(
        &self,
        payloads: &[TypeId],
        address: PointerValue<'ctx>,
        emit: impl Fn(TypeId) -> Generated<()>,
    ) -> Generated<()> {
        let (function, builder) = (self.function, &self.function.builder);
        // Type data cached in one case must be available in all.
        for payload in payloads {
            if let TypeLayout::Dynamic(ty) = function.layout(*payload)? {
                function.type_metadata(ty)?;
            }
        }
        let tag = self.enum_tag(address)?;
        let done = function.new_block("done");
        let blocks: Vec<_> = payloads.iter().map(|_| function.new_block("payload")).collect();
        let cases: Vec<_> = (0..).map(|tag| builder.int(32, tag)).zip(blocks.iter().copied()).collect();
        builder.switch(tag, done, &cases);
        for (payload, block) in payloads.iter().zip(blocks) {
            builder.position_at_end(block);
            emit(*payload)?;
            builder.branch(done);
        }
        builder.position_at_end(done);
        Ok(())
    }

    /// A value in a box is shared: the box is retained.
    fn copy_buffer(&self, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        let (function, builder) = (self.function, &self.function.builder);
        let (word, bits) = (function.module.pointer_size(), function.module.pointer_bits());
        let flags = function.layout_fact(self.metadata, LayoutFact::Flags);
        let boxed = builder.and(flags, builder.int(bits, IS_NOT_INLINE));
        let [in_buffer, in_box] = [function.new_block("in.buffer"), function.new_block("in.box")];
        builder.branch_if(builder.equal(boxed, builder.int(bits, 0)), in_buffer, in_box);
        builder.position_at_end(in_buffer);
        function.call_value_witness(opaque::ValueWitness::InitializeWithCopy, &[to, from], self.metadata);
        builder.ret(Some(to.into()));
        builder.position_at_end(in_box);
        let object = builder.load(builder.ptr_type().into(), from, word);
        function.retain(ReferenceKind::Native, object);
        builder.store(object, to, word);
        builder.ret(Some(function.value_in_box(object.into_pointer_value(), self.metadata).into()));
    }

    /// Returns the tag of the enum at `address`: cases with payloads come first.
    fn enum_tag(&self, address: PointerValue<'ctx>) -> Generated<IntValue<'ctx>> {
        let function = self.function;
        Ok(match &self.shape {
            Shape::Struct(_) => return Err(function.module.unsupported_type(self.ty)),
            Shape::SingleCase(_) => function.builder.int(32, 0),
            Shape::SinglePayload(payload, empty) => {
                let empty = function.builder.int(32, *empty);
                function.get_single_payload_tag(address, empty, self.payload_metadata(*payload)?)
            }
            Shape::MultiPayload(_) => {
                let arguments = [address.into(), self.metadata.into()];
                function.call_runtime_for(RuntimeFunction::GetEnumCaseMultiPayload, &arguments).into_int_value()
            }
        })
    }

    fn inject_tag(&self, address: PointerValue<'ctx>, tag: IntValue<'ctx>) -> Generated<()> {
        let function = self.function;
        match &self.shape {
            Shape::Struct(_) => return Err(function.module.unsupported_type(self.ty)),
            Shape::SingleCase(_) => {}
            Shape::SinglePayload(payload, empty) => {
                let empty = function.builder.int(32, *empty);
                function.store_single_payload_tag(address, tag, empty, self.payload_metadata(*payload)?);
            }
            Shape::MultiPayload(_) => {
                let arguments = [address.into(), self.metadata.into(), tag.into()];
                function.call_runtime(RuntimeFunction::StoreEnumTagMultiPayload, &arguments);
            }
        }
        Ok(())
    }

    /// Returns the metadata of the only payload of an enum. Its dynamic layout makes that of the enum dynamic.
    fn payload_metadata(&self, payload: TypeId) -> Generated<PointerValue<'ctx>> {
        match self.function.layout(payload)? {
            TypeLayout::Dynamic(ty) => self.function.type_metadata(ty),
            TypeLayout::Fixed(_) => Err(self.function.module.unsupported_type(self.ty)),
        }
    }

    fn callback(&self, witness: ValueWitness) -> PointerValue<'ctx> {
        self.function.module.value_witness(witness, self.ty).as_global_value().as_pointer_value()
    }

    fn get_single_payload_tag(&self, value: PointerValue<'ctx>) -> Generated<()> {
        let (function, empty) = (self.function, self.function.number_parameter(1));
        let tag = match &self.shape {
            Shape::SingleCase(payload) => {
                function.get_single_payload_tag(value, empty, self.payload_metadata(*payload)?).into()
            }
            Shape::MultiPayload(_) => {
                let arguments = [value.into(), empty.into(), self.metadata.into()];
                function.call_runtime_for(RuntimeFunction::GetMultiPayloadEnumTagSinglePayload, &arguments)
            }
            Shape::Struct(_) | Shape::SinglePayload(..) => {
                let callback = self.callback(ValueWitness::GetExtraInhabitantIndex);
                let arguments = [value.into(), empty.into(), self.metadata.into(), callback.into()];
                function.call_runtime_for(RuntimeFunction::GetEnumTagSinglePayload, &arguments)
            }
        };
        function.builder.ret(Some(tag));
        Ok(())
    }

    fn store_single_payload_tag(&self, value: PointerValue<'ctx>) -> Generated<()> {
        let (function, tag, empty) =
            (self.function, self.function.number_parameter(1), self.function.number_parameter(2));
        match &self.shape {
            Shape::SingleCase(payload) => {
                function.store_single_payload_tag(value, tag, empty, self.payload_metadata(*payload)?);
            }
            Shape::MultiPayload(_) => {
                let arguments = [value.into(), tag.into(), empty.into(), self.metadata.into()];
                function.call_runtime(RuntimeFunction::StoreMultiPayloadEnumTagSinglePayload, &arguments);
            }
            Shape::Struct(_) | Shape::SinglePayload(..) => {
                let callback = self.callback(ValueWitness::StoreExtraInhabitant);
                let arguments = [value.into(), tag.into(), empty.into(), self.metadata.into(), callback.into()];
                function.call_runtime(RuntimeFunction::StoreEnumTagSinglePayload, &arguments);
            }
        }
        function.builder.ret(None);
        Ok(())
    }

    /// Returns the number of extra inhabitants of the lowered type `ty`, in 32 bits.
    fn inhabitants(&self, ty: TypeId) -> Generated<IntValue<'ctx>> {
        let function = self.function;
        Ok(match function.layout(ty)? {
            TypeLayout::Fixed(info) => function.builder.int(32, u64::from(info.extra_inhabitant_count)),
            TypeLayout::Dynamic(ty) => {
                let count = function.layout_fact(function.type_metadata(ty)?, LayoutFact::ExtraInhabitants);
                function.builder.resize(count, 32)
            }
        })
    }

    /// Returns one more than the index of the extra inhabitant at `value`, or zero for a valid value.
    fn get_extra_inhabitant(&self, value: PointerValue<'ctx>) -> Generated<()> {
        let (function, builder) = (self.function, &self.function.builder);
        match &self.shape {
            Shape::Struct(fields) => {
                self.with_richest_field(fields, value, |field, address| {
                    let tag = match function.layout(field)? {
                        TypeLayout::Dynamic(ty) => {
                            let count = self.inhabitants(field)?;
                            function.get_single_payload_tag(address, count, function.type_metadata(ty)?)
                        }
                        TypeLayout::Fixed(info) => match info.extra_inhabitant_series() {
                            Some(series) => tag_in_series(function, &info, &series, address),
                            None => builder.int(32, 0),
                        },
                    };
                    builder.ret(Some(tag.into()));
                    Ok(())
                })?;
                builder.ret(Some(builder.int(32, 0).into()));
            }
            // The cases without payload use the first ones.
            Shape::SinglePayload(payload, empty) => {
                let taken = builder.int(32, *empty);
                let count = self.inhabitants(*payload)?;
                let tag = function.get_single_payload_tag(value, count, self.payload_metadata(*payload)?);
                let is_free = builder.compare(IntPredicate::UGT, tag, taken);
                let free = builder.sub(tag, taken);
                builder.ret(Some(builder.select(is_free, free.into(), builder.int(32, 0).into())));
            }
            Shape::SingleCase(_) | Shape::MultiPayload(_) => builder.ret(Some(builder.int(32, 0).into())),
        }
        Ok(())
    }

    /// Does nothing for the tag zero, which denotes a valid value.
    fn store_extra_inhabitant(&self, value: PointerValue<'ctx>) -> Generated<()> {
        let (function, builder) = (self.function, &self.function.builder);
        let tag = self.function.number_parameter(1);
        match &self.shape {
            Shape::Struct(fields) => self.with_richest_field(fields, value, |field, address| {
                match function.layout(field)? {
                    TypeLayout::Dynamic(ty) => {
                        let count = self.inhabitants(field)?;
                        function.store_single_payload_tag(address, tag, count, function.type_metadata(ty)?);
                    }
                    TypeLayout::Fixed(info) => {
                        if let Some(series) = info.extra_inhabitant_series() {
                            store_in_series(function, &series, tag, address);
                        }
                    }
                }
                builder.ret(None);
                Ok(())
            })?,
            Shape::SinglePayload(payload, empty) => {
                let zero = builder.int(32, 0);
                let after = builder.add(tag, builder.int(32, *empty));
                let stored = builder.select(builder.equal(tag, zero), zero.into(), after.into()).into_int_value();
                let count = self.inhabitants(*payload)?;
                function.store_single_payload_tag(value, stored, count, self.payload_metadata(*payload)?);
            }
            Shape::SingleCase(_) | Shape::MultiPayload(_) => {}
        }
        builder.ret(None);
        Ok(())
    }

    /// Emits code for each field, which runs for the first one of those with the most extra inhabitants: the struct
    /// uses them. The builder continues where no field has any.
    fn with_richest_field(
        &self,
        fields: &[TypeId],
        value: PointerValue<'ctx>,
        emit: impl Fn(TypeId, PointerValue<'ctx>) -> Generated<()>,
    ) -> Generated<()> {
        let (function, builder) = (self.function, &self.function.builder);
        let mut most = builder.int(32, 0);
        let mut richest = builder.int(32, fields.len() as u64);
        let mut places = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            if let TypeLayout::Fixed(info) = function.layout(*field)?
                && info.extra_inhabitant_count > 0
                && info.extra_inhabitant_series().is_none()
            {
                return Err(function.module.unsupported_type(self.ty));
            }
            let count = self.inhabitants(*field)?;
            let is_more = builder.compare(IntPredicate::UGT, count, most);
            most = builder.select(is_more, count.into(), most.into()).into_int_value();
            richest = builder.select(is_more, builder.int(32, number as u64).into(), richest.into()).into_int_value();
            places.push(function.part_address(self.ty, value, number)?);
        }
        let none = function.new_block("none");
        let blocks: Vec<_> = fields.iter().map(|_| function.new_block("field")).collect();
        let cases: Vec<_> = (0..).map(|number| builder.int(32, number)).zip(blocks.iter().copied()).collect();
        builder.switch(richest, none, &cases);
        for ((field, place), block) in fields.iter().zip(places).zip(blocks) {
            builder.position_at_end(block);
            emit(*field, place)?;
        }
        builder.position_at_end(none);
        Ok(())
    }
}
