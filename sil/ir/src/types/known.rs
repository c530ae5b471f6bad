//! The declarations of the standard library that the type system and the passes themselves know, and the questions
//! about them. `syntax/known.rs` has the library's declarations.

use super::TypeQueries;
use crate::context::{Context, MemberKind, MemberRef, NominalId, Type, TypeId};
use crate::declarations::{DeclarationTable, StatedConformance};

/// The known declarations; `None` for those that a module does not have.
pub(super) struct KnownTypes {
    pub(super) optional: Option<NominalId>,
    pub(super) array: Option<NominalId>,
    mutable_span: Option<NominalId>,
    string: Option<NominalId>,
    boolean: Option<NominalId>,
    pub(super) error: Option<NominalId>,
    pub(super) never: Option<NominalId>,
    array_storage: Option<NominalId>,
    /// Structs of the library that destroy their elements and do nothing else as they end.
    containers: Vec<NominalId>,
    destructor_safe_container: Option<NominalId>,
    binary_integer: Option<NominalId>,
    vector_of_three: Option<NominalId>,
    /// The integers of the library.
    integers: Vec<(NominalId, Signedness)>,
    bitwise_copyable: Option<NominalId>,
    pub(super) global_actor: Option<NominalId>,
    actor: Option<NominalId>,
}

/// lib/SILOptimizer/Analysis/DestructorAnalysis.cpp, `isKnownSafeStdlibContainerType`.
const CONTAINERS: [&str; 4] = ["Array", "_ArrayBuffer", "_ContiguousArrayBuffer", "Dictionary"];

/// Whether an integer type has negative numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    /// It has.
    Signed,
    /// It has not.
    Unsigned,
}

/// The integers of the standard library.
const INTEGERS: [(&str, Signedness); 10] = [
    ("Int", Signedness::Signed),
    ("Int8", Signedness::Signed),
    ("Int16", Signedness::Signed),
    ("Int32", Signedness::Signed),
    ("Int64", Signedness::Signed),
    ("UInt", Signedness::Unsigned),
    ("UInt8", Signedness::Unsigned),
    ("UInt16", Signedness::Unsigned),
    ("UInt32", Signedness::Unsigned),
    ("UInt64", Signedness::Unsigned),
];

impl KnownTypes {
    pub(super) fn new(context: &Context, declarations: &DeclarationTable) -> Self {
        let of_library = |name: &str| declarations.in_module(context.find_name("Swift")?, context.find_name(name)?);
        let of_concurrency =
            |name: &str| declarations.in_module(context.find_name("_Concurrency")?, context.find_name(name)?);
        // The standard library itself, and a module without it, declares its own.
        let standard = |name: &str| of_library(name).or_else(|| declarations.top_level(context.find_name(name)?));
        Self {
            optional: standard("Optional"),
            array: standard("Array"),
            mutable_span: of_library("MutableSpan"),
            string: of_library("String"),
            boolean: of_library("Bool"),
            error: of_library("Error"),
            never: standard("Never"),
            array_storage: of_library("_ContiguousArrayStorage"),
            containers: CONTAINERS.iter().filter_map(|name| of_library(name)).collect(),
            destructor_safe_container: of_library("_DestructorSafeContainer"),
            binary_integer: of_library("BinaryInteger"),
            vector_of_three: of_library("SIMD3"),
            integers: INTEGERS.iter().filter_map(|(name, signedness)| Some((of_library(name)?, *signedness))).collect(),
            bitwise_copyable: of_library("BitwiseCopyable"),
            global_actor: of_concurrency("GlobalActor"),
            actor: of_concurrency("Actor"),
        }
    }
}

impl TypeQueries<'_> {
    /// `any Error`; none where the module does not know `Error`.
    pub fn any_error(&self) -> Option<TypeId> {
        let protocol = self.caches.known.error?;
        let constraint = self.context.ty(Type::Protocol { protocol, arguments: Box::default() });
        Some(self.context.ty(Type::Existential(constraint)))
    }

    /// The protocol `Error`; none where the module does not know it.
    pub fn known_error(&self) -> Option<NominalId> {
        self.caches.known.error
    }

    /// The protocol of types whose values are copied as their bytes; `None` if the module does not know it.
    pub fn known_bitwise_copyable(&self) -> Option<NominalId> {
        self.caches.known.bitwise_copyable
    }

    /// The protocol `Actor`, where the module knows it.
    pub fn known_actor_protocol(&self) -> Option<NominalId> {
        self.caches.known.actor
    }

    /// Whether a protocol is the library's `Actor`.
    pub fn is_actor_protocol(&self, protocol: NominalId) -> bool {
        self.caches.known.actor == Some(protocol)
    }

    /// Whether a type is the library's `Never`.
    pub fn is_never(&self, ty: TypeId) -> bool {
        self.is_known(ty, self.caches.known.never)
    }

    /// Whether `class` is the class of the library's arrays.
    pub fn is_array_storage(&self, class: TypeId) -> bool {
        self.is_known(class, self.caches.known.array_storage)
    }

    /// Whether all that a struct of this declaration does as it ends is to destroy values of its generic arguments'
    /// types.
    pub fn destroys_elements_alone(&self, declaration: NominalId) -> bool {
        let promises = |stated: &StatedConformance| match self.get(stated.protocol) {
            Type::Protocol { protocol, .. } => Some(*protocol) == self.caches.known.destructor_safe_container,
            _ => false,
        };
        self.caches.known.containers.contains(&declaration)
            || self.declarations.get(declaration).conformances.iter().any(promises)
    }

    /// Whether a type is one of the library's vectors of three elements, which have the storage of four.
    pub fn is_vector_of_three(&self, ty: TypeId) -> bool {
        self.is_known(ty, self.caches.known.vector_of_three)
    }

    /// Whether a member is one of the initialisers that `BinaryInteger` requires of integers: the conversions from
    /// others.
    pub fn converts_integers(&self, member: &MemberRef) -> bool {
        member.kind == MemberKind::Allocator
            && member.parent.is_some()
            && member.parent == self.caches.known.binary_integer
    }

    /// `String`
    pub fn is_string(&self, ty: TypeId) -> bool {
        self.is_known(ty, self.caches.known.string)
    }

    /// `Bool`
    pub fn is_bool(&self, ty: TypeId) -> bool {
        self.is_known(ty, self.caches.known.boolean)
    }

    /// `Array<T>`
    pub fn is_array(&self, ty: TypeId) -> bool {
        self.is_known(ty, self.caches.known.array)
    }

    /// `MutableSpan<T>`
    pub fn is_mutable_span(&self, declaration: NominalId) -> bool {
        self.caches.known.mutable_span == Some(declaration)
    }

    /// Whether an integer of the standard library has negative numbers; none where the type is no such.
    pub fn standard_signedness(&self, ty: TypeId) -> Option<Signedness> {
        let declaration = self.as_nominal(ty)?.declaration;
        self.caches.known.integers.iter().find(|(known, _)| *known == declaration).map(|(_, signedness)| *signedness)
    }

    fn is_known(&self, ty: TypeId, known: Option<NominalId>) -> bool {
        known.is_some() && self.as_nominal(ty).map(|nominal| nominal.declaration) == known
    }
}
