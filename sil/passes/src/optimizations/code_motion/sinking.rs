//! Sinks equal instructions at the ends of all predecessors to their common successor, if their results are unused.

use rustc_hash::FxHashMap;
use sil_ir::instructions::Position;
use sil_ir::model::{BlockId, InstructionId, Ownership, Value};

use super::Motion;

/// The number of instructions at the end of a block that are considered.
const WINDOW: usize = 6;

/// The relation of the operands of two instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sameness {
    Unknown,
    /// They are the same values.
    Always,
    /// They are passed for the same argument of the successor.
    InBlock,
}

/// Maps a value and the block that passes it to the argument index.
type PassedFor = FxHashMap<(Value, BlockId), usize>;

impl Motion<'_, '_> {
    /// Returns whether two instructions are equal, including their operands.
    pub(super) fn is_alike(&self, first: InstructionId, second: InstructionId) -> bool {
        let body = self.editor.body();
        self.is_alike_but_operands(first, second) && body.operands(first) == body.operands(second)
    }

    fn is_alike_but_operands(&self, first: InstructionId, second: InstructionId) -> bool {
        let body = self.editor.body();
        let (one, other) = (&body.instructions[first], &body.instructions[second]);
        let types = |id| body.results(id).map(|value| body.ty(value)).collect::<Vec<_>>();
        (one.opcode, one.attributes) == (other.opcode, other.attributes)
            && one.details == other.details
            && body.types(first) == body.types(second)
            && body.operands(first).len() == body.operands(second).len()
            && types(first) == types(second)
    }

    /// Returns whether an instruction has operands or results with ownership.
    pub(super) fn has_ownership_around(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        let is_owned = |value: Value| self.editor.ownership(value) != Ownership::None;
        self.editor.has_ownership()
            && (body.operands(id).iter().any(|value| is_owned(*value)) || body.results(id).any(is_owned))
    }

    pub(super) fn sink_common_ends(&mut self, block: BlockId) {
        let predecessors = self.cfg.predecessors(block).to_vec();
        let leads_here_alone = |from: &BlockId| self.targets(*from) == [block] && self.cfg.is_reachable(*from);
        let [first, others @ ..] = &predecessors[..] else { return };
        if others.is_empty() || !predecessors.iter().all(leads_here_alone) {
            return;
        }
        let passed_for = self.passed_for(&predecessors);
        let mut budget = WINDOW;
        let mut current = self.editor.body().terminator(*first);
        while let Some(id) = current.filter(|_| budget > 0) {
            if let Some((same, sameness)) = self.same_in_all(id, others, &passed_for) {
                self.sink(id, &same, block, sameness, &passed_for);
                current = self.editor.body().terminator(*first);
                continue;
            }
            if self.is_barrier(id) {
                return;
            }
            budget -= 1;
            current = self.editor.body().previous(id);
        }
    }

    fn passed_for(&self, predecessors: &[BlockId]) -> PassedFor {
        let body = self.editor.body();
        let mut found = PassedFor::default();
        for from in predecessors {
            let passed = body.terminator(*from).map_or(&[][..], |end| body.operands(end));
            found.extend(passed.iter().enumerate().map(|(index, value)| ((*value, *from), index)));
        }
        found
    }

    /// The instructions equal to `id` at the ends of the other blocks. `None` if a block has none, or if `id` cannot be
    /// sunk.
    fn same_in_all(
        &self,
        id: InstructionId,
        others: &[BlockId],
        passed_for: &PassedFor,
    ) -> Option<(Vec<InstructionId>, Sameness)> {
        if !self.can_sink(id) {
            return None;
        }
        let mut sameness = Sameness::Unknown;
        let same = others.iter().map(|other| self.same_at_end(*other, id, passed_for, &mut sameness));
        let same: Option<Vec<InstructionId>> = same.collect();
        Some((same?, sameness))
    }

    fn can_sink(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        self.editor.opcode(id).information().position != Position::Terminator
            && !self.has_ownership_around(id)
            && body.results(id).all(|result| self.editor.uses(result).is_empty())
    }

    /// Returns whether no instruction is sunk past this one.
    fn is_barrier(&self, id: InstructionId) -> bool {
        self.editor.opcode(id).information().position != Position::Terminator && self.editor.may_have_side_effects(id)
    }

    fn same_at_end(
        &self,
        block: BlockId,
        id: InstructionId,
        passed_for: &PassedFor,
        sameness: &mut Sameness,
    ) -> Option<InstructionId> {
        let body = self.editor.body();
        let mut current = body.terminator(block);
        for _ in 0..WINDOW {
            let candidate = current?;
            if self.can_sink(candidate) && self.is_same(id, candidate, passed_for, sameness) {
                return Some(candidate);
            }
            if self.is_barrier(candidate) {
                return None;
            }
            current = body.previous(candidate);
        }
        None
    }

    fn is_same(
        &self,
        first: InstructionId,
        second: InstructionId,
        passed_for: &PassedFor,
        sameness: &mut Sameness,
    ) -> bool {
        let body = self.editor.body();
        let block = |id: InstructionId| body.instructions[id].block;
        self.is_alike_but_operands(first, second)
            && body.operands(first).iter().zip(body.operands(second)).all(|(one, other)| {
                if *sameness != Sameness::InBlock && one == other {
                    *sameness = Sameness::Always;
                    return true;
                }
                let number = passed_for.get(&(*one, block(first)));
                let is_same = *sameness != Sameness::Always
                    && number.is_some()
                    && number == passed_for.get(&(*other, block(second)));
                if is_same {
                    *sameness = Sameness::InBlock;
                }
                is_same
            })
    }

    fn sink(
        &mut self,
        id: InstructionId,
        same: &[InstructionId],
        block: BlockId,
        sameness: Sameness,
        passed_for: &PassedFor,
    ) {
        let from = self.editor.body().instructions[id].block;
        self.move_to_start(id, block);
        if sameness == Sameness::InBlock {
            let argument = |value: &Value| {
                let number = passed_for.get(&(*value, from))?;
                self.editor.body().blocks[block].arguments.get(*number).copied()
            };
            let operands: Option<Vec<Value>> = self.editor.body().operands(id).iter().map(argument).collect();
            if let Some(operands) = operands {
                self.editor.set_operands(id, &operands);
            }
        }
        same.iter().for_each(|other| self.editor.erase(*other));
    }
}
