//! Witness tables of Embedded Swift: a null word where other modes have the conformance descriptor, then an entry per requirement in
//! the protocol's order, without associated types (Swift's `WitnessTableBuilder`). Only protocols of classes have them.

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil::context::{Name, NominalId, TypeId};
use sil::model::{ConformanceRef, LanguageMode, Module, WitnessEntry, WitnessTable};
use sil::types::{MethodRef, TypeQueries};

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule, RuntimeFunction};
use crate::refusal::Generated;

/// The conformance descriptor's place.
const HEADER_WORDS: u64 = 1;

/// The witness tables of a module by type and protocol, and one table of each protocol.
#[derive(Default)]
pub(super) struct WitnessTables<'a> {
    by_type: FxHashMap<(TypeId, NominalId), &'a WitnessTable>,
    by_protocol: FxHashMap<NominalId, &'a WitnessTable>,
}

impl<'a> WitnessTables<'a> {
    /// The witness tables of `module`, to be looked up.
    pub(super) fn new(module: &'a Module, queries: &TypeQueries<'_>) -> Self {
        let mut tables = Self::default();
        for table in &module.witness_tables {
            let Some((ty, protocol)) = subject(&table.conformance) else { continue };
            let key = (queries.canonical_type(ty), protocol);
            // A table with entries is worth more than a declaration.
            if table.entries.is_some() || !tables.by_type.contains_key(&key) {
                tables.by_type.insert(key, table);
            }
            if table.entries.is_some() {
                tables.by_protocol.entry(protocol).or_insert(table);
            }
        }
        tables
    }

    /// The witness table of a type, by its canonical type.
    pub(super) fn table(&self, ty: TypeId, protocol: NominalId) -> Option<&'a WitnessTable> {
        self.by_type.get(&(ty, protocol)).copied()
    }

    /// The module that states the conformance of a type, by its canonical type.
    pub(super) fn conforming_module(&self, ty: TypeId, protocol: NominalId) -> Option<Name> {
        conformance_module(&self.table(ty, protocol)?.conformance)
    }
}

/// The type and the protocol of a conformance.
fn subject(conformance: &ConformanceRef) -> Option<(TypeId, NominalId)> {
    match conformance {
        ConformanceRef::Normal { ty, protocol, .. } => Some((*ty, *protocol)),
        ConformanceRef::Specialized { ty, base, .. } | ConformanceRef::Inherited { ty, base } => {
            Some((*ty, subject(base)?.1))
        }
        ConformanceRef::Dependent(_) => None,
    }
}

/// The module that states a conformance.
fn conformance_module(conformance: &ConformanceRef) -> Option<Name> {
    match conformance {
        ConformanceRef::Normal { module, .. } => Some(*module),
        ConformanceRef::Specialized { base, .. } | ConformanceRef::Inherited { base, .. } => conformance_module(base),
        ConformanceRef::Dependent(_) => None,
    }
}

impl<'a, 'ctx> IRGenModule<'a, 'ctx> {
    /// The witness table of a class, its own or that of a superclass: witnesses of a superclass serve for all its subclasses.
    pub fn witness_table_of(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
        if self.sil.mode == LanguageMode::Full {
            return Err(self.unsupported_type(ty));
        }
        let queries = self.types.queries;
        let mut class = Some(queries.canonical_type(ty));
        while let Some(current) = class {
            if let Some(found) = self.declared_address(&Entity::WitnessTable(current, protocol)) {
                return Ok(found);
            }
            if let Some(table) = self.program.witness_tables.table(current, protocol) {
                return self.declare_witness_table(current, protocol, table);
            }
            class = queries.superclass_of(current).map(|superclass| queries.canonical_type(superclass));
        }
        Err(Box::new(crate::refusal::unsupported_without_place("a conformance without a witness table")))
    }

    fn declare_witness_table(
        &self,
        ty: TypeId,
        protocol: NominalId,
        table: &'a WitnessTable,
    ) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::WitnessTable(ty, protocol);
        self.require_symbol(&entity)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        for entry in self.entries_with_slots(table) {
            words.add_optional_address(self.witness_entry(ty, entry));
        }
        Ok(self.declare_constant(entity, words, self.pointer_size()).as_pointer_value())
    }

    fn entries_with_slots(&self, table: &'a WitnessTable) -> impl Iterator<Item = &'a WitnessEntry> {
        table.entries.iter().flatten().filter(|entry| self.has_slot(entry))
    }

    /// Associated types have no entry; their conformances have one where they can become existentials.
    fn has_slot(&self, entry: &WitnessEntry) -> bool {
        match entry {
            WitnessEntry::AssociatedType { .. } => false,
            WitnessEntry::AssociatedConformance { protocol, .. } => self.types.queries.is_class_protocol(*protocol),
            WitnessEntry::BaseProtocol { .. } | WitnessEntry::Method { .. } => true,
        }
    }

    /// What an entry has the address of; none where it is null.
    fn witness_entry(&self, ty: TypeId, entry: &WitnessEntry) -> Option<Entity> {
        match entry {
            WitnessEntry::BaseProtocol { protocol, .. } if self.types.queries.is_class_protocol(*protocol) => {
                Some(Entity::WitnessTable(ty, *protocol))
            }
            WitnessEntry::BaseProtocol { .. } | WitnessEntry::AssociatedType { .. } => None,
            WitnessEntry::AssociatedConformance { conformance, .. } => {
                let (subject, protocol) = subject(conformance)?;
                Some(Entity::WitnessTable(subject, protocol))
            }
            WitnessEntry::Method { function, .. } => {
                let found = function.and_then(|name| self.sil.function_named(name));
                // A requirement that nobody calls has lost its witness.
                Some(found.map_or(Entity::Runtime(RuntimeFunction::DeletedMethodError), Entity::Function))
            }
        }
    }

    /// The offset of a requirement's entry in witness tables of `protocol`, in bytes.
    pub fn witness_offset(&self, protocol: NominalId, method: MethodRef) -> Generated<u64> {
        let is_it = |entry: &WitnessEntry| match entry {
            WitnessEntry::Method { member, formal_type, .. } => {
                method.is_same(self.types.queries, MethodRef { member: *member, formal_type: *formal_type })
            }
            _ => false,
        };
        self.entry_offset(protocol, is_it).ok_or_else(|| {
            let name = self.sil.context.text(self.sil.context.get_member(method.member).name);
            Box::new(crate::refusal::unsupported_without_place(format!(
                "the requirement {name}, which no witness table has"
            )))
        })
    }

    fn entry_offset(&self, protocol: NominalId, is_it: impl Fn(&WitnessEntry) -> bool) -> Option<u64> {
        let table = self.program.witness_tables.by_protocol.get(&protocol)?;
        let slot = self.entries_with_slots(table).position(is_it)? as u64;
        Some((HEADER_WORDS + slot) * self.pointer_size())
    }

    /// Which protocols state that their associated type `member` conforms to a protocol: the protocol that states it, the one that is
    /// conformed to, and the offset of the conformance in witness tables of the first, in bytes.
    pub fn associated_conformances(&self, member: Name) -> Vec<(NominalId, NominalId, u64)> {
        let mut found = Vec::new();
        for (stating, table) in &self.program.witness_tables.by_protocol {
            for entry in table.entries.iter().flatten().filter(|entry| self.has_slot(entry)) {
                if let WitnessEntry::AssociatedConformance { subject, protocol, .. } = entry
                    && self.types.queries.associated_type_name(*subject) == Some(member)
                    && let Some(offset) = self.entry_offset(*stating, |other| std::ptr::eq(other, entry))
                {
                    found.push((*stating, *protocol, offset));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The offsets to load, one after the other, that lead from a witness table of `from` to that of `to`, which it inherits from.
    pub fn base_witness_table_path(&self, from: NominalId, to: NominalId) -> Option<Vec<u64>> {
        let table = self.program.witness_tables.by_protocol.get(&from)?;
        table.entries.iter().flatten().find_map(|entry| {
            let WitnessEntry::BaseProtocol { protocol, .. } = entry else { return None };
            let is_it = |other: &WitnessEntry| {
                matches!(other, WitnessEntry::BaseProtocol { protocol: found, .. } if found == protocol)
            };
            let mut path = vec![self.entry_offset(from, is_it)?];
            if *protocol != to {
                path.extend(self.base_witness_table_path(*protocol, to)?);
            }
            Some(path)
        })
    }
}
