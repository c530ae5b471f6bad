//! Which members of classes vtables have, and which of protocols witness tables have, and which accessors of their properties and subscripts (lib/Sema/TypeCheckDecl.cpp,
//! `NeedsNewVTableEntryRequest`; lib/AST/Decl.cpp, `visitExpectedOpaqueAccessors`).

use super::fill::Filler;
use super::interfaces::skip_value;
use super::modifiers::Modifiers;
use super::outline::{CallableSyntax, Entry, EntryIndex, EntryKind, Storage};
use crate::context::{MemberKind, Mutability, Name, NominalId};
use crate::declarations::{Access, DispatchedMember, MemberDeclarationKind, MemberInterface, NominalKind, Overriding};
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::plain_name;
use crate::syntax::types::Piece;

impl<'a> Filler<'_, 'a> {
    /// Adds what vtables, or witness tables, have of the member of `nominal` that is number `index`. Its interfaces are those from `first_interface` on.
    pub(super) fn dispatched(&mut self, nominal: NominalId, index: EntryIndex, first_interface: usize) {
        let entry = &self.outline.entries[index];
        let kind = self.table.get(nominal).kind;
        let is_dispatched = match kind {
            NominalKind::Class | NominalKind::Actor => !is_called_directly(&entry.modifiers),
            NominalKind::Protocol => true,
            NominalKind::Struct | NominalKind::Enum | NominalKind::Unknown => false,
        };
        if !is_dispatched || self.in_extension(index) {
            return;
        }
        match &entry.kind {
            EntryKind::Member { name, kind, syntax } => {
                let labels = syntax.parameters.as_ref().map(|list| self.labels(list, *kind)).unwrap_or_default();
                for kind in dispatched_kinds(*kind, syntax, &entry.modifiers) {
                    self.add_dispatched(nominal, entry, (*name, kind), &labels, first_interface);
                }
            }
            EntryKind::Property { name, mutability, storage, accessors, .. } => {
                let stored = *storage == Storage::Stored && *mutability == Mutability::Var;
                let mutation = match accessors {
                    Some(braces) => mutation_of(braces),
                    None if stored => Mutation::Possible,
                    None => Mutation::Impossible,
                };
                for kind in accessor_kinds(mutation, &entry.modifiers) {
                    self.add_dispatched(nominal, entry, (*name, kind), &[], first_interface);
                }
            }
            _ => {}
        }
    }

    fn add_dispatched(
        &mut self,
        nominal: NominalId,
        entry: &Entry<'a>,
        (name, kind): (Name, MemberKind),
        labels: &[Name],
        first_interface: usize,
    ) {
        let declaration = self.table.get_mut(nominal);
        let interfaces = declaration.interfaces.get(first_interface..).unwrap_or_default();
        let is_it = |interface: &&MemberInterface| interface.name == name && interface.kind == kind;
        let ty = interfaces.iter().find(is_it).and_then(|interface| interface.ty).map(|(ty, _)| ty);
        let overriding = match kind {
            _ if entry.modifiers.has("override") => Overriding::Yes,
            MemberKind::Allocator if entry.modifiers.has("required") => Overriding::WhereInherited,
            _ => Overriding::No,
        };
        let access = match kind {
            MemberKind::Setter | MemberKind::Modify => setter_access(&entry.modifiers),
            _ => access(&entry.modifiers),
        };
        declaration.dispatched.push(DispatchedMember { name, kind, labels: labels.into(), overriding, access, ty });
    }

    /// The labels in the parameter list of a member of `kind`; none where it is not understood. A single name of a subscript's parameter is none.
    pub(super) fn labels(&self, list: &Piece<'a>, kind: MemberDeclarationKind) -> Vec<Name> {
        let mut cursor = Cursor::within(list.text, list.file, list.start + 1, list.end - 1);
        let mut labels = Vec::new();
        while !cursor.at(Token::End) {
            while cursor.at(Token::AtName) {
                cursor.bump();
            }
            let first = plain_name(cursor.peek_text());
            cursor.bump();
            let is_label = kind != MemberDeclarationKind::Subscript || !cursor.at(Token::Colon);
            labels.push(self.context.name(if is_label { first } else { "_" }));
            while !matches!(cursor.peek(), Token::Colon | Token::End) {
                cursor.bump();
            }
            cursor.bump();
            // The arguments of a generic type have commas between them.
            Piece::of_type(&mut cursor).ok();
            skip_value(&mut cursor);
            cursor.eat(Token::Comma);
        }
        labels
    }
}

/// Whether a member of a class is never called through a vtable.
fn is_called_directly(modifiers: &Modifiers<'_>) -> bool {
    modifiers.has("final") || modifiers.has("static") || modifiers.has("dynamic") && modifiers.has("@objc")
}

/// Whether a property or subscript can be changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutation {
    Possible,
    Impossible,
}

/// The words of accessors that change something, and of observers, which only variables have.
const MUTATION_WORDS: [&str; 7] =
    ["set", "_modify", "modify", "unsafeMutableAddress", "mutableAddress", "willSet", "didSet"];

fn mutation_of(braces: &Piece<'_>) -> Mutation {
    let mut cursor = Cursor::within(braces.text, braces.file, braces.start + 1, braces.end - 1);
    while !cursor.at(Token::End) {
        if cursor.peek().closing().is_some() && cursor.skip_balanced() {
            continue;
        }
        if MUTATION_WORDS.contains(&cursor.bump()) {
            return Mutation::Possible;
        }
    }
    Mutation::Impossible
}

fn accessor_kinds(mutation: Mutation, modifiers: &Modifiers<'_>) -> Vec<MemberKind> {
    let read = if modifiers.has("@_borrowed") { MemberKind::Read } else { MemberKind::Getter };
    match mutation {
        Mutation::Possible => vec![read, MemberKind::Setter, MemberKind::Modify],
        Mutation::Impossible => vec![read],
    }
}

fn dispatched_kinds(
    kind: MemberDeclarationKind,
    syntax: &CallableSyntax<'_>,
    modifiers: &Modifiers<'_>,
) -> Vec<MemberKind> {
    match kind {
        MemberDeclarationKind::Function => vec![MemberKind::Plain],
        MemberDeclarationKind::Initializer if modifiers.has("convenience") && !modifiers.has("required") => Vec::new(),
        MemberDeclarationKind::Initializer => vec![MemberKind::Allocator],
        MemberDeclarationKind::Subscript => {
            accessor_kinds(syntax.braces.as_ref().map_or(Mutation::Impossible, mutation_of), modifiers)
        }
        MemberDeclarationKind::Deinitializer | MemberDeclarationKind::ComputedProperty => Vec::new(),
    }
}

pub(super) fn access(modifiers: &Modifiers<'_>) -> Access {
    // `private(set)` is about the setter.
    let is = |word| modifiers.arguments(word) == Some("");
    match () {
        _ if is("private") => Access::Private,
        _ if is("fileprivate") => Access::FilePrivate,
        _ if is("package") => Access::Package,
        _ if is("public") => Access::Public,
        _ if is("open") => Access::Open,
        _ => Access::Internal,
    }
}

/// How far the setter of a property can be seen. Where the property has no word of its own, as in what is read of a library, less can see what
/// has the word `internal(set)`.
fn setter_access(modifiers: &Modifiers<'_>) -> Access {
    let of_setter = |word| modifiers.arguments(word) == Some("set");
    match access(modifiers) {
        _ if of_setter("private") => Access::Private,
        of_property if of_setter("fileprivate") || of_setter("internal") && of_property <= Access::Internal => {
            of_property.min(Access::FilePrivate)
        }
        of_property if of_setter("internal") => of_property.min(Access::Internal),
        of_property if of_setter("package") => of_property.min(Access::Package),
        of_property => of_property,
    }
}
