//! The regions of a whole function: operations of its blocks applied until nothing changes
//! (`RegionAnalysisFunctionInfo`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_ir::model::BlockId;

use super::evaluation::{Evaluator, RegionError, SentState};
use super::isolated_values::ValueIsolation;
use super::partition::Partition;
use super::tracked_values::TrackedValues;
use super::translation::Translation;
use crate::Use;

/// The regions of a function.
pub struct RegionAnalysis<'f, 'v, 'm> {
    /// Its values.
    pub tracked: TrackedValues<'f, 'v, 'm>,
    translation: Translation,
    entries: SecondaryMap<BlockId, Partition>,
    sent: FxHashMap<Use, SentState>,
}

impl<'f, 'v, 'm> RegionAnalysis<'f, 'v, 'm> {
    /// Computes them.
    pub fn of(values: &'f ValueIsolation<'v, 'm>) -> Self {
        let mut tracked = TrackedValues::new(values);
        let translation = Translation::of(&mut tracked);
        let mut analysis = Self { tracked, translation, entries: SecondaryMap::new(), sent: FxHashMap::default() };
        analysis.solve();
        analysis
    }

    fn solve(&mut self) {
        let view = self.tracked.values.view;
        let body = view.body;
        let mut exits: SecondaryMap<BlockId, Partition> = SecondaryMap::new();
        let mut waiting: SecondaryMap<BlockId, bool> = SecondaryMap::with_default(true);
        self.entries[body.entry()] = self.translation.entry.clone();
        let mut changes = true;
        while changes {
            changes = false;
            for block in view.cfg.reverse_post_order() {
                if !std::mem::take(&mut waiting[*block]) {
                    continue;
                }
                let mut entry = self.entries[*block].clone();
                for before in view.cfg.predecessors(*block) {
                    entry = entry.join(&exits[*before]);
                }
                self.entries[*block] = entry.clone();
                let (mut exit, _) = self.evaluate(*block, entry);
                exit.canonicalize();
                if !exit.is_same(&exits[*block]) {
                    exits[*block] = exit;
                    let successors = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
                    successors.iter().for_each(|block| waiting[*block] = true);
                    changes |= !successors.is_empty();
                }
            }
        }
    }

    fn evaluate(&mut self, block: BlockId, entry: Partition) -> (Partition, Vec<RegionError>) {
        let (tracked, captures) = (&mut self.tracked, &self.translation.captures);
        let mut evaluator = Evaluator { tracked, captures, sent: &mut self.sent, errors: Vec::new() };
        let mut partition = entry;
        for operation in &self.translation.operations[block.as_u32() as usize] {
            evaluator.apply(&mut partition, *operation);
        }
        (partition, evaluator.errors)
    }

    /// The errors, in textual order.
    pub fn errors(&mut self) -> Vec<RegionError> {
        let view = self.tracked.values.view;
        let reachable = view.body.blocks.keys().filter(|block| view.cfg.is_reachable(*block));
        reachable
            .collect::<Vec<_>>()
            .into_iter()
            .flat_map(|block| {
                let entry = self.entries[block].clone();
                self.evaluate(block, entry).1
            })
            .collect()
    }

    /// The state that an operand has sent.
    pub fn sent_by(&self, found: Use) -> Option<SentState> {
        self.sent.get(&found).copied()
    }
}
