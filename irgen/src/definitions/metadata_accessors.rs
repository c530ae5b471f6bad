//! The metadata accessors of types that the module declares, and the witness table accessors of its conformances.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{ConformanceId, NominalId};

use crate::generation::signature::Signature;
use crate::generation::{
    ConformancePart, DIRECT_ARGUMENTS, Entity, IRGenFunction, IRGenModule, MetadataStrategy, NominalPart,
    RuntimeFunction, TypePart,
};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the accessor of a type.
    pub(super) fn define_metadata_accessor(&self, nominal: NominalId) -> Generated<()> {
        let entity = Entity::OfNominal(NominalPart::MetadataAccessor, nominal);
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let strategy = self.metadata_strategy(nominal)?;
        let signature = Signature::of_thunk(self.context, llvm.get_type(), self.swift_convention(), Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let response = match strategy {
            // Static metadata is complete.
            MetadataStrategy::Static => {
                function.complete_metadata(self.type_part(TypePart::Metadata, self.identity(nominal))?.into())
            }
            MetadataStrategy::Singleton | MetadataStrategy::Relocated => function.singleton_metadata(nominal)?,
            MetadataStrategy::Foreign => function.foreign_metadata(nominal)?,
            MetadataStrategy::Generic => function.instantiated_metadata(nominal)?,
        };
        function.builder.ret(Some(response));
        Ok(())
    }

    /// Emits the function that returns a witness table of `conformance`, or that fills those that the runtime
    /// instantiates.
    pub(super) fn define_table_accessor(&self, part: ConformancePart, conformance: ConformanceId) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::OfConformance(part, conformance)) else { return Ok(()) };
        let signature =
            Signature::of_thunk(self.context, llvm.get_type(), llvm.get_call_conventions(), Vec::new(), &[]);
        let mut function = IRGenFunction::without_sil(self, llvm, signature);
        if part == ConformancePart::LazyAccessor {
            return function.define_lazy_table(conformance);
        }
        let argument = |number| llvm.get_nth_param(number).unwrap_or_else(|| self.builder.null().into());
        let [first, metadata, last]: [PointerValue<'ctx>; 3] =
            [0, 1, 2].map(|number| argument(number).into_pointer_value());
        let (subject, required) = match part {
            ConformancePart::Instantiator => {
                let word = self.pointer_size();
                function.bind_conformance(conformance, metadata, |function, number| {
                    function.load_constant_pointer(last, number * word)
                })?;
                return function.fill_table(conformance, first);
            }
            ConformancePart::BaseAccessor(base) => (self.sil.context.get_conformance(conformance).ty, base),
            ConformancePart::AssociatedAccessor(member, required) => {
                (self.associated_witness(conformance, member, required)?, required)
            }
            _ => return Ok(()),
        };
        function.bind_conformance(conformance, metadata, |function, number| function.load_before(last, number + 1))?;
        if let ConformancePart::AssociatedAccessor(..) = part {
            function.bind_metadata(self.types.queries.canonical_type(subject), first);
        }
        let table = function.witness_table(subject, required)?;
        function.builder.ret(Some(table.into()));
        Ok(())
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    fn complete_metadata(&self, metadata: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let builder = &self.builder;
        let response = builder.struct_type(&[builder.ptr_type().into(), self.module.word_type().into()]);
        builder.aggregate(response, &[metadata, self.module.word_type().const_zero().into()])
    }

    /// Returns metadata that the runtime caches once it is complete.
    fn singleton_metadata(&self, nominal: NominalId) -> Generated<BasicValueEnum<'ctx>> {
        let builder = &self.builder;
        let notes = self.module.nominal_part(NominalPart::SingletonCache, nominal)?;
        let known = builder.load(builder.ptr_type().into(), notes, self.module.pointer_size());
        let [complete, incomplete] = [self.new_block("complete"), self.new_block("incomplete")];
        builder.branch_if(builder.is_null(known.into_pointer_value()), incomplete, complete);
        builder.position_at_end(complete);
        builder.ret(Some(self.complete_metadata(known)));
        builder.position_at_end(incomplete);
        let descriptor = self.module.nominal_part(NominalPart::Descriptor, nominal)?;
        let arguments = [self.accessor_argument(0), descriptor.into()];
        Ok(self.call_runtime_for(RuntimeFunction::GetSingletonMetadata, &arguments))
    }

    /// Returns the metadata of a C type that the runtime has uniqued: the module caches it once it is complete.
    fn foreign_metadata(&self, nominal: NominalId) -> Generated<BasicValueEnum<'ctx>> {
        let (builder, size) = (&self.builder, self.module.pointer_size());
        let (word, bits) = (self.module.word_type(), self.module.pointer_bits());
        let cache = self.module.nominal_part(NominalPart::ForeignCache, nominal)?;
        let known = builder.load_monotonic(word, cache, size);
        let [full, empty, complete, incomplete] =
            ["full", "empty", "complete", "incomplete"].map(|name| self.new_block(name));
        builder.branch_if(builder.equal(known, word.const_zero()), empty, full);
        builder.position_at_end(full);
        builder.ret(Some(self.complete_metadata(builder.int_to_pointer(known).into())));
        builder.position_at_end(empty);
        let own = self.module.own_metadata_address(self.module.identity(nominal))?;
        let response =
            self.call_runtime_for(RuntimeFunction::GetForeignTypeMetadata, &[self.accessor_argument(0), own.into()]);
        let state = builder.extract(response, 1).into_int_value();
        builder.branch_if(builder.equal(state, word.const_zero()), complete, incomplete);
        builder.position_at_end(complete);
        let chosen = builder.extract(response, 0).into_pointer_value();
        builder.store_release(builder.pointer_to_int(chosen, bits), cache, size);
        builder.ret(Some(response));
        builder.position_at_end(incomplete);
        Ok(response)
    }

    /// Returns metadata that the runtime instantiates from the pattern with the arguments, which are passed in memory
    /// if there are many.
    fn instantiated_metadata(&self, nominal: NominalId) -> Generated<BasicValueEnum<'ctx>> {
        let word = self.module.pointer_size();
        let count = self.module.argument_count(nominal)?;
        let arguments = if count as usize > DIRECT_ARGUMENTS {
            self.accessor_argument(1)
        } else {
            let memory = self.stack_slot(count * word, word);
            for number in 0..count {
                let place = self.builder.offset(memory, number * word);
                self.builder.store(self.accessor_argument(number as u32 + 1), place, word);
            }
            memory.into()
        };
        let descriptor = self.module.nominal_part(NominalPart::Descriptor, nominal)?;
        let arguments = [self.accessor_argument(0), arguments, descriptor.into()];
        Ok(self.call_runtime_for(RuntimeFunction::GetGenericMetadata, &arguments))
    }

    /// Returns a witness table that the runtime instantiates once.
    fn define_lazy_table(&self, conformance: ConformanceId) -> Generated<()> {
        let builder = &self.builder;
        let (word, bits, size) = (self.module.word_type(), self.module.pointer_bits(), self.module.pointer_size());
        let cache = self.module.conformance_part(ConformancePart::LazyCache, conformance)?;
        let known = builder.load_monotonic(word, cache, size);
        let [full, empty] = [self.new_block("full"), self.new_block("empty")];
        let branch = builder.branch_if(builder.equal(known, word.const_zero()), empty, full);
        self.module.mark_unlikely(branch);
        builder.position_at_end(full);
        builder.ret(Some(builder.int_to_pointer(known).into()));
        builder.position_at_end(empty);
        let table = self.made_witness_table(conformance)?;
        builder.store_release(builder.pointer_to_int(table, bits), cache, size);
        builder.ret(Some(table.into()));
        Ok(())
    }

    /// Stores the witness tables that differ between types into `table`.
    fn fill_table(&self, conformance: ConformanceId, table: PointerValue<'ctx>) -> Generated<()> {
        let ty = self.module.sil.context.get_conformance(conformance).ty;
        for (offset, base) in self.module.made_base_tables(conformance)? {
            let made = self.witness_table(ty, base)?;
            self.builder.store(made, self.builder.offset(table, offset), self.module.pointer_size());
        }
        self.builder.ret(None);
        Ok(())
    }

    fn accessor_argument(&self, number: u32) -> BasicValueEnum<'ctx> {
        self.llvm.get_nth_param(number).unwrap_or_else(|| self.builder.null().into())
    }
}
