//! Metadata of function types that only the function knows which asks for them (include/swift/ABI/MetadataValues.h, `FunctionTypeFlags`).

use inkwell::values::PointerValue;
use sil::context::{
    FormalFunctionType, FormalParameter, FormalSpecifier, FunctionAttribute, ParameterOption, ParameterOptions,
    Representation, Throws, Type, TypeId, Variadic,
};

use crate::generation::{IRGenFunction, RuntimeFunction};
use crate::refusal::Generated;

/// Conventions, above the number of parameters.
const CONVENTION_SHIFT: u32 = 16;
const THIN: u64 = 2;
const C: u64 = 3;

/// What functions do, and where they may go.
const THROWS: u64 = 1 << 24;
const HAS_PARAMETER_FLAGS: u64 = 1 << 25;
const ESCAPES: u64 = 1 << 26;
const IS_ASYNC: u64 = 1 << 29;
const IS_SENDABLE: u64 = 1 << 30;

const HAS_GLOBAL_ACTOR: u64 = 1 << 28;
const HAS_EXTENDED_FLAGS: u64 = 1 << 31;

/// What the flags have no room for (`ExtendedFunctionTypeFlags`).
const IS_TYPED_THROWS: u64 = 1;
const IS_ISOLATED_ANY: u64 = 2;
const IS_CALLER_ISOLATED: u64 = 4;
const HAS_SENDING_RESULT: u64 = 16;

/// The kind of functions that have no derivative (`FunctionMetadataDifferentiabilityKind`).
const NOT_DIFFERENTIABLE: u64 = 0;

/// Flags of a parameter (`ParameterFlags`): who owns it (`ParameterOwnership`).
const IS_INOUT: u64 = 1;
const IS_SHARED: u64 = 2;
const IS_OWNED: u64 = 3;
const IS_ISOLATED: u64 = 1 << 10;
const IS_SENDING: u64 = 1 << 11;

/// The size of the flags of a parameter.
const PARAMETER_FLAGS_SIZE: u64 = 4;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of the function type `ty`.
    pub(super) fn function_metadata(&self, ty: TypeId, function: &FormalFunctionType) -> Generated<PointerValue<'ctx>> {
        let has = |attribute| function.attributes.contains(attribute);
        let convention = match function.representation {
            Representation::Thick => 0,
            Representation::Thin => THIN,
            Representation::C => C,
            _ => return Err(self.module.unsupported_type(ty)),
        };
        let (throws, thrown) = match function.throws {
            Throws::No => (0, None),
            Throws::Any => (THROWS, None),
            Throws::Typed(error) => (THROWS, Some(error)),
            Throws::Rethrows => return Err(self.module.unsupported_type(ty)),
        };
        if function.parameters.iter().any(is_special) || function.differentiability.is_some() {
            return Err(self.module.unsupported_type(ty));
        }
        let parameter_flags: Vec<u64> =
            function.parameters.iter().map(|parameter| self.parameter_flags(parameter)).collect();
        let has_flags = parameter_flags.iter().any(|flags| *flags != 0);
        let flag = |flag, is_set: bool| if is_set { flag } else { 0 };
        let extended = flag(IS_TYPED_THROWS, thrown.is_some())
            | flag(IS_ISOLATED_ANY, has(FunctionAttribute::IsolatedAny))
            | flag(IS_CALLER_ISOLATED, has(FunctionAttribute::CallerIsolated))
            | flag(HAS_SENDING_RESULT, has(FunctionAttribute::SendingResult));
        let flags = function.parameters.len() as u64
            | convention << CONVENTION_SHIFT
            | throws
            | flag(HAS_PARAMETER_FLAGS, has_flags)
            | flag(ESCAPES, !has(FunctionAttribute::NoEscape))
            | flag(HAS_GLOBAL_ACTOR, function.global_actor.is_some())
            | flag(HAS_EXTENDED_FLAGS, extended != 0)
            | flag(IS_ASYNC, has(FunctionAttribute::Async))
            | flag(IS_SENDABLE, has(FunctionAttribute::Sendable));
        let word = self.module.pointer_size();
        let parameters = self.stack_slot(function.parameters.len() as u64 * word, word);
        for (number, parameter) in function.parameters.iter().enumerate() {
            let ty = match *self.module.types.queries.get(parameter.ty) {
                Type::InOut(inner) => inner,
                _ => parameter.ty,
            };
            let metadata = self.type_metadata(ty)?;
            self.builder.store(metadata, self.builder.offset(parameters, number as u64 * word), word);
        }
        let flags_of_parameters = match has_flags {
            true => self.stack_slot(parameter_flags.len() as u64 * PARAMETER_FLAGS_SIZE, PARAMETER_FLAGS_SIZE),
            false => self.builder.null(),
        };
        for (number, flags) in parameter_flags.iter().enumerate().filter(|_| has_flags) {
            let place = self.builder.offset(flags_of_parameters, number as u64 * PARAMETER_FLAGS_SIZE);
            self.builder.store(self.builder.int(32, *flags), place, PARAMETER_FLAGS_SIZE);
        }
        let result = self.type_metadata(function.result)?;
        let number = |value| self.module.word_type().const_int(value, false).into();
        let mut arguments = vec![number(flags), parameters.into(), flags_of_parameters.into(), result.into()];
        let global_actor = function.global_actor.map(|actor| self.type_metadata(actor)).transpose()?;
        let callee = match (global_actor, extended) {
            (None, 0) => RuntimeFunction::GetFunctionTypeMetadata,
            _ => {
                arguments.insert(1, number(NOT_DIFFERENTIABLE));
                arguments.push(global_actor.unwrap_or_else(|| self.builder.null()).into());
                RuntimeFunction::GetFunctionTypeMetadataGlobalActor
            }
        };
        if extended == 0 {
            return Ok(self.call_runtime_for(callee, &arguments).into_pointer_value());
        }
        let thrown = thrown.map(|error| self.type_metadata(error)).transpose()?;
        arguments.push(self.builder.int(32, extended).into());
        arguments.push(thrown.unwrap_or_else(|| self.builder.null()).into());
        let metadata = self.call_runtime_for(RuntimeFunction::GetExtendedFunctionTypeMetadata, &arguments);
        Ok(metadata.into_pointer_value())
    }

    fn parameter_flags(&self, parameter: &FormalParameter) -> u64 {
        let is_inout = matches!(self.module.types.queries.get(parameter.ty), Type::InOut(_));
        let options = [(ParameterOption::Isolated, IS_ISOLATED), (ParameterOption::Sending, IS_SENDING)];
        let options = options.into_iter().filter(|(option, _)| parameter.options.contains(*option));
        let options = options.fold(0, |all, (_, flag)| all | flag);
        options
            | match parameter.specifier {
                FormalSpecifier::Default if is_inout => IS_INOUT,
                FormalSpecifier::Default => 0,
                FormalSpecifier::LegacyShared | FormalSpecifier::Borrowing => IS_SHARED,
                FormalSpecifier::LegacyOwned | FormalSpecifier::Consuming => IS_OWNED,
            }
    }
}

/// Whether a parameter is more than the runtime is told of here.
fn is_special(parameter: &FormalParameter) -> bool {
    let mut options = parameter.options;
    for known in [ParameterOption::Isolated, ParameterOption::Sending] {
        options.remove(known);
    }
    options != ParameterOptions::default() || parameter.variadic == Variadic::Yes
}
