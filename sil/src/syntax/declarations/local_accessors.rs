//! The stored properties of local types by the functions that come with them: their initial values and their accessors, which SILGen emits for the
//! members of a type in declared order (SILGenType.cpp). Optimised modules have few of them. What else mentions properties is gathered in
//! `local_types`, the types of properties in `local_members`.

use memchr::memmem;

use super::local_types::has_local_name;
use crate::symbols::{StorageFunction, Symbol};
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};

/// A stored property that a function with a body has to do with.
pub(super) struct DefinedProperty<'t> {
    /// The names of the types that it is declared in, the outermost first.
    pub(super) path: Vec<String>,
    pub(super) name: String,
    /// The function's symbol, and where it stands.
    pub(super) symbol: &'t str,
    pub(super) start: usize,
}

/// The stored properties of local types that functions initialise and get, in the order of the functions; one may be there twice.
pub(super) fn defined_properties<'t>(text: &'t str, entities: &[Entity]) -> impl Iterator<Item = DefinedProperty<'t>> {
    let functions = entities.iter().filter(|entity| entity.kind == EntityKind::Function);
    functions.filter_map(|entity| {
        let function = &text[entity.start as usize..entity.end as usize];
        let (head, body) = function.split_once('\n')?;
        let (at, symbol) = symbols(head).next()?;
        if !head.ends_with('{') || !has_local_name(symbol) {
            return None;
        }
        let StorageFunction { path, name, is_initial_value } = Symbol::demangle(symbol)?.storage_function()?;
        // What is computed has a getter as well, which does not look at what is called like it.
        if !is_initial_value && !refers_to(body, &path, &name) {
            return None;
        }
        Some(DefinedProperty { path, name, symbol, start: entity.start as usize + at })
    })
}

/// Whether `body` refers to the stored property `name` of the type with `path`: `>Outer.Inner.name`.
fn refers_to(body: &str, path: &[String], name: &str) -> bool {
    let reference = format!(">{}.{name}", path.join("."));
    let ends = |at: usize| {
        let next = body[at + reference.len()..].chars().next();
        next.is_none_or(|next| !(next.is_alphanumeric() || "_$.".contains(next)))
    };
    memmem::find_iter(body.as_bytes(), &reference).any(ends)
}
