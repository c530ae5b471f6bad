//! Which blocks are to be simplified: the one that came last is the next, each stands there once.

use rustc_hash::FxHashMap;

use crate::model::BlockId;

#[derive(Default)]
pub(super) struct Worklist {
    open: Vec<Option<BlockId>>,
    places: FxHashMap<BlockId, usize>,
}

impl Worklist {
    /// Lets a block be simplified that does not wait for that yet.
    pub(super) fn push(&mut self, block: BlockId) {
        self.places.entry(block).or_insert_with(|| {
            self.open.push(Some(block));
            self.open.len() - 1
        });
    }

    pub(super) fn pop(&mut self) -> Option<BlockId> {
        while let Some(place) = self.open.pop() {
            if let Some(block) = place {
                self.places.remove(&block);
                return Some(block);
            }
        }
        None
    }

    /// Lets a block not be simplified. Whether it would have been.
    pub(super) fn remove(&mut self, block: BlockId) -> bool {
        let place = self.places.remove(&block);
        if let Some(place) = place {
            self.open[place] = None;
        }
        place.is_some()
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.places.clear();
    }
}
