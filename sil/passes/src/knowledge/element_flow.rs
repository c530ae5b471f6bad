//! Dataflow of initialised elements, of memory or of values: the elements that are initialised on all paths, and a
//! forward search over instructions.

use std::ops::ControlFlow;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Body, InstructionId, Place};

use super::elements::Elements;

/// The kind of an event on elements. The order of the cases is the order of the events of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EventKind {
    /// The elements are destroyed before the instruction.
    EndBefore,
    /// The elements must be initialised.
    Borrow,
    /// The elements must be initialised at the exit, since the function must give them back.
    GiveBack,
    /// The elements are consumed.
    Consume,
    /// The elements are destroyed at the end of their scope.
    Destroy,
    /// The elements are initialised or reassigned.
    Assign,
    /// The elements are initialised.
    Initialize,
    /// The elements are destroyed after the instruction.
    EndAfter,
}

impl EventKind {
    /// Returns whether the event needs an initialised value.
    pub(crate) fn needs_value(self) -> bool {
        matches!(self, EventKind::Borrow | EventKind::GiveBack | EventKind::Consume)
    }
}

/// An event on elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) instruction: InstructionId,
    pub(crate) kind: EventKind,
    pub(crate) elements: Elements,
    /// The instruction that diagnostics report for the event: for a value that is loaded and then consumed, the
    /// consumer.
    pub(crate) cause: InstructionId,
}

/// The start of the lifetime that events belong to.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// The instruction, or `None` for the function's entry.
    pub(crate) instruction: Option<InstructionId>,
    /// The elements that are initialised at the start.
    pub(crate) initial: Elements,
    /// The elements that are initialised at the function's entry, before the start: those of an inout argument are.
    pub(crate) outside: Elements,
    pub(crate) all: Elements,
}

/// The elements that are initialised on all paths to a position.
pub(crate) struct Flow {
    /// The state before each event, in the order of the events.
    pub(crate) before: Vec<Elements>,
    /// The states at the start and the end of blocks.
    pub(crate) at_start: SecondaryMap<BlockId, Elements>,
    pub(crate) at_end: SecondaryMap<BlockId, Elements>,
}

impl Flow {
    /// Solves the dataflow for `events`; those of one instruction are in the order of their kinds. `on_entry` lists the
    /// elements that are initialised at the starts of blocks.
    pub(crate) fn new(
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

    /// Returns the elements that are initialised at the end of `from` but not at the start of its successor `to`.
    pub(crate) fn dropped_between(&self, from: BlockId, to: BlockId) -> Elements {
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

/// Sorts events by instruction, and those of one instruction in the order in which they happen.
pub(crate) fn sort(events: &mut [Event]) {
    events.sort_by_key(|event| (event.instruction, event.kind));
}

/// Returns the positions on edges at which elements are initialised in the predecessor but not in the successor, with
/// those elements.
pub(crate) fn dropped_on_edges(body: &Body, cfg: &ControlFlowGraph, flow: &Flow) -> Vec<(Place, Elements)> {
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

/// Returns a position on the edge from one block to another. There are no critical edges.
fn edge_place(body: &Body, cfg: &ControlFlowGraph, from: BlockId, to: BlockId) -> Option<Place> {
    match cfg.predecessors(to) {
        [_] => Some(Place::Start(to)),
        _ => body.terminator(from).map(Place::Before),
    }
}

/// Searches forward from `from` over all instructions on all paths while elements remain. `step` removes the elements
/// that need no further search, or ends the search with a result. Of several successors, the last one is searched
/// first: it is the loop exit.
pub(crate) fn search_after<Found>(
    body: &Body,
    from: InstructionId,
    elements: Elements,
    step: impl FnMut(InstructionId, &mut Elements) -> ControlFlow<Found>,
) -> Option<Found> {
    let start = body.instructions[from].block;
    let rest = body.instructions_in(start).skip_while(|id| *id != from).skip(1).collect();
    search(body, start, rest, elements, step)
}

/// The same from the function's entry.
pub(crate) fn search_all<Found>(
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
