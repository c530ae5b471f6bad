//! The retains or the releases of a value in the epilogue of a function, on each path to an exit
//! (lib/SILOptimizer/Analysis/EpilogueARCAnalysis.cpp). A recursive call that returns the value counts as a retain,
//! since it returns a retained value.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use sil_analysis::ApplySite;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Value};

use crate::knowledge::reference_questions::{Counting, Questions};

/// Returns the last retains or releases of `value` on all paths, or nothing if a path has none.
pub(crate) fn epilogue_counting(questions: &Questions<'_>, counting: Counting, value: Value) -> Vec<InstructionId> {
    let mut search = Search { questions, counting, value, local: SecondaryMap::new(), open: SecondaryMap::new() };
    search.follow_arguments();
    if search.converge().is_none() { Vec::new() } else { search.collect().unwrap_or_default() }
}

struct Search<'e> {
    questions: &'e Questions<'e>,
    counting: Counting,
    value: Value,
    /// The value that a block passes on for the searched value, for predecessors of phis.
    local: SecondaryMap<BlockId, Option<Value>>,
    /// The blocks from whose start on nothing has been found; `Some(false)` if something has.
    open: SecondaryMap<BlockId, Option<bool>>,
}

/// The meaning of an instruction in the backward search.
enum Found {
    Counting,
    Obstacle,
    Nothing,
}

impl Search<'_> {
    fn body(&self) -> &Body {
        self.questions.view.body
    }

    /// Determines the incoming value of each block through phis.
    fn follow_arguments(&mut self) {
        let view = self.questions.view;
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut values = vec![self.value];
        while let Some(value) = values.pop() {
            let Definition::Argument { block, .. } = view.body.values[value].definition else { continue };
            if !seen.insert(value) {
                continue;
            }
            for from in view.cfg.predecessors(block) {
                if let Some(incoming) = view.passed(*from, value) {
                    self.local[*from] = Some(incoming);
                    values.push(incoming);
                }
            }
        }
    }

    /// Returns whether nothing has been found from the end of `block` on.
    fn is_open_after(&self, block: BlockId) -> bool {
        let end = self.body().terminator(block);
        match end.map(|end| (end, self.body().targets(end))) {
            Some((end, [])) => self.leaves(self.questions.view.opcode(end)),
            Some((_, targets)) => targets.iter().all(|target| self.is_open(*target)),
            None => false,
        }
    }

    /// Returns whether a terminator is an exit that the search starts at: a throw returns nothing that would have to be
    /// retained.
    fn leaves(&self, end: Opcode) -> bool {
        match end {
            Opcode::Return | Opcode::Unwind => true,
            Opcode::Throw | Opcode::ThrowAddr => self.counting == Counting::Release,
            _ => false,
        }
    }

    fn is_open(&self, block: BlockId) -> bool {
        self.open[block].unwrap_or(true)
    }

    /// Finds the blocks from whose start on nothing is found, to a fixed point. `None` if an obstacle is found first.
    fn converge(&mut self) -> Option<()> {
        loop {
            let mut is_changed = false;
            for block in self.questions.view.cfg.reverse_post_order().iter().rev() {
                let mut is_open = self.is_open_after(*block);
                if is_open {
                    match self.last(*block) {
                        Some((_, Found::Obstacle)) => return None,
                        Some(_) => is_open = false,
                        None => {}
                    }
                }
                is_changed |= self.is_open(*block) != is_open;
                self.open[*block] = Some(is_open);
            }
            if !is_changed {
                return Some(());
            }
        }
    }

    /// Collects the results. `None` if only some successors of a block have one.
    fn collect(&self) -> Option<Vec<InstructionId>> {
        let mut found = Vec::new();
        for block in self.questions.view.cfg.reverse_post_order().iter().rev() {
            let end = self.body().terminator(*block)?;
            let mut after = self.body().targets(end).iter().map(|target| self.is_open(*target));
            if let Some(first) = after.next()
                && after.any(|other| other != first)
            {
                return None;
            }
            if self.is_open_after(*block)
                && let Some((id, Found::Counting)) = self.last(*block)
            {
                found.push(id);
            }
        }
        Some(found)
    }

    /// Returns the last relevant instruction of `block`.
    fn last(&self, block: BlockId) -> Option<(InstructionId, Found)> {
        let instructions: Vec<InstructionId> = self.body().instructions_in(block).collect();
        instructions.into_iter().rev().find_map(|id| match self.found(block, id) {
            Found::Nothing => None,
            found => Some((id, found)),
        })
    }

    fn found(&self, block: BlockId, id: InstructionId) -> Found {
        let questions = self.questions;
        let local = self.local[block].unwrap_or(self.value);
        let is_wanted = |value: Value| questions.root(value) == questions.root(local);
        let found = match self.counting {
            Counting::Retain if self.calls_itself(id) => self.body().result(id).is_some_and(is_wanted),
            _ => questions.counting(id) == Some(self.counting) && questions.counted_root(id) == questions.root(local),
        };
        let is_obstacle = || match self.counting {
            Counting::Retain => questions.may_decrement(id, questions.root(self.value)) || self.calls_itself(id),
            Counting::Release => questions.may_release_or_read_count(id),
        };
        match found {
            true => Found::Counting,
            false if is_obstacle() => Found::Obstacle,
            false => Found::Nothing,
        }
    }

    fn calls_itself(&self, id: InstructionId) -> bool {
        let name = self.questions.environment().function.name;
        self.questions.view.opcode(id) == Opcode::Apply
            && ApplySite::new(self.body(), id).and_then(ApplySite::called_function) == Some(name)
    }
}
