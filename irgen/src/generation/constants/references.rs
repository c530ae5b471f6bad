//! References to entities from constants: by address, or through a word with the address if another module defines the
//! entity and it is referenced by distance (Swift's `getAddrOfLLVMVariableOrGOTEquivalent`).

use inkwell::values::PointerValue;

use super::ConstantStruct;
use crate::generation::entities::Definition;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::{Generated, unsupported_without_place};

/// A reference to an entity by distance.
#[derive(Clone, Copy, Debug)]
pub enum Reference<'ctx> {
    /// To the entity.
    Direct(PointerValue<'ctx>),
    /// To a word with its address.
    Indirect(PointerValue<'ctx>),
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the address of an entity. It is declared if necessary, and defined if it belongs to this module.
    pub fn address_of(&self, entity: &Entity) -> Generated<PointerValue<'ctx>> {
        match entity {
            Entity::Function(id) => Ok(self.function(*id)?.as_global_value().as_pointer_value()),
            Entity::FunctionPointer(kind, code) => Ok(self.function_pointer(*kind, (**code).clone())),
            Entity::CoroutineAllocator => Ok(self.coroutine_allocator()),
            Entity::AsyncDeparture(departure) => {
                Ok(self.async_departure(*departure)?.as_global_value().as_pointer_value())
            }
            Entity::Global(id) => Ok(self.global(*id)?.as_pointer_value()),
            Entity::Runtime(function) => Ok(self.runtime_function(*function).as_global_value().as_pointer_value()),
            Entity::ClassMetadata(class) => self.class_metadata(*class),
            Entity::WitnessTable(conformance) => self.witness_table(*conformance),
            Entity::HeapDestroyer(fields) => Ok(self.heap_destroyer(fields).as_global_value().as_pointer_value()),
            Entity::Block(part) => self.block_part(*part),
            Entity::Captures(key) => Ok(self.capture_descriptor(key)?),
            Entity::StaticArrayMetadata => Ok(self.static_array_metadata()),
            Entity::String(bytes) => Ok(self.string_constant(bytes)),
            Entity::IntegerLiteral(words) => Ok(self.integer_literal_words(words)),
            Entity::GotEquivalent(target) => Ok(self.got_equivalent(target)),
            Entity::OfType(part, ty) => self.type_part(*part, *ty),
            Entity::OfConformance(part, conformance) => self.conformance_part(*part, *conformance),
            Entity::Requirement(key) => self.requirement_descriptor(*key),
            Entity::ExistentialShape(part, ty) => self.existential_shape_part(*part, *ty),
            Entity::LibraryWitnesses(witnesses) => Ok(self.address_of_library_witnesses(*witnesses)),
            Entity::ModuleDescriptor(module) => Ok(self.module_descriptor(*module)),
            Entity::LocalContext(symbol) => self.local_context(*symbol),
            Entity::ReflectedName(name) => Ok(self.reflected_name(*name)),
            Entity::PlainName(name) => Ok(self.plain_name(name)),
            Entity::ValueWitness(witness, ty) => {
                Ok(self.value_witness(*witness, *ty).as_global_value().as_pointer_value())
            }
            Entity::OfNominal(NominalPart::MetadataAccessor, nominal) => {
                Ok(self.metadata_accessor(*nominal)?.0.as_global_value().as_pointer_value())
            }
            Entity::OfNominal(part, nominal) => self.nominal_part(*part, *nominal),
            Entity::TypeLayout(numbers) => Ok(self.type_layout(*numbers)),
            Entity::Helper(helper) => Ok(self.helper(*helper).as_global_value().as_pointer_value()),
            Entity::KeyPath(part, pattern) => self.key_path_part(*part, pattern),
            Entity::AccessibleFunction(target) => self.declare_distributed_target(*target),
            Entity::GenericEnvironment(signature) => self.generic_environment_of(*signature),
            Entity::KeyPathTableAccessor(table) => Ok(self.key_path_table_accessor(*table)),
            Entity::KeyPathTableName(table) => Ok(self.key_path_table_name(*table)),
            Entity::OfReplaceable(part, function) => self.replacement_part(*part, *function),
            Entity::Replacements => self.replacements(),
            Entity::PropertyDescriptor(getter) => self.property_descriptor(*getter),
            Entity::OpaqueDescriptor(symbol) => self.opaque_descriptor(*symbol),
            Entity::OfOpaqueTypes(part, symbol) => self.opaque_replacement_part(*part, *symbol),
            Entity::FieldOffset(nominal, number) => self.field_offset(*nominal, *number),
            Entity::CaseTag(nominal, case) => self.case_tag(*nominal, *case),
            Entity::DifferentiabilityWitness(id) => self.address_of_differentiability_witness(*id),
            Entity::OpaqueContext(symbol, signature) => self.opaque_context(*symbol, *signature),
            Entity::C(_)
            | Entity::DispatchThunk(..)
            | Entity::MethodDescriptor(_)
            | Entity::MethodThunk(_)
            | Entity::RemovedMethod(..)
            | Entity::RequirementThunk(..)
            | Entity::OwnRequirement(_)
            | Entity::HeapMetadata(_)
            | Entity::Forwarder(_)
            | Entity::DistributedAccessor(_)
            | Entity::OutlinedEnum(..)
            | Entity::CoroutinePrototype(_)
            | Entity::AutolinkEntries
            | Entity::AutomaticReplacements
            | Entity::OpaqueReplacements
            | Entity::EntryPoint => self
                .declared_address(entity)
                .ok_or_else(|| Box::new(unsupported_without_place("the address of such a symbol in a constant"))),
        }
    }

    /// Returns the reference to `entity` from a constant that contains its distance.
    pub fn reference_to(&self, entity: &Entity) -> Generated<Reference<'ctx>> {
        match self.definition_of(entity) {
            Definition::Here | Definition::OtherUnit(_) => Ok(Reference::Direct(self.address_of(entity)?)),
            Definition::Elsewhere => Ok(Reference::Indirect(self.got_equivalent(entity))),
        }
    }

    /// Returns a word with the address of another module's definition. The linker may replace it with one of its own.
    fn got_equivalent(&self, target: &Entity) -> PointerValue<'ctx> {
        let entity = Entity::GotEquivalent(Box::new(target.clone()));
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut word = ConstantStruct::new(self.pointer_size());
        word.add_address(target.clone());
        self.declare_constant(entity, word, self.pointer_size()).as_pointer_value()
    }
}
