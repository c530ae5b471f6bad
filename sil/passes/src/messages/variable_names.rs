//! The source names of variables and their parts.

use sil_analysis::Uses;
use sil_ir::context::{Context, Type, TypeId};
use sil_ir::model::views::DebugValue;
use sil_ir::model::{Body, Value};
use sil_ir::symbols::Symbol;
use sil_ir::types::TypeQueries;

/// Returns the variable that a `debug_value` declares for a value.
pub(crate) fn debug_name(context: &Context, body: &Body, uses: &Uses, value: Value) -> Option<String> {
    uses.of(value).iter().find_map(|found| {
        let variable = DebugValue::get(body, found.user)?.variable?;
        Some(context.text(variable.name?).to_owned())
    })
}

/// Returns the source name of a global variable.
pub(crate) fn global_name(symbol: &str) -> String {
    let demangled = Symbol::demangle(symbol);
    demangled.as_ref().and_then(Symbol::variable_name).unwrap_or(symbol).to_owned()
}

/// Returns the name and the type of the stored property or element `index` of a struct or a tuple.
pub(crate) fn part(queries: &TypeQueries<'_>, whole: TypeId, index: u32) -> Option<(String, TypeId)> {
    if let Type::Tuple(_) = queries.get(whole) {
        return Some((tuple_element_name(queries, whole, index), queries.tuple_element_type(whole, index)?));
    }
    let declaration = queries.declarations.get(queries.as_nominal(whole)?.declaration);
    let name = queries.context.text(declaration.stored.get(index as usize)?.name).to_owned();
    Some((name, *queries.field_types(whole)?.get(index as usize)?))
}

/// Returns the label of the element `index` of a tuple, or the index if it has none.
pub(crate) fn tuple_element_name(queries: &TypeQueries<'_>, tuple: TypeId, index: u32) -> String {
    let Type::Tuple(elements) = queries.get(tuple) else { return index.to_string() };
    let label = elements.get(index as usize).and_then(|element| element.label);
    label.map_or_else(|| index.to_string(), |label| queries.context.text(label).to_owned())
}

/// Returns the name of the stored property `index` of a class, counted from those of its root class.
pub(crate) fn class_property_name(queries: &TypeQueries<'_>, class: TypeId, index: u32) -> Option<String> {
    let mut classes = Vec::new();
    let mut current = queries.as_nominal(class);
    // Invalid input may make a class its own superclass.
    while let Some(nominal) = current.filter(|_| classes.len() < 256) {
        let declaration = queries.declarations.get(nominal.declaration);
        classes.push(declaration);
        current = declaration.superclass.and_then(|superclass| queries.as_nominal(superclass));
    }
    let mut properties = classes.into_iter().rev().flat_map(|class| &class.stored);
    properties.nth(index as usize).map(|property| queries.context.text(property.name).to_owned())
}
