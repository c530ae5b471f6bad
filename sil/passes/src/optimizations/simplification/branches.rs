//! Folds branches, and merges blocks with a single edge between them.

use sil_analysis::Use;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Br, CheckedCastAddrBr, CondBr, CondFail};
use sil_ir::model::{BlockId, Details, InstructionId, Place, Value};

use super::{Peepholes, Simplifier};
use crate::knowledge::cast_feasibility::{CastFeasibility, SourceType};
use crate::knowledge::casts;

impl Simplifier<'_> {
    /// The value of an integer literal.
    pub(in crate::optimizations) fn literal(&self, value: Value) -> Option<i128> {
        let id = self.editor.made_by(value, Opcode::IntegerLiteral)?;
        match self.editor.body().instructions[id].details {
            Details::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// Replaces a `cond_br` on a literal with a `br`.
    pub(in crate::optimizations) fn cond_br(&mut self, id: InstructionId) {
        let CondBr { condition, true_target, false_target, true_arguments, false_arguments } =
            CondBr::of(self.editor.body(), id);
        let Some(value) = self.literal(condition) else { return };
        let (target, arguments) =
            if value == 0 { (false_target, false_arguments) } else { (true_target, true_arguments.0) };
        let arguments = arguments.to_vec();
        self.editor.build(Place::Before(id), id, |builder| builder.branch(target, &arguments));
        self.editor.erase(id);
        self.erase_unused_literal(condition);
    }

    /// Erases the literal of a folded terminator if it is dead.
    pub(super) fn erase_unused_literal(&mut self, value: Value) {
        if let Some(literal) = self.editor.made_by(value, Opcode::IntegerLiteral)
            && self.editor.is_placed(literal)
            && self.editor.uses(value).is_empty()
        {
            self.editor.erase(literal);
        }
    }

    /// Erases a check that cannot fail, or all checks if they are disabled.
    pub(super) fn cond_fail(&mut self, id: InstructionId) {
        let is_unchecked = self.peepholes == Peepholes::Combined && self.takes_checks_for_granted();
        if is_unchecked || self.literal(CondFail::of(self.editor.body(), id).condition) == Some(0) {
            self.editor.erase(id);
        } else if self.peepholes == Peepholes::Combined {
            let _ = self.certain_failure(id);
        }
    }

    /// Replaces a cast branch with a known result with a `br`.
    pub(super) fn checked_cast_addr_br(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let CheckedCastAddrBr { source, destination, success, failure, cast } = CheckedCastAddrBr::of(body, id);
        let crate::Environment { queries, function, .. } = self.editor.environment;
        let feasibility = CastFeasibility::new(queries, function.signature);
        let outcome = cast.source.and_then(|from| feasibility.outcome(from, cast.target, SourceType::Bound));
        let (consumption, is_same) = (cast.consumption, body.ty(source) == body.ty(destination));
        let target = match outcome {
            Some(casts::Outcome::Succeeds) if is_same => success,
            Some(casts::Outcome::Fails) => failure,
            Some(casts::Outcome::Succeeds) | None => return,
        };
        let Some(outcome) = outcome else { return };
        self.editor.build(Place::Before(id), id, |builder| {
            casts::move_value(builder, outcome, consumption, source, destination);
            builder.branch(target, &[]);
        });
        self.editor.erase(id);
    }

    /// Merges the target of a branch into its block, if it has no other predecessors.
    pub(super) fn br(&mut self, id: InstructionId) {
        let _ = self.merge_next(id);
    }

    /// Merges the target of a branch. Returns the merged blocks, or `None` if they cannot be merged.
    pub(in crate::optimizations) fn merge_next(&mut self, id: InstructionId) -> Option<MergedBlocks> {
        let body = self.editor.body();
        let Br { target, arguments } = Br::of(body, id);
        let passed = arguments.to_vec();
        let parent = body.instructions[id].block;
        let received = body.blocks[target].arguments.clone();
        // An unreachable block may pass its arguments to itself.
        let is_cycle = received.iter().zip(&passed).any(|(argument, passed)| argument == passed);
        if target == parent || target == body.entry() || self.editor.edges_to(target) != 1 || is_cycle {
            return None;
        }
        for (argument, passed) in received.into_iter().zip(passed) {
            match self.borrowed_from(argument) {
                Some(borrowed) => self.editor.replace(borrowed, passed),
                None => self.editor.replace_all(argument, passed),
            }
        }
        if self.preserves_debug_information() {
            self.editor.build(Place::Before(id), id, |builder| {
                builder.debug_step();
            });
        }
        let is_smaller = parent != self.editor.body().entry() && self.has_less(parent, target);
        let (kept, gone) = if is_smaller { (target, parent) } else { (parent, target) };
        if is_smaller {
            self.editor.merge_in_front(parent, target);
        } else {
            self.editor.merge_into(parent, target);
        }
        self.order.remove(gone);
        Some(MergedBlocks { kept, gone })
    }

    /// The `borrowed` of a block argument.
    pub(super) fn borrowed_from(&self, argument: Value) -> Option<InstructionId> {
        let is_it = |found: &Use| self.editor.opcode(found.user) == Opcode::Borrowed && found.operand == 0;
        self.editor.uses(argument).into_iter().find(is_it).map(|found| found.user)
    }

    /// Returns whether a block, without its branch, has fewer instructions than another block.
    fn has_less(&self, one: BlockId, other: BlockId) -> bool {
        let body = self.editor.body();
        let jump = body.terminator(one);
        let (mut one, mut other) =
            (body.instructions_in(one).filter(|id| Some(*id) != jump), body.instructions_in(other));
        loop {
            match (other.next(), one.next()) {
                (None, _) => return false,
                (Some(_), None) => return true,
                (Some(_), Some(_)) => {}
            }
        }
    }
}

/// Two merged blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::optimizations) struct MergedBlocks {
    /// The larger block, which contains all instructions.
    pub(in crate::optimizations) kept: BlockId,
    /// The other block, which is empty and not in the block order.
    pub(in crate::optimizations) gone: BlockId,
}
