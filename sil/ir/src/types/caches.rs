//! The answers about types that are kept. They hold as long as the declarations and the conformances of a module do;
//! bodies of functions do not matter.

use std::sync::Arc;

use super::conformances::Statement;
use super::known::KnownTypes;
use super::{GenericsCache, PathStep, TypeProperties};
use crate::cache::Cache;
use crate::context::{ConformanceId, Context, MemberId, Name, NominalId, SignatureId, SubstitutionMapId, TypeId};
use crate::declarations::DeclarationTable;
use crate::model::Module;

/// The answers of [`TypeQueries`](super::TypeQueries) so far, which several of them may share.
pub struct TypeCaches {
    pub(super) known: KnownTypes,
    pub(super) generics: GenericsCache,
    pub(super) canonical: Cache<TypeId, TypeId>,
    /// The formal types of methods as their overloads are distinguished.
    pub(super) overloads: Cache<TypeId, TypeId>,
    pub(super) reduced: Cache<(TypeId, SignatureId), TypeId>,
    pub(super) fields: Cache<(TypeId, MemberId), Option<TypeId>>,
    pub(super) field_lists: Cache<TypeId, Option<Arc<[TypeId]>>>,
    pub(super) payloads: Cache<(TypeId, u32), Option<TypeId>>,
    pub(super) found_conformances: Cache<(TypeId, NominalId), ConformanceId>,
    pub(super) stated_conformances: Cache<(NominalId, NominalId), Option<(ConformanceId, Statement)>>,
    pub(super) required: Cache<SignatureId, Arc<[PathStep]>>,
    pub(super) members: Cache<(TypeId, Name, Option<NominalId>), Option<TypeId>>,
    /// Callees with generic arguments applied.
    pub(super) applied: Cache<(TypeId, SubstitutionMapId), TypeId>,
    pub(super) unsubstituted: Cache<TypeId, TypeId>,
    pub(super) opaque: Cache<TypeId, TypeId>,
    /// By symbols, the numbers of the declarations of opaque types.
    pub(super) opaque_declarations: Cache<Name, Option<usize>>,
    pub(super) properties: Cache<(TypeId, Option<SignatureId>), TypeProperties>,
}

impl TypeCaches {
    /// Empty caches for a module with its declarations as they are.
    pub fn of(module: &Module) -> Arc<Self> {
        Self::new(&module.context, &module.declarations)
    }

    /// Empty caches for these declarations.
    pub(super) fn new(context: &Context, declarations: &DeclarationTable) -> Arc<Self> {
        Arc::new(Self {
            known: KnownTypes::new(context, declarations),
            generics: GenericsCache::default(),
            canonical: Cache::default(),
            overloads: Cache::default(),
            reduced: Cache::default(),
            fields: Cache::default(),
            field_lists: Cache::default(),
            payloads: Cache::default(),
            found_conformances: Cache::default(),
            stated_conformances: Cache::default(),
            required: Cache::default(),
            members: Cache::default(),
            applied: Cache::default(),
            unsubstituted: Cache::default(),
            opaque: Cache::default(),
            opaque_declarations: Cache::default(),
            properties: Cache::default(),
        })
    }
}
