//! Jumps to blocks that decide something by what is passed to them: the way gets a copy of the block, in which it is known what is decided
//! (`tryJumpThreading` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use super::{CfgSimplifier, loop_headers};
use crate::instructions::Opcode;
use crate::model::views::Br;
use crate::model::{BlockId, InstructionId};

impl CfgSimplifier<'_> {
    /// Lets the `br` at the end of `source` lead to a copy of its target, where that is worth it.
    pub(super) fn thread_jump(&mut self, source: BlockId, jump: InstructionId) -> Option<()> {
        let Br { target, arguments } = Br::of(self.body(), jump);
        let end = self.opcode_at_end(target)?;
        let leaves = matches!(end, Opcode::Return | Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind);
        let has_one_way = self.simplifier.editor.edges_to(target) == 1;
        if leaves || has_one_way || arguments.is_empty() && end != Opcode::SwitchEnumAddr {
            return None;
        }
        let budget = self.budget(jump)?;
        // Copies of the headers of loops peel them, or give them a second entry; a switch may be peeled once.
        let is_header = self.headers.contains(&target);
        if is_header && (end != Opcode::SwitchEnum || self.peeled.contains(&target)) {
            return None;
        }
        let cost = self.cost_of_copy(target, budget)?;
        let copy = self.copy_on_way(source, target, None)?;
        *self.costs.entry(target).or_default() += cost;
        self.worklist.push(source);
        self.worklist.push(copy);
        self.push_targets(copy);
        self.push_with_predecessors(target);
        if is_header {
            self.peeled.insert(copy);
            self.headers = loop_headers(self.body());
        }
        Some(())
    }
}
