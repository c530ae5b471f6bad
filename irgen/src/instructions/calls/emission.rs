//! A call: the LLVM arguments of a function, and its results. Arguments are those of SIL, each as its scalars.

use std::rc::Rc;

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{NominalId, Representation, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Apply, FunctionRef, WitnessMethod};
use sil_ir::model::{FunctionId, InstructionId, Value};

use crate::generation::polymorphic::{Fulfillment, GenericRequirement, MetadataSource};
use crate::generation::signature::{AsyncConvention, AsyncKind, LlvmParameter, Signature};
use crate::generation::{Explosion, IRGenFunction};
use crate::instructions::concurrency::AsyncCall;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::{Generated, unsupported_without_place};

/// A function to call.
#[derive(Clone, Debug)]
pub struct Callee<'ctx> {
    /// Its address, or that of the function pointer that represents it.
    pub function: PointerValue<'ctx>,
    /// The context, if it has one.
    pub context: Option<PointerValue<'ctx>>,
    /// Its signature.
    pub signature: Rc<Signature<'ctx>>,
    /// Whether it returns.
    pub returns: Returns,
    /// The code of a function represented by a function pointer, if calls may use it directly.
    pub code: Option<PointerValue<'ctx>>,
    /// The size of the frame of a `@yield_once_2` coroutine, if known.
    pub frame_size: Option<u64>,
    /// The substitutions of an apply site, for a callee that is still generic.
    substitutions: SubstitutionMapId,
    /// The lookup type and protocol of a witness method.
    witness: Option<(TypeId, NominalId)>,
    /// The object that a method is called on, at an apply site.
    object: Option<Value>,
    /// The generic arguments, if they are available.
    generic_values: Option<Vec<PointerValue<'ctx>>>,
}

/// Whether a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// It returns or throws.
    Maybe,
    /// Its result is `Never`.
    Never,
}

/// Memory provided by the caller instead of temporaries of the call.
#[derive(Default, Debug)]
pub struct CallPlaces<'ctx> {
    /// For a direct result that does not fit into registers.
    pub indirect_return: Option<PointerValue<'ctx>>,
    /// For the error register.
    pub error: Option<PointerValue<'ctx>>,
    /// For a typed error that does not fit into registers.
    pub error_memory: Option<PointerValue<'ctx>>,
    /// For the frame of a coroutine.
    pub coroutine_buffer: Option<PointerValue<'ctx>>,
    /// The allocator of a coroutine for additional memory.
    pub coroutine_allocator: Option<PointerValue<'ctx>>,
}

/// A call to emit.
pub struct CallEmission<'c, 'ctx> {
    /// The callee.
    pub callee: &'c Callee<'ctx>,
    /// The SIL arguments: indirect results, the indirect error, parameters.
    pub arguments: &'c [Explosion<'ctx>],
    /// Memory for results.
    pub places: CallPlaces<'ctx>,
}

/// The results of a call.
pub struct CallResult<'ctx> {
    /// The value of LLVM's call, if it has one and the function is not async.
    pub value: Option<BasicValueEnum<'ctx>>,
    /// The returned registers.
    pub registers: Vec<BasicValueEnum<'ctx>>,
    /// The error that an async function returned, or null.
    pub thrown: Option<PointerValue<'ctx>>,
    memory: Option<PointerValue<'ctx>>,
    signature: Rc<Signature<'ctx>>,
}

impl<'ctx> Callee<'ctx> {
    /// Returns the callee of an apply site.
    pub fn of_site(function: &IRGenFunction<'_, 'ctx>, site: &Apply<'_>) -> Generated<Self> {
        let ty = function.body.ty(site.callee).ty;
        let definition = function.body.defining(site.callee);
        let is_reference = |id: &InstructionId| function.body.instructions[*id].opcode == Opcode::FunctionRef;
        let known = definition
            .filter(is_reference)
            .and_then(|id| function.module.sil.function_named(FunctionRef::of(function.body, id).function));
        let mut callee = match known {
            Some(known) => Self::of_function(function, ty, known)?,
            None => Self::of_value(function, ty, &function.explosion(site.callee)?)?,
        };
        callee.substitutions = site.apply.substitutions;
        let looked_up = definition.and_then(|definition| witness_lookup(function, definition));
        callee.witness = looked_up.or_else(|| function.module.witness_self(ty, site.apply.substitutions));
        callee.object = site.arguments.last().copied().filter(|last| {
            let ty = function.body.ty(*last);
            let is_metatype = matches!(function.module.types.queries.get(ty.ty), Type::Metatype { .. });
            !ty.is_address() && !is_metatype && function.module.types.is_single_reference(ty.ty)
        });
        Ok(callee)
    }

    /// Returns the SIL function `id` as a callee, with the written type `ty`.
    pub fn of_function(function: &IRGenFunction<'_, 'ctx>, ty: TypeId, id: FunctionId) -> Generated<Self> {
        let module = function.module;
        let found = &module.sil.functions[id];
        let address = module.address_of(&module.function_entity(id))?;
        let mut callee = Self::of_kind(function, ty, module.async_kind(found), &[address.into()])?;
        if callee.signature.function_pointer_kind().is_some() && module.may_call_code(found) {
            callee.code = Some(module.function(id)?.as_global_value().as_pointer_value());
            callee.frame_size = module.frame_size_of(id);
        }
        Ok(callee)
    }

    /// Returns the runtime function at `code`, of the lowered type `ty`, that waits with its caller's async context.
    pub fn waiting(function: &IRGenFunction<'_, 'ctx>, ty: TypeId, code: PointerValue<'ctx>) -> Generated<Self> {
        Self::of_kind(function, ty, AsyncKind::Waiting, &[code.into()])
    }

    /// Returns a value of the function type `ty` as a callee.
    pub fn of_value(
        function: &IRGenFunction<'_, 'ctx>,
        ty: TypeId,
        scalars: &[BasicValueEnum<'ctx>],
    ) -> Generated<Self> {
        Self::of_kind(function, ty, AsyncKind::Ordinary, scalars)
    }

    fn of_kind(
        function: &IRGenFunction<'_, 'ctx>,
        ty: TypeId,
        kind: AsyncKind,
        scalars: &[BasicValueEnum<'ctx>],
    ) -> Generated<Self> {
        let conventions = function.module.types.queries.conventions(ty);
        if conventions.is_some_and(|found| found.function.representation == Representation::Block) {
            return Err(Box::new(unsupported_without_place("calls of blocks")));
        }
        let signature = function.module.signature_of_kind(function.erased(ty), kind)?;
        let pointer = |index: usize| scalars.get(index).map(|scalar| scalar.into_pointer_value());
        let Some(address) = pointer(0) else { return Err(function.module.unsupported_type(ty)) };
        let context = signature.parameters.contains(&LlvmParameter::Context).then(|| pointer(1)).flatten();
        let returns = if function.module.types.never_returns(ty) { Returns::Never } else { Returns::Maybe };
        let substitutions = SubstitutionMapId::EMPTY;
        Ok(Self {
            function: address,
            context,
            signature,
            returns,
            code: None,
            frame_size: None,
            substitutions,
            witness: None,
            object: None,
            generic_values: None,
        })
    }

    /// Sets the replacements of the callee's generic parameters.
    pub fn with_substitutions(mut self, substitutions: SubstitutionMapId) -> Self {
        self.substitutions = substitutions;
        self
    }

    /// Sets the available generic arguments.
    pub fn with_generic_values(mut self, values: Vec<PointerValue<'ctx>>) -> Self {
        self.generic_values = Some(values);
        self
    }

    /// Returns the generic arguments, in the order in which they are passed.
    pub fn generic_values(&self, function: &IRGenFunction<'_, 'ctx>) -> Generated<Vec<PointerValue<'ctx>>> {
        match &self.generic_values {
            Some(values) => Ok(values.clone()),
            None => {
                self.signature.generic_parameters().map(|parameter| self.generic_value(function, parameter)).collect()
            }
        }
    }

    fn generic_value(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        parameter: &LlvmParameter,
    ) -> Generated<PointerValue<'ctx>> {
        let queries = function.module.types.queries;
        let substituted = |ty| queries.substitute(ty, self.substitutions);
        if let LlvmParameter::Generic(requirement) = parameter
            && let Some(array) = function.pack_argument(*requirement, self.substitutions)?
        {
            return Ok(array);
        }
        match (parameter, self.witness) {
            (LlvmParameter::SelfMetadata(ty) | LlvmParameter::Generic(GenericRequirement::Metadata(ty)), _) => {
                function.type_metadata(substituted(*ty))
            }
            (LlvmParameter::Generic(GenericRequirement::WitnessTable(ty, protocol)), _) => {
                function.witness_table(substituted(*ty), *protocol)
            }
            (LlvmParameter::WitnessSelfMetadata, Some((ty, _))) => self.witness_self_metadata(function, ty),
            (LlvmParameter::WitnessSelfTable, Some((ty, protocol))) => function.witness_table(ty, protocol),
            _ => Ok(function.builder.ptr_type().get_undef()),
        }
    }

    /// Returns the metadata of `Self`, which is `ty`: for an associated type of an archetype, only the passed object
    /// provides it.
    fn witness_self_metadata(&self, function: &IRGenFunction<'_, 'ctx>, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let queries = function.module.types.queries;
        match (queries.associated_of_archetype(ty), self.object) {
            (Some(_), Some(object)) => Ok(function.load_heap_metadata(function.scalar(object)?.into_pointer_value())),
            _ => function.type_metadata(ty),
        }
    }
}

/// The additional arguments of a key path accessor: the captured values of the key path, and their size.
#[derive(Clone, Copy)]
struct KeyPathArguments<'ctx> {
    memory: PointerValue<'ctx>,
    size: u64,
}

fn witness_lookup(function: &IRGenFunction<'_, '_>, definition: InstructionId) -> Option<(TypeId, NominalId)> {
    let WitnessMethod { method, .. } = WitnessMethod::get(function.body, definition)?;
    Some((method.lookup?, function.module.sil.context.get_member(method.member).parent?))
}

impl<'ctx> CallEmission<'_, 'ctx> {
    /// Emits the call.
    pub fn emit(self, function: &IRGenFunction<'_, 'ctx>) -> Generated<CallResult<'ctx>> {
        let signature = &self.callee.signature;
        let memory = signature.parameters.contains(&LlvmParameter::IndirectReturn).then(|| {
            let place = self.places.indirect_return;
            place.unwrap_or_else(|| function.temporary(&signature.result.info))
        });
        if let Some(convention) = &signature.asynchronous {
            return self.emit_async(function, convention, memory);
        }
        let mut arguments = self.llvm_arguments(function, memory, None)?;
        let call = match &signature.structures {
            None => {
                let call = function.builder.call_indirect(signature.llvm, self.callee.function, &arguments);
                call.set_call_convention(signature.convention);
                signature.attributes.add_to(call);
                call
            }
            Some(structures) => {
                arguments.insert(0, self.callee.function.into());
                let by_convention = function.module.c_call(structures, signature);
                let pointer = by_convention.as_global_value().as_pointer_value();
                function.builder.call_indirect(by_convention.get_type(), pointer, &arguments)
            }
        };
        if self.callee.returns == Returns::Never && !signature.throws() {
            attributes::add(call, Place::Function, &[Attribute::NoReturn]);
        }
        let value = call.try_as_basic_value().basic();
        let registers = match &signature.yields {
            Some(_) => Vec::new(),
            None => signature.returned_registers(&function.builder, value),
        };
        Ok(CallResult { value, registers, thrown: None, memory, signature: signature.clone() })
    }

    fn emit_async(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        convention: &AsyncConvention<'ctx>,
        memory: Option<PointerValue<'ctx>>,
    ) -> Generated<CallResult<'ctx>> {
        let callee = self.callee;
        let call = function.prepare_async_call(convention.kind, callee.function, callee.code)?;
        let arguments = self.llvm_arguments(function, memory, Some(&call))?;
        let (registers, thrown) = function.emit_async_call(convention, &call, &arguments)?;
        Ok(CallResult { value: None, registers, thrown, memory, signature: callee.signature.clone() })
    }

    fn llvm_arguments(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        memory: Option<PointerValue<'ctx>>,
        call: Option<&AsyncCall<'ctx>>,
    ) -> Generated<Vec<BasicValueEnum<'ctx>>> {
        let key_path = self.key_path_arguments(function)?;
        let packed = self.packed_parameters(function);
        let parameters = self.callee.signature.parameters.iter();
        let mut generic_values = self.callee.generic_values(function)?.into_iter();
        let argument = |parameter: &LlvmParameter| match parameter.is_generic() {
            true => generic_values.next().map_or_else(|| function.builder.null().into(), BasicValueEnum::from),
            false => call
                .and_then(|call| call.argument(function, parameter))
                .unwrap_or_else(|| self.llvm_argument(function, parameter, (memory, key_path), &packed)),
        };
        Ok(parameters.map(argument).collect())
    }

    /// Returns the generic arguments of a key path accessor, in memory with the layout of key paths.
    fn key_path_arguments(&self, function: &IRGenFunction<'_, 'ctx>) -> Generated<Option<KeyPathArguments<'ctx>>> {
        let signature = &self.callee.signature;
        let in_key_path = |found: &Fulfillment| match found.source {
            MetadataSource::KeyPathArguments(words) => Some((words, found.requirement)),
            _ => None,
        };
        let found: Vec<_> = signature.polymorphic.fulfilled.iter().filter_map(in_key_path).collect();
        let Some(count) = found.iter().map(|(words, _)| *words).max() else { return Ok(None) };
        if !signature.parameters.contains(&LlvmParameter::KeyPathArguments) {
            let what = "calls of generic accessors of key paths that capture values";
            return Err(Box::new(unsupported_without_place(what)));
        }
        let word = function.module.pointer_size();
        let memory = function.stack_slot(count * word, word);
        for (words, requirement) in found {
            let value = self.callee.generic_value(function, &LlvmParameter::Generic(requirement))?;
            function.builder.store(value, function.builder.offset(memory, (count - words) * word), word);
        }
        Ok(Some(KeyPathArguments { memory, size: count * word }))
    }

    /// Returns the passed scalars of each SIL parameter.
    fn packed_parameters(&self, function: &IRGenFunction<'_, 'ctx>) -> Vec<Explosion<'ctx>> {
        let signature = &self.callee.signature;
        let bits = function.module.pointer_bits();
        let pack = |(index, value): (usize, &Explosion<'ctx>)| match signature
            .values
            .get(index)
            .and_then(|direct| direct.as_ref()?.native.as_ref())
        {
            Some(native) => native.pack(&function.builder, bits, value),
            None => value.clone(),
        };
        self.arguments.iter().skip(signature.first_parameter()).enumerate().map(pack).collect()
    }

    fn llvm_argument(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        parameter: &LlvmParameter,
        (memory, key_path): (Option<PointerValue<'ctx>>, Option<KeyPathArguments<'ctx>>),
        packed: &[Explosion<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let signature = &self.callee.signature;
        let undefined = || BasicValueEnum::from(function.builder.ptr_type().get_undef());
        let given = |place: Option<PointerValue<'ctx>>| place.map_or_else(undefined, BasicValueEnum::from);
        match parameter {
            LlvmParameter::CoroutineBuffer => given(self.places.coroutine_buffer),
            LlvmParameter::CoroutineAllocator => given(self.places.coroutine_allocator),
            LlvmParameter::IndirectReturn => given(memory),
            LlvmParameter::FormalResult(index) => self.arguments[*index][0],
            LlvmParameter::Direct(index, scalar) => packed[*index][*scalar],
            LlvmParameter::DirectInMemory(index) => self.in_memory(function, *index, &packed[*index]),
            LlvmParameter::Address(index) => packed[*index][0],
            LlvmParameter::Context => given(self.callee.context),
            LlvmParameter::NoContext
            | LlvmParameter::AsyncContext
            | LlvmParameter::Resumption
            | LlvmParameter::CalleeContext => undefined(),
            LlvmParameter::KeyPathArguments => given(key_path.map(|arguments| arguments.memory)),
            // Only generic arguments are found by it.
            LlvmParameter::KeyPathArgumentsSize => {
                let size = key_path.map_or(0, |arguments| arguments.size);
                function.module.word_type().const_int(size, false).into()
            }
            LlvmParameter::Error => given(self.places.error),
            LlvmParameter::IndirectError if signature.error.is_none() => self.arguments[signature.indirect_results][0],
            LlvmParameter::IndirectError => given(self.places.error_memory),
            LlvmParameter::SelfMetadata(_)
            | LlvmParameter::Generic(_)
            | LlvmParameter::WitnessSelfMetadata
            | LlvmParameter::WitnessSelfTable => undefined(),
        }
    }

    /// Returns a temporary with a value that does not fit into registers.
    fn in_memory(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        index: usize,
        value: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        match &self.callee.signature.values[index] {
            Some(direct) => {
                let temporary = function.temporary(&direct.info);
                function.store_explosion(&direct.info, value, temporary);
                temporary.into()
            }
            None => function.builder.null().into(),
        }
    }
}

impl<'ctx> CallResult<'ctx> {
    /// The scalars of the direct result.
    pub fn explosion(&self, function: &IRGenFunction<'_, 'ctx>) -> Explosion<'ctx> {
        let result = &self.signature.result;
        match (&result.native, self.memory) {
            (Some(native), _) => {
                let bits = function.module.pointer_bits();
                let registers = self.registers.iter().zip(native.types());
                let scalars: Vec<_> =
                    registers.map(|(register, ty)| function.builder.coerce(*register, ty, bits)).collect();
                native.unpack(&function.builder, bits, &scalars)
            }
            (None, Some(memory)) => function.load_explosion(&result.info, memory),
            (None, None) => Vec::new(),
        }
    }
}
