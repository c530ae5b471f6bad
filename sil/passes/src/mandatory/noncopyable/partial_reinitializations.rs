//! Partial reinitialisation of a consumed value (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp,
//! `PartialReinitChecker`).

use sil_analysis::{Dominators, Worklist};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId};
use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::Known;
use super::messages::{self, Subject};
use crate::knowledge::element_flow::{Event, EventKind, Start};
use crate::knowledge::elements::{Elements, each_element};

/// Reports the faulty events of `partly_made`, which initialise a part of the memory, among all its `events`.
pub(super) fn misuses(
    known: &Known<'_>,
    subject: &Subject<'_>,
    start: Start,
    partly_made: &[Event],
    events: &[Event],
) -> Vec<Diagnostic> {
    // Copyable values with a move-only wrapper may be reinitialised in parts (`shouldEmitPartialMutationError`).
    if partly_made.is_empty() || subject.is_wrapped() {
        return Vec::new();
    }
    let dominators = &Dominators::new(known.before, known.cfg);
    let wrong = partly_made.iter().filter_map(|made| {
        let mut each = each_element(made.elements).map(|element| Before { known, start, events, element, dominators });
        let consume = each.find_map(|before| before.consume(made.instruction))?;
        Some(messages::partial_reinitialization(known, subject, made.cause, consume))
    });
    wrong.collect()
}

/// The time at which SILGen creates an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Time {
    Handler,
    Forward,
    Back,
}

/// The backward search from an instruction for the events of an element.
struct Before<'k> {
    known: &'k Known<'k>,
    start: Start,
    events: &'k [Event],
    element: Elements,
    dominators: &'k Dominators,
}

impl Before<'_> {
    /// Returns a consume of the element on a path to `id`. The search ends at the first path on which the element was
    /// initialised last (lib/SIL/Utils/FieldSensitivePrunedLiveness.cpp, `findEarlierConsumingUse`).
    fn consume(&self, id: InstructionId) -> Option<InstructionId> {
        let body = self.known.before;
        let own = body.instructions[id].block;
        if let ControlFlow::Break(consume) = self.last_among(body.instructions_up_to(id).rev().skip(1)) {
            return consume;
        }
        let predecessors = |block: BlockId| self.predecessors(block).into_iter();
        let mut open = Worklist::new(predecessors(own));
        while let Some(block) = open.pop() {
            if let ControlFlow::Break(consume) = self.last_among(body.instructions_in(block).rev()) {
                return consume;
            }
            open.extend(predecessors(block));
        }
        None
    }

    /// Returns the predecessors of a block in reverse order of the search, which begins with the one whose edge SILGen
    /// created first.
    fn predecessors(&self, block: BlockId) -> Vec<BlockId> {
        let mut predecessors = self.known.cfg.predecessors(block).to_vec();
        predecessors.sort_by_key(|predecessor| Reverse(self.time_of_edge(*predecessor, block)));
        predecessors
    }

    /// Returns the time at which SILGen creates an edge: the handlers of errors first, which it places at the end; then
    /// in block order, where an empty false branch belongs to its condition; back edges last.
    fn time_of_edge(&self, from: BlockId, to: BlockId) -> (Time, BlockId) {
        let Known { before: body, cfg, .. } = self.known;
        if self.dominators.dominates(to, from) {
            return (Time::Back, from);
        }
        let condition = cfg.single_predecessor(from).filter(|condition| {
            let end = body.terminator(*condition).filter(|end| body.instructions[*end].opcode == Opcode::CondBr);
            end.is_some_and(|end| body.targets(end).get(1) == Some(&from))
        });
        let only_leads_on = body.first_instruction(from) == body.terminator(from);
        match condition.filter(|_| only_leads_on) {
            Some(condition) => (Time::Forward, condition),
            None if from > to => (Time::Handler, from),
            None => (Time::Forward, from),
        }
    }

    /// Returns the first of these instructions, in backward order, that initialises or consumes the element, if it
    /// consumes it.
    fn last_among(&self, backwards: impl Iterator<Item = InstructionId>) -> ControlFlow<Option<InstructionId>> {
        for id in backwards {
            let first = |kinds: &[EventKind]| {
                let mut here = self.events.iter().filter(|event| event.instruction == id);
                here.find(|event| event.elements & self.element != 0 && kinds.contains(&event.kind))
            };
            let begins = self.start.instruction == Some(id) && self.start.initial & self.element != 0;
            if begins || first(&[EventKind::Assign, EventKind::Initialize]).is_some() {
                return ControlFlow::Break(None);
            }
            if let Some(consume) = first(&[EventKind::Consume]) {
                return ControlFlow::Break(Some(consume.cause));
            }
        }
        ControlFlow::Continue(())
    }
}
