//! Accessors of distributed targets (lib/IRGen/GenDistributed.cpp): they decode the arguments of a remote call, and
//! call the target on the actor.
//!
//! Arguments are decoded through the witness table of the decoder. Swift calls the method of the decoder's class
//! directly, where the actor has only one system; the witness calls the same method.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::{Parameter, ParameterConvention, SilType, TypeId};

use super::calls::{CallEmission, CallPlaces, Callee, errors};
use super::concurrency;
use crate::generation::polymorphic::GenericRequirement;
use crate::generation::signature::LlvmParameter;
use crate::generation::{DistributedTarget, Entity, Explosion, IRGenFunction, IRGenModule};
use crate::refusal::{Generated, unsupported_without_place};
use crate::values::opaque::{LayoutFact, MAXIMUM_ALIGNMENT, ValueWitness};

/// The parameters of accessors in LLVM, after the async context.
const DECODER: u32 = 1;
const ARGUMENT_TYPES: u32 = 2;
const RESULT: u32 = 3;
const GENERIC_ARGUMENTS: u32 = 4;
const WITNESS_TABLES: u32 = 5;
const WITNESS_TABLE_COUNT: u32 = 6;
const ACTOR: u32 = 7;
const DECODER_METADATA: u32 = 8;
const DECODER_TABLE: u32 = 9;

/// Emits the accessor of a target.
pub fn define_distributed_accessor(module: &IRGenModule<'_, '_>, target: DistributedTarget) -> Generated<()> {
    let entity = Entity::DistributedAccessor(target);
    let Some(llvm) = module.declared_function(&entity) else { return Ok(()) };
    let mut function = IRGenFunction::without_sil(module, llvm, module.distributed_accessor_signature()?);
    let ty = module.distributed_target_type(target)?;
    function.generics = module.signature_of_target(ty);
    concurrency::begin_async(&mut function, entity);
    Accessor { function, target, ty, decoded: Vec::new() }.emit()
}

/// An argument in memory.
#[derive(Clone, Copy)]
struct Decoded<'ctx> {
    memory: PointerValue<'ctx>,
    metadata: PointerValue<'ctx>,
    owner: Owner,
}

/// The owner of an argument during the call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Accessor,
    Target,
}

/// An accessor under construction.
struct Accessor<'m, 'ctx> {
    function: IRGenFunction<'m, 'ctx>,
    target: DistributedTarget,
    /// The lowered type of the target.
    ty: TypeId,
    /// The arguments decoded so far.
    decoded: Vec<Decoded<'ctx>>,
}

impl<'ctx> Accessor<'_, 'ctx> {
    fn emit(mut self) -> Generated<()> {
        self.bind_generic_arguments()?;
        let unknown = || Box::new(unsupported_without_place("a distributed target without a function type"));
        let conventions = self.function.module.types.queries.conventions(self.ty).ok_or_else(unknown)?;
        let (_, parameters) = conventions.function.parameters.split_last().ok_or_else(unknown)?;
        let results = conventions.function.results.iter().filter(|result| result.convention.is_indirect()).count();
        let result = self.function.address_parameter(RESULT);
        let mut arguments: Vec<Explosion<'ctx>> = vec![vec![result.into()]; results];
        for (number, parameter) in parameters.iter().enumerate() {
            arguments.push(self.argument(number, *parameter)?);
        }
        arguments.push(vec![self.function.address_parameter(ACTOR).into()]);
        let callee = self.callee()?;
        let places = CallPlaces { indirect_return: Some(result), ..CallPlaces::default() };
        let call = CallEmission { callee: &callee, arguments: &arguments, places }.emit(&self.function)?;
        let direct = &callee.signature.result;
        if direct.native.is_some() {
            // After an error the contents of this memory are of no interest.
            self.function.store_explosion(&direct.info, &call.explosion(&self.function), result);
        }
        self.leave(Owner::Accessor, call.thrown)
    }

    /// Binds the generic arguments of the call, which are in memory in the order of the target's requirements. There
    /// are at least as many witness tables as the target requires, or the call comes from a program with another
    /// target.
    fn bind_generic_arguments(&mut self) -> Generated<()> {
        let Some(signature) = self.function.generics else { return Ok(()) };
        let word = self.function.module.pointer_size();
        let requirements = self.function.module.generic_requirements(signature)?;
        let (mut metadata, mut tables) = (0, 0);
        let count = requirements.iter().filter(|found| matches!(found, GenericRequirement::WitnessTable(..))).count();
        self.check_count(count as u64);
        for requirement in requirements {
            let (memory, number) = match requirement {
                GenericRequirement::Shape(_) => {
                    return Err(Box::new(unsupported_without_place("distributed methods in terms of packs")));
                }
                GenericRequirement::Metadata(_) => (GENERIC_ARGUMENTS, &mut metadata),
                GenericRequirement::WitnessTable(..) => (WITNESS_TABLES, &mut tables),
            };
            let place = self.function.builder.offset(self.function.address_parameter(memory), *number * word);
            *number += 1;
            let value = self.load_pointer(place);
            self.function.bind_requirement(requirement, value);
        }
        Ok(())
    }

    /// Ends the program if there are fewer witness tables than `count`.
    fn check_count(&self, count: u64) {
        let given: Option<IntValue<'ctx>> =
            self.function.llvm.get_nth_param(WITNESS_TABLE_COUNT).map(BasicValueEnum::into_int_value);
        let Some(given) = given.filter(|_| count > 0) else { return };
        let builder = &self.function.builder;
        let wanted = self.function.module.word_type().const_int(count, false);
        self.require(builder.compare(IntPredicate::UGE, given, wanted));
    }

    /// Continues in a new block, if the condition holds.
    fn require(&self, condition: IntValue<'ctx>) {
        let [holds, fails] = [self.function.new_block(""), self.function.new_block("")];
        let branch = self.function.builder.branch_if(condition, holds, fails);
        self.function.module.mark_likely(branch);
        self.function.builder.position_at_end(fails);
        self.function.builder.trap(&self.function.module.llvm);
        self.function.builder.unreachable();
        self.function.builder.position_at_end(holds);
    }

    /// Returns argument number `number`, for a parameter of the target. Empty ones are not decoded, as in Swift.
    fn argument(&mut self, number: usize, parameter: Parameter) -> Generated<Explosion<'ctx>> {
        use ParameterConvention::*;
        let info = match parameter.convention.is_indirect() {
            true => None,
            false => Some(self.function.info(SilType::object(parameter.ty))?),
        };
        if info.as_ref().is_some_and(|info| info.elements.is_empty()) {
            return Ok(Vec::new());
        }
        let owner = match parameter.convention {
            Owned | In | InCxx | InConstant => Owner::Target,
            Guaranteed | Unowned | InGuaranteed => Owner::Accessor,
            InOut | InOutAliasable | PackOwned | PackGuaranteed | PackInOut => {
                return Err(Box::new(unsupported_without_place("distributed methods with parameters of this kind")));
            }
        };
        let memory = self.decode(number, owner)?;
        Ok(match info {
            Some(info) => self.function.load_explosion(&info, memory),
            None => vec![memory.into()],
        })
    }

    /// Decodes argument number `number` into new memory. If that fails, the accessor throws the decoder's error.
    fn decode(&mut self, number: usize, owner: Owner) -> Generated<PointerValue<'ctx>> {
        let module = self.function.module;
        let types = self.function.address_parameter(ARGUMENT_TYPES);
        let metadata = self.load_pointer(self.function.builder.offset(types, number as u64 * module.pointer_size()));
        let size = self.function.layout_fact(metadata, LayoutFact::Size);
        let memory = self.function.enter_slot(size, MAXIMUM_ALIGNMENT);
        let decode = module.decode_next_argument()?;
        let thunk = module.dispatch_thunk(decode.protocol, decode.member, decode.formal, decode.lowered)?;
        let generic = [
            metadata,
            self.function.address_parameter(DECODER_METADATA),
            self.function.address_parameter(DECODER_TABLE),
        ];
        let callee =
            Callee::of_value(&self.function, decode.lowered, &[thunk.into()])?.with_generic_values(generic.into());
        let arguments = [vec![memory.into()], vec![self.function.address_parameter(DECODER).into()]];
        let slot = errors::slot_for(&mut self.function, &callee);
        let places = CallPlaces { error: slot, ..CallPlaces::default() };
        let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(&self.function)?;
        let Some(error) = errors::error_of(&self.function, &result, slot) else {
            return Err(Box::new(unsupported_without_place("a decoder that does not throw")));
        };
        let [decoded, failed] = [self.function.new_block(""), self.function.new_block("")];
        let branch = self.function.builder.branch_if(self.function.builder.is_null(error), decoded, failed);
        module.mark_likely(branch);
        self.function.builder.position_at_end(failed);
        errors::thrown(&self.function, &callee, &result, slot, error, None);
        self.destroy(&[Owner::Accessor, Owner::Target]);
        self.function.leave_dynamic_slot(memory);
        self.free_and_return(Some(error))?;
        self.function.builder.position_at_end(decoded);
        self.decoded.push(Decoded { memory, metadata, owner });
        Ok(memory)
    }

    /// Returns the function to call: the thunk, or the actor's witness for the requirement.
    fn callee(&self) -> Generated<Callee<'ctx>> {
        let (function, module) = (&self.function, self.function.module);
        let (protocol, slot) = match self.target {
            DistributedTarget::Thunk(id) => return Callee::of_function(function, self.ty, id),
            DistributedTarget::Requirement(protocol, slot) => (protocol, slot),
        };
        let metadata = function.load_heap_metadata(function.address_parameter(ACTOR));
        let table = function.conformance_by_runtime(metadata, protocol)?;
        self.require(function.builder.not(function.builder.is_null(table)));
        let witness = function.load_constant_pointer(table, module.slot_offset(protocol, slot)?);
        let callee = Callee::of_value(function, self.ty, &[witness.into()])?;
        let values: Generated<Vec<PointerValue<'ctx>>> = callee
            .signature
            .generic_parameters()
            .map(|parameter| match parameter {
                LlvmParameter::WitnessSelfMetadata => Ok(metadata),
                LlvmParameter::WitnessSelfTable => Ok(table),
                LlvmParameter::Generic(GenericRequirement::WitnessTable(ty, protocol)) => {
                    function.witness_table(*ty, *protocol)
                }
                LlvmParameter::SelfMetadata(ty) | LlvmParameter::Generic(GenericRequirement::Metadata(ty)) => {
                    function.type_metadata(*ty)
                }
                _ => Err(module.unsupported_type(self.ty)),
            })
            .collect();
        Ok(callee.with_generic_values(values?))
    }

    /// Destroys the arguments of `owner`, and returns.
    fn leave(&self, owner: Owner, error: Option<PointerValue<'ctx>>) -> Generated<()> {
        self.destroy(&[owner]);
        self.free_and_return(error)
    }

    /// Destroys the arguments of these owners.
    fn destroy(&self, owners: &[Owner]) {
        for argument in self.decoded.iter().filter(|argument| owners.contains(&argument.owner)) {
            self.function.call_value_witness(ValueWitness::Destroy, &[argument.memory], argument.metadata);
        }
    }

    /// Frees the memory of arguments, the latest first, and returns the error, if there is one.
    fn free_and_return(&self, error: Option<PointerValue<'ctx>>) -> Generated<()> {
        self.decoded.iter().rev().for_each(|argument| self.function.leave_dynamic_slot(argument.memory));
        self.function.emit_registers(&[], error)
    }

    fn load_pointer(&self, place: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let pointer = self.function.builder.ptr_type().into();
        self.function.builder.load(pointer, place, self.function.module.pointer_size()).into_pointer_value()
    }
}
