//! What this module has of its protocols and of the conformances that it states (lib/IRGen/GenMeta.cpp, lib/IRGen/GenProto.cpp): descriptors,
//! and records by which the runtime finds them. Witness tables for protocols of other modules are made by the runtime, of the witnesses that
//! the descriptor of the conformance lists.

use inkwell::values::{FunctionValue, PointerValue};
use sil::context::{Conformance, ConformanceId, ConformanceKind, MemberKind, NominalId, TypeId};
use sil::declarations::{NominalKind, Origin};
use sil::model::{WitnessEntry, WitnessTable};
use sil::types::WitnessSlot;

use crate::generation::constants::ConstantStruct;
use crate::generation::signature::{LlvmParameter, Signature};
use crate::generation::witness_tables::conformance_with_table;
use crate::generation::{ConformancePart, Definition, Entity, IRGenModule, NominalPart, RequirementKey, TypePart};
use crate::refusal::{Generated, unsupported_without_place};

/// Flags of a protocol's descriptor: the kind, that there is one of it, and that not only classes conform
/// (include/swift/ABI/MetadataValues.h).
const PROTOCOL_DESCRIPTOR: u64 = 3 | 1 << 6;
const ANY_TYPE_CONFORMS: u64 = 1 << 16;

/// What a requirement in a protocol's signature is: a conformance, for which there is a witness table.
const CONFORMANCE_REQUIREMENT: u64 = 1 << 7;

/// Kinds of requirements (`ProtocolRequirementFlags`), and the flag of those of values.
const BASE_PROTOCOL: u64 = 0;
const METHOD: u64 = 1;
const INITIALIZER: u64 = 2;
const GETTER: u64 = 3;
const SETTER: u64 = 4;
const READ_COROUTINE: u64 = 5;
const MODIFY_COROUTINE: u64 = 6;
const OF_INSTANCES: u64 = 1 << 4;

/// Flags of a conformance (`ConformanceFlags`): the type is reached by way of a word; it lists witnesses; the runtime makes its table.
const INDIRECT_TYPE: u64 = 1 << 3;
const HAS_RESILIENT_WITNESSES: u64 = 1 << 16;
const HAS_GENERIC_WITNESS_TABLE: u64 = 1 << 17;

/// How many words the runtime has for what it makes of a conformance (`NumGenericMetadataPrivateDataWords`).
const CACHE_WORDS: u64 = 16;

/// What stands before the reference to the accessor of a witness table in a name: that it is no type, and that the function is here.
const ACCESSOR_NAME: [u8; 2] = [0xFF, 0x07];

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the records of all conformances that the module states: casts find them by these alone.
    pub(in crate::generation) fn declare_conformances(&self) {
        if !self.is_first_unit() {
            return;
        }
        for table in
            self.sil.witness_tables.iter().filter(|table| table.entries.is_some() && !table.linkage.is_external())
        {
            if let Err(mut error) = self.declare_conformance(table) {
                error.span.get_or_insert(table.span);
                self.push_error(*error);
            }
        }
    }

    fn declare_conformance(&self, table: &WitnessTable) -> Generated<()> {
        if !matches!(
            self.sil.context.get_conformance(table.conformance).kind,
            ConformanceKind::Normal { signature: None, .. }
        ) {
            return Err(Box::new(unsupported_without_place("conformances of generic types")));
        }
        self.conformance_part(ConformancePart::Record, self.stated(table)).map(|_| ())
    }

    /// The conformance that `table` is of, in canonical types.
    fn stated(&self, table: &WitnessTable) -> ConformanceId {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(table.conformance);
        conformance_with_table(self.types.queries, ty, protocol)
    }

    /// A part of a conformance that the module states.
    pub fn conformance_part(&self, part: ConformancePart, conformance: ConformanceId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OfConformance(part, conformance);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
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
            ConformancePart::Cache => {
                words.add_bytes(&vec![0; (CACHE_WORDS * self.pointer_size()) as usize]);
                self.pointer_size()
            }
            ConformancePart::BaseAccessor(_) | ConformancePart::AssociatedAccessor(..) => {
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

    /// The protocol, the type, the witness table where that is static, flags; for protocols of other modules the witnesses, and how the
    /// runtime makes a table of them.
    fn conformance_descriptor(&self, conformance: ConformanceId) -> Generated<ConstantStruct> {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let queries = self.types.queries;
        let Some(nominal) = queries.as_nominal(ty).filter(|_| !self.is_specialized(ty)) else {
            return Err(Box::new(unsupported_without_place("conformances of generic types")));
        };
        let is_own = self.sil.declarations.get(nominal.declaration).origin == Origin::Module;
        let is_static = self.numbers_requirements(protocol);
        let type_descriptor = Entity::OfNominal(NominalPart::Descriptor, nominal.declaration);
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(Entity::OfNominal(NominalPart::Descriptor, protocol));
        words.add_relative(if is_own { type_descriptor } else { Entity::GotEquivalent(Box::new(type_descriptor)) });
        match is_static {
            true => words.add_relative(Entity::WitnessTable(conformance)),
            false => words.add_integer(32, 0),
        }
        let made_by_runtime = if is_static { 0 } else { HAS_RESILIENT_WITNESSES | HAS_GENERIC_WITNESS_TABLE };
        words.add_integer(32, made_by_runtime | if is_own { 0 } else { INDIRECT_TYPE });
        if !is_static {
            self.add_witnesses(&mut words, conformance)?;
            words.add_integer(16, 0);
            words.add_integer(16, 1);
            words.add_integer(32, 0);
            words.add_relative(Entity::OfConformance(ConformancePart::Cache, conformance));
        }
        Ok(words)
    }

    /// How many witnesses there are, then each with the descriptor of its requirement.
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
                    (RequirementKey::OfWitness(*name), Entity::Function(function), 0)
                }
                WitnessEntry::BaseProtocol { protocol: base, .. } => {
                    let name = ConformancePart::BaseAccessorName(*base);
                    (RequirementKey::Base(protocol, *base), Entity::OfConformance(name, conformance), IS_NAME)
                }
                WitnessEntry::AssociatedType { name, ty } => {
                    let name_of_type = Entity::OfType(TypePart::MangledName, self.types.queries.canonical_type(*ty));
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

    /// The descriptor of a requirement of another module's protocol.
    pub fn requirement_descriptor(&self, entity: &Entity) -> Generated<PointerValue<'ctx>> {
        if let Some(found) = self.declared_address(entity) {
            return Ok(found);
        }
        self.require_symbol(entity)?;
        let flags = self.context.i32_type();
        Ok(self.declare_variable(entity.clone(), flags, DESCRIPTOR_ALIGNMENT).as_pointer_value())
    }

    /// The type that conforms where `conformance` has that of `member` to `required`.
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

    /// A function that gives a witness table. It gets the metadata of the type, that of `Self`, and the witness table of `Self`.
    fn table_accessor(&self, entity: Entity) -> FunctionValue<'ctx> {
        let pointer = self.builder.ptr_type();
        let accessor = pointer.fn_type(&[pointer.into(); 3], false);
        let parameters: Vec<LlvmParameter> = Vec::new();
        let signature = Signature::of_thunk(self.context, accessor, self.swift_convention(), parameters, &[]);
        self.declare_thunk(entity, &signature)
    }

    /// Flags, the context, the name, how many requirements its signature and it have, no names of associated types, then both.
    pub(super) fn protocol_descriptor(&self, protocol: NominalId) -> Generated<ConstantStruct> {
        let declaration = self.sil.declarations.get(protocol);
        let slots = self.witness_slots(protocol)?;
        let is_simple = |slot: &WitnessSlot| matches!(slot, WitnessSlot::BaseProtocol(_) | WitnessSlot::Method { .. });
        if declaration.kind != NominalKind::Protocol
            || !slots.iter().all(is_simple)
            || declaration.attributes.class_bound
        {
            let name = self.sil.context.text(declaration.name);
            let what = format!("the protocol {name}, which has associated types or is bound to classes");
            return Err(Box::new(unsupported_without_place(what)));
        }
        let bases: Vec<NominalId> = slots
            .iter()
            .filter_map(|slot| match slot {
                WitnessSlot::BaseProtocol(base) => Some(*base),
                _ => None,
            })
            .collect();
        if bases.iter().any(|base| !self.numbers_requirements(*base)) {
            return Err(Box::new(unsupported_without_place("protocols that inherit from those of other modules")));
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, PROTOCOL_DESCRIPTOR | ANY_TYPE_CONFORMS);
        words.add_relative(match declaration.parent {
            Some(parent) => Entity::OfNominal(NominalPart::Descriptor, parent),
            None => Entity::ModuleDescriptor(declaration.module),
        });
        words.add_relative(Entity::String(self.sil.context.text(declaration.name).as_bytes().into()));
        words.add_integer(32, bases.len() as u64);
        words.add_integer(32, slots.len() as u64);
        words.add_integer(32, 0);
        for base in bases {
            words.add_integer(32, CONFORMANCE_REQUIREMENT);
            words.add_relative(Entity::OfType(TypePart::MangledName, self.abstract_self()));
            words.add_relative(Entity::OfNominal(NominalPart::Descriptor, base));
        }
        for slot in slots.iter() {
            words.add_integer(32, requirement_flags(slot));
            words.add_integer(32, 0);
        }
        Ok(words)
    }

    fn abstract_self(&self) -> TypeId {
        self.sil.context.ty(sil::context::Type::GenericParameter { depth: 0, index: 0 })
    }

    /// The records of conformances, which nothing but their section leads to.
    pub(in crate::generation) fn conformance_records(&self) -> Vec<PointerValue<'ctx>> {
        let stated = self.sil.witness_tables.iter().map(|table| self.stated(table));
        let records = stated.map(|conformance| Entity::OfConformance(ConformancePart::Record, conformance));
        let own = records.filter(|entity| self.definition_of(entity) == Definition::Here);
        let mut addresses: Vec<PointerValue<'ctx>> = own.filter_map(|entity| self.declared_address(&entity)).collect();
        addresses.dedup();
        addresses
    }
}

/// What is added to the address of a name in the place of a witness.
const IS_NAME: u64 = 1;

/// The alignment of descriptors and records, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

/// The alignment of names, in bytes.
const NAME_ALIGNMENT: u64 = 2;

/// The runtime looks at the kind alone, which a static requirement has as well.
fn requirement_flags(slot: &WitnessSlot) -> u64 {
    let WitnessSlot::Method { kind, .. } = slot else { return BASE_PROTOCOL };
    OF_INSTANCES
        | match kind {
            MemberKind::Getter => GETTER,
            MemberKind::Setter => SETTER,
            MemberKind::Read | MemberKind::Read2 => READ_COROUTINE,
            MemberKind::Modify | MemberKind::Modify2 => MODIFY_COROUTINE,
            MemberKind::Allocator => INITIALIZER,
            _ => METHOD,
        }
}
