//! Jump threading: clones a block for a predecessor that passes the value that the block branches on, so that the
//! branch of the clone folds (`tryJumpThreading` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use sil_ir::instructions::Opcode;
use sil_ir::model::views::Br;
use sil_ir::model::{BlockId, InstructionId};

use super::{CfgSimplifier, loop_headers};

impl CfgSimplifier<'_> {
    /// Redirects the `br` at the end of `source` to a clone of its target, if that is profitable.
    pub(super) fn thread_jump(&mut self, source: BlockId, jump: InstructionId) -> Option<()> {
        let Br { target, arguments } = Br::of(self.body(), jump);
        let end = self.opcode_at_end(target)?;
        let leaves = matches!(end, Opcode::Return | Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind);
        let has_one_path = self.simplifier.editor.edges_to(target) == 1;
        if leaves || has_one_path || arguments.is_empty() && end != Opcode::SwitchEnumAddr {
            return None;
        }
        let budget = self.budget(jump)?;
        // Cloning a loop header peels the loop or gives it a second entry. A header with a `switch_enum` may be peeled
        // once.
        let is_header = self.headers.contains(&target);
        if is_header && (end != Opcode::SwitchEnum || self.peeled.contains(&target)) {
            return None;
        }
        let cost = self.cost_of_copy(target, budget)?;
        let copy = self.copy_on_path(source, target, None)?;
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
