//! Which of the later uses of what is consumed is pointed at: Swift looks for one, in an order of its own, and points at no other.
//!
//! Does not own whether anything is wrong; that the flow of the elements tells.

use std::ops::ControlFlow;

use cranelift_entity::SecondaryMap;

use crate::analysis::{ControlFlowGraph, Worklist};
use crate::instructions::Opcode;
use crate::model::{BlockId, Body, InstructionId};
use crate::transform::knowledge::element_flow::{Event, EventKind, search_behind};
use crate::transform::knowledge::elements::Elements;

/// What holds what is consumed: Swift looks for later uses in different ways.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    Value,
    Memory,
}

/// Those of the events `consuming` behind which something needs what they consume, each with the use to point at.
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
            // Swift's way may miss them all; something is wrong nevertheless.
            if found.is_empty() { each(&|event| on_any_way(body, events, event)) } else { found }
        }
    }
}

/// Another event of the same instruction that consumes the same.
fn consumed_at_once<'e>(events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    events.iter().find(|event| {
        event.instruction == from.instruction
            && !std::ptr::eq(*event, from)
            && event.elements & from.elements != 0
            && event.kind == EventKind::Consume
    })
}

/// The events at an instruction, what consumes before what else needs a value.
fn first_needing<'e>(here: impl Iterator<Item = &'e Event> + Clone) -> Option<&'e Event> {
    let mut needing = here.filter(|event| event.kind.needs_value());
    needing.clone().find(|event| event.kind == EventKind::Consume).or_else(|| needing.next())
}

/// What happens to memory, and where it is live (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp, `testInstVectorLiveness`).
struct Memory<'e, 'b> {
    body: &'b Body,
    events: &'e [Event],
    /// The elements that are needed behind each block.
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

    /// The elements that are needed where a block begins.
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

    /// The elements that something in a block needs, and those that something there makes.
    fn needed_and_made(&self, block: BlockId) -> (Elements, Elements) {
        let here = self.body.instructions_in(block).flat_map(|id| self.at(id));
        here.fold((0, 0), |(needed, made), event| match event.kind {
            EventKind::Assign | EventKind::Initialize => (needed, made | event.elements),
            kind if kind.needs_value() => (needed | event.elements, made),
            _ => (needed, made),
        })
    }

    /// The next event behind `from` that needs elements which that consumes: in its block, else in a block where they are live, the last of several
    /// ways on first.
    fn next(&self, from: &'e Event) -> Option<&'e Event> {
        let own = self.body.instructions[from.instruction].block;
        let elements = from.elements;
        let mut behind = self.body.instructions_from(from.instruction).skip(1);
        match behind.find_map(|id| found_at(self.at(id), elements)) {
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
            // The ends of borrows, and of accesses for them, are looked for in the block of the consume alone.
            let is_seen = |event: &&Event| !self.is_end_of_borrow(event);
            match here.find_map(|id| found_at(self.at(id).filter(is_seen), elements)) {
                Some(Found::Need(event)) => return Some(event),
                Some(Found::Made) => {}
                None => open.extend(successors(block).iter().copied()),
            }
        }
        None
    }

    /// Whether uses are looked for in a block: it needs some of the elements, or lets them through. One that makes some which are needed behind it is
    /// passed over, whatever it needs before.
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

/// What is found where later uses are looked for.
enum Found<'e> {
    /// Something needs an element.
    Need(&'e Event),
    /// An element is made: nothing is looked for behind that.
    Made,
}

/// What the events of an instruction are to these elements.
fn found_at<'e>(here: impl Iterator<Item = &'e Event> + Clone, elements: Elements) -> Option<Found<'e>> {
    let mut concerning = here.filter(|event| event.elements & elements != 0);
    let is_made = |event: &Event| matches!(event.kind, EventKind::Assign | EventKind::Initialize);
    let need = first_needing(concerning.clone()).map(Found::Need);
    need.or_else(|| concerning.any(is_made).then_some(Found::Made))
}

/// The next event behind `from` that needs elements which that consumes, on any way on.
fn on_any_way<'e>(body: &Body, events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    search_behind(body, from.instruction, from.elements, |id, elements| {
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

/// The next event behind `from` that needs the value that `from` consumes: in its block, else in the first block that has one, where a consume counts
/// before other uses, and `from` itself where that block is its own (lib/SILOptimizer/Mandatory/MoveOnlyDiagnostics.cpp, `emitObjectOwnedDiagnostic`).
fn of_value<'e>(body: &Body, events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    let own = body.instructions[from.instruction].block;
    let at = |id: InstructionId| first_needing(events.iter().filter(move |event| event.instruction == id));
    let mut behind = body.instructions_from(from.instruction).skip(1);
    if let Some(found) = behind.find_map(at) {
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
