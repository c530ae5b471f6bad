//! Block arguments that need not be: those for which the same is always passed, and those that nothing uses.

use super::Threader;
use crate::analysis::{ControlFlowGraph, Uses};
use crate::instructions::Opcode;
use crate::model::views::{Br, CondBr};
use crate::model::{BlockId, Value};

impl Threader<'_> {
    /// Does without such arguments. With ownership only those stay out of sight that need no care.
    pub(super) fn simplify_arguments(&mut self) {
        let mut uses = None;
        for block in self.body.blocks.keys().skip(1).collect::<Vec<_>>() {
            for index in (0..self.body.blocks[block].arguments.len()).rev() {
                let known = uses.get_or_insert_with(|| Uses::new(&self.body));
                if self.simplify_argument(block, index, known).is_some() {
                    self.is_changed = true;
                    uses = None;
                }
            }
        }
        self.cfg = ControlFlowGraph::new(&self.body);
    }

    fn simplify_argument(&mut self, block: BlockId, index: usize, uses: &Uses) -> Option<()> {
        let argument = self.body.blocks[block].arguments[index];
        if !self.cfg.is_reachable(block) || !self.can_be_argument(self.body.ty(argument)) {
            return None;
        }
        let passed = self.passed(block, index)?;
        let mut others = passed.into_iter().filter(|value| *value != argument);
        let first = others.next()?;
        let is_one = others.all(|value| value == first);
        if !is_one && !uses.of(argument).is_empty() {
            return None;
        }
        for found in uses.of(argument) {
            self.body.operands_mut(found.user)[found.operand as usize] = first;
        }
        self.body.remove_argument(block, index);
        Some(())
    }

    /// What is passed for an argument. None where something else than a jump leads to its block.
    fn passed(&self, block: BlockId, index: usize) -> Option<Vec<Value>> {
        let mut passed = Vec::new();
        for predecessor in self.cfg.predecessors(block) {
            let end = self.body.terminator(*predecessor)?;
            match self.body.instructions[end].opcode {
                Opcode::Br => passed.push(*Br::of(&self.body, end).arguments.get(index)?),
                Opcode::CondBr => {
                    let view = CondBr::of(&self.body, end);
                    let ways = [(view.true_target, view.true_arguments.0), (view.false_target, view.false_arguments)];
                    for (_, arguments) in ways.into_iter().filter(|(target, _)| *target == block) {
                        passed.push(*arguments.get(index)?);
                    }
                }
                _ => return None,
            }
        }
        Some(passed)
    }
}
