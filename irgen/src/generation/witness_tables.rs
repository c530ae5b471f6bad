//! Witness tables: the head according to the [`Mode`](super::mode::Mode), then an entry for each requirement in the
//! order of the protocol's declaration ([`WitnessSlots`](sil_ir::types::WitnessSlots)), if the mode has a word for it
//! (Swift's `WitnessTableBuilder`). In Embedded Swift only class protocols have witness tables.

use std::sync::Arc;

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil_ir::context::{Conformance, ConformanceId, ConformanceKind, MemberId, NominalId, Type, TypeId};
use sil_ir::declarations::Origin;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Module, WitnessEntry, WitnessTable};
use sil_ir::types::{MethodRef, NoSlot, PathStep, TypeQueries, WitnessSlot};
use sil_text::print::Printer;

use super::constants::ConstantStruct;
use super::{ConformancePart, Entity, FunctionPointerKind, IRGenModule, RuntimeFunction};
use crate::refusal::Generated;

/// The tag added to the address of a name that replaces a witness.
pub(super) const IS_NAME: u64 = 1;

/// The replacement of an async requirement without callers.
const DELETED_ASYNC_METHOD: Entity = Entity::Runtime(RuntimeFunction::DeletedAsyncMethodError);

/// The size of the header: the conformance descriptor.
const HEADER_WORDS: u64 = 1;

/// The witness tables of a module by conformance.
#[derive(Default)]
pub(super) struct WitnessTables<'a> {
    by_conformance: FxHashMap<ConformanceId, &'a WitnessTable>,
    by_type: FxHashMap<NominalId, Vec<&'a WitnessTable>>,
}

impl<'a> WitnessTables<'a> {
    /// Indexes the witness tables of `module`.
    pub(super) fn new(module: &'a Module, queries: &TypeQueries<'_>) -> Self {
        let mut tables = Self::default();
        for table in &module.witness_tables {
            let Conformance { ty, protocol, .. } = *module.context.get_conformance(table.conformance);
            if let Some(nominal) = queries.as_nominal(ty) {
                tables.by_type.entry(nominal.declaration).or_default().push(table);
            }
            let conformance = queries.conformance_with_table(ty, protocol);
            // A table with entries takes precedence over a declaration.
            if table.entries.is_some() || !tables.by_conformance.contains_key(&conformance) {
                tables.by_conformance.insert(conformance, table);
            }
        }
        tables
    }

    /// Returns the tables of a type's conformances.
    pub(super) fn of_type(&self, nominal: NominalId) -> &[&'a WitnessTable] {
        self.by_type.get(&nominal).map_or(&[], Vec::as_slice)
    }

    /// The witness table of a conformance.
    pub(super) fn table(&self, conformance: ConformanceId) -> Option<&'a WitnessTable> {
        self.by_conformance.get(&conformance).copied()
    }
}

impl<'a, 'ctx> IRGenModule<'a, 'ctx> {
    /// The witness table of a conformance that has one of its own.
    pub(super) fn witness_table(&self, conformance: ConformanceId) -> Generated<PointerValue<'ctx>> {
        self.program.mode.witness_table(self, conformance)
    }

    /// The witness table of a class's conformance.
    pub(super) fn class_witness_table(&self, conformance: ConformanceId) -> Generated<PointerValue<'ctx>> {
        if let Some(found) = self.declared_address(&Entity::WitnessTable(conformance)) {
            return Ok(found);
        }
        match self.program.witness_tables.table(conformance) {
            Some(table) => self.declare_witness_table(conformance, table),
            None => Err(Box::new(crate::refusal::unsupported_without_place("a conformance without a witness table"))),
        }
    }

    /// Returns the witness table of the conformance of a type without generic arguments, which the declaring module
    /// defines.
    pub(super) fn static_witness_table(&self, conformance: ConformanceId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::WitnessTable(conformance);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let Conformance { ty, kind, protocol } = self.sil.context.get_conformance(conformance);
        if self.is_defined_witness_table(conformance) && self.numbers_members(*protocol) {
            return self.class_witness_table(conformance);
        }
        let stated = self.stated_conformance(conformance);
        if stated != conformance && self.is_defined_witness_table(stated) && !self.is_table_pattern(stated) {
            return self.static_witness_table(stated);
        }
        let declaration = self.types.queries.declaration_of(*ty);
        let is_imported =
            declaration.is_some_and(|declaration| self.sil.declarations.may_conform_elsewhere(declaration));
        // All types that a generic conformance applies to can share one table, named after the generic type.
        let is_shared = is_imported && !self.is_table_pattern(stated);
        if stated != conformance && is_shared {
            return self.static_witness_table(stated);
        }
        let is_imported = is_imported && (is_shared || !self.is_specialized(*ty));
        let is_stated = matches!(kind, ConformanceKind::Normal { .. } | ConformanceKind::Specialized { .. });
        if !is_imported || !is_stated || self.is_defined_witness_table(conformance) {
            return Err(self.unsupported_conformance(conformance));
        }
        self.require_symbol(&entity)?;
        let word = self.builder.ptr_type();
        Ok(self.declare_variable(entity, word, self.pointer_size()).as_pointer_value())
    }

    /// Returns whether the module defines the witness table of a conformance itself, rather than a copy of another
    /// module's.
    pub(super) fn is_defined_witness_table(&self, conformance: ConformanceId) -> bool {
        self.program.witness_tables.table(conformance).is_some_and(|table| {
            let is_copy = table.linkage.is_external() && !self.program.mode.defines_imported();
            table.entries.is_some() && !is_copy
        })
    }

    fn unsupported_conformance(&self, conformance: ConformanceId) -> Box<Diagnostic> {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let mut printer = Printer::new(self.types.queries.context, self.types.queries.declarations);
        printer.lowered_type(ty);
        let protocol = self.sil.context.text(self.sil.declarations.get(protocol).name);
        let what = format!("the conformance of '{}' to {protocol}", printer.out);
        Box::new(crate::refusal::unsupported_without_place(what))
    }

    fn declare_witness_table(
        &self,
        conformance: ConformanceId,
        table: &'a WitnessTable,
    ) -> Generated<PointerValue<'ctx>> {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let slots = self.witness_slots(protocol)?;
        let entries = self.witness_entries(protocol, table)?;
        let entity = Entity::WitnessTable(conformance);
        self.require_symbol(&entity)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_optional_address(self.program.mode.witness_table_head(conformance));
        for (slot, entry) in slots.iter().zip(entries) {
            if !self.has_word(slot) {
                continue;
            }
            match self.named_witness(conformance, entry) {
                Some(name) => words.add_address_with(name, IS_NAME),
                None => words.add_optional_address(self.witness_entry(ty, slot, entry)),
            }
        }
        Ok(self.declare_constant(entity, words, self.pointer_size()).as_pointer_value())
    }

    /// The slots in witness tables of `protocol`, by its declaration.
    ///
    /// The derivatives of requirements have entries of their own (`addAutoDiffDerivativeMethodsIfRequired` of
    /// include/swift/SIL/SILWitnessVisitor.h), which are not supported.
    pub(super) fn witness_slots(&self, protocol: NominalId) -> Generated<Arc<[WitnessSlot]>> {
        let declaration = self.sil.declarations.get(protocol);
        if !declaration.derivatives.is_empty() {
            let name = self.sil.context.text(declaration.name);
            let what = format!("witness tables of the protocol {name}, whose requirements have derivatives");
            return Err(Box::new(crate::refusal::unsupported_without_place(what)));
        }
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

    fn has_word(&self, slot: &WitnessSlot) -> bool {
        self.program.mode.has_witness_word(self, slot)
    }

    fn witness_table_entity(&self, ty: TypeId, protocol: NominalId) -> Entity {
        Entity::WitnessTable(self.types.queries.conformance_with_table(ty, protocol))
    }

    /// Returns whether conformances to an inherited protocol have a witness table.
    fn has_base_table(&self, protocol: NominalId) -> bool {
        self.types.queries.is_class_protocol(protocol) || !self.program.mode.defines_imported()
    }

    /// Returns the name in a witness table for an associated type or an associated conformance.
    fn named_witness(&self, conformance: ConformanceId, entry: Option<&WitnessEntry>) -> Option<Entity> {
        match entry.filter(|_| self.program.mode.names_associated_types())? {
            WitnessEntry::AssociatedType { ty, .. } => {
                Some(self.name_of_type(*ty, self.conformance_signature(conformance)))
            }
            WitnessEntry::AssociatedConformance { subject, protocol, .. } => {
                let name = ConformancePart::AssociatedAccessorName(*subject, *protocol);
                Some(Entity::OfConformance(name, conformance))
            }
            WitnessEntry::BaseProtocol { .. } | WitnessEntry::Method { .. } => None,
        }
    }

    /// Returns whether the runtime instantiates the witness tables of `conformance`, one per type.
    pub(super) fn is_table_pattern(&self, conformance: ConformanceId) -> bool {
        self.program.mode.is_table_pattern(self, conformance)
    }

    /// Returns whether the witness table of `conformance` is a pattern for the tables of a generic type, which has a
    /// pattern's name and is local to the module. That of another type has the name of a witness table even if the
    /// runtime copies it (lib/IRGen/GenProto.cpp, `emitSILWitnessTable`).
    pub(super) fn is_named_pattern(&self, conformance: ConformanceId) -> bool {
        self.is_table_pattern(conformance) && self.conformance_signature(conformance).is_some()
    }

    /// Returns whether the runtime writes to a witness table that the module defines.
    pub(super) fn is_table_written_to(&self, conformance: ConformanceId) -> bool {
        let table = self.program.witness_tables.table(conformance);
        let entries = table.and_then(|table| table.entries.as_deref()).unwrap_or_default();
        entries.iter().any(|entry| self.named_witness(conformance, Some(entry)).is_some())
    }

    /// Returns whether the witness table for a conformance that `protocol` requires is in its witness tables from the
    /// start. A resilient library adds no inherited protocols.
    pub(super) fn has_conformance_word(&self, protocol: NominalId, step: PathStep) -> bool {
        match self.types.queries.get(step.subject) {
            Type::DependentMember { .. } => {
                self.numbers_members(protocol) && !self.program.mode.names_associated_types()
            }
            _ => self.sil.declarations.get(protocol).origin != Origin::Named,
        }
    }

    /// Returns the entity of a slot's word, or `None` for null.
    fn witness_entry(&self, ty: TypeId, slot: &WitnessSlot, entry: Option<&WitnessEntry>) -> Option<Entity> {
        match (slot, entry) {
            (WitnessSlot::BaseProtocol(protocol), _) if self.has_base_table(*protocol) => {
                let base = self.types.queries.conformance_with_table(ty, *protocol);
                // The runtime instantiates the others.
                (!self.is_table_pattern(base)).then_some(Entity::WitnessTable(base))
            }
            (_, Some(WitnessEntry::AssociatedConformance { conformance, .. })) => {
                let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(*conformance);
                Some(self.witness_table_entity(ty, protocol))
            }
            (WitnessSlot::Method { .. }, entry) => {
                let function = match entry {
                    Some(WitnessEntry::Method { function, .. }) => *function,
                    _ => None,
                };
                let found = function.and_then(|name| self.sil.function_named(name));
                // A requirement without callers has lost its witness.
                let missing = match self.is_async_requirement(slot) {
                    true => Entity::FunctionPointer(FunctionPointerKind::Async, Box::new(DELETED_ASYNC_METHOD)),
                    false => Entity::Runtime(RuntimeFunction::DeletedMethodError),
                };
                Some(found.map_or(missing, |found| self.function_entity(found)))
            }
            _ => None,
        }
    }

    /// Returns whether entries of the witness tables of a protocol, or of the metadata of a class, are addressed by
    /// index.
    pub fn numbers_members(&self, nominal: NominalId) -> bool {
        self.program.mode.numbers_members(self, nominal)
    }

    /// Returns the dispatch thunk for a requirement of another module's protocol, or a method of its class. It has
    /// their convention, of the lowered type `lowered`.
    pub fn dispatch_thunk(
        &self,
        nominal: NominalId,
        member: MemberId,
        formal: TypeId,
        lowered: TypeId,
    ) -> Generated<PointerValue<'ctx>> {
        let yielded = self.yielded_type(lowered);
        let entity = Entity::DispatchThunk(nominal, member, formal, yielded);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let signature = self.signature(lowered)?;
        if let Some(kind) = signature.function_pointer_kind() {
            return Ok(self.function_pointer(kind, entity));
        }
        let thunk = self.declare_function(entity, signature.llvm);
        thunk.set_call_conventions(signature.convention);
        signature.attributes.add_to(thunk);
        Ok(thunk.as_global_value().as_pointer_value())
    }

    /// Returns the yielded type of functions of type `lowered`, if they are coroutines.
    pub(crate) fn yielded_type(&self, lowered: TypeId) -> Option<TypeId> {
        match self.types.queries.get(lowered) {
            Type::Function(function) => function.yields.first().map(|yielded| yielded.ty),
            _ => None,
        }
    }

    fn require_numbered(&self, protocol: NominalId) -> Generated<()> {
        if self.numbers_members(protocol) {
            return Ok(());
        }
        let name = self.sil.context.text(self.sil.declarations.get(protocol).name);
        let what = format!("requirements of {name}, which its library may change");
        Err(Box::new(crate::refusal::unsupported_without_place(what)))
    }

    /// The offset of a requirement's entry in witness tables of `protocol`, in bytes.
    pub fn witness_offset(&self, protocol: NominalId, method: MethodRef) -> Generated<u64> {
        self.require_numbered(protocol)?;
        let slots = self.witness_slots(protocol)?;
        let error = match self.program.witness_slots.method(self.types.queries, protocol, method) {
            Ok(number) => return Ok(self.word_offset(&slots, number)),
            Err(error) => error,
        };
        let name = self.sil.context.text(self.sil.context.get_member(method.member).name);
        let what = match error {
            NoSlot::Unknown => format!("the requirement {name}, which its protocol does not declare"),
            NoSlot::Ambiguous => return Err(self.lacks_labels(method)),
        };
        Err(Box::new(crate::refusal::unsupported_without_place(what)))
    }

    /// The offset of entry number `slot` in witness tables of `protocol`, in bytes.
    pub(crate) fn slot_offset(&self, protocol: NominalId, slot: u32) -> Generated<u64> {
        Ok(self.word_offset(&self.witness_slots(protocol)?, slot as usize))
    }

    /// Returns the offset of the witness table for a conformance that `protocol` requires, in witness tables of
    /// `protocol`, in bytes. `None` if they have no such word.
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
        let number = slots.iter().position(is_it).filter(|_| self.has_base_table(step.protocol));
        Ok(number.map(|number| self.word_offset(&slots, number)))
    }

    pub(super) fn word_offset(&self, slots: &[WitnessSlot], number: usize) -> u64 {
        let before = slots[..number].iter().filter(|slot| self.has_word(slot)).count() as u64;
        (HEADER_WORDS + before) * self.pointer_size()
    }
}
