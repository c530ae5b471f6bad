//! The entities of the conformances that this module declares (lib/IRGen/GenProto.cpp): descriptors, and the records by
//! which the runtime finds them. For protocols of other modules, the runtime instantiates witness tables from the
//! witnesses in the conformance descriptor.

use inkwell::values::{FunctionValue, PointerValue};
use sil_ir::context::{Conformance, ConformanceId, NominalId, TypeId};
use sil_ir::declarations::{Access, Origin};
use sil_ir::model::{WitnessEntry, WitnessTable};

use super::generic_contexts::add_packs;
use crate::generation::constants::ConstantStruct;
use crate::generation::polymorphic::GenericRequirement;
use crate::generation::signature::{LlvmParameter, Signature};
use crate::generation::witness_tables::IS_NAME;
use crate::generation::{ConformancePart, Definition, Entity, IRGenModule, NominalPart, RequirementKey};
use crate::refusal::{Generated, unsupported_without_place};

/// Flags of a conformance (`ConformanceFlags`): an indirect type reference; a list of witnesses; a table instantiated
/// by the runtime; isolation to a global actor.
const INDIRECT_TYPE: u64 = 1 << 3;
const IS_RETROACTIVE: u64 = 1 << 6;
const CONDITIONS_SHIFT: u32 = 8;
const CONDITIONAL_PACKS_SHIFT: u32 = 24;
const HAS_RESILIENT_WITNESSES: u64 = 1 << 16;
const HAS_GENERIC_WITNESS_TABLE: u64 = 1 << 17;
const IS_ISOLATED: u64 = 1 << 19;

/// The flag for one table per type, in the word with the number of private words before a witness table.
const MADE_FOR_EACH_TYPE: u64 = 1;

/// The size in words of the runtime's cache for the tables of a conformance (`NumGenericMetadataPrivateDataWords`).
const CACHE_WORDS: u64 = 16;

/// The bytes before the reference to a witness table accessor in a name: it is not a type, and the function is in this
/// module.
const ACCESSOR_NAME: [u8; 2] = [0xFF, 0x07];

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the records of the conformances that the module declares, which are the only way for casts to find
    /// them. Those of private and local types are declared with the types (lib/IRGen/IRGenModule.cpp,
    /// `canEmitWitnessTableLazily`).
    pub(in crate::generation) fn declare_conformances(&self) {
        if self.is_first_unit() {
            let tables = self.sil.witness_tables.iter().filter(|table| self.is_of_type(table));
            self.declare_records_of(tables.filter(|table| !self.comes_with_type(table)));
        }
    }

    /// Declares the records of the conformances that are declared with `nominal`, whose descriptor is declared.
    pub(super) fn declare_conformances_of(&self, nominal: NominalId) {
        let tables = self.program.witness_tables.of_type(nominal).iter().copied();
        self.declare_records_of(tables.filter(|table| self.comes_with_type(table)));
    }

    fn declare_records_of<'t>(&self, tables: impl Iterator<Item = &'t WitnessTable>) {
        for table in tables.filter(|table| table.entries.is_some() && !table.linkage.is_external()) {
            if let Err(mut error) = self.declare_conformance(table) {
                error.span.get_or_insert(table.span);
                self.push_error(*error);
            }
        }
    }

    /// Returns whether the conformance is that of a type. Each type that conforms to `DistributedActor` conforms to
    /// `Actor` by a table that the compiler alone refers to (lib/AST/DistributedDecl.cpp,
    /// `getDistributedActorAsActorConformance`).
    fn is_of_type(&self, table: &WitnessTable) -> bool {
        let conforming = self.sil.context.get_conformance(table.conformance).ty;
        !self.types.queries.is_type_parameter(conforming)
    }

    /// Returns whether a conformance belongs to a type that only the module itself can request.
    fn comes_with_type(&self, table: &WitnessTable) -> bool {
        let conforming = self.sil.context.get_conformance(table.conformance).ty;
        let mut level = self.types.queries.as_nominal(conforming).map(|nominal| nominal.declaration);
        let levels = std::iter::from_fn(|| {
            let declaration = self.sil.declarations.get(level?);
            level = declaration.parent;
            Some(declaration)
        });
        levels.filter(|declaration| declaration.origin == Origin::Module).any(|declaration| {
            declaration.attributes.access <= Access::FilePrivate || declaration.attributes.local.is_some()
        })
    }

    fn declare_conformance(&self, table: &WitnessTable) -> Generated<()> {
        let conformance = self.stated(table);
        self.conformance_part(ConformancePart::Record, conformance)?;
        if !self.associated_types(conformance).is_empty() {
            self.conformance_part(ConformancePart::AssociatedTypes, conformance)?;
        }
        Ok(())
    }

    /// Returns the conformance of `table`, in canonical types.
    fn stated(&self, table: &WitnessTable) -> ConformanceId {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(table.conformance);
        self.types.queries.conformance_with_table(ty, protocol)
    }

    /// Returns a part of a conformance that the module declares, or the descriptor of another module's conformance.
    pub fn conformance_part(&self, part: ConformancePart, conformance: ConformanceId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OfConformance(part, conformance);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        if part == ConformancePart::Descriptor && !self.declares(&entity) {
            let flags = self.context.i32_type();
            return Ok(self.declare_variable(entity, flags, DESCRIPTOR_ALIGNMENT).as_pointer_value());
        }
        let of_it = |part| Entity::OfConformance(part, conformance);
        let mut words = ConstantStruct::new(self.pointer_size());
        let alignment = match part {
            ConformancePart::Descriptor => {
                words = self.conformance_descriptor(conformance)?;
                DESCRIPTOR_ALIGNMENT
            }
            ConformancePart::Record => {
                words.add_relative(of_it(ConformancePart::Descriptor));
                DESCRIPTOR_ALIGNMENT
            }
            ConformancePart::AssociatedTypes => {
                words = self.associated_type_descriptor(conformance)?;
                DESCRIPTOR_ALIGNMENT
            }
            ConformancePart::Cache => {
                words.add_bytes(&vec![0; (CACHE_WORDS * self.pointer_size()) as usize]);
                self.pointer_size()
            }
            ConformancePart::LazyCache => {
                words.add_null();
                self.pointer_size()
            }
            ConformancePart::BaseAccessor(_)
            | ConformancePart::AssociatedAccessor(..)
            | ConformancePart::LazyAccessor
            | ConformancePart::Instantiator => {
                return Ok(self.table_accessor(entity).as_global_value().as_pointer_value());
            }
            ConformancePart::BaseAccessorName(_) | ConformancePart::AssociatedAccessorName(..) => {
                let accessor = match part {
                    ConformancePart::AssociatedAccessorName(member, required) => {
                        ConformancePart::AssociatedAccessor(member, required)
                    }
                    ConformancePart::BaseAccessorName(base) => ConformancePart::BaseAccessor(base),
                    other => other,
                };
                words.add_bytes(&ACCESSOR_NAME);
                words.add_relative(of_it(accessor));
                words.add_bytes(&[0]);
                NAME_ALIGNMENT
            }
        };
        Ok(self.declare_constant(entity, words, alignment).as_pointer_value())
    }

    /// Returns the descriptor: the protocol, the type, the witness table if it is static, flags; for protocols of other
    /// modules the witnesses, and the information for instantiating a table.
    fn conformance_descriptor(&self, conformance: ConformanceId) -> Generated<ConstantStruct> {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let Some(nominal) = self.types.queries.as_nominal(ty) else { return Err(self.unsupported_type(ty)) };
        let actor = self.types.queries.isolating_actor(ty, protocol);
        let is_own = self.sil.declarations.get(nominal.declaration).origin == Origin::Module;
        let is_numbered = self.numbers_members(protocol);
        let is_made = self.is_dependent_conformance(conformance);
        let type_descriptor = Entity::OfNominal(NominalPart::Descriptor, nominal.declaration);
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(Entity::OfNominal(NominalPart::Descriptor, protocol));
        words.add_relative(if is_own { type_descriptor } else { Entity::GotEquivalent(Box::new(type_descriptor)) });
        match is_numbered {
            true => words.add_relative(Entity::WitnessTable(conformance)),
            false => words.add_integer(32, 0),
        }
        let conditions = self.conditions(ty, protocol)?;
        let tables = self.conditional_tables_of(ty, protocol)?;
        let conditional = tables.len() as u64;
        let tables: Vec<_> =
            tables.into_iter().map(|(ty, required)| GenericRequirement::WitnessTable(ty, required)).collect();
        let signature = self.sil.declarations.get(nominal.declaration).signature;
        let packs = signature.map_or(Vec::new(), |signature| self.described_packs(signature, &tables));
        let module = self.sil.context.conforming_module(conformance).filter(|_| !is_own && !is_numbered);
        let flag = |flag, is_set: bool| if is_set { flag } else { 0 };
        let flags = flag(HAS_RESILIENT_WITNESSES, !is_numbered)
            | flag(HAS_GENERIC_WITNESS_TABLE, is_made)
            | flag(INDIRECT_TYPE, !is_own)
            | flag(IS_ISOLATED, actor.is_some())
            | flag(IS_RETROACTIVE, module.is_some());
        let counts = (conditions.len() as u64) << CONDITIONS_SHIFT | (packs.len() as u64) << CONDITIONAL_PACKS_SHIFT;
        words.add_integer(32, flags | counts);
        if let Some(module) = module {
            words.add_relative(Entity::ModuleDescriptor(module));
        }
        self.add_requirements(&mut words, &conditions, self.conformance_signature(conformance))?;
        add_packs(&mut words, &packs);
        if !is_numbered {
            self.add_witnesses(&mut words, conformance)?;
        }
        if is_made {
            let size = if is_numbered { 1 + self.witness_slots(protocol)?.len() as u64 } else { 0 };
            words.add_integer(16, size);
            words.add_integer(16, conditional << 1 | MADE_FOR_EACH_TYPE);
            match is_numbered && !self.made_base_tables(conformance)?.is_empty() {
                true => words.add_relative(Entity::OfConformance(ConformancePart::Instantiator, conformance)),
                false => words.add_integer(32, 0),
            }
            words.add_relative(Entity::OfConformance(ConformancePart::Cache, conformance));
        }
        if let Some(actor) = actor {
            self.add_isolation(&mut words, actor)?;
        }
        Ok(words)
    }

    /// Adds the global actor that the conformance is isolated to, and the actor's conformance to its protocol
    /// (`TargetGlobalActorReference`).
    fn add_isolation(&self, words: &mut ConstantStruct, actor: TypeId) -> Generated<()> {
        let unknown = || Box::new(unsupported_without_place("conformances with an actor of an unknown type"));
        let protocol = self.types.queries.known_global_actor().ok_or_else(unknown)?;
        if self.types.queries.as_nominal(actor).is_none() {
            return Err(unknown());
        }
        words.add_relative(self.name_of_type(actor, None));
        let conformance = self.types.queries.conformance_with_table(actor, protocol);
        words.add_relative(Entity::OfConformance(ConformancePart::Descriptor, conformance));
        Ok(())
    }

    /// Adds the number of witnesses, then each with the descriptor of its requirement.
    fn add_witnesses(&self, words: &mut ConstantStruct, conformance: ConformanceId) -> Generated<()> {
        let protocol = self.sil.context.get_conformance(conformance).protocol;
        let table = self.program.witness_tables.table(conformance);
        let entries = table.and_then(|table| table.entries.as_deref()).unwrap_or_default();
        let count = words.add_placeholder(32);
        let mut witnesses = 0;
        for entry in entries {
            let (requirement, witness, addend) = match entry {
                WitnessEntry::Method { function: None, .. } => continue,
                WitnessEntry::Method { function: Some(name), .. } => {
                    let Some(function) = self.sil.function_named(*name) else { continue };
                    (RequirementKey::OfWitness(*name), self.function_entity(function), 0)
                }
                WitnessEntry::BaseProtocol { protocol: base, .. } => {
                    let name = ConformancePart::BaseAccessorName(*base);
                    (RequirementKey::Base(protocol, *base), Entity::OfConformance(name, conformance), IS_NAME)
                }
                WitnessEntry::AssociatedType { name, ty } => {
                    let name_of_type = self.name_of_type(*ty, self.conformance_signature(conformance));
                    (RequirementKey::AssociatedType(*name, protocol), name_of_type, IS_NAME)
                }
                WitnessEntry::AssociatedConformance { subject, protocol: required, .. } => {
                    let name = ConformancePart::AssociatedAccessorName(*subject, *required);
                    let requirement = RequirementKey::AssociatedConformance(protocol, *subject, *required);
                    (requirement, Entity::OfConformance(name, conformance), IS_NAME)
                }
            };
            let requirement = Entity::Requirement(requirement);
            self.require_symbol(&requirement)?;
            if !self.declares(&witness) {
                return Err(Box::new(unsupported_without_place("a witness that another module defines")));
            }
            words.add_relative(requirement);
            words.add_relative_with(witness, addend);
            witnesses += 1;
        }
        words.fill(count, witnesses);
        Ok(())
    }

    /// Returns the conforming type of the conformance of `member` to `required` in `conformance`.
    pub(crate) fn associated_witness(
        &self,
        conformance: ConformanceId,
        member: TypeId,
        required: NominalId,
    ) -> Generated<TypeId> {
        let table = self.program.witness_tables.table(conformance);
        let entries = table.and_then(|table| table.entries.as_deref()).unwrap_or_default();
        let found = entries.iter().find_map(|entry| match entry {
            WitnessEntry::AssociatedConformance { subject, protocol, conformance, .. }
                if (*subject, *protocol) == (member, required) =>
            {
                Some(self.sil.context.get_conformance(*conformance).ty)
            }
            _ => None,
        });
        found.ok_or_else(|| Box::new(unsupported_without_place("a conformance of an associated type of this form")))
    }

    /// Returns a function that returns a witness table, given the metadata of the type, that of `Self`, and the witness
    /// table of `Self`; or a function that fills a witness table, given the table, the metadata of `Self`, and the
    /// tables that the conformance requires. The function for a specialised type takes nothing.
    pub(super) fn table_accessor(&self, entity: Entity) -> FunctionValue<'ctx> {
        if let Some(found) = self.declared_function(&entity) {
            return found;
        }
        let pointer = self.builder.ptr_type();
        let parameters = [pointer.into(); 3];
        let (ty, convention) = match entity {
            Entity::OfConformance(ConformancePart::Instantiator, _) => {
                (self.context.void_type().fn_type(&parameters, false), 0)
            }
            Entity::OfConformance(ConformancePart::LazyAccessor, _) => (pointer.fn_type(&[], false), 0),
            _ => (pointer.fn_type(&parameters, false), self.swift_convention()),
        };
        let signature = Signature::of_thunk(self.context, ty, convention, Vec::<LlvmParameter>::new(), &[]);
        self.declare_thunk(entity, &signature)
    }

    /// Returns the records of conformances, which are only reachable through their section.
    pub(in crate::generation) fn conformance_records(&self) -> Vec<PointerValue<'ctx>> {
        let stated = self.sil.witness_tables.iter().map(|table| self.stated(table));
        let records = stated.flat_map(|conformance| {
            [ConformancePart::Record, ConformancePart::AssociatedTypes]
                .map(|part| Entity::OfConformance(part, conformance))
        });
        let own = records.filter(|entity| self.definition_of(entity) == Definition::Here);
        let mut addresses: Vec<PointerValue<'ctx>> = own.filter_map(|entity| self.declared_address(&entity)).collect();
        addresses.dedup();
        addresses
    }
}

/// The alignment of descriptors and records, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

/// The alignment of names, in bytes.
const NAME_ALIGNMENT: u64 = 2;
