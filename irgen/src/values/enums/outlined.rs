//! Functions that copy or destroy a loaded enum value, shared by all types that are copied alike.

use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue};

use crate::generation::{Entity, IRGenFunction, IRGenModule, Operation, signature::Signature};
use crate::layout::TypeInfo;
use crate::layout::enums::EnumLayout;

/// The maximum number of scalars for outlining: a call would pass most of them in memory.
const PARAMETERS_AT_MOST: usize = 16;

impl EnumLayout {
    /// Copies or destroys a loaded value with a call.
    pub(super) fn call_outlined<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo,
        operation: Operation,
        explosion: &[BasicValueEnum<'ctx>],
    ) {
        if explosion.len() > PARAMETERS_AT_MOST {
            return self.emit_operation(f, operation, explosion);
        }
        let function = self.outlined(f.module, info, operation);
        f.builder.call(function, explosion);
    }

    fn outlined<'ctx>(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        info: &TypeInfo,
        operation: Operation,
    ) -> FunctionValue<'ctx> {
        let entity = Entity::OutlinedEnum(operation, self.structure().into());
        if let Some(found) = module.declared_function(&entity) {
            return found;
        }
        let parameters: Vec<BasicMetadataTypeEnum> =
            info.elements.iter().map(|element| module.builder.scalar_type(element.scalar).into()).collect();
        let ty = module.context.void_type().fn_type(&parameters, false);
        let signature = Signature::of_thunk(module.context, ty, 0, Vec::new(), &[]);
        let function = module.declare_thunk(entity, &signature);
        let f = IRGenFunction::without_sil(module, function, signature);
        self.emit_operation(&f, operation, &function.get_params());
        f.builder.ret(None);
        function
    }
}
