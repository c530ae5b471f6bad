//! The opaque types of declarations that are replaced while the program runs (`dynamic`, `@_dynamicReplacement`), and
//! of their replacements. A declaration names opaque types by its own symbol: a function's, or that of the property or
//! subscript of an accessor.
//!
//! Does not own: the underlying types (`opaque_results.rs`).

use rustc_hash::FxHashMap;

use super::{Type, TypeQueries};
use crate::context::{Name, TypeId};
use crate::model::{Function, FunctionAttribute, FunctionFlag, Module};
use crate::symbols::Symbol;

/// The part of a declaration in the replacement of its opaque types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpaqueReplacement {
    /// `dynamic`: others may replace it.
    Replaceable,
    /// It replaces the declaration with this symbol.
    Of(Name),
}

/// The declarations with opaque types that are replaced or replace others.
pub struct ReplaceableOpaqueTypes {
    parts: FxHashMap<Name, OpaqueReplacement>,
    replacements: Vec<(Name, Name)>,
}

impl ReplaceableOpaqueTypes {
    /// Those that the functions of `module` are for.
    pub fn new(module: &Module, queries: &TypeQueries<'_>) -> Self {
        let mut types = Self { parts: FxHashMap::default(), replacements: Vec::new() };
        for function in module.functions.values() {
            let Some((declaration, part)) = part_of(queries, function) else { continue };
            if types.parts.insert(declaration, part).is_none()
                && let OpaqueReplacement::Of(original) = part
            {
                types.replacements.push((declaration, original));
            }
        }
        types
    }

    /// The part of the declaration with `symbol`; none if its opaque types always stay the same.
    pub fn part(&self, symbol: Name) -> Option<OpaqueReplacement> {
        self.parts.get(&symbol).copied()
    }

    /// The replacements and the declarations that they replace, in the order of the module's functions.
    pub fn replacements(&self) -> &[(Name, Name)] {
        &self.replacements
    }
}

/// Whether `symbol` is that of the declaration that `function` is for.
pub(super) fn is_declared_by(queries: &TypeQueries<'_>, function: Name, symbol: Name) -> bool {
    function == symbol || storage(queries, function) == Some(symbol)
}

/// The symbol of the property or subscript that the function called `accessor` is for; none for other functions.
fn storage(queries: &TypeQueries<'_>, accessor: Name) -> Option<Name> {
    let storage = Symbol::demangle(queries.context.text(accessor))?.accessed_storage()?;
    Some(queries.context.name(&storage.remangle()?))
}

/// The declaration that `function` is for and its part, if its result has the opaque types of the declaration.
fn part_of(queries: &TypeQueries<'_>, function: &Function) -> Option<(Name, OpaqueReplacement)> {
    let original = function.attributes.iter().find_map(|attribute| match attribute {
        FunctionAttribute::DynamicReplacementFor(name) => Some(*name),
        _ => None,
    });
    if original.is_none() && !function.has(FunctionFlag::DynamicallyReplaceable) {
        return None;
    }
    let declared = queries.own_opaque_result(function)?;
    let Some(original) = original else { return Some((declared, OpaqueReplacement::Replaceable)) };
    let original = if declared == function.name { Some(original) } else { storage(queries, original) };
    Some((declared, OpaqueReplacement::Of(original?)))
}

impl TypeQueries<'_> {
    /// The symbol of the declaration that `function` is for, if its result has opaque types of the declaration.
    pub fn own_opaque_result(&self, function: &Function) -> Option<Name> {
        let own = |part: TypeId| match *self.get(part) {
            Type::OpaqueResult { symbol, .. } if is_declared_by(self, function.name, symbol) => Some(symbol),
            _ => None,
        };
        let results = &self.conventions(function.ty)?.function.results;
        results.iter().find_map(|result| self.find_in(result.ty, &mut |part| own(part)))
    }
}
