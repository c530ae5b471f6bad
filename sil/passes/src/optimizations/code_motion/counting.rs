//! Sinks retains of enums over `switch_enum` to the payload, and hoists releases of enums to the predecessors where
//! their case is known.

use sil_analysis::{Use, cast_keeps_reference};
use sil_ir::context::MemberId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::SwitchEnum;
use sil_ir::model::{BlockId, DefaultCase, Definition, InstructionId, Place, Value};

use super::Motion;
use super::tags::SelectedCase;
use crate::knowledge::counting::Counting as ValueCounting;
use crate::knowledge::reference_questions::{Counting, Questions};

impl Motion<'_, '_> {
    /// Hoists releases of enums to the predecessors if each of them knows the case.
    pub(super) fn hoist_releases(&mut self, block: BlockId) {
        for release in self.in_block(block, |opcode| opcode == Opcode::ReleaseValue) {
            let Some(whole) = self.editor.operand(release, 0).filter(|whole| !self.has_deinit(*whole)) else {
                continue;
            };
            let Some(cases) = self.tags.by_predecessor.get(&whole).cloned() else { continue };
            let before: Vec<InstructionId> =
                self.editor.body().instructions_in(block).take_while(|id| *id != release).collect();
            if self.ask(|questions| before.iter().any(|id| questions.may_interfere(*id, whole))) {
                continue;
            }
            for (from, case) in cases {
                if let Some(end) = self.editor.body().terminator(from) {
                    self.count_payload(whole, case, Counting::Release, (Place::Before(end), release));
                }
            }
            self.editor.erase(release);
        }
    }

    fn in_block(&self, block: BlockId, is_wanted: impl Fn(Opcode) -> bool) -> Vec<InstructionId> {
        self.editor.body().instructions_in(block).filter(|id| is_wanted(self.editor.opcode(*id))).collect()
    }

    /// Sinks retains of an enum to the successors of a block that branches on its case, where the payload is retained.
    pub(super) fn sink_retains(&mut self, block: BlockId) {
        let Some(end) = self.editor.body().terminator(block) else { return };
        if !matches!(self.editor.opcode(end), Opcode::SwitchEnum | Opcode::CondBr) {
            return;
        }
        let leads_there_alone = |to: &BlockId| self.cfg.predecessors(*to) == [block] && self.editor.edges_to(*to) == 1;
        if !self.targets(block).iter().all(leads_there_alone) {
            return;
        }
        for retain in self.in_block(block, |opcode| opcode == Opcode::RetainValue).into_iter().rev() {
            self.sink_retain(retain, end);
        }
    }

    fn sink_retain(&mut self, retain: InstructionId, end: InstructionId) {
        let Some(whole) = self.editor.operand(retain, 0) else { return };
        let decided = self.decided(end);
        if self.editor.opcode(end) == Opcode::CondBr && decided.is_none() {
            return;
        }
        let after: Vec<InstructionId> =
            self.editor.body().instructions_after(Place::After(retain)).take_while(|id| *id != end).collect();
        let barrier = self.ask(|questions| after.into_iter().find(|id| questions.may_decrement(*id, whole)));
        if let Some(barrier) = barrier {
            if self.editor.body().previous(barrier) != Some(retain) {
                self.editor.move_to(retain, Place::Before(barrier));
            }
            return;
        }
        let Some((decided, cases)) = decided else { return };
        if !self.ask(|questions| questions.root(whole) == questions.root(decided)) || self.has_deinit(decided) {
            return;
        }
        for (target, case) in cases {
            if let Some(first) = self.editor.body().first_instruction(target) {
                self.count_payload(decided, case, Counting::Retain, (Place::Before(first), retain));
            }
        }
        self.editor.erase(retain);
    }

    /// The enum that a terminator branches on, and the case of each successor.
    fn decided(&self, end: InstructionId) -> Option<(Value, Vec<(BlockId, MemberId)>)> {
        let body = self.editor.body();
        if self.editor.opcode(end) == Opcode::SwitchEnum {
            let SwitchEnum { operand, cases, targets } = SwitchEnum::of(body, end);
            let targets = targets.iter().copied().zip(cases.members.iter().copied()).collect();
            return (cases.default == DefaultCase::Absent).then_some((operand, targets));
        }
        let SelectedCase { whole, on_true, on_false } = self.decided_by_selection(end)?;
        let targets = body.targets(end);
        Some((whole, vec![(targets[0], on_true), (targets[1], on_false?)]))
    }

    /// Sinks the last retains of an enum in the predecessors to the block. Predecessors whose case has no payload need
    /// no retain.
    pub(super) fn sink_retains_of_predecessors(&mut self, block: BlockId) {
        for (whole, cases) in self.tags.by_predecessor.clone() {
            let root = self.ask(|questions| questions.root(whole));
            let with_payload = cases.iter().filter(|(_, case)| self.payload(whole, *case).is_some());
            let with_payload: Vec<BlockId> = with_payload.map(|(from, _)| *from).collect();
            let retains: Option<Vec<InstructionId>> =
                self.ask(|questions| with_payload.iter().map(|from| last_retain(questions, *from, root)).collect());
            let (Some(retains), Some(first)) = (retains, self.editor.body().first_instruction(block)) else { continue };
            let Some(like) = retains.first().copied() else { continue };
            self.editor.build(Place::Before(first), like, |builder| {
                builder.retain_value(root);
            });
            retains.into_iter().for_each(|retain| self.editor.erase(retain));
        }
    }

    /// Retargets reference counting from casts, and from block arguments with one incoming value, to the original
    /// value.
    pub(super) fn count_originals(&mut self, block: BlockId) {
        let is_counting = |opcode| matches!(opcode, Opcode::StrongRelease | Opcode::StrongRetain);
        for id in self.in_block(block, is_counting) {
            if let Some(original) = self.editor.operand(id, 0).and_then(|value| self.original(value)) {
                self.editor.set_operand(Use { user: id, operand: 0 }, original);
            }
        }
    }

    /// The incoming value of a block argument with a single predecessor, or the operand of a cast.
    fn original(&self, argument: Value) -> Option<Value> {
        let body = self.editor.body();
        let Definition::Argument { block, index } = body.values[argument].definition else { return None };
        let [from] = self.cfg.predecessors(block) else { return None };
        let end = body.terminator(*from).filter(|_| self.editor.edges_to(block) == 1)?;
        match self.editor.opcode(end) {
            Opcode::CheckedCastBr => {
                let operand = self.editor.operand(end, 0).filter(|_| body.targets(end)[0] == block)?;
                let view = self.editor.view();
                cast_keeps_reference(&view, operand, argument).then_some(operand)
            }
            Opcode::Br | Opcode::CondBr => self.passed(end, block, index as usize),
            _ => None,
        }
    }

    /// If a block starts with the release of its argument, hoists it to the predecessors as releases of the passed
    /// values.
    pub(super) fn hoist_argument_release(&mut self, block: BlockId) {
        let body = self.editor.body();
        let is_release = |id: &InstructionId| {
            matches!(self.editor.opcode(*id), Opcode::StrongRelease | Opcode::ReleaseValue | Opcode::UnownedRelease)
        };
        let Some(release) = body.first_instruction(block).filter(is_release) else { return };
        let released = self.editor.operand(release, 0).map(|value| body.values[value].definition);
        let Some(Definition::Argument { block: of, index }) = released else { return };
        let ends: Vec<InstructionId> =
            self.cfg.predecessors(block).iter().filter_map(|from| body.terminator(*from)).collect();
        let is_jump = |end: &InstructionId| self.editor.opcode(*end) == Opcode::Br;
        if of != block || block == body.entry() || ends.is_empty() || !ends.iter().all(is_jump) {
            return;
        }
        for end in ends {
            let Some(passed) = self.passed(end, block, index as usize) else { continue };
            let counting = ValueCounting::of(self.editor.environment, self.editor.body().ty(passed));
            if let Some(opcode) = counting.release() {
                self.editor.build(Place::Before(end), release, |builder| {
                    builder.effect(opcode, passed);
                });
            }
        }
        self.editor.erase(release);
    }
}

/// The last retain of a reference in a block, if no later instruction may decrement the count.
fn last_retain(questions: &Questions<'_>, block: BlockId, root: Value) -> Option<InstructionId> {
    let instructions: Vec<InstructionId> = questions.view.body.instructions_in(block).collect();
    for id in instructions.into_iter().rev() {
        if questions.counting(id) == Some(Counting::Retain) && questions.counted(id) == Some(root) {
            return Some(id);
        }
        if questions.may_decrement(id, root) {
            return None;
        }
    }
    None
}
