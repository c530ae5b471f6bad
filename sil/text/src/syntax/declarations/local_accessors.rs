//! Derives the stored properties of local types from their functions: initial values and accessors, which SILGen emits
//! for the members of a type in declaration order (SILGenType.cpp). Optimised modules have few of them. `local_types`
//! gathers the other mentions of properties, `local_members` the types of properties.

use memchr::memmem;
use sil_ir::context::{Context, TypeId};
use sil_ir::declarations::DeclarationTable;
use sil_ir::source::FileId;
use sil_ir::symbols::{StorageFunction, Symbol};

use super::local_types::has_local_name;
use crate::syntax::cursor::Cursor;
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};
use crate::syntax::types::{Piece, Position, Resolver, Scope, Tree};

/// A stored property that a function definition initialises or gets.
pub(super) struct DefinedProperty<'t> {
    /// The names of the types that contain it, outermost first.
    pub(super) path: Vec<String>,
    pub(super) name: String,
    /// Its type, from the symbol.
    pub(super) ty: Option<String>,
    /// The function's symbol and its offset.
    pub(super) symbol: &'t str,
    pub(super) start: usize,
}

/// Returns the stored properties of local types that functions initialise or get, in the order of the functions. A
/// property may occur twice.
pub(super) fn defined_properties<'t>(text: &'t str, entities: &[Entity]) -> impl Iterator<Item = DefinedProperty<'t>> {
    let functions = entities.iter().filter(|entity| entity.kind == EntityKind::Function);
    functions.filter_map(|entity| {
        let function = &text[entity.start as usize..entity.end as usize];
        let (head, body) = function.split_once('\n')?;
        let (at, symbol) = symbols(head).next()?;
        if !head.ends_with('{') || !has_local_name(symbol) {
            return None;
        }
        let StorageFunction { path, name, is_initial_value, ty } = Symbol::demangle(symbol)?.storage_function()?;
        // A computed property has a getter too, which does not access storage of the property's name.
        if !is_initial_value && !refers_to(body, &path, &name) {
            return None;
        }
        Some(DefinedProperty { path, name, ty, symbol, start: entity.start as usize + at })
    })
}

/// Returns whether `body` refers to the stored property `name` of the type with `path`: `>Outer.Inner.name`.
fn refers_to(body: &str, path: &[String], name: &str) -> bool {
    let reference = format!(">{}.{name}", path.join("."));
    let ends = |at: usize| {
        let next = body[at + reference.len()..].chars().next();
        next.is_none_or(|next| !(next.is_alphanumeric() || "_$.".contains(next)))
    };
    memmem::find_iter(body.as_bytes(), &reference).any(ends)
}

/// Returns the function type, or type made of one, that `text` spells. Other types are better derived from bodies than
/// from symbols, whose spellings can be specific to symbols.
pub(super) fn function_type(
    context: &Context,
    declarations: &DeclarationTable,
    file: FileId,
    text: &str,
) -> Option<TypeId> {
    let is_ambiguous = |word: &str| context.find_name(word).is_some_and(|name| declarations.namesakes.has(name));
    if !text.contains("->") || text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(is_ambiguous) {
        return None;
    }
    let piece = Piece::of_type(&mut Cursor::within(text, file, 0, text.len() as u32)).ok()?;
    if piece.end as usize != text.len() {
        return None;
    }
    let mut tree = Tree::default();
    let node = piece.parse_type(&mut tree).ok()?;
    Resolver::new(context, declarations, &tree, file, Scope::default()).ty(node, Position::Formal).ok()
}
