//! The functions by which the runtime creates metadata of types that the module declares (lib/IRGen/GenMeta.cpp): one
//! allocates an instance of a pattern, one completes metadata once the layouts of the type's parts are known.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{NominalId, TypeId};
use sil_ir::declarations::{NominalKind, RawLayout};
use sil_ir::types::Copyability;

use crate::generation::signature::Signature;
use crate::generation::{
    Entity, IRGenFunction, IRGenModule, MetadataState, MetadataStrategy, NominalPart, RuntimeFunction,
};
use crate::layout::{IS_NOT_COPYABLE, TypeLayout};
use crate::refusal::Generated;
use crate::values::opaque::LayoutFact;

/// A non-blocking request for metadata (`MetadataRequest`).
const DOES_NOT_WAIT: u64 = 0x100;

/// The layout is like that of an array (`RawLayoutFlags`).
const IS_RAW_ARRAY: u64 = 1;

/// The flag for metadata with a static vtable (`ClassLayoutFlags::HasStaticVTable`).
const HAS_STATIC_METHODS: u64 = 0x100;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the function that allocates the metadata of a generic type.
    pub(super) fn define_instantiation(&self, nominal: NominalId) -> Generated<()> {
        let entity = Entity::OfNominal(NominalPart::InstantiationFunction, nominal);
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let signature = Signature::of_thunk(self.context, llvm.get_type(), 0, Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let mut arguments: Vec<BasicValueEnum<'ctx>> = llvm.get_params();
        let allocated = if self.types.queries.is_class(self.identity(nominal)) {
            function.call_runtime_for(RuntimeFunction::AllocateGenericClassMetadata, &arguments)
        } else {
            arguments.push(self.word_type().const_int(self.value_metadata_size(nominal)?, false).into());
            function.call_runtime_for(RuntimeFunction::AllocateGenericValueMetadata, &arguments)
        };
        function.builder.ret(Some(allocated));
        Ok(())
    }

    /// Emits the function that completes the metadata of a type.
    pub(super) fn define_completion(&self, nominal: NominalId) -> Generated<()> {
        let entity = Entity::OfNominal(NominalPart::CompletionFunction, nominal);
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let signature = Signature::of_thunk(self.context, llvm.get_type(), self.swift_convention(), Vec::new(), &[]);
        let mut function = IRGenFunction::without_sil(self, llvm, signature);
        function.metadata_state = MetadataState::Abstract;
        let ty = self.identity(nominal);
        let metadata = llvm.get_params().first().map_or(self.builder.null(), |first| first.into_pointer_value());
        function.bind_nominal_metadata(ty, metadata)?;
        match self.sil.declarations.get(nominal).kind {
            NominalKind::Struct => function.complete_struct(nominal, ty, metadata)?,
            NominalKind::Enum => function.complete_enum(ty, metadata)?,
            _ => return function.complete_class(nominal, ty, metadata),
        }
        function.return_dependency(self.builder.null(), MetadataState::Complete);
        Ok(())
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns completion, or a dependency on metadata that must reach a state first.
    fn return_dependency(&self, on: PointerValue<'ctx>, state: MetadataState) {
        let builder = &self.builder;
        let response = builder.struct_type(&[builder.ptr_type().into(), self.module.word_type().into()]);
        let state = self.module.word_type().const_int(state.number(), false);
        builder.ret(Some(builder.aggregate(response, &[on.into(), state.into()])));
    }

    /// Returns the address of the layout of the lowered type `ty`. The emitted function returns early if the layout is
    /// not known yet.
    fn known_layout(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let dynamic = match self.layout(ty)? {
            TypeLayout::Fixed(info) => {
                let mut numbers = self.module.layout_numbers(&info);
                let properties = self.module.types.queries.properties(ty, self.generics);
                if properties.copyability == Copyability::Noncopyable {
                    numbers.flags |= IS_NOT_COPYABLE;
                }
                return Ok(self.module.type_layout(numbers));
            }
            TypeLayout::Dynamic(dynamic) => dynamic,
        };
        let metadata = self.type_metadata(dynamic)?;
        let builder = &self.builder;
        let word = self.module.word_type();
        let needed = MetadataState::LayoutComplete.number();
        let request = word.const_int(needed | DOES_NOT_WAIT, false);
        let response = self.call_runtime_for(RuntimeFunction::CheckMetadataState, &[request.into(), metadata.into()]);
        let state = builder.extract(response, 1).into_int_value();
        let is_known = builder.compare(IntPredicate::ULE, state, word.const_int(needed, false));
        let [known, unknown] = [self.new_block("known"), self.new_block("unknown")];
        builder.branch_if(is_known, known, unknown);
        builder.position_at_end(unknown);
        self.return_dependency(metadata, MetadataState::LayoutComplete);
        builder.position_at_end(known);
        Ok(self.layout_address(metadata))
    }

    /// Returns an array of the layouts of `types`.
    fn known_layouts(&self, types: &[TypeId]) -> Generated<PointerValue<'ctx>> {
        let word = self.module.pointer_size();
        let array = self.stack_slot(types.len() as u64 * word, word);
        for (number, ty) in types.iter().enumerate() {
            let layout = self.known_layout(*ty)?;
            self.builder.store(layout, self.builder.offset(array, number as u64 * word), word);
        }
        Ok(array)
    }

    fn word(&self, number: u64) -> BasicValueEnum<'ctx> {
        self.module.word_type().const_int(number, false).into()
    }

    fn complete_struct(&self, nominal: NominalId, ty: TypeId, metadata: PointerValue<'ctx>) -> Generated<()> {
        let attributes = &self.module.sil.declarations.get(nominal).attributes;
        if let Some(layout) = &attributes.raw_layout {
            return self.complete_raw_struct(&self.module.types.substituted_raw_layout(ty, layout), metadata);
        }
        let fields = self.module.types.queries.stored_property_types(ty);
        let fields = fields.ok_or_else(|| self.module.unsupported_type(ty))?;
        let layouts = self.known_layouts(&fields)?;
        let offsets = self.builder.offset(metadata, self.module.struct_offsets_place(nominal)?);
        let arguments = [metadata.into(), self.word(0), self.word(fields.len() as u64), layouts.into(), offsets.into()];
        self.call_runtime(RuntimeFunction::InitStructMetadata, &arguments);
        Ok(())
    }

    /// A type with the layout of another type, or of an array of one.
    fn complete_raw_struct(&self, layout: &RawLayout, metadata: PointerValue<'ctx>) -> Generated<()> {
        let (like, count, flags) = match *layout {
            RawLayout::Fixed { .. } => return Ok(()),
            RawLayout::Like(like) => (like, self.word(0), 0),
            RawLayout::LikeArrayOf { element, count } => (element, self.integer_argument(count)?.into(), IS_RAW_ARRAY),
        };
        let arguments = [metadata.into(), self.word(0), self.known_layout(like)?.into(), count, self.word(flags)];
        self.call_runtime(RuntimeFunction::InitRawStructMetadata, &arguments);
        Ok(())
    }

    fn complete_enum(&self, ty: TypeId, metadata: PointerValue<'ctx>) -> Generated<()> {
        let (payloads, empty) = self.module.payload_cases(ty, self.generics)?;
        match payloads.as_slice() {
            [only] => {
                let layout = self.known_layout(*only)?;
                let empty = self.builder.int(32, empty);
                match empty.get_zero_extended_constant() {
                    Some(0) => self.call_runtime(
                        RuntimeFunction::InitEnumMetadataSingleCase,
                        &[metadata.into(), self.word(0), layout.into()],
                    ),
                    _ => self.call_runtime(
                        RuntimeFunction::InitEnumMetadataSinglePayload,
                        &[metadata.into(), self.word(0), layout.into(), empty.into()],
                    ),
                }
            }
            several => {
                let layouts = self.known_layouts(several)?;
                let count = self.word(several.len() as u64);
                let arguments = [metadata.into(), self.word(0), count, layouts.into()];
                self.call_runtime(RuntimeFunction::InitEnumMetadataMultiPayload, &arguments)
            }
        };
        Ok(())
    }

    fn complete_class(&self, nominal: NominalId, ty: TypeId, metadata: PointerValue<'ctx>) -> Generated<()> {
        let stored = self.module.types.queries.stored_property_types(ty);
        let stored = stored.ok_or_else(|| self.module.unsupported_type(ty))?;
        let types = self.module.types;
        let storage = types.actor_storage(ty).map(|storage| types.actor_storage_type(storage));
        let fields: Vec<_> = storage.into_iter().chain(stored).collect();
        let layouts = self.known_layouts(&fields)?;
        let offsets = self.place_in_metadata(metadata, self.module.class_offsets_place(nominal)?)?;
        let flags = match self.module.metadata_strategy(nominal)? {
            MetadataStrategy::Generic | MetadataStrategy::Relocated | MetadataStrategy::Foreign => 0,
            MetadataStrategy::Static | MetadataStrategy::Singleton => HAS_STATIC_METHODS,
        };
        let count = self.word(fields.len() as u64);
        let arguments = [metadata.into(), self.word(flags), count, layouts.into(), offsets.into()];
        let dependency = self.call_runtime_for(RuntimeFunction::InitClassMetadata, &arguments);
        self.note_offsets(nominal, metadata, dependency)?;
        self.builder.ret(Some(dependency));
        Ok(())
    }

    /// Writes the property offsets to the variables that other modules read, once the class is laid out and no
    /// dependency is left.
    fn note_offsets(
        &self,
        nominal: NominalId,
        metadata: PointerValue<'ctx>,
        dependency: BasicValueEnum<'ctx>,
    ) -> Generated<()> {
        let properties = self.module.properties_with_offsets(nominal)?;
        if properties.is_empty() {
            return Ok(());
        }
        let [laid_out, end] = [self.new_block("laid.out"), self.new_block("end")];
        let waited_for = self.builder.extract(dependency, 0).into_pointer_value();
        self.builder.branch_if(self.builder.is_null(waited_for), laid_out, end);
        self.builder.position_at_end(laid_out);
        let (word, size) = (self.module.word_type().into(), self.module.pointer_size());
        for number in properties {
            let place = self.module.stored_offset_place(nominal, number as usize)?;
            let offset = self.builder.load(word, self.place_in_metadata(metadata, place)?, size);
            self.builder.store(offset, self.module.field_offset(nominal, number)?, size);
        }
        self.builder.branch(end);
        self.builder.position_at_end(end);
        Ok(())
    }

    /// Returns the address of the layout in the value witness table of the type with this metadata.
    fn layout_address(&self, metadata: PointerValue<'ctx>) -> PointerValue<'ctx> {
        self.builder.offset(self.value_witnesses(metadata), LayoutFact::Size.offset(self.module.pointer_size()))
    }
}
