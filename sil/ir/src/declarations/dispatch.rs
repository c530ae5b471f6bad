//! The members that are called through vtables and witness tables, as declarations state them
//! (include/swift/SIL/SILVTableVisitor.h). [`ClassSlots`](crate::types::ClassSlots) and
//! [`WitnessSlots`](crate::types::WitnessSlots) decide which of them have a slot of their own, and its number.

use crate::context::{Distribution, MemberKind, MemberRef, Name, TypeId};

/// A function, an initialiser or an accessor of a class that vtables have, or of a protocol that witness tables have.
#[derive(Clone, Debug)]
pub struct DispatchedMember {
    /// The name of the member.
    pub name: Name,
    /// The part of the member: a function, an allocating initialiser or an accessor.
    pub kind: MemberKind,
    /// The part of a distributed member.
    pub distribution: Distribution,
    /// The labels of its parameters, `_` for none: they distinguish overloads of one type.
    pub labels: Box<[Name]>,
    /// Whether it overrides a member of a superclass or of an inherited protocol.
    pub overriding: Overriding,
    /// Who can see it.
    pub access: Access,
    /// Its visibility in code that is inlined elsewhere, as `@usableFromInline` allows (lib/AST/Decl.cpp,
    /// `getFormalAccessScope`).
    pub access_from_inline: Access,
    /// Its interface type, where the module refers to the member and the type is understood.
    pub ty: Option<TypeId>,
}

impl DispatchedMember {
    /// Returns whether references to the members differ in types and labels alone.
    pub fn is_overload_of(&self, other: &DispatchedMember) -> bool {
        (self.name, self.kind, self.is_thunk()) == (other.name, other.kind, other.is_thunk())
    }

    /// Returns whether `member` names this member or an overload.
    pub fn is_named_by(&self, member: &MemberRef) -> bool {
        let is_thunk = member.distribution == Distribution::Thunk;
        (self.name, self.kind, self.is_thunk()) == (member.name, member.kind, is_thunk)
    }

    fn is_thunk(&self) -> bool {
        self.distribution == Distribution::Thunk
    }
}

/// Whether a member overrides one of a superclass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overriding {
    /// It states so.
    Yes,
    /// A `required` initialiser overrides that of the superclass without saying so.
    WhereInherited,
    /// It is a new member.
    No,
}

/// How far a declaration can be seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Access {
    /// `private`
    Private,
    /// `fileprivate`
    FilePrivate,
    /// `internal`, which is not written
    #[default]
    Internal,
    /// `package`
    Package,
    /// `public`
    Public,
    /// `open`
    Open,
}
