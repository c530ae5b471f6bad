//! The code that leads from functions and opaque types to their dynamic replacements, and from replacements to the
//! replaced functions.

use inkwell::values::PointerValue;
use sil_ir::context::Name;
use sil_ir::model::FunctionId;

use crate::generation::signature::Signature;
use crate::generation::{
    Entity, FunctionPointerKind, IRGenFunction, IRGenModule, OpaqueReplacementPart, ReplacementPart, RuntimeFunction,
};
use crate::instructions::concurrency::begin_async;
use crate::instructions::coroutines;
use crate::refusal::{Generated, unsupported_without_place};

impl IRGenModule<'_, '_> {
    /// Emits the function that calls the original of a replacement.
    pub(super) fn define_replaced_original(&self, id: FunctionId) -> Generated<()> {
        let entity = Entity::OfReplaceable(ReplacementPart::Original, id);
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let signature = self.signature(self.sil.functions[id].ty)?;
        if signature.function_pointer_kind() == Some(FunctionPointerKind::Coroutine) {
            return Err(Box::new(unsupported_without_place("coroutines that are replaced while the program runs")));
        }
        let mut function = IRGenFunction::without_sil(self, llvm, signature);
        begin_async(&mut function, entity);
        let link = self.replacement_part(ReplacementPart::Link, id)?;
        let original = function.call_runtime_for(RuntimeFunction::GetOrigOfReplaceable, &[link.into()]);
        function.forward(original.into_pointer_value())
    }

    /// Emits an accessor of a descriptor of opaque types: that of replaceable ones calls the first of the chain.
    pub(super) fn define_opaque_accessor(&self, part: OpaqueReplacementPart, symbol: Name) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::OfOpaqueTypes(part, symbol)) else { return Ok(()) };
        let signature =
            Signature::of_thunk(self.context, llvm.get_type(), llvm.get_call_conventions(), Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let descriptor = if part == OpaqueReplacementPart::Accessor && self.are_replaceable(symbol) {
            let link = self.opaque_replacement_part(OpaqueReplacementPart::Link, symbol)?;
            let accessor = function.builder.load(function.builder.ptr_type().into(), link, self.pointer_size());
            function.call_opaque_accessor(accessor.into_pointer_value())
        } else {
            self.opaque_descriptor(symbol)?
        };
        function.builder.ret(Some(descriptor.into()));
        Ok(())
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls the replacement of the function, if there is one. The builder continues with the function's own code.
    pub(super) fn forward_to_replacement(&self) -> Generated<()> {
        let unknown = || Box::new(unsupported_without_place("a function that is replaced without a name"));
        let id = self.module.sil.function_named(self.function.name).ok_or_else(unknown)?;
        if self.signature.yields.is_some() {
            return Err(Box::new(unsupported_without_place("coroutines that are replaced while the program runs")));
        }
        let link = self.module.replacement_part(ReplacementPart::Link, id)?;
        // Other modules refer to the keys of replaced functions.
        self.module.replacement_part(ReplacementPart::Key, id)?;
        let own = self.module.address_of(&self.module.function_entity(id))?;
        let found = self.call_runtime_for(RuntimeFunction::GetFunctionReplacement, &[link.into(), own.into()]);
        let found = found.into_pointer_value();
        let [replaced, original] = [self.new_block("replaced"), self.new_block("original")];
        self.builder.branch_if(self.builder.is_null(found), original, replaced);
        self.builder.position_at_end(replaced);
        self.forward(found)?;
        self.builder.position_at_end(original);
        Ok(())
    }

    /// Calls `callee` with the function's own arguments, and returns its result.
    pub(super) fn forward(&self, callee: PointerValue<'ctx>) -> Generated<()> {
        if let Some(convention) = &self.signature.asynchronous {
            let call = self.prepare_async_call(convention.kind, callee, None)?;
            let own = self.signature.parameters.iter().zip(self.llvm.get_params());
            let arguments: Vec<_> =
                own.map(|(parameter, value)| call.argument(self, parameter).unwrap_or(value)).collect();
            let (registers, error) = self.emit_async_call(convention, &call, &arguments)?;
            let registers: Vec<_> = registers.into_iter().map(Some).collect();
            return self.emit_registers(&registers, error);
        }
        if self.signature.function_pointer_kind() == Some(FunctionPointerKind::Coroutine) {
            return coroutines::forward(self, callee);
        }
        let call = self.builder.call_indirect(self.signature.llvm, callee, &self.llvm.get_params());
        call.set_call_convention(self.signature.convention);
        self.signature.attributes.add_to(call);
        call.set_tail_call(true);
        self.builder.ret(call.try_as_basic_value().basic());
        Ok(())
    }
}
