//! The entities of types and declarations in normal Swift, a symbol for each: metadata, descriptors, caches, mangled
//! names; and the helper functions that each module defines for itself. The properties of each kind are in one row
//! (lib/IRGen/Linking.cpp).

use sil_ir::context::{MemberId, Name, NominalId, SignatureId, TypeId};
use sil_ir::symbols::Operation;

/// An entity of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypePart {
    /// Its metadata.
    Metadata,
    /// The cache of metadata that the runtime instantiates from the mangled name.
    DemanglingCache,
    /// The mangled name, with references to descriptors.
    MangledName,
    /// The same in terms of the parameters of a signature, which determines the protocols that declare their members.
    MangledNameIn(SignatureId),
    /// The metadata with the words before their address point.
    FullMetadata,
    /// The table of value witnesses.
    ValueWitnessTable,
}

/// An entity of a nominal type or a protocol, independent of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NominalPart {
    /// The function that returns the metadata of the type for given arguments.
    MetadataAccessor,
    /// The descriptor.
    Descriptor,
    /// The descriptor of an unnamed context that declares the type: a function, or a file for a type local to it.
    AnonymousContext,
    /// The descriptor of the extension that declares it.
    ExtensionContext,
    /// The names and types of its stored properties or cases.
    FieldDescriptor,
    /// Its layout, if it does not follow from the parts.
    FixedLayout,
    /// The spare bits of its payloads.
    MultiPayloadLayout,
    /// The record by which the runtime finds the descriptor.
    Record,
    /// The pattern from which the runtime instantiates the metadata of a generic type.
    Pattern,
    /// The offsets of stored properties in a pattern, if all of them are known.
    PatternOffsets,
    /// The runtime's cache of metadata instantiated from a pattern.
    InstantiationCache,
    /// The function that allocates metadata.
    InstantiationFunction,
    /// The function that completes metadata.
    CompletionFunction,
    /// The runtime's cache of metadata that is completed at its first use.
    SingletonCache,
    /// The module's cache of the metadata of a C type, after the runtime has uniqued it.
    ForeignCache,
    /// The size of the superclasses' part in the metadata of a class.
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
    /// The runtime's cache of tables instantiated from the descriptor.
    Cache,
    /// For a conformance of a type with arguments: the function that returns the witness table instantiated by the
    /// runtime.
    LazyAccessor,
    /// That function's cache of the table.
    LazyCache,
    /// The function that fills witness tables which the runtime instantiates from a pattern.
    Instantiator,
    /// The function that returns the witness table for a protocol that the conformance's protocol inherits from.
    BaseAccessor(NominalId),
    /// The name by which the runtime finds that function.
    BaseAccessorName(NominalId),
    /// The function that returns the witness table of a member of `Self` for a protocol.
    AssociatedAccessor(TypeId, NominalId),
    /// The name by which the runtime finds that function.
    AssociatedAccessorName(TypeId, NominalId),
}

/// A requirement of a protocol, by the key of its descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RequirementKey {
    /// The position before the first requirement of a protocol.
    Start(NominalId),
    /// The requirement that the function with this name is a witness of.
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
    /// The runtime's cache of the unique shape among equal ones of several modules.
    Cache,
    /// The mangled name of the type, without references.
    Name,
}

/// A helper function that each module defines for itself. Other compilers use the same symbols, and the linker keeps
/// one of several definitions: the parameters and the result are part of the name (lib/IRGen/GenExistential.cpp,
/// GenFunc.cpp, GenOpaque.cpp, MetadataRequest.cpp).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Helper {
    /// Returns the metadata for a demangling cache.
    InstantiateFromMangledName,
    /// Destroys an existential container with this many witness tables.
    DestroyExistential(usize),
    /// Frees the box of an existential container with this many witness tables, without a value in it.
    DeallocateExistential(usize),
    /// Allocates room for a value in an existential container with this many witness tables, inline or in a box.
    AllocateExistential(usize),
    /// Returns the address of the value in an existential container with this many witness tables.
    ProjectExistential(usize),
    /// The same for a value that is written to: a shared box is copied.
    ProjectMutableExistential(usize),
    /// Allocates room for a value in a value buffer, inline or outside.
    AllocateValueBuffer,
    /// Returns the address of the value in a value buffer.
    ProjectValueBuffer,
    /// The replacement of the copying witnesses for noncopyable types.
    CannotCopy,
    /// Returns an async function's context, given that of a function which it has called.
    ProjectAsyncContext,
    /// The same if the function continues with its own context.
    GetAsyncContext,
    /// Allocates memory for coroutines, with Swift's convention.
    AllocateFrame,
    /// Frees memory of coroutines.
    DeallocateFrame,
}

/// The layout of values, without their type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LayoutNumbers {
    /// The size in bytes.
    pub size: u64,
    /// The distance of elements in an array, in bytes.
    pub stride: u64,
    /// The alignment mask, and the flags of values.
    pub flags: u64,
    /// The number of extra inhabitants.
    pub inhabitants: u32,
}

impl NominalPart {
    /// Returns whether only the module itself refers to it by its symbol.
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
    /// Returns whether it is a mangled name.
    pub fn is_name(self) -> bool {
        matches!(self, TypePart::MangledName | TypePart::MangledNameIn(_))
    }

    /// Returns the signature of the type parameters in a mangled name.
    pub fn signature(self) -> Option<SignatureId> {
        match self {
            TypePart::MangledNameIn(signature) => Some(signature),
            _ => None,
        }
    }

    /// Returns the operation on the type in its symbol, or `None` for a symbol without mangling.
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

/// A value witness table of the library, for all types whose values are treated alike.
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
