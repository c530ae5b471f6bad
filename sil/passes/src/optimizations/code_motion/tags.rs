//! Tracks known enum cases: of enums that are created, whose payload was extracted, or that a switch branched on. The
//! cases are intersected over all incoming edges.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use sil_ir::context::MemberId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CondBr, SelectEnum, SwitchEnum};
use sil_ir::model::{BlockId, DefaultCase, Details, EnumCases, InstructionId, Place, Value};

use super::Motion;
use crate::knowledge::enum_cases::case_of_default;
use crate::knowledge::reference_questions::Counting;

type Cases = IndexMap<Value, MemberId, FxBuildHasher>;

/// The known cases at the end of each block, and those of the current block's predecessors.
#[derive(Default)]
pub(super) struct Tags {
    at_ends: FxHashMap<BlockId, Cases>,
    /// For each enum, the case that each predecessor of the current block knows, if all of them have no other
    /// successor.
    pub(super) by_predecessor: IndexMap<Value, Vec<(BlockId, MemberId)>, FxBuildHasher>,
}

/// The case of an enum at the target of a branch on `true`.
pub(super) struct SelectedCase {
    pub(super) whole: Value,
    pub(super) on_true: MemberId,
    /// The case at the other target, if there is only one other case.
    pub(super) on_false: Option<MemberId>,
}

impl Motion<'_, '_> {
    /// Computes the known cases at the start of a block.
    pub(super) fn enter(&mut self, block: BlockId) {
        self.tags.by_predecessor.clear();
        let known = self.known_before(block);
        self.tags.at_ends.insert(block, known);
    }

    fn known_before(&mut self, block: BlockId) -> Cases {
        let predecessors = self.cfg.predecessors(block);
        let known: Option<Vec<Cases>> = predecessors.iter().map(|from| self.tags.at_ends.get(from).cloned()).collect();
        let Some([first, others @ ..]) = known.as_deref() else { return Cases::default() };
        let mut cases = first.clone();
        let is_exclusive = self.leads_alone(block);
        if let ([from], []) = (predecessors, others) {
            if is_exclusive {
                let by_predecessor = first.iter().map(|(value, case)| (*value, vec![(*from, *case)]));
                self.tags.by_predecessor.extend(by_predecessor);
            }
            self.add_decision(*from, block, &mut cases);
            return cases;
        }
        for value in first.keys() {
            let each: Option<Vec<MemberId>> =
                std::iter::once(first).chain(others).map(|known| known.get(value).copied()).collect();
            let Some(each) = each else {
                cases.shift_remove(value);
                continue;
            };
            if each.iter().any(|case| *case != each[0]) {
                cases.shift_remove(value);
            }
            if is_exclusive {
                let by_predecessor = predecessors.iter().copied().zip(each).collect();
                self.tags.by_predecessor.insert(*value, by_predecessor);
            }
        }
        cases
    }

    /// Adds the case that the terminator of `from` implies on its edge to `block`.
    fn add_decision(&self, from: BlockId, block: BlockId, cases: &mut Cases) {
        let body = self.editor.body();
        let Some(end) = body.terminator(from) else { return };
        if body.targets(end).iter().filter(|target| **target == block).count() != 1 {
            return;
        }
        match body.instructions[end].opcode {
            Opcode::SwitchEnum => {
                let SwitchEnum { operand, cases: written, targets } = SwitchEnum::of(body, end);
                let target = targets.iter().position(|target| *target == block);
                cases.extend(target.and_then(|target| written.members.get(target)).map(|case| (operand, *case)));
            }
            Opcode::CondBr => {
                if let Some(SelectedCase { whole, on_true, on_false }) = self.decided_by_selection(end) {
                    let case = if body.targets(end)[0] == block { Some(on_true) } else { on_false };
                    cases.extend(case.map(|case| (whole, case)));
                }
            }
            _ => {}
        }
    }

    /// The case that a branch implies if its condition is a `select_enum` that is true for one case only.
    pub(super) fn decided_by_selection(&self, branch: InstructionId) -> Option<SelectedCase> {
        let body = self.editor.body();
        let select = self.editor.made_by(CondBr::of(body, branch).condition, Opcode::SelectEnum)?;
        let SelectEnum { operand: whole, values, cases } = SelectEnum::of(body, select);
        let truths: Option<Vec<bool>> = values.iter().map(|value| self.truth(*value)).collect();
        let truths = truths?;
        let mut selected = truths.iter().enumerate().filter(|(_, is_true)| **is_true).map(|(index, _)| index);
        let on_true = *cases.members.get(selected.next().filter(|_| selected.next().is_none())?)?;
        Some(SelectedCase { whole, on_true, on_false: self.other_case(whole, on_true) })
    }

    /// The other case of an enum with two cases.
    fn other_case(&self, whole: Value, case: MemberId) -> Option<MemberId> {
        let environment = self.editor.environment;
        let but_one = EnumCases { members: [case].into(), default: DefaultCase::Present, counts: Box::default() };
        case_of_default(environment, self.editor.body().ty(whole).ty, &but_one)
    }

    fn truth(&self, value: Value) -> Option<bool> {
        let id = self.editor.made_by(value, Opcode::IntegerLiteral)?;
        match &self.editor.body().instructions[id].details {
            Details::Integer(number) => Some(*number != 0),
            _ => None,
        }
    }

    /// Visits a block. Reference counting of enums with a known case is replaced with that of the payload.
    pub(super) fn follow_tags(&mut self, block: BlockId) {
        let mut known = self.tags.at_ends.remove(&block).unwrap_or_default();
        for id in self.editor.body().instructions_in(block).collect::<Vec<_>>() {
            let body = self.editor.body();
            match (body.instructions[id].opcode, &body.instructions[id].details) {
                (Opcode::Enum, Details::Member(case)) => known.extend(body.result(id).map(|whole| (whole, *case))),
                (Opcode::UncheckedEnumData, Details::Member(case)) => {
                    known.extend(self.editor.operand(id, 0).map(|whole| (whole, *case)));
                }
                (Opcode::RetainValue, _) => self.count_known(id, Counting::Retain, &known),
                (Opcode::ReleaseValue, _) => self.count_known(id, Counting::Release, &known),
                _ => {}
            }
        }
        self.tags.at_ends.insert(block, known);
    }

    fn count_known(&mut self, id: InstructionId, what: Counting, known: &Cases) {
        let Some(whole) = self.editor.operand(id, 0) else { return };
        let Some(case) = known.get(&whole).copied().filter(|_| !self.has_deinit(whole)) else { return };
        self.count_payload(whole, case, what, (Place::Before(id), id));
        self.editor.erase(id);
    }
}
