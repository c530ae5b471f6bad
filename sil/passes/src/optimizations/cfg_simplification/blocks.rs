//! Simplifies blocks one at a time: terminators, leading checks, and block arguments. A change pushes the affected
//! blocks on the worklist.

use sil_analysis::Dominators;
use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Br, SwitchEnum};
use sil_ir::model::{BlockId, InstructionId, Value};

use super::super::phi_arguments::PhiArguments;
use super::super::simplification::{ConditionChange, MergedBlocks};
use super::CfgSimplifier;
use crate::editing::cast_folding;

/// Jump threading is disabled in functions with more blocks.
const MOST_BLOCKS: usize = 10_000;

impl CfgSimplifier<'_> {
    /// Simplifies all blocks, last ones first.
    pub(super) fn simplify_blocks(&mut self) {
        for block in self.simplifier.order.to_vec() {
            self.worklist.push(block);
        }
        let is_large = self.simplifier.order.len() > MOST_BLOCKS;
        while let Some(block) = self.worklist.pop() {
            let Some(end) = self.body().terminator(block).filter(|_| !self.remove_if_dead(block)) else { continue };
            if self.opcode_at_end(block) == Some(Opcode::Br) {
                let is_simpler = self.simplify_jump(block, end);
                if is_simpler || !is_large && self.thread_jump(block, end).is_some() {
                    continue;
                }
            } else {
                self.simplify_end(block, end);
            }
            let _ = PhiArguments { editor: &mut self.simplifier.editor }.hoist_check(block);
            self.simplify_arguments(block, None);
        }
        self.remove_unreachable_blocks();
    }

    fn simplify_end(&mut self, block: BlockId, end: InstructionId) {
        let before = self.body().targets(end).to_vec();
        match self.body().instructions[end].opcode {
            Opcode::CondBr => {
                let _ = self.simplify_condition(block, end);
            }
            Opcode::SwitchValue => {
                match self.simplifier.switch_on_literal(end) {
                    Some(()) => self.push_decided(block, &before),
                    None => self.join_cases(block),
                };
            }
            Opcode::SwitchEnum => {
                if self.fold_switch(block).is_some() {
                    self.push_decided(block, &before);
                } else if self.call_without_switch(end).is_none() && self.simplifier.switch_to_reachable(end).is_some()
                {
                    self.worklist.push(block);
                    self.push_targets(block);
                }
                self.join_cases(block);
            }
            Opcode::SwitchEnumAddr => self.join_cases(block),
            Opcode::Unreachable => {
                let is_simpler = self.simplifier.simplify_unreachable(end);
                let is_only = self.body().first_instruction(block) == Some(end);
                if is_simpler && is_only {
                    self.push_predecessors(block);
                }
            }
            Opcode::CheckedCastBr | Opcode::CheckedCastAddrBr => {
                let _ = cast_folding::fold(&mut self.simplifier.editor, end);
                if !self.simplifier.editor.is_placed(end) {
                    self.remove_dead(&before);
                    self.worklist.push(block);
                }
            }
            Opcode::TryApply => self.simplifier.call_without_error(end),
            _ => {}
        }
    }

    fn simplify_condition(&mut self, block: BlockId, end: InstructionId) -> Option<()> {
        self.simplifier.simplify_passed(end);
        let end = self.body().terminator(block)?;
        let before = self.body().targets(end).to_vec();
        match self.simplifier.simplify_condition(end)? {
            ConditionChange::Canonical => self.worklist.push(block),
            ConditionChange::Decided => self.push_decided(block, &before),
            ConditionChange::Selected => {
                self.worklist.push(block);
                before.into_iter().for_each(|target| self.worklist.push(target));
            }
            ConditionChange::Shortened => {
                self.remove_dead(&before);
                self.worklist.push(block);
            }
        }
        Some(())
    }

    fn remove_dead(&mut self, blocks: &[BlockId]) {
        for block in blocks {
            self.remove_if_dead(*block);
        }
    }

    /// Pushes the blocks affected by a folded terminator, since some of its targets have lost a predecessor.
    fn push_decided(&mut self, block: BlockId, before: &[BlockId]) {
        self.worklist.push(block);
        let end = self.body().terminator(block);
        let after = end.map(|end| self.body().targets(end).to_vec()).unwrap_or_default();
        for dropped in before.iter().filter(|target| !after.contains(target)) {
            self.push_with_predecessors(*dropped);
        }
        after.into_iter().for_each(|target| self.worklist.push(target));
    }

    pub(super) fn push_with_predecessors(&mut self, block: BlockId) {
        self.worklist.push(block);
        self.push_predecessors(block);
    }

    fn push_predecessors(&mut self, block: BlockId) {
        self.simplifier.editor.predecessors(block).iter().for_each(|before| self.worklist.push(*before));
    }

    pub(super) fn push_targets(&mut self, block: BlockId) {
        let targets = self.body().terminator(block).map(|end| self.body().targets(end).to_vec());
        targets.into_iter().flatten().for_each(|target| self.worklist.push(target));
    }

    /// Replaces a terminator with a branch if all its successors meet at once.
    pub(super) fn join_cases(&mut self, block: BlockId) {
        let Some(end) = self.body().terminator(block) else { return };
        if self.simplifier.join_cases(end).is_some() {
            self.worklist.push(block);
            self.push_targets(block);
        }
    }

    /// Merges a block into its only predecessor, and redirects branches past trampoline blocks. Returns whether
    /// something changed.
    pub(super) fn simplify_jump(&mut self, block: BlockId, jump: InstructionId) -> bool {
        let is_simpler = self.simplifier.simplify_passed(jump);
        let Br { target, arguments } = Br::of(self.body(), jump);
        let passed = arguments.to_vec();
        if let Some(merged) = self.simplifier.merge_next(jump) {
            self.note_merge(merged);
            self.fold_constants(&passed);
            return true;
        }
        let Some(next) = self.simplifier.trampoline(jump, target, &passed) else { return is_simpler };
        self.simplifier.jump_instead(jump, &next);
        self.inherit_loops(target, next.target);
        self.worklist.push(next.target);
        self.remove_if_dead(target);
        self.worklist.push(block);
        true
    }

    fn note_merge(&mut self, MergedBlocks { kept, gone }: MergedBlocks) {
        self.worklist.push(kept);
        self.push_targets(kept);
        self.inherit_loops(gone, kept);
        if let Some(cost) = self.costs.remove(&gone) {
            *self.costs.entry(kept).or_default() += cost;
        }
        self.forget(gone);
    }

    /// Constant folds the users of the literals among `values`.
    fn fold_constants(&mut self, values: &[Value]) {
        let is_literal = |value: &&Value| self.simplifier.literal(**value).is_some();
        let users = |value: &Value| self.simplifier.editor.uses(*value).into_iter().map(|found| found.user);
        let mut open: Vec<InstructionId> = values.iter().filter(is_literal).flat_map(users).collect();
        while let Some(id) = open.pop() {
            if !self.simplifier.editor.is_placed(id) || !self.simplifier.fold_constant(id) {
                continue;
            }
            for touched in self.simplifier.editor.take_touched() {
                let block = self.body().instructions[touched].block;
                if self.simplifier.editor.is_placed(touched) && self.body().terminator(block) == Some(touched) {
                    self.worklist.push(block);
                }
                open.push(touched);
            }
        }
    }

    /// Simplifies the arguments of a block whose predecessors all end in a branch. With `dominators`, arguments with a
    /// single incoming value can be replaced. Returns whether something changed.
    pub(super) fn simplify_arguments(&mut self, block: BlockId, dominators: Option<&Dominators>) -> bool {
        let is_entered = block != self.body().entry() && self.simplifier.editor.edges_to(block) > 0;
        let is_branch = |opcode| matches!(opcode, Opcode::Br | Opcode::CondBr);
        if !is_entered
            || self.body().blocks[block].arguments.is_empty()
            || !self.predecessors(block).iter().all(|before| self.end_of_kind(*before, is_branch).is_some())
        {
            return false;
        }
        let mut is_changed = false;
        for index in (0..self.body().blocks[block].arguments.len()).rev() {
            is_changed |= self.simplify_argument(block, index, dominators).is_some();
        }
        is_changed
    }

    pub(super) fn simplify_argument(
        &mut self,
        block: BlockId,
        index: usize,
        dominators: Option<&Dominators>,
    ) -> Option<()> {
        let argument = *self.body().blocks[block].arguments.get(index)?;
        let mut arguments = PhiArguments { editor: &mut self.simplifier.editor };
        if let Some(dominators) = dominators {
            arguments.replace_by_only(dominators, argument);
        }
        if arguments.editor.uses(argument).is_empty() {
            return arguments.remove_unused_argument(block, index);
        }
        if dominators.is_none() && self.is_number(argument) {
            return self.select_number(block);
        }
        let passing = PhiArguments { editor: &mut self.simplifier.editor }.pass_part(argument)?;
        passing.into_iter().for_each(|before| self.worklist.push(before));
        Some(())
    }

    fn is_number(&self, value: Value) -> bool {
        let ty = self.body().ty(value).ty;
        matches!(self.environment().queries.get(ty), Type::Builtin(BuiltinType::Integer(_)))
    }

    /// Replaces a `switch_enum` that only selects an integer for a block with a selection.
    fn select_number(&mut self, block: BlockId) -> Option<()> {
        let switch = |block: BlockId| self.end_of_kind(block, |opcode| opcode == Opcode::SwitchEnum);
        let mut candidates = Vec::new();
        for before in self.predecessors(block) {
            self.end_of_kind(*before, |opcode| opcode == Opcode::Br)?;
            let own = self.simplifier.editor.single_predecessor(*before).and_then(switch);
            // Several cases may meet before the integer is passed.
            let several = || {
                let earlier = *self.predecessors(*before).first()?;
                self.simplifier.editor.single_predecessor(earlier).and_then(switch)
            };
            candidates.extend(own.or_else(several).filter(|found| self.leads_to_all(*found)));
        }
        candidates.into_iter().find_map(|found| self.simplifier.select_instead(found, block))
    }

    /// Returns whether each case of a switch has a block of its own.
    fn leads_to_all(&self, switch: InstructionId) -> bool {
        let SwitchEnum { targets, .. } = SwitchEnum::of(self.body(), switch);
        targets.iter().all(|target| self.simplifier.editor.edges_to(*target) == 1)
    }
}
