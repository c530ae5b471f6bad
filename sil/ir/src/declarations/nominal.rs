//! Nominal types: their declarations, attributes and contexts. Their parts are in `members`.

use super::{
    Access, AssociatedType, DeclaredDerivative, DeclaredLifetime, DispatchedMember, EnumCase, InitAccessor, Member,
    MemberInterface, StoredProperty, TypeAlias,
};
use crate::context::{Name, NominalId, SignatureId, TypeId};
use crate::source::Span;

/// The kind of a nominal type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NominalKind {
    /// `struct`
    Struct,
    /// `enum`
    Enum,
    /// `class`
    Class,
    /// `actor`
    Actor,
    /// `protocol`
    Protocol,
    /// Not known: another module or a function declares the type, and only its name is at hand.
    Unknown,
}

/// Where a declaration comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The module itself.
    Module,
    /// A module that is imported, such as the standard library.
    Imported,
    /// A module whose declarations are not at hand: the type is known by name only, and so has no layout. Its members
    /// and conformances are not known.
    Named,
}

/// A struct, an enum, a class, an actor or a protocol. Types in it are formal, in terms of
/// [`Type::GenericParameter`](crate::context::Type::GenericParameter) (for a protocol, `Self` is depth 0 index 0).
#[derive(Clone, Debug)]
pub struct NominalDeclaration {
    /// Its name.
    pub name: Name,
    /// Its kind.
    pub kind: NominalKind,
    /// The module that declares it.
    pub module: Name,
    /// Where it comes from.
    pub origin: Origin,
    /// The type that it is nested in.
    pub parent: Option<NominalId>,
    /// All generic parameters, the enclosing types' included.
    pub signature: Option<SignatureId>,
    /// How many of the parameters of `signature` are its own.
    pub own_parameters: u32,
    /// The superclass.
    pub superclass: Option<TypeId>,
    /// The signature of the extension with requirements that declares it.
    pub extension: Option<SignatureId>,
    /// The raw type of an enum.
    pub raw_type: Option<TypeId>,
    /// Protocols that it conforms to or inherits from, as written, extensions included.
    pub conformances: Vec<StatedConformance>,
    /// The stored properties, in declared order. For a class without those of its superclass.
    pub stored: Vec<StoredProperty>,
    /// The enum cases, in declared order.
    pub cases: Vec<EnumCase>,
    /// Type aliases and witnesses for associated types.
    pub aliases: Vec<TypeAlias>,
    /// The names of a protocol's primary associated types, in declared order.
    pub primary_associated_types: Vec<Name>,
    /// The associated types of a protocol, in declared order.
    pub associated_types: Vec<AssociatedType>,
    /// Functions, initialisers, subscripts and computed properties, in declared order.
    pub members: Vec<Member>,
    /// The accessors that initialise stored properties when computed ones are assigned to, in declared order.
    pub init_accessors: Vec<InitAccessor>,
    /// The interface types of those members that the module refers to, in declared order.
    pub interfaces: Vec<MemberInterface>,
    /// The members of a class in vtables, or of a protocol in witness tables, in declared order.
    pub dispatched: Vec<DispatchedMember>,
    /// The derivatives of methods that the type declares, in declared order.
    pub derivatives: Vec<DeclaredDerivative>,
    /// The attributes that matter for layout and meaning.
    pub attributes: NominalAttributes,
    /// Where it is declared.
    pub span: Span,
}

impl NominalDeclaration {
    /// Whether all that the type has is known: it is neither known by name only nor declared in a function.
    pub fn is_complete(&self) -> bool {
        self.origin != Origin::Named && self.attributes.local.is_none()
    }

    /// Whether it is known to be an enum without cases, such as `Never`, so that no value of it can be. Those of
    /// Objective-C may have values that they do not name.
    pub fn is_uninhabited_enum(&self) -> bool {
        self.kind == NominalKind::Enum && self.cases.is_empty() && self.is_complete() && !self.attributes.objc
    }

    /// A type of which nothing is known yet but its name, its kind, and where it is declared.
    pub fn new(name: Name, kind: NominalKind, module: Name, origin: Origin, span: Span) -> Self {
        Self {
            name,
            kind,
            module,
            origin,
            parent: None,
            signature: None,
            own_parameters: 0,
            extension: None,
            superclass: None,
            raw_type: None,
            conformances: Vec::new(),
            stored: Vec::new(),
            cases: Vec::new(),
            aliases: Vec::new(),
            primary_associated_types: Vec::new(),
            associated_types: Vec::new(),
            members: Vec::new(),
            init_accessors: Vec::new(),
            interfaces: Vec::new(),
            dispatched: Vec::new(),
            derivatives: Vec::new(),
            attributes: NominalAttributes::default(),
            span,
        }
    }
}

/// The attributes and modifiers of a nominal type.
#[derive(Clone, Debug, Default)]
pub struct NominalAttributes {
    /// `final`
    pub is_final: bool,
    /// `~Copyable`
    pub noncopyable: bool,
    /// `~Escapable`
    pub nonescapable: bool,
    /// `@_addressableForDependencies`
    pub addressable_for_dependencies: bool,
    /// `: AnyObject` on a protocol, or implied by an inherited protocol.
    pub class_bound: bool,
    /// `indirect enum`
    pub indirect: bool,
    /// `@objc`
    pub objc: bool,
    /// `@_marker`: nothing at run time stands for the protocol.
    pub marker: bool,
    /// Declared in a function or its like: the module's declarations do not show it, SIL names it without its context.
    pub local: Option<LocalType>,
    /// The file that alone sees it, as symbols have it: a part of its mangled name. None if the type is not private, or
    /// no symbol shows it.
    pub private_to: Option<Name>,
    /// A user-written `deinit` of a struct or enum.
    pub has_deinit: bool,
    /// Whether its library may change its stored properties: in normal Swift its layout is dynamic.
    pub resilient: bool,
    /// Whether its library may change it at all, stored properties of frozen types apart: it is built for library
    /// evolution.
    pub evolving: bool,
    /// Whether its stored properties never change.
    pub frozen: bool,
    /// Who can see it.
    pub access: Access,
    /// `@_alignment(16)`
    pub alignment: Option<u32>,
    /// `distributed actor`
    pub distributed: bool,
    /// The `unownedExecutor` that an actor declares, or that extensions of a protocol bring to those that do not.
    pub executor: Option<StatedExecutor>,
    /// Whether the program can observe the exact end of a value's lifetime, if that is declared.
    pub lifetime: Option<DeclaredLifetime>,
    /// `@_rawLayout(…)`
    pub raw_layout: Option<RawLayout>,
    /// The name space of C that declares the type, if C does.
    pub c_name_space: Option<CNameSpace>,
    /// Where clang puts the parts of a structure of C.
    pub c_layout: Option<Box<CLayout>>,
    /// The integers of the cases of an enum of C.
    pub c_values: Option<Box<CValues>>,
}

/// The name spaces of types in C (ISO C 6.2.3): a tag and a typedef may have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CNameSpace {
    /// `s` of `struct s`
    Tags,
    /// `s` of `typedef struct { … } s`, or of a typedef that is a type of its own in Swift.
    Ordinary,
}

/// The integers that the cases of an enum of C are. A value of it may be any other as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CValues {
    /// The size of the integers in bytes.
    pub size: u64,
    /// That of each case, with `size` bits.
    pub values: Vec<u64>,
}

/// How a structure of C lies in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CLayout {
    /// Its size in bytes, with the padding after its last field.
    pub size: u64,
    /// Its alignment in bytes.
    pub alignment: u64,
    /// Where each stored property lies, in bytes.
    pub offsets: Vec<u64>,
    /// The bytes that are copied with the structure and are no stored property: bit-fields, unions, types that Swift
    /// does not import.
    pub opaque: Vec<OpaqueBytes>,
}

/// Bytes that have no name in Swift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpaqueBytes {
    /// The first one.
    pub offset: u64,
    /// How many there are.
    pub size: u64,
}

/// The facts about a type that a function declares, beside its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalType {
    /// Its context.
    pub context: LocalContext,
    /// The function that declares it, as far as it is known.
    pub origin: LocalOrigin,
    /// Whether the order of its members is that of their declaration.
    pub order: MemberOrder,
}

impl LocalType {
    /// A type of which nothing but its name is seen yet.
    pub fn new(context: LocalContext) -> Self {
        Self { context, origin: LocalOrigin::Unknown, order: MemberOrder::Mentioned }
    }
}

/// The executor of an actor, by its `unownedExecutor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatedExecutor {
    /// The runtime (`@_semantics("defaultActor")`).
    Default,
    /// That of the program.
    Custom,
}

/// The function that declares a local type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalOrigin {
    /// No symbol shows it.
    Unknown,
    /// The one in this symbol of the type's descriptor.
    Descriptor(Name),
}

/// The meaning of the order of a local type's members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberOrder {
    /// That of their first mention.
    Mentioned,
    /// That of their declaration.
    Declared,
    /// That of their declaration; some are without their names, which nothing mentions.
    Unnamed,
}

/// The context of a local type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalContext {
    /// A function, an initialiser, an accessor.
    Function,
    /// The code of a main file.
    TopLevelCode,
    /// A closure.
    Closure,
    /// The initial value of a property.
    Initializer,
    /// A subscript.
    Subscript,
    /// A case of an enum.
    EnumElement,
}

impl LocalContext {
    /// All contexts, as references to members of types in them spell them.
    const SPELLINGS: &'static [(LocalContext, &'static str)] = &[
        (LocalContext::Function, "<abstract function>"),
        (LocalContext::TopLevelCode, "<top level code>"),
        (LocalContext::Closure, "<anonymous function>"),
        (LocalContext::Initializer, "<initializer>"),
        (LocalContext::Subscript, "<subscript>"),
        (LocalContext::EnumElement, "<enum element>"),
    ];

    /// The text before the path of a member: `<abstract function>`.
    pub fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(context, _)| *context == self).map_or("", |(_, spelling)| spelling)
    }

    /// The context whose spelling `text` begins with, and the rest.
    pub fn ahead(text: &str) -> Option<(LocalContext, &str)> {
        Self::SPELLINGS.iter().find_map(|(context, spelling)| Some((*context, text.strip_prefix(spelling)?)))
    }
}

/// `@_rawLayout(size: 8, alignment: 8)`, `@_rawLayout(like: T)`, `@_rawLayout(likeArrayOf: T, count: N)`
#[derive(Clone, Debug)]
pub enum RawLayout {
    /// Size and alignment in bytes.
    Fixed { size: u64, alignment: u64 },
    /// Like a type.
    Like(TypeId),
    /// Like an array of a type; the count is an integer or a value parameter.
    LikeArrayOf { element: TypeId, count: TypeId },
}

/// A conformance as a declaration or an extension states it.
#[derive(Clone, Debug)]
pub struct StatedConformance {
    /// The protocol (or composition) with arguments.
    pub protocol: TypeId,
    /// The signature of the extension with its requirements, for a conditional conformance.
    pub condition: Option<SignatureId>,
    /// The module that states it: that of the extension.
    pub module: Name,
    /// Where it holds.
    pub isolation: ConformanceIsolation,
}

/// Where a conformance holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConformanceIsolation {
    /// Everywhere.
    Nonisolated,
    /// `: @MainActor P`: where this actor runs.
    GlobalActor(TypeId),
}
