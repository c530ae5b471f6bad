//! Dispatch tables against declarations and functions: vtables, witness tables, deinits
//! (lib/SIL/Verifier/SILVerifier.cpp).

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::{ConformanceId, Foreign, FunctionType, MemberRef, Name, NominalId, Representation, Type, TypeId};
use sil_ir::declarations::Origin;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{
    Function, Module, MoveOnlyDeinit, Serialization, Stage, VTable, VTableEntry, VTableEntryKind, WitnessEntry,
    WitnessTable,
};
use sil_ir::source::Span;
use sil_ir::types::TypeQueries;

use super::instructions::method_misfit;
use super::linkage::{self, LinkageRules};

/// All findings about the tables of `module`.
pub(super) fn verify(module: &Module, queries: &TypeQueries<'_>, linkage: LinkageRules) -> Vec<Diagnostic> {
    let unspecialized = module.vtables.iter().filter(|table| table.specialized.is_none());
    let classes = unspecialized.map(|table| (table.class, table)).collect();
    let mut verifier = TableVerifier { module, queries, linkage, classes, diagnostics: Vec::new() };
    verifier.duplicates();
    for table in &module.vtables {
        verifier.vtable(table);
    }
    for table in &module.witness_tables {
        verifier.witness_table(table);
    }
    for table in &module.default_witness_tables {
        for entry in table.entries.iter().flatten() {
            verifier.witness(entry, table.protocol, Serialization::None, table.span);
        }
    }
    for deinit in &module.deinits {
        verifier.deinit(deinit);
    }
    verifier.diagnostics
}

struct TableVerifier<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    linkage: LinkageRules,
    /// The vtables by class, specialized ones left out.
    classes: FxHashMap<NominalId, &'m VTable>,
    diagnostics: Vec<Diagnostic>,
}

/// Which table an entry stands in.
#[derive(Clone, Copy)]
enum Table {
    Classes,
    Witnesses,
}

impl<'m> TableVerifier<'m> {
    fn fail(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, message, span));
    }

    fn text(&self, name: Name) -> &'m str {
        self.module.context.text(name)
    }

    fn name_of(&self, nominal: NominalId) -> &'m str {
        self.text(self.module.declarations.get(nominal).name)
    }

    fn implementation(&mut self, function: Name, span: Span) -> Option<&'m Function> {
        let found = self.module.function_named(function).map(|id| &self.module.functions[id]);
        if found.is_none() {
            let name = self.text(function);
            self.fail("unknown-function", span, format!("the module has no function `@{name}`"));
        }
        found
    }

    /// A class has one vtable, a conformance one witness table.
    fn duplicates(&mut self) {
        let mut classes: FxHashMap<NominalId, Span> = FxHashMap::default();
        for table in self.module.vtables.iter().filter(|table| table.specialized.is_none()) {
            if let Some(first) = classes.insert(table.class, table.span) {
                let message = format!("the class `{}` has a second vtable", self.name_of(table.class));
                let diagnostic = Diagnostic::error("duplicate-table", message, table.span);
                self.diagnostics.push(diagnostic.note("the first one is here", Some(first)));
            }
        }
        let mut conformances: FxHashMap<ConformanceId, Span> = FxHashMap::default();
        for table in self.module.witness_tables.iter().filter(|table| table.entries.is_some()) {
            if let Some(first) = conformances.insert(table.conformance, table.span) {
                let diagnostic =
                    Diagnostic::error("duplicate-table", "the conformance has a second witness table", table.span);
                self.diagnostics.push(diagnostic.note("the first one is here", Some(first)));
            }
        }
    }

    fn vtable(&mut self, table: &'m VTable) {
        let mut seen = FxHashSet::default();
        for entry in &table.entries {
            let Some(function) = self.implementation(entry.function, entry.span) else { continue };
            let member = self.module.context.get_member(entry.member);
            if member.foreign == Foreign::Yes {
                self.fail("vtable-entry", entry.span, "a vtable has no foreign entry points");
            }
            // Members that differ in their labels alone look the same here.
            if entry.formal_type.is_some() && !seen.insert((entry.member, entry.formal_type, entry.function)) {
                self.fail("vtable-entry", entry.span, "the vtable has this entry twice");
            }
            if let Some(parent) = member.parent.filter(|parent| !self.inherits(table.class, *parent)) {
                let (class, parent) = (self.name_of(table.class), self.name_of(parent));
                let message = format!("the entry is a method of `{parent}`, which is no superclass of `{class}`");
                self.fail("vtable-entry", entry.span, message);
            }
            self.entry_kind(table, entry);
            self.fits(function, entry.formal_type, member, Table::Classes, entry.span);
        }
    }

    /// Whether `class` is `ancestor` or inherits from it, as far as superclasses are known.
    fn inherits(&self, class: NominalId, ancestor: NominalId) -> bool {
        let mut current = class;
        // Wrong input may make a class its own superclass.
        for _ in 0..256 {
            if current == ancestor {
                return true;
            }
            let declaration = self.module.declarations.get(current);
            let Some(superclass) = declaration.superclass else { return !declaration.is_complete() };
            let Some(nominal) = self.queries.as_nominal(superclass) else { return true };
            current = nominal.declaration;
        }
        true
    }

    /// `[override]` and `[inherited]` entries have one in the superclass's vtable to follow; others have none.
    fn entry_kind(&mut self, table: &VTable, entry: &VTableEntry) {
        let declaration = self.module.declarations.get(table.class);
        let Some(superclass) = declaration.superclass else {
            if declaration.is_complete() && entry.kind != VTableEntryKind::Normal {
                let class = self.name_of(table.class);
                let message = format!("`{class}` has no superclass to inherit an entry from, or to override one of");
                self.fail("vtable-entry", entry.span, message);
            }
            return;
        };
        let above = self.queries.as_nominal(superclass).and_then(|nominal| self.classes.get(&nominal.declaration));
        if table.specialized.is_some() {
            return;
        }
        let same = |other: &&VTableEntry| other.member == entry.member && other.formal_type == entry.formal_type;
        let Some(overridden) = above.and_then(|above| above.entries.iter().find(same)) else { return };
        let message = match entry.kind {
            VTableEntryKind::Normal => "the superclass has this entry too: it must be `[override]` or `[inherited]`",
            VTableEntryKind::Override if entry.nonoverridden => "an `[override]` entry cannot be `[nonoverridden]`",
            VTableEntryKind::Override if overridden.nonoverridden => {
                "the superclass's entry is `[nonoverridden]`, but this one overrides it"
            }
            VTableEntryKind::Inherited if entry.nonoverridden != overridden.nonoverridden => {
                "an `[inherited]` entry is `[nonoverridden]` where, and only where, the superclass's is"
            }
            VTableEntryKind::Override | VTableEntryKind::Inherited => return,
        };
        let diagnostic = Diagnostic::error("vtable-entry", message, entry.span);
        self.diagnostics.push(diagnostic.note("the superclass's entry is here", Some(overridden.span)));
    }

    fn witness_table(&mut self, table: &'m WitnessTable) {
        let protocol = self.module.context.get_conformance(table.conformance).protocol;
        for entry in table.entries.iter().flatten() {
            self.witness(entry, protocol, table.serialization, table.span);
        }
    }

    fn witness(&mut self, entry: &'m WitnessEntry, protocol: NominalId, serialization: Serialization, span: Span) {
        if let WitnessEntry::AssociatedType { name, .. } = entry {
            self.associated_type(*name, protocol, span);
        }
        let WitnessEntry::Method { member, formal_type, function: Some(function), span, .. } = entry else { return };
        let Some(function) = self.implementation(*function, *span) else { return };
        let member = self.module.context.get_member(*member);
        if let Some(parent) = member.parent.filter(|parent| *parent != protocol) {
            let (protocol, parent) = (self.name_of(protocol), self.name_of(parent));
            let message = format!("the entry is a requirement of `{parent}`, but the table is one of `{protocol}`");
            let diagnostic = Diagnostic::error("witness-entry", message, *span);
            self.diagnostics.push(super::uncompilable(diagnostic));
        }
        let embedded = self.linkage == LinkageRules::Embedded;
        if serialization != Serialization::None && !embedded && !linkage::may_name_function(serialization, function) {
            let name = self.text(function.name);
            let message = format!("a serialized witness table cannot name `@{name}`: clients do not see it");
            let diagnostic = Diagnostic::error("serialized-reference", message, *span);
            self.diagnostics.push(diagnostic.note("the function is declared here", Some(function.span)));
        }
        self.fits(function, *formal_type, member, Table::Witnesses, *span);
    }

    /// A noncopyable type's deinit is a function of a value of it, and gives nothing.
    fn deinit(&mut self, deinit: &'m MoveOnlyDeinit) {
        let Some(function) = self.implementation(deinit.function, deinit.span) else { return };
        let Some(conventions) = self.queries.conventions(function.ty) else { return };
        let FunctionType { parameters, results, error, .. } = conventions.function;
        let is_value = |ty: TypeId| self.queries.as_nominal(ty).is_some_and(|ty| ty.declaration == deinit.nominal);
        let [value] = &parameters[..] else { return self.misfit_deinit(deinit, function) };
        let nothing = results.iter().all(|result| result.ty == self.queries.void()) && error.is_none();
        if !nothing || !is_value(value.ty) {
            self.misfit_deinit(deinit, function);
        }
    }

    fn misfit_deinit(&mut self, deinit: &MoveOnlyDeinit, function: &Function) {
        let (name, nominal) = (self.text(function.name), self.name_of(deinit.nominal));
        let message = format!("`@{name}` cannot be the deinit of `{nominal}`: it must take a value of that alone");
        let diagnostic = Diagnostic::error("table-abi", message, deinit.span);
        self.diagnostics.push(diagnostic.note("the function is declared here", Some(function.span)));
    }

    /// The protocol must declare the associated type.
    fn associated_type(&mut self, name: Name, protocol: NominalId, table: Span) {
        let declaration = self.module.declarations.get(protocol);
        let declared = declaration.associated_types.iter().any(|associated| associated.name == name);
        if !declared && declaration.origin == Origin::Module {
            let (name, protocol) = (self.text(name), self.name_of(protocol));
            let message = format!("`{protocol}` has no associated type `{name}`, but its witness table names one");
            self.fail("witness-entry", table, message);
        }
    }

    /// The function must have the convention of the declaration. In Embedded Swift tables are specialized.
    fn fits(&mut self, function: &'m Function, formal: Option<TypeId>, member: &MemberRef, table: Table, span: Span) {
        let Type::Function(found) = self.queries.get(function.ty) else { return };
        let misfit = match (table, &found.representation) {
            (Table::Witnesses, Representation::WitnessMethod(_)) | (Table::Classes, Representation::Method) => {
                if self.linkage == LinkageRules::Embedded || self.module.stage == Stage::Lowered {
                    return;
                }
                formal.and_then(|formal| method_misfit(self.queries, found, formal, member))
            }
            (Table::Witnesses, _) => Some("it must be `@convention(witness_method: …)`".to_owned()),
            (Table::Classes, _) if self.linkage == LinkageRules::Embedded => None,
            (Table::Classes, _) => Some("it must be `@convention(method)`".to_owned()),
        };
        let Some(misfit) = misfit else { return };
        let name = self.text(function.name);
        let message = format!("`@{name}` cannot stand in this entry: {misfit}");
        let diagnostic = Diagnostic::error("table-abi", message, span);
        self.diagnostics.push(diagnostic.note("the function is declared here", Some(function.span)));
    }
}
