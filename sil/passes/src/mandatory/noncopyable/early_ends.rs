//! Ends the lifetimes of values that a variable gets after a consume: after their last uses, not at the end of their
//! scope (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp, ExtendUnconsumedLiveness).
//!
//! A value that is consumed on no path lives as long as SILGen's destroys state. From the block of a final consume on,
//! wherever the variable is live, its values live until their last uses. Each element of the variable is processed
//! separately. Owns: the events that end values early, and their replacements; `memory` inserts the destroys.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Body, InstructionId};

use crate::knowledge::element_flow::{Event, EventKind, Flow};
use crate::knowledge::elements::Elements;

/// Returns the events that end values of `candidates` early, to be added to `events` with `flow`, which are error-free.
/// Reads of memory include the ends of accesses.
pub(super) fn early_ends(
    body: &Body,
    cfg: &ControlFlowGraph,
    events: &[Event],
    flow: &Flow,
    candidates: Elements,
) -> Vec<Event> {
    let mut found: BTreeMap<(InstructionId, EventKind), Elements> = BTreeMap::new();
    for element in (0..Elements::BITS).map(|number| 1 << number).filter(|element| candidates & element != 0) {
        for end in Lifetimes::new(body, cfg, events, flow, element).ends() {
            *found.entry(end).or_default() |= element;
        }
    }
    let event = |((instruction, kind), elements)| Event { instruction, kind, elements, cause: instruction };
    found.into_iter().map(event).collect()
}

/// Returns the elements that are consumed, and initialised or assigned more than once.
pub(super) fn consumed_and_defined_again(events: &[Event]) -> Elements {
    let (mut consumed, mut defined, mut again) = (0, 0, 0);
    for Event { kind, elements, .. } in events {
        match kind {
            EventKind::Consume => consumed |= elements,
            EventKind::Assign => again |= elements,
            EventKind::Initialize => {
                again |= defined & elements;
                defined |= elements;
            }
            _ => {}
        }
    }
    consumed & again
}

/// The events of one element.
struct Lifetimes<'e> {
    body: &'e Body,
    cfg: &'e ControlFlowGraph,
    events: &'e [Event],
    flow: &'e Flow,
    element: Elements,
    /// The numbers of the events of each block, in execution order.
    in_block: SecondaryMap<BlockId, Vec<usize>>,
}

/// The liveness of the element with early ends.
struct Liveness {
    /// The numbers of the events that no longer destroy it.
    early: FxHashSet<usize>,
    /// The blocks to whose ends it lives, because it is consumed in their successors.
    kept: FxHashSet<BlockId>,
    at_start: SecondaryMap<BlockId, bool>,
}

/// The blocks at whose entry, and at whose exit, the element was finally consumed.
#[derive(Default)]
struct Consumed {
    on_entry: FxHashSet<BlockId>,
    at_exit: FxHashSet<BlockId>,
}

impl<'e> Lifetimes<'e> {
    fn new(body: &'e Body, cfg: &'e ControlFlowGraph, events: &'e [Event], flow: &'e Flow, element: Elements) -> Self {
        let mut in_block: SecondaryMap<BlockId, Vec<usize>> = SecondaryMap::new();
        for block in cfg.reverse_post_order() {
            for id in body.instructions_in(*block) {
                let first = events.partition_point(|event| event.instruction < id);
                let of_instruction = events[first..].iter().take_while(|event| event.instruction == id);
                let numbers = (first..).zip(of_instruction).filter(|(_, event)| event.elements & element != 0);
                in_block[*block].extend(numbers.map(|(number, _)| number));
            }
        }
        Self { body, cfg, events, flow, element, in_block }
    }

    fn kind(&self, number: usize) -> EventKind {
        self.events[number].kind
    }

    fn is_there_before(&self, number: usize) -> bool {
        self.flow.before[number] & self.element != 0
    }

    /// Returns the early ends of the element.
    fn ends(&self) -> Vec<(InstructionId, EventKind)> {
        let consumed = self.consumed();
        let early = self.destroys().filter(|(block, at)| !self.stays(&consumed, *block, *at));
        let early: FxHashSet<usize> = early.map(|(block, at)| self.in_block[block][at]).collect();
        if !early.iter().any(|number| self.is_there_before(*number)) && !self.is_dropped_after(&consumed) {
            return Vec::new();
        }
        let liveness = self.liveness(early, &consumed);
        let mut ends = Vec::new();
        for block in self.cfg.reverse_post_order() {
            let first = self.body.first_instruction(*block);
            ends.extend(first.filter(|_| self.ends_on_entry(*block, &liveness)).map(|id| (id, EventKind::EndBefore)));
            ends.extend(self.ends_in(*block, &liveness).map(|id| (id, EventKind::EndAfter)));
        }
        ends
    }

    /// Returns whether the element is initialised at the end of a block after a consume, and dropped on an edge from
    /// it.
    fn is_dropped_after(&self, consumed: &Consumed) -> bool {
        let blocks = self.cfg.reverse_post_order().iter().filter(|block| consumed.at_exit.contains(block));
        let mut edges = blocks.flat_map(|block| self.successors(*block).iter().map(|successor| (*block, *successor)));
        edges.any(|(from, to)| self.flow.dropped_between(from, to) & self.element != 0)
    }

    /// Returns the events that destroy the element if it is initialised, by block and position among its events.
    fn destroys(&self) -> impl Iterator<Item = (BlockId, usize)> {
        let blocks = self.cfg.reverse_post_order().iter();
        let all = blocks.flat_map(|block| (0..self.in_block[*block].len()).map(|at| (*block, at)));
        all.filter(|(block, at)| {
            matches!(self.kind(self.in_block[*block][*at]), EventKind::Destroy | EventKind::Assign)
        })
    }

    /// Returns the blocks in which the element is live up to SILGen's destroys.
    fn originally_live(&self) -> FxHashSet<BlockId> {
        let is_live_at_start = |block: BlockId| match self.in_block[block].first() {
            Some(first) => self.kind(*first) != EventKind::Initialize,
            None => true,
        };
        let mut live: FxHashSet<BlockId> = FxHashSet::default();
        let with_events = self.cfg.reverse_post_order().iter().copied();
        let mut open: Vec<BlockId> = with_events.filter(|block| !self.in_block[*block].is_empty()).collect();
        while let Some(block) = open.pop() {
            if live.insert(block) && is_live_at_start(block) {
                open.extend(self.cfg.predecessors(block));
            }
        }
        live
    }

    fn consumed(&self) -> Consumed {
        let live = self.originally_live();
        let mut consumed = Consumed::default();
        let ends_consumed = |block: &BlockId| {
            let numbers = &self.in_block[*block];
            let last = numbers.iter().rposition(|number| self.kind(*number) == EventKind::Consume);
            last.is_some_and(|last| !numbers[last..].iter().any(|number| is_definition(self.kind(*number))))
        };
        let mut open: Vec<BlockId> = self.cfg.reverse_post_order().iter().copied().filter(ends_consumed).collect();
        while let Some(block) = open.pop() {
            if !consumed.at_exit.insert(block) {
                continue;
            }
            for successor in self.successors(block).iter().filter(|successor| live.contains(successor)) {
                consumed.on_entry.insert(*successor);
                open.push(*successor);
            }
        }
        consumed
    }

    fn successors(&self, block: BlockId) -> &[BlockId] {
        self.body.terminator(block).map(|end| self.body.targets(end)).unwrap_or_default()
    }

    /// Returns whether the element lives until the event that destroys it.
    fn stays(&self, consumed: &Consumed, block: BlockId, at: usize) -> bool {
        let numbers = &self.in_block[block];
        if !numbers[at..].iter().any(|number| is_definition(self.kind(*number))) {
            return !consumed.at_exit.contains(&block);
        }
        let mut before = numbers[..at].iter().rev().map(|number| self.kind(*number));
        let before = before.find(|kind| *kind != EventKind::Destroy);
        before.map_or(!consumed.on_entry.contains(&block), |kind| kind != EventKind::Consume)
    }

    fn kept_to_their_ends(&self, consumed: &Consumed) -> FxHashSet<BlockId> {
        let before = consumed.on_entry.iter().flat_map(|block| self.cfg.predecessors(*block));
        before.copied().filter(|block| !consumed.at_exit.contains(block)).collect()
    }

    fn liveness(&self, early: FxHashSet<usize>, consumed: &Consumed) -> Liveness {
        let kept = self.kept_to_their_ends(consumed);
        let mut liveness = Liveness { early, kept, at_start: SecondaryMap::new() };
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for block in self.cfg.reverse_post_order().iter().rev() {
                let at_end = self.is_live_at_end(*block, &liveness);
                let at_start = self.is_live_before(&self.in_block[*block], &liveness, at_end);
                is_changed |= std::mem::replace(&mut liveness.at_start[*block], at_start) != at_start;
            }
        }
        liveness
    }

    /// Returns whether the element is live before the events with these numbers, given its liveness after them.
    fn is_live_before(&self, numbers: &[usize], liveness: &Liveness, after: bool) -> bool {
        numbers.iter().rev().fold(after, |live, number| match self.kind(*number) {
            EventKind::Borrow | EventKind::GiveBack | EventKind::Consume => true,
            EventKind::Destroy | EventKind::Assign if !liveness.early.contains(number) => true,
            EventKind::Assign | EventKind::Initialize => false,
            EventKind::Destroy | EventKind::EndBefore | EventKind::EndAfter => live,
        })
    }

    fn is_live_at_end(&self, block: BlockId, liveness: &Liveness) -> bool {
        let successors = self.successors(block);
        liveness.kept.contains(&block) || successors.iter().any(|successor| liveness.at_start[*successor])
    }

    /// Returns whether the last need of the element is at the end of a predecessor of `block`, in which it is dead.
    fn ends_on_entry(&self, block: BlockId, liveness: &Liveness) -> bool {
        let is_used_by_terminator = |from: BlockId| {
            let last = self.in_block[from].last().map(|number| self.events[*number].instruction);
            last.is_some() && last == self.body.terminator(from)
        };
        let is_needed = |from: &BlockId| self.is_live_at_end(*from, liveness) || is_used_by_terminator(*from);
        let is_there = self.flow.at_start[block] & self.element != 0;
        is_there && !liveness.at_start[block] && self.cfg.predecessors(block).iter().any(is_needed)
    }

    /// Returns the instructions of a block that are the last to need the element.
    fn ends_in(&self, block: BlockId, liveness: &Liveness) -> impl Iterator<Item = InstructionId> {
        let (numbers, at_end) = (&self.in_block[block], self.is_live_at_end(block, liveness));
        let instruction = |number: usize| self.events[number].instruction;
        let is_end = move |at: &usize| {
            let number = numbers[*at];
            let is_there = match self.kind(number) {
                EventKind::Borrow | EventKind::GiveBack => self.is_there_before(number),
                kind => is_definition(kind),
            };
            let is_last = numbers.get(at + 1).is_none_or(|next| instruction(*next) != instruction(number));
            let is_terminator = self.body.terminator(block) == Some(instruction(number));
            is_there && is_last && !is_terminator && !self.is_live_before(&numbers[at + 1..], liveness, at_end)
        };
        (0..numbers.len()).filter(is_end).map(move |at| instruction(numbers[at]))
    }
}

fn is_definition(kind: EventKind) -> bool {
    matches!(kind, EventKind::Assign | EventKind::Initialize)
}
