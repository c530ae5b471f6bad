//! Metadata of function types that only the function knows which asks for them (include/swift/ABI/MetadataValues.h, `FunctionTypeFlags`).

use inkwell::values::PointerValue;
use sil::context::{FormalFunctionType, FormalSpecifier, FunctionAttribute, Representation, Throws, TypeId};

use crate::generation::{IRGenFunction, RuntimeFunction};
use crate::refusal::Generated;

/// Conventions, above the number of parameters.
const CONVENTION_SHIFT: u32 = 16;
const THIN: u64 = 2;
const C: u64 = 3;

/// What functions do, and where they may go.
const THROWS: u64 = 1 << 24;
const ESCAPES: u64 = 1 << 26;
const IS_ASYNC: u64 = 1 << 29;
const IS_SENDABLE: u64 = 1 << 30;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of the function type `ty`, whose parameters are plain values.
    pub(super) fn function_metadata(&self, ty: TypeId, function: &FormalFunctionType) -> Generated<PointerValue<'ctx>> {
        let has = |attribute| function.attributes.contains(attribute);
        let is_plain = function.parameters.iter().all(|parameter| parameter.specifier == FormalSpecifier::Default);
        let convention = match function.representation {
            Representation::Thick => 0,
            Representation::Thin => THIN,
            Representation::C => C,
            _ => return Err(self.module.unsupported_type(ty)),
        };
        let throws = match function.throws {
            Throws::No => 0,
            Throws::Any => THROWS,
            Throws::Typed(_) | Throws::Rethrows => return Err(self.module.unsupported_type(ty)),
        };
        if !is_plain || function.global_actor.is_some() || function.differentiability.is_some() {
            return Err(self.module.unsupported_type(ty));
        }
        let flag = |flag, is_set: bool| if is_set { flag } else { 0 };
        let flags = function.parameters.len() as u64
            | convention << CONVENTION_SHIFT
            | throws
            | flag(ESCAPES, !has(FunctionAttribute::NoEscape))
            | flag(IS_ASYNC, has(FunctionAttribute::Async))
            | flag(IS_SENDABLE, has(FunctionAttribute::Sendable));
        let word = self.module.pointer_size();
        let parameters = self.stack_slot(function.parameters.len() as u64 * word, word);
        for (number, parameter) in function.parameters.iter().enumerate() {
            let metadata = self.type_metadata(parameter.ty)?;
            self.builder.store(metadata, self.builder.offset(parameters, number as u64 * word), word);
        }
        let result = self.type_metadata(function.result)?;
        let flags = self.module.word_type().const_int(flags, false);
        let arguments = [flags.into(), parameters.into(), self.builder.null().into(), result.into()];
        Ok(self.call_runtime_for(RuntimeFunction::GetFunctionTypeMetadata, &arguments).into_pointer_value())
    }
}
