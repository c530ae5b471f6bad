//! Finds the epilogue releases of a reference: the releases on all paths to the function's exits with no later release
//! or observation of a reference count. Follows lib/SILOptimizer/Analysis/EpilogueARCAnalysis.cpp.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::Worklist;
use sil_ir::model::{BlockId, InstructionId, Value};

use crate::knowledge::reference_questions::{Counting, Questions};

pub(super) struct LastReleaseFinder<'a> {
    questions: &'a Questions<'a>,
    removed: &'a FxHashSet<InstructionId>,
    found: RefCell<FxHashMap<Value, FxHashSet<InstructionId>>>,
}

/// The first relevant instruction of a block, from its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    Release(InstructionId),
    Barrier,
    Nothing,
}

impl<'a> LastReleaseFinder<'a> {
    pub(super) fn new(questions: &'a Questions<'a>, removed: &'a FxHashSet<InstructionId>) -> Self {
        Self { questions, removed, found: RefCell::default() }
    }

    /// Returns whether `id` is an epilogue release of the reference.
    pub(super) fn is_last(&self, root: Value, id: InstructionId) -> bool {
        self.with(root, |found| found.contains(&id))
    }

    /// Returns whether the reference has epilogue releases and `id` is not one of them.
    pub(super) fn is_before_last(&self, root: Value, id: InstructionId) -> bool {
        self.with(root, |found| !found.is_empty() && !found.contains(&id))
    }

    fn with(&self, root: Value, is: impl Fn(&FxHashSet<InstructionId>) -> bool) -> bool {
        if let Some(found) = self.found.borrow().get(&root) {
            return is(found);
        }
        let found = self.compute(root).unwrap_or_default();
        let answer = is(&found);
        self.found.borrow_mut().insert(root, found);
        answer
    }

    /// Computes the epilogue releases. Returns `None` if another instruction on a path to an exit may release or read a
    /// reference count after the last release.
    fn compute(&self, root: Value) -> Option<FxHashSet<InstructionId>> {
        let (body, cfg) = (self.questions.view.body, &self.questions.view.cfg);
        let locals = self.local_names(root);
        let order: Vec<BlockId> = cfg.reverse_post_order().iter().rev().copied().collect();
        let met: FxHashMap<BlockId, Met> =
            order.iter().map(|block| (*block, self.met(*block, *locals.get(block).unwrap_or(&root)))).collect();
        let targets = |block: BlockId| body.terminator(block).map_or(&[][..], |end| body.targets(end));
        let leaves = |block: BlockId| {
            body.terminator(block).is_some_and(|end| self.questions.view.opcode(end).leaves_function())
        };
        // Whether the epilogue release is still to be found above the start of each block.
        let mut is_open: FxHashMap<BlockId, bool> = order.iter().map(|block| (*block, true)).collect();
        loop {
            let mut is_changed = false;
            for block in &order {
                let is_open_after = match targets(*block) {
                    [] => leaves(*block),
                    targets => targets.iter().all(|target| is_open[target]),
                };
                let now = match met[block] {
                    _ if !is_open_after => false,
                    Met::Barrier => return None,
                    Met::Release(_) => false,
                    Met::Nothing => true,
                };
                is_changed |= is_open.insert(*block, now) != Some(now);
            }
            if !is_changed {
                break;
            }
        }
        let mut found = FxHashSet::default();
        for block in &order {
            let is_open_after = match targets(*block) {
                [] => leaves(*block),
                [first, others @ ..] => {
                    if others.iter().any(|other| is_open[other] != is_open[first]) {
                        return None;
                    }
                    is_open[first]
                }
            };
            if let (true, Met::Release(id)) = (is_open_after, met[block]) {
                found.insert(id);
            }
        }
        Some(found)
    }

    /// Maps each predecessor to the value that it passes for a block argument.
    fn local_names(&self, root: Value) -> FxHashMap<BlockId, Value> {
        let view = self.questions.view;
        let mut names = FxHashMap::default();
        let mut open = Worklist::new([root]);
        while let Some(value) = open.pop() {
            let sil_ir::model::Definition::Argument { block, .. } = view.body.values[value].definition else {
                continue;
            };
            let Some(incoming) = view.incoming_values(value) else { continue };
            for (from, passed) in view.cfg.predecessors(block).iter().zip(incoming) {
                names.insert(*from, passed);
                open.push(passed);
            }
        }
        names
    }

    /// The first release of `value` or barrier of a block, from its end.
    fn met(&self, block: BlockId, value: Value) -> Met {
        let questions = self.questions;
        let instructions: Vec<InstructionId> = questions.view.body.instructions_in(block).collect();
        let root = questions.root(value);
        for id in instructions.into_iter().rev().filter(|id| !self.removed.contains(id)) {
            if questions.counting(id) == Some(Counting::Release) && questions.counted_root(id) == root {
                return Met::Release(id);
            }
            if questions.may_release_or_read_count(id) {
                return Met::Barrier;
            }
        }
        Met::Nothing
    }
}
