//! Where elements of memory or of values hold a value, whatever way was taken, and what happens to them behind an instruction.

use std::ops::ControlFlow;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::elements::Elements;
use crate::analysis::ControlFlowGraph;
use crate::model::{BlockId, Body, InstructionId, Place};

/// What is done to elements. Of what one instruction does, what comes first here happens first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::transform) enum EventKind {
    /// They are destroyed before the instruction does anything.
    EndBefore,
    /// Needs them to be there.
    Borrow,
    /// Needs them to be there because a function must give them back where it ends.
    GiveBack,
    /// Takes them away.
    Consume,
    /// Destroys them at the end of their scope.
    Destroy,
    /// Replaces what is there, or puts something where nothing is.
    Assign,
    /// Puts something where nothing is.
    Initialize,
    /// They are destroyed behind the instruction.
    EndAfter,
}

impl EventKind {
    /// Whether a value must be there.
    pub(in crate::transform) fn needs_value(self) -> bool {
        matches!(self, EventKind::Borrow | EventKind::GiveBack | EventKind::Consume)
    }
}

/// Something that happens to elements.
#[derive(Clone, Copy, Debug)]
pub(in crate::transform) struct Event {
    pub(in crate::transform) instruction: InstructionId,
    pub(in crate::transform) kind: EventKind,
    pub(in crate::transform) elements: Elements,
    /// The instruction that people take for what happens: of a value that is loaded and then consumed, who consumes it.
    pub(in crate::transform) cause: InstructionId,
}

/// What begins the lifetime that events are about.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Start {
    /// The instruction; none where that is the function's entry.
    pub(in crate::transform) instruction: Option<InstructionId>,
    /// The elements that hold a value then.
    pub(in crate::transform) initial: Elements,
    /// Those that hold one before: what is given and given back does so wherever this is not its place.
    pub(in crate::transform) outside: Elements,
    pub(in crate::transform) all: Elements,
}

/// The elements that hold a value on all ways to a place.
pub(in crate::transform) struct Flow {
    /// Before each event, in their order.
    pub(in crate::transform) before: Vec<Elements>,
    /// At the start and the end of blocks.
    pub(in crate::transform) at_start: SecondaryMap<BlockId, Elements>,
    pub(in crate::transform) at_end: SecondaryMap<BlockId, Elements>,
}

impl Flow {
    /// Follows `events`, those of one instruction in the order of their kinds. `on_entry` says what is initialised where blocks begin.
    pub(in crate::transform) fn new(
        body: &Body,
        cfg: &ControlFlowGraph,
        start: Start,
        events: &[Event],
        on_entry: &[(BlockId, Elements)],
    ) -> Self {
        let mut by_instruction: FxHashMap<InstructionId, Vec<usize>> = FxHashMap::default();
        for (number, event) in events.iter().enumerate() {
            by_instruction.entry(event.instruction).or_default().push(number);
        }
        let mut flow = Self {
            before: vec![0; events.len()],
            at_start: SecondaryMap::new(),
            at_end: SecondaryMap::with_default(start.all),
        };
        loop {
            let mut changed = false;
            for block in cfg.reverse_post_order() {
                let mut state = if *block == body.entry() { start.outside } else { start.all };
                for predecessor in cfg.predecessors(*block) {
                    state &= flow.at_end[*predecessor];
                }
                for (_, elements) in on_entry.iter().filter(|(entered, _)| entered == block) {
                    state |= elements;
                }
                flow.at_start[*block] = state;
                for id in body.instructions_in(*block) {
                    for number in by_instruction.get(&id).into_iter().flatten() {
                        flow.before[*number] = state;
                        state = after(events[*number], state);
                    }
                    if Some(id) == start.instruction {
                        state = start.initial;
                    }
                }
                changed |= std::mem::replace(&mut flow.at_end[*block], state) != state;
            }
            if !changed {
                return flow;
            }
        }
    }

    /// The elements that hold a value when `from` ends, and are not counted on in `to`, which it leads to.
    pub(in crate::transform) fn dropped_between(&self, from: BlockId, to: BlockId) -> Elements {
        self.at_end[from] & !self.at_start[to]
    }
}

fn after(event: Event, state: Elements) -> Elements {
    match event.kind {
        EventKind::Borrow | EventKind::GiveBack => state,
        EventKind::Consume | EventKind::Destroy | EventKind::EndBefore | EventKind::EndAfter => state & !event.elements,
        EventKind::Assign | EventKind::Initialize => state | event.elements,
    }
}

/// Puts events in the order in which they happen where they belong to one instruction.
pub(in crate::transform) fn sort(events: &mut [Event]) {
    events.sort_by_key(|event| (event.instruction, event.kind));
}

/// The places on edges between blocks where elements are there on one way and not on another, with those elements.
pub(in crate::transform) fn dropped_on_edges(
    body: &Body,
    cfg: &ControlFlowGraph,
    flow: &Flow,
) -> Vec<(Place, Elements)> {
    let mut dropped = Vec::new();
    for block in cfg.reverse_post_order() {
        for predecessor in cfg.predecessors(*block) {
            let elements = flow.dropped_between(*predecessor, *block);
            if elements != 0 {
                dropped.extend(edge_place(body, cfg, *predecessor, *block).map(|place| (place, elements)));
            }
        }
    }
    dropped
}

/// A place that is come to only on the way from one block to another. There are no critical edges.
fn edge_place(body: &Body, cfg: &ControlFlowGraph, from: BlockId, to: BlockId) -> Option<Place> {
    match cfg.predecessors(to) {
        [_] => Some(Place::Start(to)),
        _ => body.terminator(from).map(Place::Before),
    }
}

/// Looks at all instructions behind `from` on all ways on, as long as elements are left: `step` takes away what need not be followed further. Gives
/// what `step` stops at. Of several ways on, the last one is looked at first: it is the one that leaves a loop.
pub(in crate::transform) fn search_behind<Found>(
    body: &Body,
    from: InstructionId,
    elements: Elements,
    step: impl FnMut(InstructionId, &mut Elements) -> ControlFlow<Found>,
) -> Option<Found> {
    let start = body.instructions[from].block;
    let rest = body.instructions_in(start).skip_while(|id| *id != from).skip(1).collect();
    search(body, start, rest, elements, step)
}

/// The same from where the function begins.
pub(in crate::transform) fn search_all<Found>(
    body: &Body,
    elements: Elements,
    step: impl FnMut(InstructionId, &mut Elements) -> ControlFlow<Found>,
) -> Option<Found> {
    let entry = body.entry();
    search(body, entry, body.instructions_in(entry).collect(), elements, step)
}

fn search<Found>(
    body: &Body,
    start: BlockId,
    first: Vec<InstructionId>,
    elements: Elements,
    mut step: impl FnMut(InstructionId, &mut Elements) -> ControlFlow<Found>,
) -> Option<Found> {
    let mut seen: FxHashSet<(BlockId, Elements)> = FxHashSet::default();
    let mut open = vec![(start, first, elements)];
    while let Some((block, instructions, mut elements)) = open.pop() {
        for id in instructions {
            if elements == 0 {
                break;
            }
            if let ControlFlow::Break(found) = step(id, &mut elements) {
                return Some(found);
            }
        }
        if elements == 0 {
            continue;
        }
        let targets = body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
        for target in targets {
            if seen.insert((*target, elements)) {
                open.push((*target, body.instructions_in(*target).collect(), elements));
            }
        }
    }
    None
}
