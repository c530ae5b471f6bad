//! Opaque result types (`some P`) in a module of Embedded Swift: whoever calls a function knows what it gives, so that functions can be made for
//! that. Callers have it in their bodies; here it gets into the types of functions and into witness tables, which tell what associated types are
//! (lib/AST/Type.cpp, `ReplaceOpaqueTypesWithUnderlyingTypes`, asked for by lib/SIL/Utils/TypeSubstCloner wherever a type is substituted).

use crate::context::{Name, Type, TypeId};
use crate::model::{FunctionId, Module, WitnessEntry};
use crate::types::{ConformanceTable, OpaqueResults, TypeQueries};

/// What is known of the opaque result types of a module.
#[derive(Default)]
pub(super) struct OpaqueTypes {
    results: OpaqueResults,
    /// How many witness tables of the module were looked at.
    tables: usize,
}

impl OpaqueTypes {
    /// Puts what stands behind opaque result types in their places in `module`.
    pub(super) fn of(module: &mut Module) -> Self {
        let all: Vec<FunctionId> = module.functions.keys().collect();
        let mut types = Self::default();
        types.replace(module, &all);
        types
    }

    /// The same in functions that were linked, and in the tables that were linked with them.
    pub(super) fn replace_in_linked(&mut self, module: &mut Module, linked: impl Iterator<Item = Name>) {
        let mut functions: Vec<FunctionId> = linked.filter_map(|name| module.function_named(name)).collect();
        functions.sort_unstable();
        self.replace(module, &functions);
    }

    fn replace(&mut self, module: &mut Module, functions: &[FunctionId]) {
        let changed = self.changed_types(module, functions);
        let tables = self.changed_entries(module);
        for (id, ty) in changed {
            module.functions[id].ty = ty;
        }
        for (table, number, entry) in tables {
            if let Some(entries) = &mut module.witness_tables[table].entries {
                entries[number] = entry;
            }
        }
        self.tables = module.witness_tables.len();
    }

    /// The functions with opaque types in their types, and the types without.
    fn changed_types(&mut self, module: &Module, functions: &[FunctionId]) -> Vec<(FunctionId, TypeId)> {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        for id in functions {
            self.results.add_function(module, queries, &module.functions[*id]);
        }
        let changed = |id: &FunctionId| {
            let ty = module.functions[*id].ty;
            has_opaque(queries, ty).then(|| (*id, self.results.transparent(queries, ty)))
        };
        functions.iter().filter_map(changed).collect()
    }

    /// The entries of tables that were not looked at yet with opaque types in them, as they are without.
    fn changed_entries(&self, module: &Module) -> Vec<(usize, usize, WitnessEntry)> {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let mut changed = Vec::new();
        for (number, table) in module.witness_tables.iter().enumerate().skip(self.tables) {
            for (at, entry) in table.entries.iter().flatten().enumerate() {
                changed.extend(self.without_opaque(queries, entry).map(|entry| (number, at, entry)));
            }
        }
        changed
    }

    fn without_opaque(&self, queries: &TypeQueries<'_>, entry: &WitnessEntry) -> Option<WitnessEntry> {
        match entry {
            WitnessEntry::AssociatedType { name, ty } if has_opaque(queries, *ty) => {
                Some(WitnessEntry::AssociatedType { name: *name, ty: self.results.transparent(queries, *ty) })
            }
            WitnessEntry::AssociatedConformance { subject, protocol, conformance, sugar } => {
                let ty = queries.context.get_conformance(*conformance).ty;
                let conforming = has_opaque(queries, ty).then(|| self.results.transparent(queries, ty))?;
                Some(WitnessEntry::AssociatedConformance {
                    subject: *subject,
                    protocol: *protocol,
                    conformance: queries.conformance(conforming, *protocol),
                    sugar: *sugar,
                })
            }
            WitnessEntry::AssociatedType { .. } | WitnessEntry::BaseProtocol { .. } | WitnessEntry::Method { .. } => {
                None
            }
        }
    }
}

fn has_opaque(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let is_opaque = |part| matches!(queries.get(part), Type::OpaqueResult { .. }).then_some(());
    let parts = match queries.get(ty) {
        Type::Function(function) => {
            let parameters = function.parameters.iter().chain(&function.yields).map(|parameter| parameter.ty);
            parameters.chain(function.results.iter().chain(&function.error).map(|result| result.ty)).collect()
        }
        _ => vec![ty],
    };
    parts.into_iter().any(|part| queries.find_in(part, &mut { is_opaque }).is_some())
}
