//! The parts of nominal types: stored properties, cases, aliases, associated types and members.

use super::Access;
use crate::context::{Mutability, Name, SignatureId, TypeId};
use crate::source::Span;

/// A stored property.
#[derive(Clone, Debug)]
pub struct StoredProperty {
    /// Its name.
    pub name: Name,
    /// Its formal type, in the declaration's generic parameters. A weak one is an `Optional`.
    pub ty: TypeId,
    /// `var` or `let`
    pub mutability: Mutability,
    /// `weak`, `unowned`, `unowned(unsafe)`
    pub ownership: Option<crate::context::StorageKind>,
    /// Whether the program can observe the exact end of its value's lifetime, if that is declared.
    pub lifetime: Option<DeclaredLifetime>,
    /// Its visibility where its type can be seen. Declarations that inlined code may use count as public.
    pub access: Access,
    /// Whose business its initial value is.
    pub initializer: PropertyInitializer,
    /// Whether values are differentiated by it.
    pub differentiation: PropertyDifferentiation,
    /// Where it is declared.
    pub span: Span,
}

/// Whether values are differentiated by a stored property of theirs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PropertyDifferentiation {
    /// They are, if they are differentiable.
    #[default]
    Followed,
    /// `@noDerivative`
    NoDerivative,
}

/// Who gives a stored property its value in initialisers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PropertyInitializer {
    /// The program, or none where the property has an initial value.
    #[default]
    Program,
    /// `@_compilerInitialized`: the compiler, as with the identity of a distributed actor.
    Compiler,
}

/// The rule for the ends of lifetimes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredLifetime {
    /// `@_eagerMove`: nothing in a program observes them.
    Eager,
    /// `@_noEagerMove`: something may.
    Lexical,
}

/// A case of an enum.
#[derive(Clone, Debug)]
pub struct EnumCase {
    /// Its name.
    pub name: Name,
    /// The payload: a tuple where there are several values or a label.
    pub payload: Option<TypeId>,
    /// `indirect`, on the case or on the enum.
    pub indirect: bool,
    /// Whether programs can make it.
    pub availability: Availability,
    /// Where it is declared.
    pub span: Span,
}

/// Whether programs can use a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Availability {
    /// On some platforms and in some versions at least.
    #[default]
    Available,
    /// `@available(*, unavailable)`: on none.
    Unavailable,
}

/// A type alias.
#[derive(Clone, Debug)]
pub struct TypeAlias {
    /// Its name.
    pub name: Name,
    /// Its own generic parameters beyond the declaration's.
    pub signature: Option<SignatureId>,
    /// The underlying type.
    pub ty: TypeId,
    /// The requirements of the extension that it stands in.
    pub condition: Option<SignatureId>,
    /// The protocol, by its name, and its associated type that it stands for under a name of its own: `@_implements(P,
    /// T)`.
    pub implements: Option<(Name, Name)>,
}

/// An associated type of a protocol.
#[derive(Clone, Debug)]
pub struct AssociatedType {
    /// Its name.
    pub name: Name,
    /// Its default.
    pub default: Option<TypeId>,
}

/// A function, an initialiser, a subscript or a computed property. Only the facts that tables and lookups need.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name (`init`, `subscript`, `deinit` for those).
    pub name: Name,
    /// The kind.
    pub kind: MemberDeclarationKind,
    /// Where it is declared.
    pub span: Span,
}

/// `@storageRestrictions(initializes: _x, accesses: y) init` of a computed property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitAccessor {
    /// The computed property.
    pub property: Name,
    /// The stored properties that it initialises.
    pub initializes: Vec<Name>,
    /// Those that it reads.
    pub accesses: Vec<Name>,
}

/// The kind of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberDeclarationKind {
    /// `func`
    Function,
    /// `init`
    Initializer,
    /// `deinit`
    Deinitializer,
    /// `subscript`
    Subscript,
    /// A property without storage.
    ComputedProperty,
}
