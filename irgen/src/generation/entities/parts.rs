//! The entities of types and declarations in normal Swift, a symbol for each: metadata, descriptors, caches, mangled
//! names; and the helper functions that each module defines for itself. The facts of each kind stand in one row
//! (lib/IRGen/Linking.cpp).

use sil::context::{MemberId, Name, NominalId, SignatureId, TypeId};
use sil::symbols::Operation;

/// An entity of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypePart {
    /// Its metadata.
    Metadata,
    /// Where the metadata is kept once the runtime has made it of the mangled name.
    DemanglingCache,
    /// The mangled name, with references to descriptors.
    MangledName,
    /// The same in terms of the parameters of a signature, which determines the protocols that declare members of them.
    MangledNameIn(SignatureId),
    /// The metadata with the words before their address point.
    FullMetadata,
    /// The table of value witnesses.
    ValueWitnessTable,
}

/// An entity of a nominal type or a protocol, independent of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NominalPart {
    /// The function that gives the metadata of the type for given arguments.
    MetadataAccessor,
    /// The descriptor.
    Descriptor,
    /// The descriptor of a context without a name of its own that declares the type: a function, or a file that alone
    /// sees it.
    AnonymousContext,
    /// The descriptor of the extension that declares it.
    ExtensionContext,
    /// The names and types of its stored properties or cases.
    FieldDescriptor,
    /// Its layout, where that does not follow from the parts.
    FixedLayout,
    /// The spare bits of its payloads.
    MultiPayloadLayout,
    /// The record by which the runtime finds the descriptor.
    Record,
    /// The pattern of which the runtime makes the metadata of a generic type.
    Pattern,
    /// The offsets of stored properties in a pattern, where all of them are known.
    PatternOffsets,
    /// The runtime's cache of metadata that it has made of a pattern.
    InstantiationCache,
    /// The function that allocates metadata.
    InstantiationFunction,
    /// The function that finishes metadata.
    CompletionFunction,
    /// Where the runtime keeps metadata that are finished when they are used first.
    SingletonCache,
    /// Where a module keeps the metadata of a type of C, once the runtime has chosen them.
    ForeignCache,
    /// How much of the metadata of a class is that of its superclasses.
    MetadataBounds,
    /// The function that finds a method in a class by the method's descriptor.
    MethodLookup,
    /// The witness table by which existentials of a protocol conform to it.
    SelfConformance,
}

/// An entity of a conformance that the module states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConformancePart {
    /// The descriptor.
    Descriptor,
    /// The record by which the runtime finds the descriptor.
    Record,
    /// The associated types, for reflection.
    AssociatedTypes,
    /// The runtime's cache of tables that it makes of the descriptor.
    Cache,
    /// Of a conformance of a type with its arguments: the function that gives the witness table which the runtime
    /// makes.
    LazyAccessor,
    /// Where that function keeps the table.
    LazyCache,
    /// The function that fills the witness tables that the runtime makes of a pattern.
    Instantiator,
    /// The function that gives the witness table for a protocol that the conformance's protocol inherits from.
    BaseAccessor(NominalId),
    /// The name by which the runtime finds that function.
    BaseAccessorName(NominalId),
    /// The function that gives the witness table of a member of `Self` for a protocol.
    AssociatedAccessor(TypeId, NominalId),
    /// The name by which the runtime finds that function.
    AssociatedAccessorName(TypeId, NominalId),
}

/// A requirement of a protocol, by the key of its descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RequirementKey {
    /// The place before the first requirement of a protocol.
    Start(NominalId),
    /// That for which the function of this name is a witness.
    OfWitness(Name),
    /// A member of a protocol of the module, by its number in witness tables.
    Slot(NominalId, u32),
    /// A member of a protocol, by its formal type.
    Method(NominalId, MemberId, TypeId),
    /// A method of a class, by its formal type and the yielded type of a coroutine.
    ClassMethod(NominalId, MemberId, TypeId, Option<TypeId>),
    /// The conformance of the first protocol to the second.
    Base(NominalId, NominalId),
    /// An associated type of a protocol.
    AssociatedType(Name, NominalId),
    /// In the first protocol, the conformance of a member of `Self` to the second.
    AssociatedConformance(NominalId, TypeId, NominalId),
}

/// An entity of the shape of a constrained existential.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShapePart {
    /// The requirements on types.
    Description,
    /// Where the runtime takes note of the same shape of another module.
    Cache,
    /// The mangled name of the type, without references.
    Name,
}

/// A helper function that each module defines for itself. Those of other compilers have the same symbols, and one of
/// several stays in a program: the parameters and the result are part of the name (lib/IRGen/GenExistential.cpp,
/// GenFunc.cpp, GenOpaque.cpp, MetadataRequest.cpp).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Helper {
    /// Gives the metadata that a demangling cache is for.
    InstantiateFromMangledName,
    /// Destroys an existential container with this many witness tables.
    DestroyExistential(usize),
    /// Gives up the box of an existential container with this many witness tables, in which no value is.
    DeallocateExistential(usize),
    /// Makes room for a value in an existential container with this many witness tables, in it or in a box.
    AllocateExistential(usize),
    /// Finds the value in an existential container with this many witness tables.
    ProjectExistential(usize),
    /// The same for a value that is written to: a box that other containers share is copied.
    ProjectMutableExistential(usize),
    /// Makes room for a value in a value buffer, in it or outside.
    AllocateValueBuffer,
    /// Finds the value in a value buffer.
    ProjectValueBuffer,
    /// The replacement of the witnesses that copy values, for types that cannot be copied.
    CannotCopy,
    /// Finds an async function's context by that of a function which it has called.
    ProjectAsyncContext,
    /// The same where the function goes on with its own context.
    GetAsyncContext,
    /// Allocates memory for coroutines, by Swift's convention.
    AllocateFrame,
    /// Frees it.
    DeallocateFrame,
}

/// The layout of values without their type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LayoutNumbers {
    /// The size in bytes.
    pub size: u64,
    /// The distance of elements in an array, in bytes.
    pub stride: u64,
    /// The alignment mask, and the flags of values.
    pub flags: u64,
    /// How many extra inhabitants there are.
    pub inhabitants: u32,
}

impl NominalPart {
    /// Whether nothing but the module itself refers to it by its symbol.
    pub(super) fn is_local(self) -> bool {
        match self {
            NominalPart::MetadataAccessor
            | NominalPart::Descriptor
            | NominalPart::Record
            | NominalPart::SelfConformance
            | NominalPart::MethodLookup
            | NominalPart::MetadataBounds => false,
            NominalPart::FieldDescriptor
            | NominalPart::FixedLayout
            | NominalPart::MultiPayloadLayout
            | NominalPart::AnonymousContext
            | NominalPart::ExtensionContext
            | NominalPart::Pattern
            | NominalPart::PatternOffsets
            | NominalPart::InstantiationCache
            | NominalPart::InstantiationFunction
            | NominalPart::CompletionFunction
            | NominalPart::SingletonCache
            | NominalPart::ForeignCache => true,
        }
    }
}

impl TypePart {
    /// Whether it is a mangled name.
    pub fn is_name(self) -> bool {
        matches!(self, TypePart::MangledName | TypePart::MangledNameIn(_))
    }

    /// The signature that type parameters in a mangled name are of.
    pub fn signature(self) -> Option<SignatureId> {
        match self {
            TypePart::MangledNameIn(signature) => Some(signature),
            _ => None,
        }
    }

    /// The operation on the type in its symbol; none for a symbol without mangling.
    pub(super) fn operation(self) -> Option<Operation> {
        match self {
            TypePart::Metadata => Some(Operation::TypeMetadata),
            TypePart::DemanglingCache => Some(Operation::DemanglingCache),
            TypePart::FullMetadata => Some(Operation::FullTypeMetadata),
            TypePart::ValueWitnessTable => Some(Operation::ValueWitnessTable),
            TypePart::MangledName | TypePart::MangledNameIn(_) => None,
        }
    }
}

impl Helper {
    /// Its symbol.
    pub(super) fn symbol(self) -> String {
        match self {
            Helper::InstantiateFromMangledName => "__swift_instantiateConcreteTypeFromMangledName".to_owned(),
            Helper::ProjectAsyncContext => "__swift_async_resume_project_context".to_owned(),
            Helper::GetAsyncContext => "__swift_async_resume_get_context".to_owned(),
            Helper::AllocateFrame => "_swift_malloc".to_owned(),
            Helper::DeallocateFrame => "_swift_free".to_owned(),
            Helper::CannotCopy => "__swift_cannot_copy_noncopyable_type".to_owned(),
            Helper::AllocateValueBuffer => "__swift_allocate_value_buffer".to_owned(),
            Helper::ProjectValueBuffer => "__swift_project_value_buffer".to_owned(),
            Helper::DestroyExistential(tables) => format!("__swift_destroy_boxed_opaque_existential_{tables}"),
            Helper::DeallocateExistential(tables) => format!("__swift_deallocate_boxed_opaque_existential_{tables}"),
            Helper::AllocateExistential(tables) => format!("__swift_allocate_boxed_opaque_existential_{tables}"),
            Helper::ProjectExistential(tables) => format!("__swift_project_boxed_opaque_existential_{tables}"),
            Helper::ProjectMutableExistential(tables) => {
                format!("__swift_mutable_project_boxed_opaque_existential_{tables}")
            }
        }
    }
}

/// A table of value witnesses that the library has, for all types whose values are treated alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LibraryWitnesses {
    /// That of the empty tuple.
    Empty,
    /// That of integers of this many bits.
    Integer(u64),
    /// That of references to native objects.
    NativeObject,
    /// That of bridge objects.
    BridgeObject,
}

impl LibraryWitnesses {
    /// Its symbol.
    pub(super) fn symbol(self) -> String {
        match self {
            LibraryWitnesses::Empty => "$sytWV".to_owned(),
            LibraryWitnesses::Integer(bits) => format!("$sBi{bits}_WV"),
            LibraryWitnesses::NativeObject => "$sBoWV".to_owned(),
            LibraryWitnesses::BridgeObject => "$sBbWV".to_owned(),
        }
    }
}
