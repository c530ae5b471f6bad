//! Vtables of classes with generic arguments: their entries are specialised functions. Other classes have their tables
//! in the module or in a library. Does not own: witness tables (`witness_tables`).

use sil_ir::context::{Name, SubstitutionMapId, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Module, VTable, VTableEntry};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Wanted;

use super::overrides;
use crate::knowledge::aggregate_parts::TypePlace;
use crate::optimizations::generic_specialization::Specialization;
use crate::pass::settings::Settings;

/// A limit on the depth of superclasses: an invalid class may be its own superclass.
const ANCESTOR_LIMIT: usize = 256;

/// The requirements of table entries.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) functions: Vec<Name>,
    pub(super) specializations: Vec<Specialization>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Returns the library tables that these classes need.
pub(super) fn wanted(module: &Module, classes: &[TypeId]) -> Wanted {
    let known = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &known);
    let mut wanted = Wanted::default();
    for class in classes.iter().flat_map(|class| with_superclasses(&queries, *class)) {
        if let Some(nominal) = queries.as_nominal(class)
            && !module.vtables.iter().any(|table| table.class == nominal.declaration)
        {
            wanted.vtables.insert(nominal.declaration);
        }
    }
    wanted
}

/// Creates the tables, and adds the requirements of their entries.
pub(super) fn complete(module: &mut Module, settings: &Settings, classes: &[TypeId], entries: &mut Entries) {
    let mut made = Vec::new();
    let mut completed = Vec::new();
    {
        let module = &*module;
        let known = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = TypeQueries::of(module, &known);
        let place = TypePlace { queries: &queries, signature: None, settings };
        for class in classes.iter().flat_map(|class| with_superclasses(&queries, *class)) {
            let is_there = |table: &VTable| table.specialized == Some(class);
            if module.vtables.iter().chain(&made).any(is_there) {
                continue;
            }
            match for_types(module, place, class, entries) {
                Some(Table::New(table)) => made.push(table),
                Some(Table::Own(number, entries)) => completed.push((number, entries)),
                None => {}
            }
        }
    }
    for (number, entries) in completed {
        module.vtables[number].entries = entries;
    }
    module.vtables.extend(made);
}

/// Returns a class and its superclasses.
fn with_superclasses(queries: &TypeQueries<'_>, class: TypeId) -> Vec<TypeId> {
    std::iter::successors(Some(class), |class| queries.superclass_of(*class)).take(ANCESTOR_LIMIT).collect()
}

/// A table with specialised entries.
enum Table {
    /// The table of a class with generic arguments, in addition to the generic one.
    New(VTable),
    /// The table of another class: its index and new entries. Inherited methods may be generic.
    Own(usize, Vec<VTableEntry>),
}

/// Returns the table of a class for its generic arguments and those of its superclasses.
fn for_types(module: &Module, place: TypePlace<'_>, class: TypeId, entries: &mut Entries) -> Option<Table> {
    let queries = place.queries;
    let nominal = queries.as_nominal(class)?;
    let is_it = |table: &VTable| table.class == nominal.declaration && table.specialized.is_none();
    let number = module.vtables.iter().position(is_it)?;
    let table = &module.vtables[number];
    let is_generic = queries.nominal_substitutions(nominal) != SubstitutionMapId::EMPTY;
    let declaration = queries.declarations.get(nominal.declaration);
    let mut made = Vec::new();
    for entry in &table.entries {
        let name = match function_for(module, place, class, entry.function, entries) {
            Some(name) => name,
            // A method with its own generic parameters cannot be called through the table.
            None if is_generic => continue,
            None => entry.function,
        };
        entries.functions.push(name);
        entries.diagnostics.extend(overrides::refusal(module, place, entry, declaration.name));
        made.push(VTableEntry { function: name, ..entry.clone() });
    }
    if is_generic {
        Some(Table::New(VTable { specialized: Some(class), entries: made, ..table.clone() }))
    } else {
        Some(Table::Own(number, made))
    }
}

/// Returns the function in the table of a class for a method that it has or inherits.
fn function_for(
    module: &Module,
    place: TypePlace<'_>,
    class: TypeId,
    method: Name,
    entries: &mut Entries,
) -> Option<Name> {
    let queries = place.queries;
    let function = &module.functions[module.function_named(method)?];
    let Some(signature) = function.signature else { return Some(method) };
    let replacements = queries.context.replacements(implementing_class(queries, function.ty, class)?);
    if queries.context.get_signature(signature).parameters.len() != replacements.len() {
        return None;
    }
    let map = queries.context.substitutions(signature, replacements);
    let specialization = Specialization::without_call(module, place, function, map)?;
    let name = specialization.name;
    entries.specializations.push(specialization);
    Some(name)
}

/// Returns the generic arguments of the class that declares a method: `self` is its last parameter.
fn implementing_class(queries: &TypeQueries<'_>, method: TypeId, class: TypeId) -> Option<SubstitutionMapId> {
    let Type::Function(function) = queries.get(method) else { return None };
    let own = function.parameters.last()?.ty;
    let own = match queries.get(own) {
        Type::Metatype { instance, .. } => *instance,
        _ => own,
    };
    let declaration = queries.as_nominal(own)?.declaration;
    let ancestor = queries.ancestor_declared_by(class, declaration)?;
    Some(queries.nominal_substitutions(queries.as_nominal(ancestor)?))
}
