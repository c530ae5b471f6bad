//! Writes vtables, witness tables and the other top-level entities.

use sil_ir::context::{
    Conformance, ConformanceId, ConformanceKind, MemberId, MemberKind, NominalId, SilType, Sugar, Type, TypeId,
};
use sil_ir::model::{
    DefaultOverrideTable, DefaultWitnessTable, Linkage, Module, VTable, VTableEntryKind, WitnessEntry, WitnessTable,
};

use super::{Order, Printer};

impl Printer<'_> {
    /// Writes all tables of a module.
    pub(super) fn tables(&mut self, module: &Module) {
        self.each_table(&module.vtables, Self::vtable);
        self.each_table(&module.witness_tables, Self::witness_table);
        self.each_table(&module.default_witness_tables, Self::default_witness_table);
        self.each_table(&module.default_override_tables, Self::default_override_table);
        for map in &module.coverage_maps {
            self.coverage_map(map);
        }
        for property in &module.properties {
            self.text("sil_property ");
            self.serialization(property.serialization);
            self.member(property.member);
            if let Some(signature) = property.signature {
                self.signature(signature);
            }
            self.text(" (");
            if let Some(component) = &property.component {
                self.key_path_component(component);
            }
            self.text(")\n\n");
        }
        self.each_table(&module.deinits, |printer, deinit| {
            printer.text("sil_moveonlydeinit ");
            printer.serialization(deinit.serialization);
            printer.nominal(deinit.nominal);
            printer.text(" {\n  ");
            printer.symbol(deinit.function);
            printer.symbol_after_entry(deinit.function);
            printer.text("\n}\n\n");
        });
    }

    /// Writes tables of one kind, in the order of their texts if they are to be sorted: these begin with the subjects
    /// of tables.
    fn each_table<T>(&mut self, tables: &[T], mut write: impl FnMut(&mut Self, &T)) {
        let start = self.out.len();
        let mut texts: Vec<String> = Vec::with_capacity(tables.len());
        for table in tables {
            write(self, table);
            if self.options.order == Order::Sorted {
                texts.push(self.out.split_off(start));
            }
        }
        texts.sort_unstable();
        self.out.extend(texts);
    }

    /// Writes the name of a type without its context.
    fn nominal(&mut self, nominal: NominalId) {
        self.name(self.declarations.get(nominal).name);
    }

    fn vtable(&mut self, table: &VTable) {
        self.text("sil_vtable ");
        self.serialization(table.serialization);
        match table.specialized {
            Some(ty) => self.sil_type(SilType::object(ty)),
            None => self.nominal(table.class),
        }
        self.text(" {\n");
        for entry in &table.entries {
            self.text("  ");
            self.member(entry.member);
            self.text(": ");
            self.entry_type(entry.member, entry.formal_type.map(|ty| (ty, entry.sugar)));
            self.symbol(entry.function);
            self.text(match entry.kind {
                VTableEntryKind::Normal => "",
                VTableEntryKind::Inherited => " [inherited]",
                VTableEntryKind::Override => " [override]",
            });
            self.text(if entry.nonoverridden { " [nonoverridden]" } else { "" });
            self.symbol_after_entry(entry.function);
            self.text("\n");
        }
        self.text("}\n\n");
    }

    /// Writes the formal type of an entry's member, and a colon. A class has one deinitialiser: its entries have none.
    fn entry_type(&mut self, member: MemberId, written: Option<(TypeId, Sugar)>) {
        use MemberKind::*;
        if matches!(self.context.get_member(member).kind, Destroyer | Deallocator | IsolatedDeallocator | IvarDestroyer)
        {
            return;
        }
        if let Some(interface) = self.interface(member, written) {
            self.interface_type(interface);
            self.text(" : ");
        }
    }

    fn default_override_table(&mut self, table: &DefaultOverrideTable) {
        self.text("sil_default_override_table ");
        self.linkage(table.linkage, Linkage::Public);
        self.nominal(table.class);
        self.text(" {\n");
        for entry in &table.entries {
            self.text("  ");
            self.member(entry.member);
            self.text(": ");
            self.member(entry.original);
            self.text(": ");
            self.entry_type(entry.member, entry.formal_type.map(|ty| (ty, entry.sugar)));
            self.symbol(entry.function);
            self.symbol_after_entry(entry.function);
            self.text("\n");
        }
        self.text("}\n\n");
    }

    fn witness_table(&mut self, table: &WitnessTable) {
        self.text("sil_witness_table ");
        let default = if table.entries.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        self.linkage(table.linkage, default);
        self.serialization(table.serialization);
        self.text(if table.specialized { "[specialized] " } else { "" });
        self.conformance(table.conformance);
        let Some(entries) = &table.entries else {
            self.text("\n\n");
            return;
        };
        self.text(" {\n");
        for entry in entries {
            self.text("  ");
            self.witness(entry);
            self.text("\n");
        }
        for requirement in &table.conditional {
            self.text("  conditional_conformance (");
            self.formal_type(requirement.subject);
            self.text(": ");
            self.nominal(requirement.protocol);
            self.text("): ");
            self.conformance(requirement.conformance);
            self.text("\n");
        }
        self.text("}\n\n");
    }

    fn default_witness_table(&mut self, table: &DefaultWitnessTable) {
        self.text("sil_default_witness_table ");
        self.linkage(table.linkage, Linkage::Public);
        self.nominal(table.protocol);
        self.text(" {\n");
        for entry in &table.entries {
            self.text("  ");
            match entry {
                Some(entry) => self.witness(entry),
                None => self.text("no_default"),
            }
            self.text("\n");
        }
        self.text("}\n\n");
    }

    fn witness(&mut self, entry: &WitnessEntry) {
        match entry {
            WitnessEntry::BaseProtocol { protocol, conformance } => {
                self.text("base_protocol ");
                self.nominal(*protocol);
                self.text(": ");
                self.conformance(*conformance);
            }
            WitnessEntry::AssociatedType { name, ty } => {
                self.text("associated_type ");
                self.name(*name);
                self.text(": ");
                self.formal_type(*ty);
            }
            WitnessEntry::AssociatedConformance { subject, protocol, conformance, sugar } => {
                self.text("associated_conformance (");
                self.associated_type_path(*subject);
                self.text(": ");
                self.nominal(*protocol);
                self.text("): ");
                self.spelled_conformance(*conformance, *sugar);
            }
            WitnessEntry::Method { member, formal_type, sugar, function, .. } => {
                self.text("method ");
                self.member(*member);
                self.text(": ");
                self.entry_type(*member, formal_type.map(|ty| (ty, *sugar)));
                match function {
                    Some(function) => {
                        self.symbol(*function);
                        self.symbol_after_entry(*function);
                    }
                    None => self.text("nil"),
                }
            }
        }
    }

    /// Writes the path to an associated type of `Self`: `SubSequence.Index`.
    fn associated_type_path(&mut self, ty: sil_ir::context::TypeId) {
        if let Type::DependentMember { base, member, .. } = self.context.get(ty) {
            if matches!(self.context.get(*base), Type::DependentMember { .. }) {
                self.associated_type_path(*base);
                self.text(".");
            }
            self.name(*member);
        }
    }

    fn conformance(&mut self, conformance: ConformanceId) {
        self.spelled_conformance(conformance, Sugar::default());
    }

    /// Writes a conformance with its types as they are spelled.
    fn spelled_conformance(&mut self, conformance: ConformanceId, sugar: Sugar) {
        let Conformance { ty, protocol, kind } = self.context.get_conformance(conformance);
        match kind {
            ConformanceKind::Normal { signature, module } => {
                if let Some(signature) = signature {
                    self.signature(*signature);
                    self.text(" ");
                }
                self.formal_type(*ty);
                self.text(": ");
                self.nominal(*protocol);
                self.text(" module ");
                self.name(*module);
            }
            ConformanceKind::Specialized { base, substitutions } => {
                self.sugared(sugar, |printer| {
                    printer.formal_type(*ty);
                    printer.text(": specialize ");
                    printer.substitutions(*substitutions);
                });
                self.text(" (");
                self.conformance(*base);
                self.text(")");
            }
            ConformanceKind::Inherited { base } => {
                self.formal_type(*ty);
                self.text(": inherit (");
                self.conformance(*base);
                self.text(")");
            }
            ConformanceKind::Unknown => self.text("dependent"),
            // Of these, tables have the first alone.
            ConformanceKind::Abstract
            | ConformanceKind::SelfConformance
            | ConformanceKind::Builtin
            | ConformanceKind::Pack(_)
            | ConformanceKind::Missing => {
                self.text("dependent ");
                self.formal_type(*ty);
            }
        }
    }
}
