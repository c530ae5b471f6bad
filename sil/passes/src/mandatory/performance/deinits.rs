//! The `deinit` of noncopyable types with generic arguments: the destroy of a value calls one that is specialised for
//! its type.

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, SubstitutionMapId, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{LanguageMode, Module};
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::requirements::{Requirements, required_by};
use crate::Settings;
use crate::knowledge::aggregate_parts::TypePlace;
use crate::optimizations::dead_functions;
use crate::optimizations::generic_specialization::Specialization;

/// Returns the functions that destroys of values of these types call. Types in `seen` were processed before.
pub(super) fn specializations(
    module: &Module,
    place: TypePlace<'_>,
    types: &[TypeId],
    seen: &mut FxHashSet<TypeId>,
) -> Vec<Specialization> {
    let mut open = types.to_vec();
    let mut made = Vec::new();
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        made.extend(specialization(module, place, ty));
        open.extend(parts(place.queries, ty));
    }
    made
}

/// Removes the unused functions and globals of a module.
pub(crate) fn eliminate_unused(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    let implicit = implicitly_called(module, settings);
    dead_functions::eliminate(module, settings.extent, &implicit);
    Vec::new()
}

/// Returns the specialised functions that destroys in Embedded Swift call without an instruction that names them.
fn implicitly_called(module: &Module, settings: &Settings) -> Vec<Name> {
    if module.deinits.is_empty() || module.mode != LanguageMode::Embedded {
        return Vec::new();
    }
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let mut requirements = Requirements::default();
    for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
        required_by(queries, body, &mut requirements);
    }
    let place = TypePlace { queries, signature: None, settings };
    let made = specializations(module, place, &requirements.noncopyable, &mut FxHashSet::default());
    made.into_iter().map(|made| made.name).collect()
}

/// Returns the specialised `deinit` of a type, if it has a generic one.
fn specialization(module: &Module, place: TypePlace<'_>, ty: TypeId) -> Option<Specialization> {
    let queries = place.queries;
    let nominal = queries.as_nominal(ty)?;
    let deinit = module.deinits.iter().find(|deinit| deinit.nominal == nominal.declaration)?;
    let function = &module.functions[module.function_named(deinit.function)?];
    let substitutions = queries.nominal_substitutions(nominal);
    (substitutions != SubstitutionMapId::EMPTY).then_some(())?;
    Specialization::without_call(module, place, function, substitutions)
}

/// Returns the symbol of the specialisation of the generic function `function` for these types.
pub fn specialized_symbol(
    module: &Module,
    queries: &TypeQueries<'_>,
    function: Name,
    substitutions: SubstitutionMapId,
) -> Option<Name> {
    let function = &module.functions[module.function_named(function)?];
    let place = TypePlace { queries, signature: None, settings: &Settings::default() };
    Specialization::without_call(module, place, function, substitutions).map(|made| made.name)
}

/// Returns the types of the parts of a value.
fn parts(queries: &TypeQueries<'_>, ty: TypeId) -> Vec<TypeId> {
    match queries.get(ty) {
        Type::Tuple(elements) => elements.iter().map(|element| element.ty).collect(),
        Type::Box(layout) => {
            (0..layout.fields.len() as u32).filter_map(|field| queries.box_field_type(ty, field)).collect()
        }
        _ => match queries.declaration_of(ty) {
            Some(declaration) if declaration.kind == NominalKind::Enum => {
                (0..declaration.cases.len() as u32).filter_map(|case| queries.case_payload(ty, case)).collect()
            }
            Some(declaration) if declaration.kind == NominalKind::Struct => {
                queries.stored_property_types(ty).unwrap_or_default()
            }
            _ => Vec::new(),
        },
    }
}
