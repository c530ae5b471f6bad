//! The definitions of all used entities: processes the worklist until it is empty. Owns: the worklist and the bodies of
//! functions. Does not own: constants (`generation::constants`), and the code of instructions (`instructions`).

mod async_departures;
mod dispatch_thunks;
mod dynamic_witnesses;
mod functions;
mod heap_destroyers;
mod helpers;
mod key_paths;
mod metadata_accessors;
mod metadata_completion;
mod objc_blocks;
mod replacements;
mod value_witnesses;

use crate::generation::{
    BlockPart, ConformancePart, Entity, IRGenModule, KeyPathPart, NominalPart, OpaqueReplacementPart, ReplacementPart,
    Use, at_global,
};
use crate::instructions::{define_distributed_accessor, define_forwarder};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Emits all definitions for other modules, and everything that they use.
    pub fn generate(&self) {
        self.declare_roots();
        self.define_pending();
    }

    /// Emits the definitions that other units use from this one, and everything that they use.
    pub fn generate_used(&self, uses: &[Use]) {
        for used in uses {
            if let Err(error) = self.declare_used(used) {
                self.push_error(*error);
            }
        }
        self.define_pending();
    }

    /// Defines everything that is used, transitively.
    pub(crate) fn define_pending(&self) {
        while let Some(entity) = self.next_pending() {
            if let Err(mut error) = self.define(&entity) {
                self.worklist.locate(&mut error);
                self.push_error(*error);
            }
        }
    }

    fn define(&self, entity: &Entity) -> Generated<()> {
        match entity {
            Entity::Function(id) => self.define_function(*id),
            Entity::Global(id) => {
                self.define_constant(entity).map_err(|error| at_global(error, &self.sil.globals[*id]))
            }
            Entity::ClassMetadata(_)
            | Entity::WitnessTable(_)
            | Entity::HeapMetadata(_)
            | Entity::Captures(_)
            | Entity::StaticArrayMetadata
            | Entity::String(_)
            | Entity::IntegerLiteral(_)
            | Entity::GotEquivalent(_)
            | Entity::AutolinkEntries
            | Entity::OfType(..)
            | Entity::EntryPoint => self.define_constant(entity),
            Entity::ModuleDescriptor(_)
            | Entity::LocalContext(_)
            | Entity::ReflectedName(_)
            | Entity::PlainName(_)
            | Entity::TypeLayout(_)
            | Entity::ExistentialShape(..) => self.define_constant(entity),
            Entity::OfConformance(
                part @ (ConformancePart::BaseAccessor(_)
                | ConformancePart::AssociatedAccessor(..)
                | ConformancePart::LazyAccessor
                | ConformancePart::Instantiator),
                conformance,
            ) => self.define_table_accessor(*part, *conformance),
            Entity::OfConformance(..) => self.define_constant(entity),
            Entity::KeyPath(KeyPathPart::Function(function, component), pattern) => {
                self.define_key_path_function(*function, *component, pattern)
            }
            Entity::KeyPath(..)
            | Entity::GenericEnvironment(_)
            | Entity::KeyPathTableName(_)
            | Entity::AccessibleFunction(_) => self.define_constant(entity),
            Entity::FunctionPointer(..) | Entity::CoroutineAllocator => self.define_constant(entity),
            Entity::AsyncDeparture(departure) => self.define_async_departure(*departure),
            Entity::OfReplaceable(ReplacementPart::Original, function) => self.define_replaced_original(*function),
            Entity::OfOpaqueTypes(
                part @ (OpaqueReplacementPart::Accessor | OpaqueReplacementPart::Implementation),
                symbol,
            ) => self.define_opaque_accessor(*part, *symbol),
            Entity::OfReplaceable(..)
            | Entity::OfOpaqueTypes(..)
            | Entity::Replacements
            | Entity::AutomaticReplacements
            | Entity::OpaqueReplacements
            | Entity::OpaqueDescriptor(_)
            | Entity::OpaqueContext(..)
            | Entity::CaseTag(..)
            | Entity::FieldOffset(..)
            | Entity::DifferentiabilityWitness(_)
            | Entity::PropertyDescriptor(_) => self.define_constant(entity),
            Entity::KeyPathTableAccessor(table) => self.define_key_path_table_accessor(*table),
            Entity::ValueWitness(witness, ty) => self.define_value_witness(*witness, *ty),
            Entity::OfNominal(NominalPart::MetadataAccessor, nominal) => self.define_metadata_accessor(*nominal),
            Entity::OfNominal(NominalPart::InstantiationFunction, nominal) => self.define_instantiation(*nominal),
            Entity::OfNominal(NominalPart::CompletionFunction, nominal) => self.define_completion(*nominal),
            Entity::OfNominal(NominalPart::MethodLookup, nominal) => self.define_method_lookup(*nominal),
            Entity::OfNominal(..) => self.define_constant(entity),
            Entity::MethodThunk(function) => self.define_method_thunk(*function),
            Entity::RemovedMethod(..) => self.define_removed_method(entity),
            Entity::RequirementThunk(protocol, slot) => self.define_requirement_thunk(*protocol, *slot),
            Entity::Helper(helper) => {
                self.define_helper(*helper);
                Ok(())
            }
            Entity::HeapDestroyer(fields) => self.define_heap_destroyer(fields),
            Entity::Block(BlockPart::StackClass) => Ok(()),
            Entity::Block(BlockPart::Descriptor(_)) => self.define_constant(entity),
            Entity::Block(part @ (BlockPart::Copier(captured) | BlockPart::Destroyer(captured))) => {
                self.define_block_function(*part, *captured)
            }
            Entity::Forwarder(key) => define_forwarder(self, *key),
            Entity::DistributedAccessor(target) => define_distributed_accessor(self, *target),
            // Its name does not contain the type, which is only known at its declaration.
            Entity::OutlinedEnum(..) => Ok(()),
            Entity::Runtime(_)
            | Entity::C(_)
            | Entity::LibraryWitnesses(_)
            | Entity::Requirement(_)
            | Entity::DispatchThunk(..)
            | Entity::MethodDescriptor(_)
            | Entity::OwnRequirement(_)
            | Entity::CoroutinePrototype(_) => Ok(()),
        }
    }
}
