//! The numbers of interned entities, and of declared types.

/// An interned name: an identifier, a symbol, a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);
cranelift_entity::entity_impl!(Name, "name");

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
cranelift_entity::entity_impl!(TypeId, "type");

/// An interned generic signature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignatureId(u32);
cranelift_entity::entity_impl!(SignatureId, "signature");

impl SignatureId {
    /// The signature without parameters: every context has it first.
    pub const EMPTY: Self = Self(0);
}

impl Default for SignatureId {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// An interned substitution map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubstitutionMapId(u32);
cranelift_entity::entity_impl!(SubstitutionMapId, "substitutions");

impl SubstitutionMapId {
    /// The map that replaces nothing: every context has it first.
    pub const EMPTY: Self = Self(0);
}

/// An interned way in which a specialisation was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpecializationHistoryId(u32);
cranelift_entity::entity_impl!(SpecializationHistoryId, "history");

/// An interned conformance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConformanceId(u32);
cranelift_entity::entity_impl!(ConformanceId, "conformance");

/// An interned reference to a declaration (`#Point.x`, `#Shape.draw!1`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(u32);
cranelift_entity::entity_impl!(MemberId, "member");

/// The number of a nominal type or protocol in a [`DeclarationTable`](crate::declarations::DeclarationTable).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NominalId(u32);
cranelift_entity::entity_impl!(NominalId, "nominal");
