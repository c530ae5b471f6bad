//! The worklist of entities, each of which is visited once
//! (SwiftCompilerSources/Sources/Optimizer/DataStructures/Worklist.swift).
//!
//! Does not own: walks that visit an entity again when more is known of it.

use cranelift_entity::{EntityRef, EntitySet};

/// Entities to visit, the last one first, and the set of all that were pushed.
pub struct Worklist<K: EntityRef> {
    open: Vec<K>,
    pushed: EntitySet<K>,
}

impl<K: EntityRef> Worklist<K> {
    /// A worklist of these entities.
    pub fn new(entities: impl IntoIterator<Item = K>) -> Self {
        let mut worklist = Self { open: Vec::new(), pushed: EntitySet::new() };
        worklist.extend(entities);
        worklist
    }

    /// The next entity; none if all were visited.
    pub fn pop(&mut self) -> Option<K> {
        self.open.pop()
    }

    /// Pushes an entity, unless it was pushed before.
    pub fn push(&mut self, entity: K) {
        if self.pushed.insert(entity) {
            self.open.push(entity);
        }
    }

    /// Whether an entity was pushed.
    pub fn has_been_pushed(&self, entity: K) -> bool {
        self.pushed.contains(entity)
    }
}

impl<K: EntityRef> Extend<K> for Worklist<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, entities: I) {
        for entity in entities {
            self.push(entity);
        }
    }
}

impl<'a, K: EntityRef> Extend<&'a K> for Worklist<K> {
    fn extend<I: IntoIterator<Item = &'a K>>(&mut self, entities: I) {
        self.extend(entities.into_iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sil_ir::model::BlockId;

    #[test]
    fn each_entity_is_visited_once() {
        let [first, second] = [0, 1].map(BlockId::new);
        let mut worklist = Worklist::new([first, second, first]);
        assert_eq!(worklist.pop(), Some(second));
        worklist.extend(&[first, second]);
        assert_eq!((worklist.pop(), worklist.pop()), (Some(first), None));
        assert!(worklist.has_been_pushed(second));
    }
}
