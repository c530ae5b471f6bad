//! The dataflow of initialisation: the elements that may be initialised and those that may not be, at each use of
//! memory.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Body, InstructionId};

use super::memory::Memory;
use super::uses::{Collector, MemoryUse, UseKind};
use crate::knowledge::elements::Elements;

/// The state of elements at a point.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct State {
    /// The elements that are initialised on some path to the point.
    pub(super) may_be: Elements,
    /// The elements that are uninitialised on some path to the point.
    pub(super) may_not_be: Elements,
}

impl State {
    fn initialize(&mut self, elements: Elements) {
        self.may_be |= elements;
        self.may_not_be &= !elements;
    }

    fn take(&mut self, elements: Elements) {
        self.may_not_be |= elements;
        self.may_be &= !elements;
    }

    fn apply(&mut self, found: &MemoryUse, memory: &Memory) {
        match found.kind {
            UseKind::Assign | UseKind::Initialize | UseKind::Delegate => self.initialize(found.elements),
            // A mistake is reported once. A delegating initialiser must still call the other one.
            UseKind::Escape | UseKind::ClosureInOut | UseKind::PartialStore if memory.kind.is_delegating() => {}
            UseKind::Escape | UseKind::ClosureInOut | UseKind::PartialStore => self.initialize(found.elements),
            UseKind::Take => self.take(found.elements),
            UseKind::Destroy => self.take(found.elements | memory.slot()),
            UseKind::Read | UseKind::TypeOf | UseKind::SelfIsolation | UseKind::Release | UseKind::Exit => {}
        }
    }
}

/// Returns the state before each use, in the order of the uses.
pub(super) fn states(body: &Body, cfg: &ControlFlowGraph, memory: &Memory, collected: &Collector<'_>) -> Vec<State> {
    let mut by_instruction: FxHashMap<InstructionId, Vec<usize>> = FxHashMap::default();
    for (number, found) in collected.found.iter().enumerate() {
        by_instruction.entry(found.instruction).or_default().push(number);
    }
    let mut on_entry: SecondaryMap<BlockId, Elements> = SecondaryMap::new();
    for (block, elements) in &collected.on_entry {
        on_entry[*block] |= *elements;
    }
    let everything = memory.all() | memory.delegated() | memory.slot();
    let mut before: Vec<State> = vec![State::default(); collected.found.len()];
    let mut ends: SecondaryMap<BlockId, State> = SecondaryMap::new();
    loop {
        let mut changed = false;
        for block in cfg.reverse_post_order() {
            let mut state = State::default();
            for predecessor in cfg.predecessors(*block) {
                state.may_be |= ends[*predecessor].may_be;
                state.may_not_be |= ends[*predecessor].may_not_be;
            }
            state.initialize(on_entry[*block]);
            for id in body.instructions_in(*block) {
                if id == memory.mark {
                    state = State { may_be: 0, may_not_be: everything };
                }
                let uses = by_instruction.get(&id).map(Vec::as_slice).unwrap_or_default();
                uses.iter().for_each(|number| before[*number] = state);
                uses.iter().for_each(|number| state.apply(&collected.found[*number], memory));
            }
            changed |= std::mem::replace(&mut ends[*block], state) != state;
        }
        if !changed {
            return before;
        }
    }
}
