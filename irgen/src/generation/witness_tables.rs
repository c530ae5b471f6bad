//! Witness tables of Embedded Swift: a null word where other modes have the conformance descriptor, then an entry per requirement in
//! the order of the protocol's declaration ([`WitnessSlots`](sil::types::WitnessSlots)), without associated types (Swift's
//! `WitnessTableBuilder`). Only protocols of classes have them.

use std::sync::Arc;

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil::context::{Name, NominalId, Type, TypeId};
use sil::declarations::Origin;
use sil::diagnostic::Diagnostic;
use sil::model::{ConformanceRef, Module, WitnessEntry, WitnessTable};
use sil::print::Printer;
use sil::types::{Conforms, MethodRef, NoSlot, PathStep, TypeQueries, WitnessSlot};

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule, RuntimeFunction};
use crate::refusal::Generated;

/// The conformance descriptor's place.
const HEADER_WORDS: u64 = 1;

/// The witness tables of a module by type and protocol.
#[derive(Default)]
pub(super) struct WitnessTables<'a> {
    by_type: FxHashMap<(TypeId, NominalId), &'a WitnessTable>,
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
        }
        tables
    }

    /// The witness table of a type, by its canonical type.
    pub(super) fn table(&self, ty: TypeId, protocol: NominalId) -> Option<&'a WitnessTable> {
        self.by_type.get(&(ty, protocol)).copied()
    }

    /// The module that states the conformance of a type, by its canonical type, as far as a table tells.
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
    /// The witness table of a type.
    pub fn witness_table_of(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
        self.program.mode.witness_table(self, ty, protocol)
    }

    /// The witness table of a class, its own or that of a superclass: witnesses of a superclass serve for all its subclasses.
    pub(super) fn class_witness_table(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
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

    /// The witness table of a type without generic arguments, which the module that states the conformance has.
    pub(super) fn static_witness_table(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
        let ty = self.types.queries.canonical_type(ty);
        let entity = Entity::WitnessTable(ty, protocol);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let declaration = self.types.queries.declaration_of(ty).filter(|_| !self.is_specialized(ty));
        let is_imported = declaration.is_some_and(|declaration| declaration.origin == Origin::Imported);
        let conforms = self.types.queries.conforms(ty, protocol) == Conforms::Yes;
        if !is_imported || !conforms || self.is_defined_witness_table(ty, protocol) {
            return Err(self.unsupported_conformance(ty, protocol));
        }
        self.require_symbol(&entity)?;
        let word = self.builder.ptr_type();
        Ok(self.declare_variable(entity, word, self.pointer_size()).as_pointer_value())
    }

    /// Whether the module has the witness table of a canonical type itself, and not as a copy of another module's.
    pub(super) fn is_defined_witness_table(&self, ty: TypeId, protocol: NominalId) -> bool {
        self.program.witness_tables.table(ty, protocol).is_some_and(|table| {
            let is_copy = table.linkage.is_external() && !self.program.mode.defines_imported();
            table.entries.is_some() && !is_copy
        })
    }

    fn unsupported_conformance(&self, ty: TypeId, protocol: NominalId) -> Box<Diagnostic> {
        let mut printer = Printer::new(self.types.queries.context, self.types.queries.declarations);
        printer.lowered_type(ty);
        let protocol = self.sil.context.text(self.sil.declarations.get(protocol).name);
        let what = format!("the conformance of '{}' to {protocol}", printer.out);
        Box::new(crate::refusal::unsupported_without_place(what))
    }

    fn declare_witness_table(
        &self,
        ty: TypeId,
        protocol: NominalId,
        table: &'a WitnessTable,
    ) -> Generated<PointerValue<'ctx>> {
        let slots = self.witness_slots(protocol)?;
        let entries = self.witness_entries(protocol, table)?;
        let entity = Entity::WitnessTable(ty, protocol);
        self.require_symbol(&entity)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        for (slot, entry) in slots.iter().zip(entries) {
            if self.has_word(slot) {
                words.add_optional_address(self.witness_entry(ty, slot, entry));
            }
        }
        Ok(self.declare_constant(entity, words, self.pointer_size()).as_pointer_value())
    }

    /// What witness tables of `protocol` have, as its declaration says.
    fn witness_slots(&self, protocol: NominalId) -> Generated<Arc<[WitnessSlot]>> {
        self.program.witness_slots.of(self.types.queries, protocol).map_err(|_| self.unknown_requirements(protocol))
    }

    /// The entry of a table in each slot of its protocol.
    fn witness_entries(
        &self,
        protocol: NominalId,
        table: &'a WitnessTable,
    ) -> Generated<Vec<Option<&'a WitnessEntry>>> {
        let written = table.entries.as_deref().unwrap_or_default();
        let entries = self.program.witness_slots.entries(self.types.queries, protocol, written);
        entries.map_err(|_| self.unknown_requirements(protocol))
    }

    fn unknown_requirements(&self, protocol: NominalId) -> Box<Diagnostic> {
        let name = self.sil.context.text(self.sil.declarations.get(protocol).name);
        let what = format!("witness tables of the protocol {name}, whose requirements are not all known");
        Box::new(crate::refusal::unsupported_without_place(what))
    }

    /// Associated types have no word; their conformances have one where they can become existentials.
    fn has_word(&self, slot: &WitnessSlot) -> bool {
        match slot {
            WitnessSlot::AssociatedType(_) => false,
            WitnessSlot::AssociatedConformance { protocol, .. } => self.types.queries.is_class_protocol(*protocol),
            WitnessSlot::BaseProtocol(_) | WitnessSlot::Method { .. } => true,
        }
    }

    /// What the word of a slot has the address of; none where it is null.
    fn witness_entry(&self, ty: TypeId, slot: &WitnessSlot, entry: Option<&WitnessEntry>) -> Option<Entity> {
        match (slot, entry) {
            (WitnessSlot::BaseProtocol(protocol), _) if self.types.queries.is_class_protocol(*protocol) => {
                Some(Entity::WitnessTable(ty, *protocol))
            }
            (_, Some(WitnessEntry::AssociatedConformance { conformance, .. })) => {
                let (subject, protocol) = subject(conformance)?;
                Some(Entity::WitnessTable(subject, protocol))
            }
            (WitnessSlot::Method { .. }, entry) => {
                let function = match entry {
                    Some(WitnessEntry::Method { function, .. }) => *function,
                    _ => None,
                };
                let found = function.and_then(|name| self.sil.function_named(name));
                // A requirement that nobody calls has lost its witness.
                Some(found.map_or(Entity::Runtime(RuntimeFunction::DeletedMethodError), Entity::Function))
            }
            _ => None,
        }
    }

    /// The offset of a requirement's entry in witness tables of `protocol`, in bytes.
    pub fn witness_offset(&self, protocol: NominalId, method: MethodRef) -> Generated<u64> {
        let slots = self.witness_slots(protocol)?;
        let error = match self.program.witness_slots.method(self.types.queries, protocol, method) {
            Ok(number) => return Ok(self.word_offset(&slots, number)),
            Err(error) => error,
        };
        let name = self.sil.context.text(self.sil.context.get_member(method.member).name);
        let what = match error {
            NoSlot::Unknown => format!("the requirement {name}, which its protocol does not declare"),
            NoSlot::Ambiguous => format!("the requirement {name}, of which there are several with this type"),
        };
        Err(Box::new(crate::refusal::unsupported_without_place(what)))
    }

    /// The offset of the witness table for a conformance that `protocol` requires, in witness tables of `protocol`, in bytes. None
    /// where they have no such word.
    pub(super) fn conformance_offset(&self, protocol: NominalId, step: PathStep) -> Generated<Option<u64>> {
        let queries = self.types.queries;
        let slots = self.witness_slots(protocol)?;
        let is_it = |slot: &WitnessSlot| match slot {
            WitnessSlot::BaseProtocol(base) => {
                *base == step.protocol && !matches!(queries.get(step.subject), Type::DependentMember { .. })
            }
            WitnessSlot::AssociatedConformance { subject, protocol } => {
                (*subject, *protocol) == (step.subject, step.protocol)
            }
            WitnessSlot::AssociatedType(_) | WitnessSlot::Method { .. } => false,
        };
        let number = slots.iter().position(is_it).filter(|_| queries.is_class_protocol(step.protocol));
        Ok(number.map(|number| self.word_offset(&slots, number)))
    }

    fn word_offset(&self, slots: &[WitnessSlot], number: usize) -> u64 {
        let before = slots[..number].iter().filter(|slot| self.has_word(slot)).count() as u64;
        (HEADER_WORDS + before) * self.pointer_size()
    }
}
