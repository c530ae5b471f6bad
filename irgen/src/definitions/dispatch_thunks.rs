//! Dispatch thunks, by which clients of a resilient library call methods of its classes and requirements of its
//! protocols (lib/IRGen/GenThunk.cpp): the positions in the tables are only known to the library.

use sil_ir::context::{NominalId, Type};
use sil_ir::model::{FunctionId, VTableEntry, VTableEntryKind};

use crate::generation::signature::{LlvmParameter, Signature};
use crate::generation::{Entity, IRGenFunction, IRGenModule, NominalPart, RuntimeFunction};
use crate::instructions::concurrency::begin_async;
use crate::instructions::coroutines::begin_forwarding;
use crate::refusal::{Generated, unsupported_without_place};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the thunk that calls the method in the class of `self`, for the method that a class introduces with `id`.
    pub(super) fn define_method_thunk(&self, id: FunctionId) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::MethodThunk(id)) else { return Ok(()) };
        let ty = self.sil.functions[id].ty;
        let mut function = IRGenFunction::without_sil(self, llvm, self.signature(ty)?);
        begin_async(&mut function, Entity::MethodThunk(id));
        begin_forwarding(&mut function, Entity::MethodThunk(id));
        let unknown = || Box::new(unsupported_without_place("a method without 'self'"));
        let introduces = |entry: &VTableEntry| {
            entry.kind == VTableEntryKind::Normal && entry.function == self.sil.functions[id].name
        };
        let mut introducing = self.sil.vtables.iter().filter_map(|table| {
            let position = table.entries.iter().position(introduces)?;
            Some((table, position))
        });
        let (table, position) = introducing.next().ok_or_else(unknown)?;
        let Type::Function(lowered) = self.types.queries.get(ty) else { return Err(unknown()) };
        let number = lowered.parameters.len().checked_sub(1).ok_or_else(unknown)?;
        let this = function.llvm_parameter(|parameter| *parameter == LlvmParameter::Direct(number, 0));
        let this = this.ok_or_else(unknown)?.into_pointer_value();
        let metadata = match self.types.queries.get(lowered.parameters[number].ty) {
            Type::Metatype { .. } => this,
            _ => function.load_heap_metadata(this),
        };
        let place = self.entry_place(table, position)?;
        let method = function.load_constant_pointer(function.place_in_metadata(metadata, place)?, 0);
        function.forward(method)
    }

    /// Emits the thunk that calls the witness for the requirement `slot` of a protocol.
    pub(super) fn define_requirement_thunk(&self, protocol: NominalId, slot: u32) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::RequirementThunk(protocol, slot)) else { return Ok(()) };
        let unknown = || Box::new(unsupported_without_place("a requirement without a witness"));
        let lowered = self.requirement_type(protocol, slot)?.ok_or_else(unknown)?;
        let mut function = IRGenFunction::without_sil(self, llvm, self.requirement_signature(lowered)?);
        begin_async(&mut function, Entity::RequirementThunk(protocol, slot));
        begin_forwarding(&mut function, Entity::RequirementThunk(protocol, slot));
        let table = function.llvm_parameter(|parameter| *parameter == LlvmParameter::WitnessSelfTable);
        let table = table.ok_or_else(unknown)?.into_pointer_value();
        let offset = self.slot_offset(protocol, slot)?;
        function.forward(function.load_constant_pointer(table, offset))
    }

    /// Emits the replacement of a removed method.
    pub(super) fn define_removed_method(&self, entity: &Entity) -> Generated<()> {
        let Some(llvm) = self.declared_function(entity) else { return Ok(()) };
        let signature =
            Signature::of_thunk(self.context, llvm.get_type(), llvm.get_call_conventions(), Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        function.call_runtime(RuntimeFunction::DeletedMethodError, &[]);
        function.builder.unreachable();
        Ok(())
    }

    /// Emits the function that finds a method in a class by the method's descriptor.
    pub(super) fn define_method_lookup(&self, class: NominalId) -> Generated<()> {
        let entity = Entity::OfNominal(NominalPart::MethodLookup, class);
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let signature =
            Signature::of_thunk(self.context, llvm.get_type(), llvm.get_call_conventions(), Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let descriptor = self.nominal_part(NominalPart::Descriptor, class)?;
        let arguments = [function.address_parameter(0).into(), function.address_parameter(1).into(), descriptor.into()];
        let found = function.call_runtime_for(RuntimeFunction::LookUpClassMethod, &arguments);
        function.builder.ret(Some(found));
        Ok(())
    }
}
