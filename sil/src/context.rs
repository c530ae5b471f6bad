//! The context that all modules of one compilation share: interned names, types, generic signatures and references to declarations.
//!
//! Interning takes `&self`, so that function bodies can be read in parallel. The number of an interned entity depends
//! on the order of interning; nothing that silc writes may depend on it.

use std::hash::{BuildHasher, Hash};
use std::sync::RwLock;

use cranelift_entity::EntityRef;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::declarations::MemberRef;
use crate::types::{GenericSignature, Type};

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

/// An interned reference to a declaration (`#Point.x`, `#Shape.draw!1`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(u32);
cranelift_entity::entity_impl!(MemberId, "member");

/// An append-only set of values with a number each. Shared by threads; references to values stay valid.
struct Interner<K, V> {
    values: boxcar::Vec<V>,
    shards: [RwLock<FxHashMap<V, K>>; SHARDS],
}

const SHARDS: usize = 16;

impl<K: EntityRef, V: Hash + Eq + Clone> Interner<K, V> {
    fn new() -> Self {
        Self { values: boxcar::Vec::new(), shards: std::array::from_fn(|_| RwLock::new(FxHashMap::default())) }
    }

    fn shard<Q: Hash + ?Sized>(&self, value: &Q) -> &RwLock<FxHashMap<V, K>> {
        // The map uses the low and the top bits of the same hash; the shard takes bits between them.
        &self.shards[(FxBuildHasher.hash_one(value) >> 32) as usize % SHARDS]
    }

    fn find<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> Option<K>
    where
        V: std::borrow::Borrow<Q>,
    {
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        let map = self.shard(value).read().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.get(value).copied()
    }

    fn insert(&self, value: V) -> K {
        let mut map = self.shard(&value).write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(key) = map.get(&value) {
            return *key;
        }
        let key = K::new(self.values.push(value.clone()));
        map.insert(value, key);
        key
    }

    fn intern(&self, value: V) -> K {
        self.find(&value).unwrap_or_else(|| self.insert(value))
    }

    fn get(&self, key: K) -> &V {
        &self.values[key.index()]
    }
}

/// The interned entities of a compilation.
pub struct Context {
    names: Interner<Name, Box<str>>,
    types: Interner<TypeId, Type>,
    signatures: Interner<SignatureId, GenericSignature>,
    members: Interner<MemberId, MemberRef>,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// An empty context.
    pub fn new() -> Self {
        Self { names: Interner::new(), types: Interner::new(), signatures: Interner::new(), members: Interner::new() }
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

    /// The type behind `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id)
    }

    /// Interns `signature`.
    pub fn signature(&self, signature: GenericSignature) -> SignatureId {
        self.signatures.intern(signature)
    }

    /// The generic signature behind `id`.
    pub fn get_signature(&self, id: SignatureId) -> &GenericSignature {
        self.signatures.get(id)
    }

    /// Interns `member`.
    pub fn member(&self, member: MemberRef) -> MemberId {
        self.members.intern(member)
    }

    /// The reference to a declaration behind `id`.
    pub fn get_member(&self, id: MemberId) -> &MemberRef {
        self.members.get(id)
    }
}
