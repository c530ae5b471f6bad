//! Selects the later use of a consumed value for a diagnostic: Swift finds one by its own search order, and reports no
//! other.
//!
//! Does not own: the existence of an error, which the flow of the elements determines.

use std::ops::ControlFlow;

use cranelift_entity::SecondaryMap;
use sil_analysis::{ControlFlowGraph, Worklist};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId};

use crate::knowledge::element_flow::{Event, EventKind, search_after};
use crate::knowledge::elements::Elements;

/// The kind of the consumed storage, as Swift's searches differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    Value,
    Memory,
}

/// Returns the events of `consuming` with a later need of the consumed elements, with the use to report.
pub(super) fn of_consumes<'e>(
    body: &Body,
    cfg: &ControlFlowGraph,
    consuming: &[&'e Event],
    events: &'e [Event],
    holder: Holder,
) -> Vec<(&'e Event, &'e Event)> {
    let each = |next: &dyn Fn(&'e Event) -> Option<&'e Event>| -> Vec<(&'e Event, &'e Event)> {
        let found = consuming.iter().map(|event| (*event, consumed_at_once(events, event).or_else(|| next(event))));
        found.filter_map(|(event, next)| Some((event, next?))).collect()
    };
    match holder {
        Holder::Value => each(&|event| of_value(body, events, event)),
        Holder::Memory => {
            let memory = Memory::new(body, cfg, events);
            let found = each(&|event| memory.next(event));
            // Swift's search may miss all uses although there is an error.
            if found.is_empty() { each(&|event| on_any_path(body, events, event)) } else { found }
        }
    }
}

/// Returns another event of the same instruction that consumes the same elements.
fn consumed_at_once<'e>(events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    events.iter().find(|event| {
        event.instruction == from.instruction
            && !std::ptr::eq(*event, from)
            && event.elements & from.elements != 0
            && event.kind == EventKind::Consume
    })
}

/// Returns the event of an instruction that needs a value, a consume before other needs.
fn first_needing<'e>(here: impl Iterator<Item = &'e Event> + Clone) -> Option<&'e Event> {
    let mut needing = here.filter(|event| event.kind.needs_value());
    needing.clone().find(|event| event.kind == EventKind::Consume).or_else(|| needing.next())
}

/// The events and liveness of memory (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp,
/// `testInstVectorLiveness`).
struct Memory<'e, 'b> {
    body: &'b Body,
    events: &'e [Event],
    /// The elements that are live at the end of each block.
    live_out: SecondaryMap<BlockId, Elements>,
}

impl<'e, 'b> Memory<'e, 'b> {
    fn new(body: &'b Body, cfg: &ControlFlowGraph, events: &'e [Event]) -> Self {
        let mut memory = Self { body, events, live_out: SecondaryMap::new() };
        loop {
            let mut changed = false;
            for block in cfg.reverse_post_order().iter().rev() {
                let successors = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
                let live = successors.iter().fold(0, |live, successor| live | memory.live_in(*successor));
                changed |= std::mem::replace(&mut memory.live_out[*block], live) != live;
            }
            if !changed {
                return memory;
            }
        }
    }

    fn at(&self, id: InstructionId) -> impl Iterator<Item = &'e Event> + Clone + use<'e> {
        self.events.iter().filter(move |event| event.instruction == id)
    }

    /// Returns the elements that are live at the start of a block.
    fn live_in(&self, block: BlockId) -> Elements {
        let mut live = self.live_out[block];
        for event in
            self.body.instructions_in(block).rev().flat_map(|id| self.at(id).collect::<Vec<_>>().into_iter().rev())
        {
            match event.kind {
                EventKind::Assign | EventKind::Initialize => live &= !event.elements,
                kind if kind.needs_value() => live |= event.elements,
                _ => {}
            }
        }
        live
    }

    /// Returns the elements that a block needs, and those that it initialises.
    fn needed_and_made(&self, block: BlockId) -> (Elements, Elements) {
        let here = self.body.instructions_in(block).flat_map(|id| self.at(id));
        here.fold((0, 0), |(needed, made), event| match event.kind {
            EventKind::Assign | EventKind::Initialize => (needed, made | event.elements),
            kind if kind.needs_value() => (needed | event.elements, made),
            _ => (needed, made),
        })
    }

    /// Returns the next event after `from` that needs its consumed elements: in its block, or else in a block where
    /// they are live, with the last successor visited first.
    fn next(&self, from: &'e Event) -> Option<&'e Event> {
        let own = self.body.instructions[from.instruction].block;
        let elements = from.elements;
        let mut after = self.body.instructions_from(from.instruction).skip(1);
        match after.find_map(|id| found_at(self.at(id), elements)) {
            Some(Found::Need(event)) => return Some(event),
            Some(Found::Made) => return None,
            None => {}
        }
        let successors = |block: BlockId| self.body.terminator(block).map_or(&[][..], |end| self.body.targets(end));
        let mut open = Worklist::new(successors(own).iter().copied());
        while let Some(block) = open.pop() {
            if !self.is_searched(block, elements) {
                continue;
            }
            let mut here = self.body.instructions_in(block);
            // The ends of borrows and their accesses are searched in the block of the consume only.
            let is_seen = |event: &&Event| !self.is_end_of_borrow(event);
            match here.find_map(|id| found_at(self.at(id).filter(is_seen), elements)) {
                Some(Found::Need(event)) => return Some(event),
                Some(Found::Made) => {}
                None => open.extend(successors(block).iter().copied()),
            }
        }
        None
    }

    /// Returns whether a block is searched for uses: it needs some of the elements, or they are live through it. A
    /// block that initialises elements which are live after it is skipped, whatever it needs before.
    fn is_searched(&self, block: BlockId, elements: Elements) -> bool {
        let (needed, made) = self.needed_and_made(block);
        let live_out = self.live_out[block];
        needed & !live_out & elements != 0 || live_out & elements != 0 && made & elements == 0
    }

    fn is_end_of_borrow(&self, event: &Event) -> bool {
        let opcode = self.body.instructions[event.instruction].opcode;
        event.kind == EventKind::Borrow && matches!(opcode, Opcode::EndBorrow | Opcode::EndAccess)
    }
}

/// The result of a search for later uses.
enum Found<'e> {
    /// An event that needs an element.
    Need(&'e Event),
    /// The initialisation of an element, which ends the search.
    Made,
}

/// Classifies the events of an instruction for these elements.
fn found_at<'e>(here: impl Iterator<Item = &'e Event> + Clone, elements: Elements) -> Option<Found<'e>> {
    let mut concerning = here.filter(|event| event.elements & elements != 0);
    let is_made = |event: &Event| matches!(event.kind, EventKind::Assign | EventKind::Initialize);
    let need = first_needing(concerning.clone()).map(Found::Need);
    need.or_else(|| concerning.any(is_made).then_some(Found::Made))
}

/// Returns the next event after `from` that needs its consumed elements, on any path.
fn on_any_path<'e>(body: &Body, events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    search_after(body, from.instruction, from.elements, |id, elements| {
        for event in events.iter().filter(|event| event.instruction == id) {
            match event.kind {
                _ if event.elements & *elements == 0 => {}
                kind if kind.needs_value() => return ControlFlow::Break(event),
                _ => *elements &= !event.elements,
            }
        }
        ControlFlow::Continue(())
    })
}

/// Returns the next event after `from` that needs its consumed value: in its block, or else in the first block with
/// one, where a consume precedes other uses; if that block is its own, `from` itself
/// (lib/SILOptimizer/Mandatory/MoveOnlyDiagnostics.cpp, `emitObjectOwnedDiagnostic`).
fn of_value<'e>(body: &Body, events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    let own = body.instructions[from.instruction].block;
    let at = |id: InstructionId| first_needing(events.iter().filter(move |event| event.instruction == id));
    let mut after = body.instructions_from(from.instruction).skip(1);
    if let Some(found) = after.find_map(at) {
        return Some(found);
    }
    let successors = |block: BlockId| body.terminator(block).map_or(&[][..], |id| body.targets(id));
    let mut open = Worklist::new(successors(own).iter().copied());
    while let Some(block) = open.pop() {
        if block == own {
            return Some(from);
        }
        let found = first_needing(events.iter().filter(|event| body.instructions[event.instruction].block == block));
        if found.is_some() {
            return found;
        }
        open.extend(successors(block).iter().copied());
    }
    None
}
