//! The functions for captured values of key path components (lib/IRGen/GenKeyPath.cpp). Captured values are stored one
//! after the other, followed by the generic arguments of the pattern. A key path is instantiated with the generic
//! arguments, then the values of all components.

use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::{SignatureId, TypeId};

use crate::generation::signature::Signature;
use crate::generation::{
    Entity, IRGenFunction, IRGenModule, KeyPathFunction, KeyPathPart, KeyPathPattern, KeyPathTable, captured,
    operand_types,
};
use crate::refusal::Generated;
use crate::values::opaque::Transfer;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits a function for the captures of the component `number`.
    pub(super) fn define_key_path_function(
        &self,
        kind: KeyPathFunction,
        number: usize,
        pattern: &KeyPathPattern,
    ) -> Generated<()> {
        let entity = Entity::KeyPath(KeyPathPart::Function(kind, number), pattern.clone());
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let function = IRGenFunction::without_sil(self, llvm, self.key_path_function_signature(kind));
        let signature = pattern.path().signature;
        let generic_arguments = match signature {
            Some(signature) => self.generic_requirements(signature)?.len() as u64,
            None => 0,
        };
        let types = captured(&pattern.path().components[number]).iter().map(|(_, _, ty)| ty.ty).collect();
        Arguments { function, pattern, number, types, generic_arguments, signature }.define(kind)
    }

    /// Emits the function that returns a witness table for a component of another module.
    pub(super) fn define_key_path_table_accessor(&self, table: KeyPathTable) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::KeyPathTableAccessor(table)) else { return Ok(()) };
        let signature = Signature::of_thunk(self.context, llvm.get_type(), 0, Vec::new(), &[]);
        let mut function = IRGenFunction::without_sil(self, llvm, signature);
        if let (Some(signature), Some(arguments)) = (table.signature, llvm.get_first_param()) {
            function.bind_generic_arguments(signature, arguments.into_pointer_value())?;
        }
        let found = function.witness_table(table.ty, table.protocol)?;
        function.builder.ret(Some(found.into()));
        Ok(())
    }
}

/// The captures of a component, in a function for it.
struct Arguments<'p, 'm, 'ctx> {
    function: IRGenFunction<'m, 'ctx>,
    pattern: &'p KeyPathPattern,
    /// The number of the component.
    number: usize,
    /// The types of the captured values.
    types: Vec<TypeId>,
    /// The number of generic arguments of the pattern.
    generic_arguments: u64,
    signature: Option<SignatureId>,
}

impl<'ctx> Arguments<'_, '_, 'ctx> {
    fn define(mut self, kind: KeyPathFunction) -> Generated<()> {
        match kind {
            KeyPathFunction::Layout => self.layout(),
            KeyPathFunction::Destroy => self.destroy(),
            KeyPathFunction::Copy => self.copy(),
            KeyPathFunction::Initialize => self.initialize(),
        }
    }

    fn word(&self, value: u64) -> IntValue<'ctx> {
        self.function.module.word_type().const_int(value, false)
    }

    fn parameter(&self, number: u32) -> PointerValue<'ctx> {
        let parameter = self.function.llvm.get_nth_param(number);
        parameter.map_or_else(|| self.function.builder.null(), |value| value.into_pointer_value())
    }

    /// Binds the generic arguments, which are at `place`.
    fn bind(&mut self, place: PointerValue<'ctx>) -> Generated<()> {
        match self.signature {
            Some(signature) => self.function.bind_generic_arguments(signature, place),
            None => Ok(()),
        }
    }

    /// The size of the generic arguments.
    fn generic_size(&self) -> u64 {
        self.generic_arguments * self.function.module.pointer_size()
    }

    /// Returns the address of the generic arguments after the captured values, whose total size is a parameter.
    fn after_values(&self, values: PointerValue<'ctx>, size: u32) -> PointerValue<'ctx> {
        let Some(size) = self.function.llvm.get_nth_param(size) else { return values };
        let offset = self.function.builder.sub(size.into_int_value(), self.word(self.generic_size()));
        self.function.builder.index_bytes(values, offset)
    }

    /// The next multiple of an alignment, given by its mask.
    fn aligned(&self, offset: IntValue<'ctx>, mask: IntValue<'ctx>) -> IntValue<'ctx> {
        let builder = &self.function.builder;
        builder.and(builder.add(offset, mask), builder.not(mask))
    }

    /// Returns the offsets of consecutive values of these types from `start` on, and the end of the last one.
    fn offsets(&self, types: &[TypeId], start: IntValue<'ctx>) -> Generated<(Vec<IntValue<'ctx>>, IntValue<'ctx>)> {
        let mut end = start;
        let mut offsets = Vec::new();
        for ty in types {
            let [size, mask] = self.function.size_and_alignment(*ty)?;
            let offset = self.aligned(end, mask);
            offsets.push(offset);
            end = self.function.builder.add(offset, size);
        }
        Ok((offsets, end))
    }

    /// The same for the captured values, and the offset of the generic arguments after them.
    fn captured_offsets(&self) -> Generated<(Vec<IntValue<'ctx>>, IntValue<'ctx>)> {
        let (offsets, end) = self.offsets(&self.types, self.word(0))?;
        let mask = self.word(self.function.module.pointer_size() - 1);
        Ok((offsets, self.aligned(end, mask)))
    }

    fn copy_generic_arguments(&self, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        let size = self.generic_size();
        if size > 0 {
            let word = self.function.module.pointer_size();
            self.function.builder.memcpy(to, from, self.word(size), word);
        }
    }

    fn layout(&mut self) -> Generated<()> {
        self.bind(self.parameter(0))?;
        let builder = &self.function.builder;
        let mut mask = self.word(self.function.module.pointer_size() - 1);
        for ty in &self.types {
            mask = builder.or(mask, self.function.size_and_alignment(*ty)?[1]);
        }
        let (_, end) = self.captured_offsets()?;
        let size = builder.add(end, self.word(self.generic_size()));
        let word = self.function.module.word_type().into();
        let pair = builder.aggregate(builder.struct_type(&[word, word]), &[size.into(), mask.into()]);
        builder.ret(Some(pair));
        Ok(())
    }

    fn destroy(&mut self) -> Generated<()> {
        let values = self.parameter(0);
        self.bind(self.after_values(values, 1))?;
        for (ty, offset) in self.types.iter().zip(self.captured_offsets()?.0) {
            self.function.destroy_value(*ty, self.function.builder.index_bytes(values, offset))?;
        }
        self.function.builder.ret(None);
        Ok(())
    }

    fn copy(&mut self) -> Generated<()> {
        let [from, to] = [self.parameter(0), self.parameter(1)];
        self.bind(self.after_values(from, 2))?;
        let (offsets, end) = self.captured_offsets()?;
        let builder = &self.function.builder;
        for (ty, offset) in self.types.iter().zip(offsets) {
            let places = [builder.index_bytes(to, offset), builder.index_bytes(from, offset)];
            self.function.initialize_value(*ty, places, Transfer::Copy)?;
        }
        self.copy_generic_arguments(builder.index_bytes(to, end), builder.index_bytes(from, end));
        builder.ret(None);
        Ok(())
    }

    /// The last component that captures a value moves it, others copy it.
    fn initialize(&mut self) -> Generated<()> {
        let [from, to] = [self.parameter(0), self.parameter(1)];
        self.bind(from)?;
        let operands: Vec<TypeId> = operand_types(self.pattern).into_iter().flatten().collect();
        let (sources, _) = self.offsets(&operands, self.word(self.generic_size()))?;
        let (offsets, end) = self.captured_offsets()?;
        let builder = &self.function.builder;
        let components = &self.pattern.path().components;
        for ((operand, _, ty), offset) in captured(&components[self.number]).iter().zip(offsets) {
            let is_last = !components[self.number + 1..]
                .iter()
                .any(|later| captured(later).iter().any(|(other, ..)| other == operand));
            let Some(source) = sources.get(*operand as usize) else { continue };
            let places = [builder.index_bytes(to, offset), builder.index_bytes(from, *source)];
            self.function.initialize_value(ty.ty, places, if is_last { Transfer::Take } else { Transfer::Copy })?;
        }
        self.copy_generic_arguments(builder.index_bytes(to, end), from);
        builder.ret(None);
        Ok(())
    }
}
