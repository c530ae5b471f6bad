//! Append-only sets whose values have numbers.

use std::hash::{BuildHasher, Hash};
use std::sync::RwLock;

use cranelift_entity::EntityRef;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An append-only set of values with a number each. Shared by threads; references to values stay valid.
pub(super) struct Interner<K, V> {
    values: boxcar::Vec<V>,
    shards: [RwLock<FxHashMap<V, K>>; SHARDS],
}

const SHARDS: usize = 16;

impl<K: EntityRef, V: Hash + Eq + Clone> Interner<K, V> {
    pub(super) fn new() -> Self {
        Self { values: boxcar::Vec::new(), shards: std::array::from_fn(|_| RwLock::new(FxHashMap::default())) }
    }

    fn shard<Q: Hash + ?Sized>(&self, value: &Q) -> &RwLock<FxHashMap<V, K>> {
        // The map uses the low and the top bits of the same hash; the shard takes bits between them.
        &self.shards[(FxBuildHasher.hash_one(value) >> 32) as usize % SHARDS]
    }

    pub(super) fn find<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> Option<K>
    where
        V: std::borrow::Borrow<Q>,
    {
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        let map = self.shard(value).read().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.get(value).copied()
    }

    pub(super) fn insert(&self, value: V) -> K {
        let mut map = self.shard(&value).write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(key) = map.get(&value) {
            return *key;
        }
        let key = K::new(self.values.push(value.clone()));
        map.insert(value, key);
        key
    }

    pub(super) fn intern(&self, value: V) -> K {
        self.find(&value).unwrap_or_else(|| self.insert(value))
    }

    pub(super) fn get(&self, key: K) -> &V {
        &self.values[key.index()]
    }
}
