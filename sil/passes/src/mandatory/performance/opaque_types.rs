//! Opaque result types (`some P`) in a module of Embedded Swift: callers know the underlying type, so that functions
//! can be specialised for it. Bodies have it already; this pass replaces it in function types and in witness tables,
//! which state associated types (lib/AST/Type.cpp, `ReplaceOpaqueTypesWithUnderlyingTypes`, which
//! lib/SIL/Utils/TypeSubstCloner requests for each substituted type).

use sil_ir::context::{Name, Type, TypeId};
use sil_ir::model::{FunctionId, Module, WitnessEntry};
use sil_ir::types::{ConformanceTable, OpaqueResults, TypeQueries};

/// The underlying types of a module's opaque result types.
#[derive(Default)]
pub(super) struct OpaqueTypes {
    results: OpaqueResults,
    /// The number of processed witness tables.
    tables: usize,
}

impl OpaqueTypes {
    /// Replaces opaque result types by their underlying types in `module`.
    pub(super) fn of(module: &mut Module) -> Self {
        let all: Vec<FunctionId> = module.functions.keys().collect();
        let mut types = Self::default();
        types.replace(module, &all);
        types
    }

    /// Replaces them in linked functions, and in the tables that were linked with them.
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

    /// Returns the functions with opaque types in their types, with the replaced types.
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

    /// Returns the entries of new tables with opaque types, with the types replaced.
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
