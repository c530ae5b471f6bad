//! Determines the members of classes in vtables and of protocols in witness tables, with the accessors of their
//! properties and subscripts (lib/Sema/TypeCheckDecl.cpp, `NeedsNewVTableEntryRequest`; lib/AST/Decl.cpp,
//! `visitExpectedOpaqueAccessors`).

use sil_ir::context::{
    Context, Distribution, FunctionAttribute, MemberKind, Mutability, Name, NominalId, ParameterOption, Throws, Type,
    TypeId,
};
use sil_ir::declarations::{Access, DispatchedMember, MemberDeclarationKind, MemberInterface, NominalKind, Overriding};

use super::fill::Filler;
use super::interfaces::skip_value;
use super::modifiers::Modifiers;
use super::outline::{CallableSyntax, Entry, EntryIndex, EntryKind, Storage};
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::plain_name;
use crate::syntax::types::Piece;

impl<'a> Filler<'_, 'a> {
    /// Adds the vtable or witness table entries of member number `index` of `nominal`. Its interfaces are those from
    /// `first_interface` on.
    pub(super) fn dispatched(&mut self, nominal: NominalId, index: EntryIndex, first_interface: usize) {
        let entry = &self.outline.entries[index];
        let kind = self.table.get(nominal).kind;
        let is_dispatched = match kind {
            NominalKind::Class | NominalKind::Actor => {
                !is_called_directly(&entry.modifiers) || entry.owner.coroutines.has_plain()
            }
            NominalKind::Protocol => true,
            NominalKind::Struct | NominalKind::Enum | NominalKind::Unknown => false,
        };
        if !is_dispatched || self.in_extension(index) {
            return;
        }
        match &entry.kind {
            EntryKind::Member { name, kind, syntax } => {
                let labels = syntax.parameters.as_ref().map(|list| self.labels(list, *kind)).unwrap_or_default();
                for kind in self.dispatched_kinds(nominal, entry, (*name, *kind), syntax) {
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
                let reads = accessors.as_ref().is_some_and(has_read);
                for kind in self.accessor_kinds(nominal, entry, *name, (mutation, reads)) {
                    self.add_dispatched(nominal, entry, (*name, kind), &[], first_interface);
                }
            }
            _ => {}
        }
    }

    /// Returns the accessors of the property or subscript `name` in tables.
    fn accessor_kinds(
        &self,
        nominal: NominalId,
        entry: &Entry<'a>,
        name: Name,
        (mutation, reads): (Mutation, bool),
    ) -> Vec<MemberKind> {
        let (modifiers, coroutines) = (&entry.modifiers, entry.owner.coroutines);
        let is_requirement = self.table.get(nominal).kind == NominalKind::Protocol;
        let around = self.table.access_of(nominal);
        let access = if is_requirement { around } else { around.min(access(modifiers)) };
        let is_read = || coroutines.is_stated_by_references() && self.is_read(nominal, name, modifiers);
        let mut kinds = match modifiers.has("@_borrowed") || reads || is_read() {
            true => coroutines.kinds(MemberKind::Read, MemberKind::Read2, access),
            false => vec![MemberKind::Getter],
        };
        if mutation == Mutation::Possible {
            kinds.push(MemberKind::Setter);
            kinds.extend(coroutines.kinds(MemberKind::Modify, MemberKind::Modify2, access));
        }
        // `read` and `modify` of a final property are not final (lib/Sema/TypeCheckDecl.cpp, `IsFinalRequest`).
        if !is_requirement && is_called_directly(modifiers) {
            // Only the accessors of a lazy property access its storage.
            let is_storage = self.context.text(name).starts_with(LAZY_STORAGE);
            kinds.retain(|_| !is_storage);
            kinds.retain(|kind| matches!(kind, MemberKind::Read2 | MemberKind::Modify2));
        }
        kinds
    }

    /// Returns whether references name a read coroutine for the member `name` of `nominal`. References name an override
    /// by the overridden member.
    fn is_read(&self, nominal: NominalId, name: Name, modifiers: &Modifiers<'_>) -> bool {
        let superclass = |class: &NominalId| match self.context.get(self.table.get(*class).superclass?) {
            Type::Nominal(superclass) => Some(superclass.declaration),
            _ => None,
        };
        let levels = if modifiers.has("override") { DEEPEST_CLASS } else { 1 };
        let mut levels = std::iter::successors(Some(nominal), superclass).take(levels);
        let name = self.context.text(name);
        levels.any(|level| self.read_coroutines.has(self.context.text(self.table.get(level).name), name))
    }

    fn dispatched_kinds(
        &self,
        nominal: NominalId,
        entry: &Entry<'a>,
        (name, kind): (Name, MemberDeclarationKind),
        syntax: &CallableSyntax<'_>,
    ) -> Vec<MemberKind> {
        let modifiers = &entry.modifiers;
        let is_direct = self.table.get(nominal).kind != NominalKind::Protocol && is_called_directly(modifiers);
        match kind {
            MemberDeclarationKind::Subscript => {
                let braces = syntax.braces.as_ref();
                let mutation = braces.map_or(Mutation::Impossible, mutation_of);
                self.accessor_kinds(nominal, entry, name, (mutation, braces.is_some_and(has_read)))
            }
            _ if is_direct => Vec::new(),
            MemberDeclarationKind::Function => vec![MemberKind::Plain],
            MemberDeclarationKind::Initializer if modifiers.has("convenience") && !modifiers.has("required") => {
                Vec::new()
            }
            MemberDeclarationKind::Initializer => vec![MemberKind::Allocator],
            MemberDeclarationKind::Deinitializer | MemberDeclarationKind::ComputedProperty => Vec::new(),
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
        let is_it = |interface: &&MemberInterface| interface.name == name && interface.is_about(kind);
        let ty = interfaces.iter().find(is_it).and_then(|interface| interface.ty).map(|(ty, _)| ty);
        let overriding = match kind {
            _ if entry.modifiers.has("override") => Overriding::Yes,
            MemberKind::Allocator if entry.modifiers.has("required") => Overriding::WhereInherited,
            _ => Overriding::No,
        };
        let access = match kind {
            MemberKind::Setter | MemberKind::Modify | MemberKind::Modify2 => setter_access(&entry.modifiers),
            _ => access(&entry.modifiers),
        };
        let access_from_inline = match access {
            Access::Internal if entry.modifiers.has("@usableFromInline") => Access::Public,
            _ => access,
        };
        let is_distributed = entry.modifiers.has("distributed");
        let distribution = if is_distributed { Distribution::Method } else { Distribution::None };
        let labels = labels.into();
        let member = DispatchedMember { name, kind, distribution, labels, overriding, access, access_from_inline, ty };
        let thunk = thunk_kind(kind).filter(|_| is_distributed && declaration.kind == NominalKind::Protocol);
        let thunk = thunk.map(|kind| DispatchedMember {
            kind,
            distribution: Distribution::Thunk,
            ty: ty.and_then(|ty| thunk_type(self.context, ty)),
            ..member.clone()
        });
        declaration.dispatched.push(member);
        declaration.dispatched.extend(thunk);
    }

    /// Returns the labels in the parameter list of a member of `kind`. A single name of a subscript's parameter is no
    /// label.
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
            // Commas also separate the arguments of a generic type.
            Piece::of_type(&mut cursor).ok();
            skip_value(&mut cursor);
            cursor.eat(Token::Comma);
        }
        labels
    }
}

/// Returns whether calls of a member of a class never use the vtable.
fn is_called_directly(modifiers: &Modifiers<'_>) -> bool {
    modifiers.has("final") || modifiers.has("static") || modifiers.has("dynamic") && modifiers.has("@objc")
}

/// Whether a property or subscript is mutable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutation {
    Possible,
    Impossible,
}

/// The depth to which superclasses are followed. Invalid input may make them circular.
const DEEPEST_CLASS: usize = 256;

/// The prefix of the name of a lazy property's storage.
const LAZY_STORAGE: &str = "$__lazy_storage_$_";

/// The words of accessors that mutate, and of observers, which only variables have.
const MUTATION_WORDS: [&str; 7] =
    ["set", "_modify", "modify", "unsafeMutableAddress", "mutableAddress", "willSet", "didSet"];

fn mutation_of(braces: &Piece<'_>) -> Mutation {
    match has_word(braces, &MUTATION_WORDS) {
        true => Mutation::Possible,
        false => Mutation::Impossible,
    }
}

/// Returns whether the accessors contain a coroutine named `read`.
fn has_read(braces: &Piece<'_>) -> bool {
    has_word(braces, &["read"])
}

/// Returns whether one of these words occurs between the braces of accessors, outside of nested brackets.
fn has_word(braces: &Piece<'_>, words: &[&str]) -> bool {
    let mut cursor = Cursor::within(braces.text, braces.file, braces.start + 1, braces.end - 1);
    while !cursor.at(Token::End) {
        if cursor.peek().closing().is_some() && cursor.skip_balanced() {
            continue;
        }
        if words.contains(&cursor.bump()) {
            return true;
        }
    }
    false
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

/// Returns the access level of a property's setter. For a property without an access modifier, as library declarations
/// are read, `internal(set)` restricts the setter to its file.
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

/// Returns the kind of the thunk of a distributed member, which calls the member wherever the actor is. A witness table
/// has it after the member (include/swift/SIL/SILWitnessVisitor.h).
fn thunk_kind(kind: MemberKind) -> Option<MemberKind> {
    match kind {
        MemberKind::Plain => Some(MemberKind::Plain),
        MemberKind::Getter => Some(MemberKind::DistributedGetter),
        _ => None,
    }
}

/// Returns the interface type of the thunk of a distributed member of type `ty`: `(Self) -> (sending A) async throws ->
/// B` for `(isolated Self) -> (A) -> B` (lib/Sema/CodeSynthesisDistributedActor.cpp,
/// `createSameSignatureDistributedThunkDecl`).
fn thunk_type(context: &Context, ty: TypeId) -> Option<TypeId> {
    let Type::FormalFunction(member) = context.get(ty) else { return None };
    let mut member = (**member).clone();
    let Type::FormalFunction(called) = context.get(member.result) else { return None };
    let mut called = (**called).clone();
    for this in &mut member.parameters {
        this.options.remove(ParameterOption::Isolated);
    }
    for parameter in &mut called.parameters {
        parameter.options.insert(ParameterOption::Sending);
    }
    called.attributes.insert(FunctionAttribute::Async);
    called.throws = Throws::Any;
    member.result = context.ty(Type::FormalFunction(Box::new(called)));
    Some(context.ty(Type::FormalFunction(Box::new(member))))
}
