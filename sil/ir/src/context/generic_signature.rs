//! Generic signatures: parameters and requirements.

use super::{AnyObject, Inverse, Name, TypeId};

/// `<T, U where T : P, U == T.Element>`
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct GenericSignature {
    /// The parameters, outermost depth first.
    pub parameters: Box<[GenericParameter]>,
    /// The requirements, in written order.
    pub requirements: Box<[Requirement]>,
}

/// A generic parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GenericParameter {
    /// The declared name; none for `τ_0_0`.
    pub name: Option<Name>,
    /// The depth: 0 for the outermost declaration.
    pub depth: u32,
    /// The number at this depth.
    pub index: u32,
    /// Type, pack (`each T`) or value (`let n: Int`).
    pub kind: GenericParameterKind,
}

/// The kind of a generic parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GenericParameterKind {
    /// A type.
    Type,
    /// `each T`
    Pack,
    /// `let n: Int`: a value of this type.
    Value(TypeId),
}

/// A requirement of a generic signature.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Requirement {
    /// `T : P`: the constraint is a protocol or a composition.
    Conformance { subject: TypeId, constraint: TypeId },
    /// `T : C`
    Superclass { subject: TypeId, superclass: TypeId },
    /// `T == U`
    SameType { first: TypeId, second: TypeId },
    /// `T : AnyObject`, `T : _Trivial(64)`
    Layout { subject: TypeId, constraint: LayoutConstraint },
    /// `T : ~Copyable`
    Inverse { subject: TypeId, inverse: Inverse },
}

/// A constraint on layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LayoutConstraint {
    /// `AnyObject`
    Class(AnyObject),
    /// `_NativeClass`
    NativeClass,
    /// `_RefCountedObject`
    RefCountedObject,
    /// `_NativeRefCountedObject`
    NativeRefCountedObject,
    /// `_Trivial`, with size and alignment in bits where they are written.
    Trivial(Option<(u32, Option<u32>)>),
    /// `_TrivialAtMost(size, alignment)`
    TrivialAtMost(u32, Option<u32>),
    /// `_TrivialStride(size)`
    TrivialStride(u32),
    /// `_BridgeObject`
    BridgeObject,
}
