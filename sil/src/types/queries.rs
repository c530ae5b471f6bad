//! [`TypeQueries`]: what the questions about types are asked of. Owns the references to what a module knows about types, and the caches.

use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, OnceLock, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{ConformanceTable, NominalType, Type, TypeProperties};
use crate::context::{Context, MemberId, SignatureId, TypeId};
use crate::declarations::{DeclarationTable, NominalDeclaration, NominalId, Origin};
use crate::model::{AddressLowering, LanguageMode, Module};

/// Answers questions about types: substitution, members, conventions, lowering, classification. Usable from several threads.
pub struct TypeQueries<'a> {
    /// The interned types.
    pub context: &'a Context,
    /// The declarations that nominal types refer to.
    pub declarations: &'a DeclarationTable,
    /// What is known of conformances.
    pub conformances: &'a ConformanceTable,
    /// Whether the module was made for Embedded Swift.
    pub mode: LanguageMode,
    /// How functions pass address-only values.
    pub address_lowering: AddressLowering,
    pub(super) known: KnownTypes,
    pub(super) canonical: Cache<TypeId, TypeId>,
    pub(super) fields: Cache<(TypeId, MemberId), Option<TypeId>>,
    pub(super) field_lists: Cache<TypeId, Option<Arc<[TypeId]>>>,
    pub(super) payloads: Cache<(TypeId, u32), Option<TypeId>>,
    /// Callees with generic arguments applied; the arguments as a tuple.
    pub(super) applied: Cache<(TypeId, TypeId), TypeId>,
    pub(super) unsubstituted: Cache<TypeId, TypeId>,
    pub(super) opaque: Cache<TypeId, TypeId>,
    pub(super) properties: Cache<(TypeId, Option<SignatureId>), TypeProperties>,
}

/// The declarations of the standard library that the type system itself knows.
pub(super) struct KnownTypes {
    pub(super) optional: Option<NominalId>,
    pub(super) error: Option<NominalId>,
    pub(super) never: Option<NominalId>,
}

impl<'a> TypeQueries<'a> {
    /// Queries about the types of a module, with empty caches.
    pub fn of(module: &'a Module, conformances: &'a ConformanceTable) -> Self {
        Self::new(&module.context, &module.declarations, conformances, module.mode, module.address_lowering)
    }

    /// Queries with empty caches.
    pub fn new(
        context: &'a Context,
        declarations: &'a DeclarationTable,
        conformances: &'a ConformanceTable,
        mode: LanguageMode,
        address_lowering: AddressLowering,
    ) -> Self {
        let standard = |name: &str| {
            let name = context.find_name(name)?;
            let imported = context.find_name("Swift").and_then(|module| declarations.in_module(module, name));
            // The standard library itself, and what does without it, declares its own.
            imported.or_else(|| declarations.top_level(name))
        };
        Self {
            context,
            declarations,
            conformances,
            mode,
            address_lowering,
            known: KnownTypes { optional: standard("Optional"), error: standard("Error"), never: standard("Never") },
            canonical: Cache::default(),
            fields: Cache::default(),
            field_lists: Cache::default(),
            payloads: Cache::default(),
            applied: Cache::default(),
            unsubstituted: Cache::default(),
            opaque: Cache::default(),
            properties: Cache::default(),
        }
    }

    /// The type behind `ty`.
    pub fn get(&self, ty: TypeId) -> &'a Type {
        self.context.get(ty)
    }

    /// The nominal type that `ty` is, looking through `@dynamic_self`.
    pub fn as_nominal(&self, ty: TypeId) -> Option<&'a NominalType> {
        match self.get(ty) {
            Type::Nominal(nominal) => Some(nominal),
            Type::DynamicSelf(inner) | Type::MoveOnlyWrapper(inner) => self.as_nominal(*inner),
            _ => None,
        }
    }

    /// The declaration of the nominal type that `ty` is.
    pub fn declaration_of(&self, ty: TypeId) -> Option<&'a NominalDeclaration> {
        self.as_nominal(ty).map(|nominal| self.declarations.get(nominal.declaration))
    }

    /// Whether no declaration of `ty` is at hand: it is known by name only, or not at all.
    pub fn is_undeclared(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Unresolved(_) => true,
            _ => self.declaration_of(ty).is_some_and(|declaration| declaration.origin == Origin::Named),
        }
    }

    /// The empty tuple.
    pub fn void(&self) -> TypeId {
        self.context.ty(Type::Tuple(Box::default()))
    }
}

/// A map that several threads fill. What is computed twice is computed alike, so the last one wins.
pub(super) struct Cache<K, V> {
    /// Made when the first value is there: most queries are asked only once or twice.
    shards: OnceLock<Box<[Shard<K, V>; SHARDS]>>,
}

type Shard<K, V> = RwLock<FxHashMap<K, V>>;

const SHARDS: usize = 8;

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self { shards: OnceLock::new() }
    }
}

fn shard_number(key: &impl Hash) -> usize {
    (FxBuildHasher.hash_one(key) >> 32) as usize % SHARDS
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<V> {
        let shards = self.shards.get()?;
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        let map = shards[shard_number(key)].read().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.get(key).cloned()
    }

    pub(super) fn insert(&self, key: K, value: V) -> V {
        let shards = self.shards.get_or_init(|| Box::new(std::array::from_fn(|_| RwLock::new(FxHashMap::default()))));
        let mut map = shards[shard_number(&key)].write().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.insert(key, value.clone());
        value
    }
}
