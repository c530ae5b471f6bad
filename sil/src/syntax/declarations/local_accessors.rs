//! The stored properties of local types by the functions that come with them: their initial values and their accessors, which SILGen emits for the
//! members of a type in declared order (SILGenType.cpp). Optimised modules have few of them. What else mentions properties is gathered in
//! `local_types`, the types of properties in `local_members`.

use memchr::memmem;

use super::local_types::has_local_name;
use crate::context::{Context, TypeId};
use crate::declarations::DeclarationTable;
use crate::source::FileId;
use crate::symbols::{StorageFunction, Symbol};
use crate::syntax::cursor::Cursor;
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};
use crate::syntax::types::{Piece, Position, Resolver, Scope, Tree};

/// A stored property that a function with a body has to do with.
pub(super) struct DefinedProperty<'t> {
    /// The names of the types that it is declared in, the outermost first.
    pub(super) path: Vec<String>,
    pub(super) name: String,
    /// Its type, as its symbol has it.
    pub(super) ty: Option<String>,
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
        let StorageFunction { path, name, is_initial_value, ty } = Symbol::demangle(symbol)?.storage_function()?;
        // What is computed has a getter as well, which does not look at what is called like it.
        if !is_initial_value && !refers_to(body, &path, &name) {
            return None;
        }
        Some(DefinedProperty { path, name, ty, symbol, start: entity.start as usize + at })
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

/// The function type that `text` writes, or what is made of one. Of others bodies tell more than symbols, in which types can be named in ways that only
/// symbols have.
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
