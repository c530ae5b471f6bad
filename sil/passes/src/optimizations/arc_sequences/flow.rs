//! The dataflow of reference count states over a region, top-down and bottom-up. Follows
//! lib/SILOptimizer/ARC/GlobalARCSequenceDataflow.cpp, GlobalLoopARCSequenceDataflow.cpp and ARCRegionState.cpp.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::model::{BlockId, InstructionId, Value};

use super::last_releases::LastReleaseFinder;
use super::regions::{PartKind, Paths, Region, Regions};
use super::states::{Direction, State};
use crate::knowledge::reference_questions::{Counting, Questions};

/// The treatment of the epilogue releases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastReleases {
    /// They are paired like any other release.
    Paired,
    /// They are kept, and keep the released references alive up to them.
    Kept,
}

/// The states of references, keyed by their RC identity root.
type States = BTreeMap<Value, State>;

/// Retains or releases with the state at each of them, in the order of the traversal.
#[derive(Default)]
pub(super) struct Partners {
    pub(super) found: Vec<(InstructionId, State)>,
    /// The index of each instruction in `found`.
    positions: FxHashMap<InstructionId, usize>,
}

impl Partners {
    fn set(&mut self, id: InstructionId, state: State) {
        match self.positions.get(&id) {
            Some(position) => self.found[*position].1 = state,
            None => {
                self.positions.insert(id, self.found.len());
                self.found.push((id, state));
            }
        }
    }

    /// Records the state of `root` at the partner `id` and clears the state after it.
    fn meet(&mut self, id: InstructionId, root: Value, states: &mut States) {
        if let Some(state) = states.get_mut(&root)
            && state.is_matched()
        {
            self.set(id, state.clone());
            state.clear();
        }
    }

    fn has(&self, id: InstructionId) -> bool {
        self.positions.contains_key(&id)
    }
}

/// The release states at retains, and the retain states at releases.
#[derive(Default)]
pub(super) struct Known {
    pub(super) retains: Partners,
    pub(super) releases: Partners,
}

pub(super) struct Flow<'a> {
    questions: &'a Questions<'a>,
    regions: &'a Regions,
    removed: &'a FxHashSet<InstructionId>,
    unmatched: &'a FxHashSet<InstructionId>,
    last: LastReleases,
    last_releases: LastReleaseFinder<'a>,
    known: Known,
}

/// The result of visiting an instruction.
enum Visited {
    /// All states are cleared after the instruction.
    Nothing,
    /// The instruction concerned a reference, whose state needs no further update, or none in particular.
    About(Option<Value>),
}

impl<'a> Flow<'a> {
    pub(super) fn new(
        questions: &'a Questions<'a>,
        regions: &'a Regions,
        removed: &'a FxHashSet<InstructionId>,
        unmatched: &'a FxHashSet<InstructionId>,
        last: LastReleases,
    ) -> Self {
        let last_releases = LastReleaseFinder::new(questions, removed);
        Self { questions, regions, removed, unmatched, last, last_releases, known: Known::default() }
    }

    /// Runs both dataflows. Returns whether retains or releases of one reference are nested.
    pub(super) fn run(&mut self, region: &Region) -> bool {
        let from_bottom = self.bottom_up(region);
        let from_top = self.top_down(region);
        from_bottom || from_top
    }

    pub(super) fn into_known(self) -> Known {
        self.known
    }

    fn bottom_up(&mut self, region: &Region) -> bool {
        let mut at_start: Vec<States> = region.parts.iter().map(|_| States::new()).collect();
        let mut is_nested = false;
        for (index, part) in region.parts.iter().enumerate().rev() {
            let is_known = part.exit == Paths::Known;
            let following = part.successors.iter().filter(|successor| !region.parts[**successor].leaks);
            let mut states = if is_known { merged(following.map(|other| &at_start[*other])) } else { States::new() };
            match part.kind {
                PartKind::Block(block) => is_nested |= self.block_bottom_up(block, &mut states),
                PartKind::Loop(id) => self.pass_loop(id, &mut states),
            }
            at_start[index] = states;
        }
        is_nested
    }

    fn top_down(&mut self, region: &Region) -> bool {
        let mut at_end: Vec<States> = region.parts.iter().map(|_| States::new()).collect();
        let mut is_nested = false;
        for (index, part) in region.parts.iter().enumerate() {
            if part.leaks {
                continue;
            }
            let is_known = part.entry == Paths::Known;
            let before = part.predecessors.iter().filter(|other| !region.parts[**other].leaks);
            let mut states = if is_known { merged(before.map(|other| &at_end[*other])) } else { States::new() };
            match part.kind {
                PartKind::Block(block) => is_nested |= self.block_top_down(block, &mut states),
                PartKind::Loop(_) if part.predecessors.len() != 1 => states.clear(),
                PartKind::Loop(id) => self.pass_loop(id, &mut states),
            }
            at_end[index] = states;
        }
        is_nested
    }

    /// The effect of a loop's instructions on the states around the loop.
    fn pass_loop(&self, id: sil_analysis::LoopId, states: &mut States) {
        let Some(region) = self.regions.of_loop(id) else { return states.clear() };
        let instructions = region.instructions(self.regions, self.questions, self.removed);
        for (root, state) in states {
            for id in &instructions {
                state.pass_loop(self.questions, *id, *root);
                state.doubt(self.questions, *id, *root, |id| !self.unmatched.contains(&id));
            }
        }
    }

    /// The instructions of a block that affect reference count states.
    fn instructions(&self, block: BlockId) -> Vec<InstructionId> {
        let all = self.questions.view.body.instructions_in(block);
        all.filter(|id| !self.removed.contains(id) && self.questions.is_interesting(*id)).collect()
    }

    fn block_bottom_up(&mut self, block: BlockId, states: &mut States) -> bool {
        let mut is_nested = false;
        for id in self.instructions(block).into_iter().rev() {
            if self.questions.is_insignificant_end(id) {
                continue;
            }
            let visited = match self.questions.counting(id) {
                Some(Counting::Release) => {
                    let root = self.questions.counted_root(id);
                    let is_last = self.last == LastReleases::Kept && self.last_releases.is_last(root, id);
                    if !is_last {
                        let is_safe = self.questions.is_kept_by_caller(root)
                            || self.last == LastReleases::Kept && self.last_releases.is_before_last(root, id);
                        let state = states.entry(root).or_insert_with(|| State::new(Direction::BottomUp));
                        is_nested |= state.begin(id);
                        if is_safe {
                            state.know_safe();
                        }
                    }
                    Visited::About(Some(root))
                }
                Some(Counting::Retain) => {
                    let root = self.questions.counted_root(id);
                    self.known.retains.meet(id, root, states);
                    Visited::About(Some(root))
                }
                None if self.questions.is_pool_call(id) => Visited::Nothing,
                None => Visited::About(None),
            };
            pass(self.questions, id, &visited, states, &self.known.retains);
        }
        is_nested
    }

    fn block_top_down(&mut self, block: BlockId, states: &mut States) -> bool {
        let mut is_nested = false;
        if block == self.questions.view.body.entry() {
            for argument in self.questions.owned_arguments() {
                states.entry(argument).or_insert_with(|| State::new(Direction::TopDown)).enter();
            }
        }
        for id in self.instructions(block) {
            let visited = match self.questions.counting(id) {
                Some(Counting::Retain) => {
                    let root = self.questions.counted_root(id);
                    let state = states.entry(root).or_insert_with(|| State::new(Direction::TopDown));
                    is_nested |= state.begin(id);
                    if self.questions.is_kept_content(root) {
                        state.know_safe();
                    }
                    Visited::About(Some(root))
                }
                Some(Counting::Release) => {
                    let root = self.questions.counted_root(id);
                    self.known.releases.meet(id, root, states);
                    Visited::About(Some(root))
                }
                None if self.questions.is_pool_call(id) => Visited::Nothing,
                None => match self.questions.entrance(id) {
                    Some(value) => {
                        states.entry(value).or_insert_with(|| State::new(Direction::TopDown)).enter();
                        Visited::About(Some(value))
                    }
                    None => Visited::About(None),
                },
            };
            pass(self.questions, id, &visited, states, &self.known.releases);
        }
        is_nested
    }
}

/// Updates the states of all references that the visit of `id` did not concern.
fn pass(questions: &Questions<'_>, id: InstructionId, visited: &Visited, states: &mut States, partners: &Partners) {
    let Visited::About(about) = visited else { return states.clear() };
    for (root, state) in states.iter_mut().filter(|(root, _)| Some(**root) != *about) {
        state.pass(questions, id, *root);
        state.doubt(questions, id, *root, |id| partners.has(id));
    }
}

/// The merge of the states of all incoming edges.
fn merged<'s>(mut ways: impl Iterator<Item = &'s States>) -> States {
    let Some(first) = ways.next() else { return States::new() };
    let mut states = first.clone();
    for other in ways {
        states.retain(|root, state| other.get(root).is_some_and(|other| state.merge(other)));
    }
    states
}
