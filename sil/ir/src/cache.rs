//! A map that threads share and fill: results are kept.

use std::hash::{BuildHasher, Hash};
use std::sync::{OnceLock, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// A map that several threads fill. A value that is computed twice is computed alike, so the last one wins.
pub struct Cache<K, V> {
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
    /// The value for `key`.
    pub fn get(&self, key: &K) -> Option<V> {
        let shards = self.shards.get()?;
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        let map = shards[shard_number(key)].read().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.get(key).cloned()
    }

    /// Notes `value` for `key`, and gives it back. Where another thread was quicker, its value is replaced by this one,
    /// which is the same.
    pub fn insert(&self, key: K, value: V) -> V {
        let shards = self.shards.get_or_init(|| Box::new(std::array::from_fn(|_| RwLock::new(FxHashMap::default()))));
        let mut map = shards[shard_number(&key)].write().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.insert(key, value.clone());
        value
    }
}
