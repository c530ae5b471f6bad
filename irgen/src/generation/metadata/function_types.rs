//! Metadata of function types that depend on the function's type parameters (include/swift/ABI/MetadataValues.h,
//! `FunctionTypeFlags`).

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{
    FormalFunctionType, FormalParameter, FormalSpecifier, FunctionAttribute, ParameterOption, Representation, Throws,
    Type, TypeId, Variadic,
};

use crate::generation::{IRGenFunction, RuntimeFunction};
use crate::refusal::Generated;

/// Conventions, in the bits above the number of parameters.
const CONVENTION_SHIFT: u32 = 16;
const THIN: u64 = 2;
const C: u64 = 3;

/// Effects and isolation of functions.
const THROWS: u64 = 1 << 24;
const HAS_PARAMETER_FLAGS: u64 = 1 << 25;
const ESCAPES: u64 = 1 << 26;
const IS_OF_GLOBAL_ACTOR: u64 = 1 << 28;
const IS_ASYNC: u64 = 1 << 29;
const IS_SENDABLE: u64 = 1 << 30;
const IS_EXTENDED: u64 = 1 << 31;

/// Extended flags (`ExtendedFunctionTypeFlags`).
const THROWS_TYPED: u64 = 1;
const IS_OF_ANY_ACTOR: u64 = 2;
const IS_OF_CALLERS_ACTOR: u64 = 4;
const SENDS_RESULT: u64 = 1 << 4;

/// Flags of a parameter (`ParameterFlags`): its ownership (`ParameterOwnership`), and others.
const IS_INOUT: u64 = 1;
const IS_SHARED: u64 = 2;
const IS_OWNED: u64 = 3;
const IS_VARIADIC: u64 = 1 << 7;
const OPTION_FLAGS: [(ParameterOption, u64); 4] = [
    (ParameterOption::Autoclosure, 1 << 8),
    (ParameterOption::NotDifferentiable, 1 << 9),
    (ParameterOption::Isolated, 1 << 10),
    (ParameterOption::Sending, 1 << 11),
];

/// The size of the flags of a parameter.
const PARAMETER_FLAGS_SIZE: u64 = 4;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of the function type `ty`.
    pub(super) fn function_metadata(&self, ty: TypeId, function: &FormalFunctionType) -> Generated<PointerValue<'ctx>> {
        let (mut flags, extended) = self.function_flags(ty, function)?;
        let parameter_flags: Vec<u64> =
            function.parameters.iter().map(|parameter| self.parameter_flags(parameter)).collect();
        let has_flags = parameter_flags.iter().any(|flags| *flags != 0);
        if has_flags {
            flags |= HAS_PARAMETER_FLAGS;
        }
        let types: Vec<TypeId> = function.parameters.iter().map(|parameter| self.parameter_type(parameter)).collect();
        let is_expansion = |ty: &TypeId| matches!(self.module.types.queries.get(*ty), Type::PackExpansion { .. });
        let word_type = self.module.word_type();
        let flags = word_type.const_int(flags, false);
        let (flags, parameters, memory) = match types.iter().any(is_expansion) {
            // The number of flags is not known.
            true if has_flags => return Err(self.module.unsupported_type(ty)),
            true => {
                let (memory, count) = self.expanded_array(&types, &|function, ty| function.type_metadata(ty))?;
                (self.builder.or(flags, count), memory.address, Some(memory))
            }
            false => {
                let count = word_type.const_int(types.len() as u64, false);
                (self.builder.or(flags, count), self.metadata_array(&types)?, None)
            }
        };
        let flags_of_parameters = if has_flags { self.flag_array(&parameter_flags) } else { self.builder.null() };
        let result = self.type_metadata(function.result)?;
        let arguments: [BasicValueEnum<'ctx>; 4] =
            [flags.into(), parameters.into(), flags_of_parameters.into(), result.into()];
        // The differentiability kind is zero for functions that are not differentiable.
        let [flags, rest @ ..] = arguments;
        let with_kind = || [flags, word_type.const_zero().into()].into_iter().chain(rest);
        let null = self.builder.null();
        let actor = function.global_actor.map(|actor| self.type_metadata(actor)).transpose()?;
        let metadata = if extended != 0 {
            let error = match function.throws {
                Throws::Typed(error) => self.type_metadata(error)?,
                Throws::No | Throws::Any | Throws::Rethrows => null,
            };
            let extended = self.builder.int(32, extended);
            let others = [actor.unwrap_or(null).into(), extended.into(), error.into()];
            let arguments: Vec<_> = with_kind().chain(others).collect();
            self.call_runtime_for(RuntimeFunction::GetExtendedFunctionTypeMetadata, &arguments)
        } else if let Some(actor) = actor {
            let arguments: Vec<_> = with_kind().chain([actor.into()]).collect();
            self.call_runtime_for(RuntimeFunction::GetFunctionTypeMetadataGlobalActor, &arguments)
        } else {
            self.call_runtime_for(RuntimeFunction::GetFunctionTypeMetadata, &arguments)
        };
        if let Some(memory) = memory {
            self.free_dynamic(memory);
        }
        Ok(metadata.into_pointer_value())
    }

    /// The flags of a function type, without the number of parameters and their flags.
    fn function_flags(&self, ty: TypeId, function: &FormalFunctionType) -> Generated<(u64, u64)> {
        let has = |attribute| function.attributes.contains(attribute);
        let flag = |flag, is_set: bool| if is_set { flag } else { 0 };
        let convention = match function.representation {
            Representation::Thick => flag(ESCAPES, !has(FunctionAttribute::NoEscape)),
            Representation::Thin => THIN << CONVENTION_SHIFT,
            Representation::C => C << CONVENTION_SHIFT,
            _ => return Err(self.module.unsupported_type(ty)),
        };
        if function.differentiability.is_some() {
            return Err(self.module.unsupported_type(ty));
        }
        let extended = flag(THROWS_TYPED, matches!(function.throws, Throws::Typed(_)))
            | flag(IS_OF_ANY_ACTOR, has(FunctionAttribute::IsolatedAny))
            | flag(IS_OF_CALLERS_ACTOR, has(FunctionAttribute::CallerIsolated))
            | flag(SENDS_RESULT, has(FunctionAttribute::SendingResult));
        let flags = convention
            | flag(THROWS, function.throws != Throws::No)
            | flag(IS_OF_GLOBAL_ACTOR, function.global_actor.is_some())
            | flag(IS_ASYNC, has(FunctionAttribute::Async))
            | flag(IS_SENDABLE, has(FunctionAttribute::Sendable))
            | flag(IS_EXTENDED, extended != 0);
        Ok((flags, extended))
    }

    /// Returns the type of a parameter without the modifiers that its flags contain.
    fn parameter_type(&self, parameter: &FormalParameter) -> TypeId {
        let queries = self.module.types.queries;
        match queries.get(parameter.ty) {
            Type::InOut(inner) => *inner,
            _ => queries.unless_escaping(parameter),
        }
    }

    fn metadata_array(&self, types: &[TypeId]) -> Generated<PointerValue<'ctx>> {
        let word = self.module.pointer_size();
        let array = self.stack_slot(types.len() as u64 * word, word);
        for (number, ty) in types.iter().enumerate() {
            let metadata = self.type_metadata(*ty)?;
            self.builder.store(metadata, self.builder.offset(array, number as u64 * word), word);
        }
        Ok(array)
    }

    fn flag_array(&self, flags: &[u64]) -> PointerValue<'ctx> {
        let array = self.stack_slot(flags.len() as u64 * PARAMETER_FLAGS_SIZE, PARAMETER_FLAGS_SIZE);
        for (number, flags) in flags.iter().enumerate() {
            let place = self.builder.offset(array, number as u64 * PARAMETER_FLAGS_SIZE);
            self.builder.store(self.builder.int(32, *flags), place, PARAMETER_FLAGS_SIZE);
        }
        array
    }

    fn parameter_flags(&self, parameter: &FormalParameter) -> u64 {
        let is_inout = matches!(self.module.types.queries.get(parameter.ty), Type::InOut(_));
        let ownership = match parameter.passing() {
            FormalSpecifier::Default if is_inout => IS_INOUT,
            FormalSpecifier::Default => 0,
            FormalSpecifier::LegacyShared | FormalSpecifier::Borrowing => IS_SHARED,
            FormalSpecifier::LegacyOwned | FormalSpecifier::Consuming => IS_OWNED,
        };
        let variadic = if parameter.variadic == Variadic::Yes { IS_VARIADIC } else { 0 };
        let options = OPTION_FLAGS.iter().filter(|(option, _)| parameter.options.contains(*option));
        options.fold(ownership | variadic, |flags, (_, flag)| flags | flag)
    }
}
