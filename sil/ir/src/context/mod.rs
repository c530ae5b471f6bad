//! The context that all modules of one compilation share: interned names, types, generic signatures, substitution maps,
//! conformances and references to declarations, and the structure of each.
//!
//! Interning takes `&self`, so that function bodies can be read in parallel. The number of an interned entity depends
//! on the order of interning; nothing that silc writes may depend on it.

mod conformance;
mod function_type;
mod generic_signature;
mod ids;
mod interner;
mod member_ref;
mod specialization_history;
mod substitution_map;
mod sugar;
mod types;

pub use conformance::*;
pub use function_type::*;
pub use generic_signature::*;
pub use ids::*;
pub use member_ref::*;
pub use specialization_history::SpecializationHistory;
pub use substitution_map::SubstitutionMap;
pub use sugar::{Spelling, Sugar};
pub use types::*;

use interner::Interner;

/// The interned entities of a compilation.
pub struct Context {
    names: Interner<Name, Box<str>>,
    types: Interner<TypeId, Type>,
    signatures: Interner<SignatureId, GenericSignature>,
    members: Interner<MemberId, MemberRef>,
    substitution_maps: Interner<SubstitutionMapId, SubstitutionMap>,
    conformances: Interner<ConformanceId, Conformance>,
    specialization_histories: Interner<SpecializationHistoryId, SpecializationHistory>,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A context with the empty signature and the empty substitution map alone.
    pub fn new() -> Self {
        let context = Self {
            names: Interner::new(),
            types: Interner::new(),
            signatures: Interner::new(),
            members: Interner::new(),
            substitution_maps: Interner::new(),
            conformances: Interner::new(),
            specialization_histories: Interner::new(),
        };
        context.signatures.intern(GenericSignature::default());
        context.substitution_maps.intern(SubstitutionMap::default());
        context
    }

    /// The name with this text.
    pub fn name(&self, text: &str) -> Name {
        self.names.find(text).unwrap_or_else(|| self.names.insert(text.into()))
    }

    /// The name with this text, where something has it already.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.find(text)
    }

    /// The text of `name`.
    pub fn text(&self, name: Name) -> &str {
        self.names.get(name)
    }

    /// Interns `value`.
    pub fn ty(&self, value: Type) -> TypeId {
        self.types.intern(value)
    }

    /// The type `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id)
    }

    /// Interns `signature`.
    pub fn signature(&self, signature: GenericSignature) -> SignatureId {
        self.signatures.intern(signature)
    }

    /// The generic signature `id`.
    pub fn get_signature(&self, id: SignatureId) -> &GenericSignature {
        self.signatures.get(id)
    }

    /// Interns `member`.
    pub fn member(&self, member: MemberRef) -> MemberId {
        self.members.intern(member)
    }

    /// The reference to a declaration `id`.
    pub fn get_member(&self, id: MemberId) -> &MemberRef {
        self.members.get(id)
    }
}
