//! Witness tables of conformances in existential containers. The table of a class with generic arguments is specialised
//! from that of its declaration: its entries are specialised functions
//! (SwiftCompilerSources/Sources/Optimizer/Utilities/GenericSpecialization.swift, `specializeWitnessTable`). Other
//! types have their tables in the module or in a library.

use sil_ir::context::{Conformance, ConformanceId, ConformanceKind, Name, NominalId, SubstitutionMapId, Sugar, TypeId};
use sil_ir::model::{Linkage, Module, Serialization, WitnessEntry, WitnessTable};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Wanted;

use super::tables::Entries;
use crate::knowledge::aggregate_parts::TypePlace;
use crate::knowledge::witnesses::{WitnessIndex, substitutions};
use crate::optimizations::generic_specialization::Specialization;
use crate::pass::settings::Settings;

/// A type, and a protocol that it conforms to.
pub(super) type Conforming = (TypeId, NominalId);

/// Returns the library tables that these conformances need.
pub(super) fn wanted(module: &Module, conformances: &[Conforming]) -> Wanted {
    let known = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &known);
    let index = WitnessIndex::new(module);
    let mut wanted = Wanted::default();
    for (ty, protocol) in conformances {
        let conformance = module.context.get_conformance(queries.conformance_with_table(*ty, *protocol));
        if let Some(nominal) = queries.as_nominal(conformance.ty)
            && index.table(nominal.declaration, conformance.protocol).is_none()
        {
            wanted.witness_tables.insert((nominal.declaration, conformance.protocol));
        }
    }
    wanted
}

/// Creates the tables, and returns the requirements of their entries: functions, and the conformances whose tables they
/// reference.
pub(super) fn complete(
    module: &mut Module,
    settings: &Settings,
    conformances: &[Conforming],
    entries: &mut Entries,
) -> Vec<Conforming> {
    let mut further = Vec::new();
    let mut made: Vec<WitnessTable> = Vec::new();
    {
        let module = &*module;
        let known = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &known);
        let place = TypePlace { queries, signature: None, settings };
        let index = WitnessIndex::new(module);
        for (ty, protocol) in conformances {
            let id = queries.conformance_with_table(*ty, *protocol);
            let is_it = |table: &&WitnessTable| table.conformance == id && table.entries.is_some();
            let own = module.witness_tables.iter().find(is_it);
            if let Some(table) = own.or_else(|| made.iter().find(is_it)) {
                let functions = table.entries.iter().flatten().filter_map(witness);
                entries.functions.extend(functions);
                further.extend(referenced(queries, module.context.get_conformance(id), table));
            } else if let Some(table) = for_types(module, place, &index, id, entries) {
                further.extend(referenced(queries, module.context.get_conformance(id), &table));
                made.push(table);
            }
        }
    }
    module.witness_tables.extend(made);
    further
}

fn witness(entry: &WitnessEntry) -> Option<Name> {
    match entry {
        WitnessEntry::Method { function, .. } => *function,
        WitnessEntry::BaseProtocol { .. }
        | WitnessEntry::AssociatedType { .. }
        | WitnessEntry::AssociatedConformance { .. } => None,
    }
}

/// Returns the conformances whose tables the table of `conformance` references. Only class protocols have such.
fn referenced(queries: &TypeQueries<'_>, conformance: &Conformance, table: &WitnessTable) -> Vec<Conforming> {
    let reference = |entry: &WitnessEntry| match entry {
        WitnessEntry::BaseProtocol { protocol, .. } => Some((conformance.ty, *protocol)),
        WitnessEntry::AssociatedConformance { subject, protocol, .. } => {
            Some((associated_type(queries, conformance.ty, *subject), *protocol))
        }
        WitnessEntry::AssociatedType { .. } | WitnessEntry::Method { .. } => None,
    };
    let references = table.entries.iter().flatten().filter_map(reference);
    references.filter(|(ty, protocol)| queries.is_class_protocol(*protocol) && !queries.is_dependent(*ty)).collect()
}

/// Returns the type of the member `subject` of `Self` for `ty`.
fn associated_type(queries: &TypeQueries<'_>, ty: TypeId, subject: TypeId) -> TypeId {
    let context = queries.context;
    queries.canonical_type(queries.substitute(subject, context.substitutions(context.unconstrained_signature(1), [ty])))
}

/// Returns the specialised table of a class with generic arguments; `None` for other types, and if the table of the
/// declaration is missing.
fn for_types(
    module: &Module,
    place: TypePlace<'_>,
    index: &WitnessIndex,
    id: ConformanceId,
    entries: &mut Entries,
) -> Option<WitnessTable> {
    let queries = place.queries;
    let Conformance { ty, protocol, kind } = module.context.get_conformance(id);
    let ConformanceKind::Specialized { substitutions: arguments, .. } = *kind else { return None };
    let nominal = queries.as_nominal(*ty)?;
    let pattern = &module.witness_tables[index.table(nominal.declaration, *protocol)?];
    let made = pattern.entries.iter().flatten().map(|entry| match entry {
        WitnessEntry::BaseProtocol { protocol, .. } => {
            WitnessEntry::BaseProtocol { protocol: *protocol, conformance: queries.conformance(*ty, *protocol) }
        }
        WitnessEntry::AssociatedType { name, ty } => {
            WitnessEntry::AssociatedType { name: *name, ty: queries.substitute(*ty, arguments) }
        }
        WitnessEntry::AssociatedConformance { subject, protocol, .. } => {
            let conforming = associated_type(queries, *ty, *subject);
            WitnessEntry::AssociatedConformance {
                subject: *subject,
                protocol: *protocol,
                conformance: queries.conformance(conforming, *protocol),
                sugar: Sugar::default(),
            }
        }
        WitnessEntry::Method { function: Some(function), .. } => {
            let name = function_for(module, place, (*ty, arguments), *function, entries);
            let mut entry = entry.clone();
            if let WitnessEntry::Method { function, .. } = &mut entry {
                *function = name.or(*function);
            }
            entry
        }
        WitnessEntry::Method { .. } => entry.clone(),
    });
    Some(WitnessTable {
        linkage: Linkage::Shared,
        serialization: Serialization::None,
        entries: Some(made.collect()),
        conformance: id,
        conditional: Vec::new(),
        ..pattern.clone()
    })
}

/// Returns the function in a specialised table for the generic witness; `None` for a witness with its own generic
/// parameters.
fn function_for(
    module: &Module,
    place: TypePlace<'_>,
    (ty, arguments): (TypeId, SubstitutionMapId),
    witness: Name,
    entries: &mut Entries,
) -> Option<Name> {
    let queries = place.queries;
    let function = &module.functions[module.function_named(witness)?];
    let name = match function.signature {
        None => witness,
        Some(_) => {
            let map = substitutions(module, queries, witness, ty, queries.context.replacements(arguments), &[])?;
            let specialization = Specialization::without_call(module, place, function, map)?;
            let name = specialization.name;
            entries.specializations.push(specialization);
            name
        }
    };
    entries.functions.push(name);
    Some(name)
}
