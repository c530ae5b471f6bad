//! Where elements hold a value, whatever way was taken.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use crate::analysis::ControlFlowGraph;
use crate::model::{BlockId, Body, InstructionId};
use crate::transform::elements::Elements;

/// What is done to elements. Of what one instruction does, what comes first here happens first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum EventKind {
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
}

impl EventKind {
    /// Whether a value must be there.
    pub(super) fn needs_value(self) -> bool {
        matches!(self, EventKind::Borrow | EventKind::GiveBack | EventKind::Consume)
    }
}

/// Something that happens to elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) instruction: InstructionId,
    pub(super) kind: EventKind,
    pub(super) elements: Elements,
    /// The instruction that people take for what happens: of a value that is loaded and then consumed, who consumes it.
    pub(super) cause: InstructionId,
}

/// What begins the lifetime that events are about.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) instruction: InstructionId,
    /// The elements that hold a value then.
    pub(super) initial: Elements,
    /// Those that hold one before: what is given and given back does so wherever this is not its place.
    pub(super) outside: Elements,
    pub(super) all: Elements,
}

/// The elements that hold a value on all ways to a place.
pub(super) struct Flow {
    /// Before each event, in their order.
    pub(super) before: Vec<Elements>,
    /// At the start and the end of blocks.
    pub(super) at_start: SecondaryMap<BlockId, Elements>,
    pub(super) at_end: SecondaryMap<BlockId, Elements>,
}

impl Flow {
    /// Follows `events`, those of one instruction in the order of their kinds. `on_entry` says what is initialised where blocks begin.
    pub(super) fn new(
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
                    if id == start.instruction {
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
    pub(super) fn dropped_between(&self, from: BlockId, to: BlockId) -> Elements {
        self.at_end[from] & !self.at_start[to]
    }
}

fn after(event: Event, state: Elements) -> Elements {
    match event.kind {
        EventKind::Borrow | EventKind::GiveBack => state,
        EventKind::Consume | EventKind::Destroy => state & !event.elements,
        EventKind::Assign | EventKind::Initialize => state | event.elements,
    }
}
