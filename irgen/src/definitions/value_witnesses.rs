//! The value witnesses of types with a fixed layout: the table, and its functions (include/swift/ABI/ValueWitness.def).

use std::sync::Arc;

use inkwell::values::{FunctionValue, IntValue, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::symbols::ValueWitness;

use super::dynamic_witnesses::DynamicWitnessBody;
use crate::generation::signature::Signature;
use crate::generation::{Entity, IRGenFunction, IRGenModule, RuntimeFunction, TaskResults};
use crate::layout::enums::EnumLayout;
use crate::layout::{BitRun, InhabitantSeries, ReferenceKind, Rotation, TypeInfo, TypeKind, TypeLayout, low_ones};
use crate::refusal::{Generated, unsupported_without_place};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns an error if the canonical type `ty` has no symbols for its value witnesses.
    pub fn require_value_witness(&self, witness: ValueWitness, ty: TypeId) -> Generated<()> {
        self.require_symbol(&Entity::ValueWitness(witness, ty))
    }

    /// Returns a value witness of the canonical type `ty`, and declares it if necessary.
    pub fn value_witness(&self, witness: ValueWitness, ty: TypeId) -> FunctionValue<'ctx> {
        let entity = Entity::ValueWitness(witness, ty);
        if let Some(found) = self.declared_function(&entity) {
            return found;
        }
        let (pointer, number) = (self.builder.ptr_type(), self.context.i32_type());
        let nothing = self.context.void_type();
        let [address, tag] = [pointer.into(), number.into()];
        let signature = match witness {
            ValueWitness::Destroy | ValueWitness::DestructiveProjectEnumData => {
                nothing.fn_type(&[address, address], false)
            }
            ValueWitness::GetEnumTag => number.fn_type(&[address, address], false),
            ValueWitness::DestructiveInjectEnumTag => nothing.fn_type(&[address, tag, address], false),
            ValueWitness::GetEnumTagSinglePayload | ValueWitness::GetExtraInhabitantIndex => {
                number.fn_type(&[address, tag, address], false)
            }
            ValueWitness::StoreEnumTagSinglePayload | ValueWitness::StoreExtraInhabitant => {
                nothing.fn_type(&[address, tag, tag, address], false)
            }
            _ => pointer.fn_type(&[address, address, address], false),
        };
        // The runtime calls these two back with Swift's convention.
        let is_called_back =
            matches!(witness, ValueWitness::GetExtraInhabitantIndex | ValueWitness::StoreExtraInhabitant);
        let convention = if is_called_back { self.swift_convention() } else { 0 };
        let signature = Signature::of_thunk(self.context, signature, convention, Vec::new(), &[]);
        self.declare_thunk(entity, &signature)
    }

    /// Emits the body of a value witness.
    pub(super) fn define_value_witness(&self, witness: ValueWitness, ty: TypeId) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::ValueWitness(witness, ty)) else { return Ok(()) };
        let signature = Signature::of_thunk(self.context, llvm.get_type(), 0, Vec::new(), &[]);
        let mut function = IRGenFunction::without_sil(self, llvm, signature);
        if self.task_results() == TaskResults::Records {
            let ty = self.types.queries.lower_formal(ty);
            let info = self.types.info(ty)?;
            return WitnessBody { function: &function, info, ty }.emit(witness);
        }
        let ty = self.witnessed_type(ty);
        // The metadata is the last parameter.
        let metadata = llvm.get_last_param().unwrap_or_else(|| self.builder.null().into()).into_pointer_value();
        function.bind_nominal_metadata(ty, metadata)?;
        match function.layout(ty)? {
            TypeLayout::Fixed(info) => WitnessBody { function: &function, info, ty }.emit(witness),
            TypeLayout::Dynamic(ty) => DynamicWitnessBody::new(&function, ty, metadata)?.emit(witness),
        }
    }
}

/// A value witness under construction.
struct WitnessBody<'f, 'm, 'ctx> {
    function: &'f IRGenFunction<'m, 'ctx>,
    info: Arc<TypeInfo>,
    ty: TypeId,
}

impl<'ctx> WitnessBody<'_, '_, 'ctx> {
    fn emit(&self, witness: ValueWitness) -> Generated<()> {
        let (function, info) = (self.function, &*self.info);
        let (first, second) = (function.address_parameter(0), || function.address_parameter(1));
        match witness {
            ValueWitness::Destroy => {
                function.destroy_at(info, first);
                function.builder.ret(None);
            }
            ValueWitness::InitializeBufferWithCopyOfBuffer => self.copy_buffer(first, second()),
            ValueWitness::InitializeWithCopy => {
                function.initialize_with_copy(info, first, second());
                function.builder.ret(Some(first.into()));
            }
            ValueWitness::AssignWithCopy => {
                function.assign_with_copy(info, first, second());
                function.builder.ret(Some(first.into()));
            }
            ValueWitness::InitializeWithTake => {
                function.initialize_with_take(info, first, second());
                function.builder.ret(Some(first.into()));
            }
            ValueWitness::AssignWithTake => {
                function.assign_with_take(info, first, second());
                function.builder.ret(Some(first.into()));
            }
            ValueWitness::GetEnumTagSinglePayload => self.get_single_payload_tag(first),
            ValueWitness::StoreEnumTagSinglePayload if function.module.task_results() == TaskResults::Records => {
                self.store_optional_tag(first)?;
            }
            ValueWitness::StoreEnumTagSinglePayload => self.store_single_payload_tag(first),
            ValueWitness::GetExtraInhabitantIndex => self.get_extra_inhabitant(first)?,
            ValueWitness::StoreExtraInhabitant => self.store_extra_inhabitant(first)?,
            ValueWitness::GetEnumTag => {
                let layout = self.enumeration()?;
                let value = layout.load_value(function, info, first);
                function.builder.ret(Some(layout.case_tag(function, &value).into()));
            }
            ValueWitness::DestructiveProjectEnumData => {
                self.enumeration()?.project_at(function, info, first);
                function.builder.ret(None);
            }
            ValueWitness::DestructiveInjectEnumTag => self.inject_tag(first)?,
            _ => return Err(Box::new(unsupported_without_place("a value witness of this kind"))),
        }
        Ok(())
    }

    fn enumeration(&self) -> Generated<&EnumLayout> {
        match &self.info.kind {
            TypeKind::Enum(layout) => Ok(layout),
            _ => Err(self.function.module.unsupported_type(self.ty)),
        }
    }

    /// A value in a box is shared: the box is retained.
    fn copy_buffer(&self, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        let (function, word) = (self.function, self.function.module.pointer_size());
        if self.info.fits_existential_buffer(word) {
            function.initialize_with_copy(&self.info, to, from);
            return function.builder.ret(Some(to.into()));
        }
        let object = function.builder.load(function.builder.ptr_type().into(), from, word);
        function.retain(ReferenceKind::Native, object);
        function.builder.store(object, to, word);
        let offset = function.module.heap_header_size().next_multiple_of(self.info.alignment);
        function.builder.ret(Some(function.builder.offset(object.into_pointer_value(), offset).into()));
    }

    /// Returns the callback for extra inhabitants, if there are any.
    fn about_inhabitants(&self, witness: ValueWitness) -> PointerValue<'ctx> {
        match self.info.extra_inhabitant_count {
            0 => self.function.builder.null(),
            _ => self.function.module.value_witness(witness, self.ty).as_global_value().as_pointer_value(),
        }
    }

    fn get_single_payload_tag(&self, value: PointerValue<'ctx>) {
        let callback = self.about_inhabitants(ValueWitness::GetExtraInhabitantIndex);
        let arguments = [
            value.into(),
            self.function.number_parameter(1).into(),
            self.function.address_parameter(2).into(),
            callback.into(),
        ];
        let tag = self.function.call_runtime_for(RuntimeFunction::GetEnumTagSinglePayload, &arguments);
        self.function.builder.ret(Some(tag));
    }

    /// Embedded Swift uses this for optionals only.
    fn store_optional_tag(&self, value: PointerValue<'ctx>) -> Generated<()> {
        let function = self.function;
        let types = &function.module.types;
        let unsupported = || function.module.unsupported_type(self.ty);
        let info = types.info(types.queries.optional_of(self.ty).ok_or_else(unsupported)?)?;
        let TypeKind::Enum(layout) = &info.kind else { return Err(unsupported()) };
        let [some, none, done] = [(); 3].map(|()| function.new_block(""));
        let is_some = function.builder.equal(function.number_parameter(1), function.builder.int(32, 0));
        function.builder.branch_if(is_some, some, none);
        for (case, content) in layout.cases.iter().enumerate() {
            function.builder.position_at_end(if content.payload.is_some() { some } else { none });
            layout.inject_at(function, &info, case, value);
            function.builder.branch(done);
        }
        function.builder.position_at_end(done);
        function.builder.ret(None);
        Ok(())
    }

    fn store_single_payload_tag(&self, value: PointerValue<'ctx>) {
        let callback = self.about_inhabitants(ValueWitness::StoreExtraInhabitant);
        let numbers = [self.function.number_parameter(1).into(), self.function.number_parameter(2).into()];
        let arguments =
            [value.into(), numbers[0], numbers[1], self.function.address_parameter(3).into(), callback.into()];
        self.function.call_runtime(RuntimeFunction::StoreEnumTagSinglePayload, &arguments);
        self.function.builder.ret(None);
    }

    fn series(&self) -> Generated<InhabitantSeries> {
        self.info.extra_inhabitant_series().ok_or_else(|| {
            let what = "extra inhabitants of this form in the value witnesses of a type";
            Box::new(unsupported_without_place(what))
        })
    }

    fn get_extra_inhabitant(&self, address: PointerValue<'ctx>) -> Generated<()> {
        let tag = tag_in_series(self.function, &self.info, &self.series()?, address);
        self.function.builder.ret(Some(tag.into()));
        Ok(())
    }

    fn store_extra_inhabitant(&self, address: PointerValue<'ctx>) -> Generated<()> {
        store_in_series(self.function, &self.series()?, self.function.number_parameter(1), address);
        self.function.builder.ret(None);
        Ok(())
    }

    fn inject_tag(&self, address: PointerValue<'ctx>) -> Generated<()> {
        let (function, layout) = (self.function, self.enumeration()?);
        let order = layout.tag_order();
        let done = function.new_block("done");
        let blocks: Vec<_> = order.iter().map(|_| function.new_block("")).collect();
        let tags: Vec<_> = (0..).map(|tag| function.builder.int(32, tag)).zip(blocks.iter().copied()).collect();
        function.builder.switch(self.function.number_parameter(1), done, &tags);
        for (case, block) in order.into_iter().zip(blocks) {
            function.builder.position_at_end(block);
            layout.inject_at(function, &self.info, case, address);
            function.builder.branch(done);
        }
        function.builder.position_at_end(done);
        function.builder.ret(None);
        Ok(())
    }
}

/// Returns one more than the index of the extra inhabitant at `address`, or zero for a valid value.
pub(super) fn tag_in_series<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    info: &TypeInfo,
    series: &InhabitantSeries,
    address: PointerValue<'ctx>,
) -> IntValue<'ctx> {
    let builder = &function.builder;
    let mut number = builder.int(NUMBER_BITS, 0);
    let mut others = None;
    for chunk in &series.chunks {
        let bits = builder.int_type(chunk.bytes as u32 * 8);
        let bits = builder.load(bits.into(), builder.offset(address, chunk.offset), 1).into_int_value();
        let part_of = |run: &BitRun| {
            let part = builder.resize(builder.lshr(bits, run.at as u32), NUMBER_BITS);
            builder.and(part, builder.int(NUMBER_BITS, low_ones(run.width)))
        };
        for run in &chunk.runs {
            number = builder.or(number, builder.shl(part_of(run), run.in_number));
        }
        for run in &chunk.zeros {
            others = Some(others.map_or(part_of(run), |others| builder.or(others, part_of(run))));
        }
    }
    if let Some(Rotation { bits, by }) = series.rotation {
        number = rotated(function, number, Rotation { bits, by: bits - by });
    }
    let first = builder.int(NUMBER_BITS, series.first);
    let index = if series.descends { builder.sub(first, number) } else { builder.sub(number, first) };
    let index = builder.and(index, builder.int(NUMBER_BITS, low_ones(series.bits)));
    let count = builder.int(NUMBER_BITS, u64::from(info.extra_inhabitant_count));
    let mut is_value = builder.compare(inkwell::IntPredicate::UGE, index, count);
    if let Some(others) = others {
        let has_others = builder.compare(inkwell::IntPredicate::NE, others, builder.int(NUMBER_BITS, 0));
        is_value = builder.or(is_value, has_others);
    }
    let next = builder.add(builder.resize(index, 32), builder.int(32, 1));
    builder.select(is_value, builder.int(32, 0).into(), next.into()).into_int_value()
}

/// The width of the indices of extra inhabitants.
const NUMBER_BITS: u32 = 64;

/// Returns `number` with its lowest bits rotated to the left.
fn rotated<'ctx>(function: &IRGenFunction<'_, 'ctx>, number: IntValue<'ctx>, rotation: Rotation) -> IntValue<'ctx> {
    let builder = &function.builder;
    let ones = builder.int(NUMBER_BITS, low_ones(rotation.bits));
    let low = builder.and(number, ones);
    let left = builder.shl(low, rotation.by);
    let right = builder.lshr(low, rotation.bits - rotation.by);
    let high = builder.and(number, builder.not(ones));
    builder.or(builder.and(builder.or(left, right), ones), high)
}

/// Stores the extra inhabitant with the index `tag` minus one; nothing for zero, which denotes a valid value.
pub(super) fn store_in_series<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    series: &InhabitantSeries,
    tag: IntValue<'ctx>,
    address: PointerValue<'ctx>,
) {
    let builder = &function.builder;
    let [store, done] = [function.new_block("store"), function.new_block("done")];
    builder.branch_if(builder.equal(tag, builder.int(32, 0)), done, store);
    builder.position_at_end(store);
    let index = builder.resize(builder.sub(tag, builder.int(32, 1)), NUMBER_BITS);
    let first = builder.int(NUMBER_BITS, series.first);
    let mut number = if series.descends { builder.sub(first, index) } else { builder.add(first, index) };
    if let Some(rotation) = series.rotation {
        number = rotated(function, number, rotation);
    }
    for chunk in &series.chunks {
        let width = chunk.bytes as u32 * 8;
        let mut bits = builder.int(width, 0);
        for run in &chunk.runs {
            let part = builder.lshr(number, run.in_number);
            let part = builder.and(part, builder.int(NUMBER_BITS, low_ones(run.width)));
            bits = builder.or(bits, builder.shl(builder.resize(part, width), run.at as u32));
        }
        builder.store(bits, builder.offset(address, chunk.offset), 1);
    }
    builder.branch(done);
    builder.position_at_end(done);
}
