//! The worklist of blocks to simplify: last in, first out, without duplicates.

use rustc_hash::FxHashMap;

use sil_ir::model::BlockId;

#[derive(Default)]
pub(super) struct Worklist {
    open: Vec<Option<BlockId>>,
    places: FxHashMap<BlockId, usize>,
}

impl Worklist {
    /// Pushes a block, unless it is on the worklist.
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

    /// Removes a block. Returns whether it was on the worklist.
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
