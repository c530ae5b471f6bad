//! The structure of types: formal and lowered types, builtin types, boxes, compositions.
//!
//! Sugar is resolved when a type is read: `[Int]` is `Array<Int>`, `T?` is `Optional<T>`, a type alias is its
//! underlying type. Questions about types are answered in [`types`](crate::types).

use super::{FormalFunctionType, FunctionType, Name, NominalId, SubstitutionMapId, TypeId};

/// Whether a value is an object or the address of one (docs/SIL/Types.md).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueCategory {
    /// `$T`
    Object,
    /// `$*T`
    Address,
}

/// The type of a SIL value: a lowered type and its category.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SilType {
    /// The lowered type.
    pub ty: TypeId,
    /// Object or address.
    pub category: ValueCategory,
}

impl SilType {
    /// `$T`
    pub fn object(ty: TypeId) -> Self {
        Self { ty, category: ValueCategory::Object }
    }

    /// `$*T`
    pub fn address(ty: TypeId) -> Self {
        Self { ty, category: ValueCategory::Address }
    }

    /// The object type of it.
    pub fn object_type(self) -> Self {
        Self::object(self.ty)
    }

    /// Whether this is `$*T`.
    pub fn is_address(self) -> bool {
        self.category == ValueCategory::Address
    }
}

/// A type. Parts are interned; two types are equal when they are written alike after sugar is gone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `Builtin.Int64`
    Builtin(BuiltinType),
    /// A struct, an enum, a class or an actor, with its generic arguments.
    Nominal(NominalType),
    /// `(Int, label: Bool)`. A tuple of one unlabelled element is that element.
    Tuple(Box<[TupleElement]>),
    /// A lowered function type: `@convention(thin) (@owned A) -> B`.
    Function(Box<FunctionType>),
    /// A formal function type, as declarations have it: `(A, B) throws -> C`.
    FormalFunction(Box<FormalFunctionType>),
    /// `@thick T.Type`
    Metatype { instance: TypeId, representation: Option<MetatypeRepresentation> },
    /// `@thick any P.Type`
    ExistentialMetatype { instance: TypeId, representation: Option<MetatypeRepresentation> },
    /// `any P`, `any P & Q`, `AnyObject`, `Any`: the constraint is a [`Type::Protocol`] or a [`Type::Composition`].
    Existential(TypeId),
    /// A protocol as a constraint, with arguments for its primary associated types: `Collection<Int>`.
    Protocol { protocol: NominalId, arguments: Box<[TypeId]> },
    /// `P & Q & C & AnyObject & ~Copyable`. `Any` is the empty composition.
    Composition(Box<Composition>),
    /// A generic parameter by position, as in lowered signatures: `τ_0_0`. Value parameters (`let n: Int`) too.
    GenericParameter { depth: u32, index: u32 },
    /// A generic parameter by its declared name inside the declaration or function that declares it: `Self`, `T`.
    NamedParameter { name: Name, depth: u32, index: u32 },
    /// `T.Element`, `τ_0_0.Element`; with the protocol where it is known.
    DependentMember { base: TypeId, member: Name, protocol: Option<NominalId> },
    /// `@opened("uuid", any P) Self` and members of it.
    OpenedArchetype { uuid: Name, existential: TypeId, interface: TypeId },
    /// `@pack_element("uuid") each T`
    PackElementArchetype { uuid: Name, interface: TypeId },
    /// `@_opaqueReturnTypeOf("mangled", 0) __<Args>`
    OpaqueResult { symbol: Name, ordinal: u32, arguments: Box<[TypeId]> },
    /// `${ var Int }`, `<T> { var T } <Int>`
    Box(Box<BoxType>),
    /// `@sil_weak Optional<C>`, `@sil_unowned C`, `@sil_unmanaged C`
    Storage { kind: StorageKind, referent: TypeId },
    /// `Pack{Int, Bool}`, `@direct Pack{…}`, `@indirect`
    Pack { elements: Box<[TypeId]>, storage: PackStorage },
    /// `repeat each T`
    PackExpansion { pattern: TypeId },
    /// `each T`
    PackElement(TypeId),
    /// `@dynamic_self C`
    DynamicSelf(TypeId),
    /// `@block_storage T`
    BlockStorage(TypeId),
    /// `inout T`, in formal function types.
    InOut(TypeId),
    /// `@moveOnly T`: a copyable type under no-implicit-copy rules.
    MoveOnlyWrapper(TypeId),
    /// An integer in a list of generic arguments.
    Integer(i64),
    /// A name that nothing declares, and the types that it depends on, if it is a known part of a generic type. Its
    /// layout is not known; a diagnostic was issued where that matters.
    Unresolved { name: Name, arguments: Box<[TypeId]> },
}

impl Type {
    /// A name that nothing declares.
    pub fn unresolved(name: Name) -> Type {
        Type::Unresolved { name, arguments: Box::default() }
    }
}

/// The types that the compiler itself has (include/swift/AST/Builtins.def, docs/SIL/Types.md).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltinType {
    /// `Builtin.Int64`: width in bits.
    Integer(u32),
    /// `Builtin.Word`: as wide as a pointer.
    Word,
    /// `Builtin.IntLiteral`: arbitrary width.
    IntegerLiteral,
    /// `Builtin.FPIEEE64`, `Builtin.FPIEEE80`…: width in bits.
    Float(u32),
    /// `Builtin.RawPointer`
    RawPointer,
    /// `Builtin.RawUnsafeContinuation`
    RawUnsafeContinuation,
    /// `Builtin.NativeObject`
    NativeObject,
    /// `Builtin.BridgeObject`
    BridgeObject,
    /// `Builtin.UnsafeValueBuffer`
    UnsafeValueBuffer,
    /// `Builtin.Job`
    Job,
    /// `Builtin.Executor`
    Executor,
    /// `Builtin.DefaultActorStorage`
    DefaultActorStorage,
    /// `Builtin.NonDefaultDistributedActorStorage`
    NonDefaultDistributedActorStorage,
    /// `Builtin.PackIndex`
    PackIndex,
    /// `Builtin.SILToken`
    Token,
    /// `Builtin.Vec4xInt32`
    Vector { element: VectorElement, count: u32 },
    /// `Builtin.FixedArray<N, T>`: count and element are types.
    FixedArray { count: TypeId, element: TypeId },
    /// `Builtin.ImplicitActor`
    ImplicitActor,
}

/// The element of a builtin vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorElement {
    /// An integer with this many bits.
    Integer(u32),
    /// A float with this many bits.
    Float(u32),
    /// A raw pointer.
    RawPointer,
}

/// A nominal type with its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NominalType {
    /// The declaration.
    pub declaration: NominalId,
    /// The type that it is nested in, where that one has generic arguments.
    pub parent: Option<TypeId>,
    /// The arguments for its own generic parameters.
    pub arguments: Box<[TypeId]>,
}

/// An element of a tuple.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TupleElement {
    /// The label.
    pub label: Option<Name>,
    /// The type.
    pub ty: TypeId,
}

/// How a metatype is represented at run time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MetatypeRepresentation {
    /// `@thin`: nothing, the type is known.
    Thin,
    /// `@thick`: a pointer to metadata.
    Thick,
    /// `@objc_metatype`
    ObjC,
}

/// `P & Q & C & AnyObject & ~Copyable`
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Composition {
    /// Protocols and at most one class, in written order.
    pub members: Vec<TypeId>,
    /// `AnyObject`
    pub class_constraint: Option<AnyObject>,
    /// `~Copyable`, `~Escapable`
    pub inverses: Vec<Inverse>,
}

/// The `AnyObject` constraint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnyObject;

/// A suppressed conformance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Inverse {
    /// `~Copyable`
    Copyable,
    /// `~Escapable`
    Escapable,
}

/// The layout of a box and the arguments it is bound with (docs/SIL/Types.md, "Box Types").
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BoxType {
    /// The fields, in order; in terms of the signature of `substitutions`, where there are some.
    pub fields: Box<[BoxField]>,
    /// Whether it holds the generic environment: `@captures_generics`.
    pub captures_generics: CapturesGenerics,
    /// The generic parameters of the layout and their replacements.
    pub substitutions: Option<SubstitutionMapId>,
}

/// Whether a box holds its generic environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CapturesGenerics {
    /// It does.
    Yes,
    /// It does not.
    No,
}

/// A field of a box.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoxField {
    /// `var` or `let`.
    pub mutability: Mutability,
    /// The lowered type, in terms of the layout's generic parameters.
    pub ty: TypeId,
}

/// `var` or `let`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mutability {
    /// `var`
    Var,
    /// `let`
    Let,
}

/// How a reference is stored without keeping the object alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StorageKind {
    /// `@sil_weak`
    Weak,
    /// `@sil_unowned`
    Unowned,
    /// `@sil_unmanaged`
    Unmanaged,
}

/// Whether a pack holds values or addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PackStorage {
    /// A formal pack.
    Formal,
    /// `@direct`
    Direct,
    /// `@indirect`
    Indirect,
}
