//! Blocks that only lead on: jumps to them go where they lead.

use rustc_hash::FxHashSet;

use super::Threader;
use crate::analysis::Uses;
use crate::instructions::Opcode;
use crate::model::views::Br;
use crate::model::{BlockId, Definition, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;

impl Threader<'_> {
    /// Lets jumps go past blocks that only lead on.
    pub(super) fn skip_trampolines(&mut self) {
        for block in self.body.blocks.keys().collect::<Vec<_>>() {
            while self.skip_trampoline(block).is_some() {
                self.update();
            }
        }
    }

    fn skip_trampoline(&mut self, source: BlockId) -> Option<()> {
        let branch = self.jump(source)?;
        let trampoline = Br::of(&self.body, branch).target;
        let next = self.jump(trampoline)?;
        let only_leads_on = |id: InstructionId| id == next || self.body.instructions[id].opcode == Opcode::DebugStep;
        if !self.body.instructions_in(trampoline).all(only_leads_on) || self.leads_back(trampoline) {
            return None;
        }
        let uses = Uses::new(&self.body);
        let received = &self.body.blocks[trampoline].arguments;
        let is_passed_on = |value: &Value| matches!(uses.of(*value), [only] if only.user == next);
        let Br { target, arguments } = Br::of(&self.body, next);
        // What is borrowed says what it is borrowed from where it arrives.
        let is_plain = |value: &Value| self.can_be_argument(self.body.ty(*value));
        let is_own = |value: &Value| {
            let definition = self.body.values[*value].definition;
            matches!(definition, Definition::Argument { block, .. } if block == target)
        };
        if !received.iter().all(is_passed_on) || !arguments.iter().all(is_plain) || arguments.iter().any(is_own) {
            return None;
        }
        let passed = Br::of(&self.body, branch).arguments;
        let arriving = |value: &Value| {
            let index = received.iter().position(|argument| argument == value);
            index.and_then(|index| passed.get(index)).copied().unwrap_or(*value)
        };
        let arriving: Vec<Value> = arguments.iter().map(arriving).collect();
        InstructionBuilder::new(&mut self.body, Place::Before(branch), branch).branch(target, &arriving);
        self.body.erase(branch);
        Some(())
    }

    fn jump(&self, block: BlockId) -> Option<InstructionId> {
        self.body.terminator(block).filter(|id| self.body.instructions[*id].opcode == Opcode::Br)
    }

    /// Whether jumps alone lead from a block back to it.
    fn leads_back(&self, block: BlockId) -> bool {
        let (mut seen, mut next) = (FxHashSet::default(), block);
        while let Some(branch) = self.jump(next) {
            next = Br::of(&self.body, branch).target;
            if next == block {
                return true;
            }
            if !seen.insert(next) {
                return false;
            }
        }
        false
    }
}
