//! Computes the dynamic accesses that contain no nested conflict, and the pairs of accesses with no conflict between
//! them, which can be merged.
//!
//! The dataflow is forward and runs per region. All predecessors of a block agree on the accesses in progress. The
//! accesses that have ended are intersected over the predecessors.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use sil_analysis::{
    AccessContext, AccessKind, AccessStorage, AccessedStorage, BodyView, FunctionAccesses, KnownStorage, LoopId,
    NestedAccess, NestedConflict, StorageAccess, may_deinitialize, running_call,
};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::InstructionId;

use super::regions::{Node, Regions};

/// A dynamic access.
pub(super) struct Access {
    /// The accessed storage, or `None` if it is unidentified.
    pub(super) storage: Option<KnownStorage>,
    /// Whether the access may contain a nested conflict, as the analysis computes it.
    pub(super) nested: NestedConflict,
    kind: AccessKind,
    /// Whether the instruction is already marked `no_nested_conflict`.
    said: NestedConflict,
    /// Whether the same storage is also accessed later.
    comes_again: bool,
}

/// The dynamic accesses of a body.
#[derive(Default)]
pub(super) struct Conflicts {
    /// The accesses, keyed by their `begin_access`.
    pub(super) accesses: IndexMap<InstructionId, Access, FxBuildHasher>,
    /// The pairs of accesses with no conflict between them.
    pub(super) pairs: Vec<(InstructionId, InstructionId)>,
}

/// The accesses at a point that have had no conflict so far.
#[derive(Clone, Default)]
struct State {
    in_progress: Vec<InstructionId>,
    ended: Vec<InstructionId>,
}

/// Analyses the accesses of a body. Returns `None` if there is nothing to gain.
pub(super) fn find(
    context: AccessContext<'_, '_>,
    called: &FunctionAccesses,
    view: &BodyView<'_>,
    regions: &Regions<'_>,
) -> Option<Conflicts> {
    let mut search = Search { context, called, view, regions, found: Conflicts::default() };
    if !search.identify() {
        return None;
    }
    let in_loops = search.accesses_of_loops();
    for region in regions.all() {
        search.follow(region, &in_loops);
    }
    Some(search.found)
}

struct Search<'s, 'm> {
    context: AccessContext<'s, 'm>,
    called: &'s FunctionAccesses,
    view: &'s BodyView<'m>,
    regions: &'s Regions<'s>,
    found: Conflicts,
}

impl Search<'_, '_> {
    /// Identifies the accesses and their storage. Returns whether an access may turn out to be without nested conflicts
    /// while it is not marked so, or several accesses share a storage.
    fn identify(&mut self) -> bool {
        let body = self.view.body;
        let mut storages = FxHashSet::default();
        let mut is_useful = false;
        for block in self.view.cfg.reverse_post_order().iter().rev() {
            let instructions: Vec<InstructionId> = body.instructions_in(*block).collect();
            for begin in instructions.into_iter().rev().filter(|id| is_checked(self.view, *id)) {
                let address = self.view.operand(begin, 0);
                let storage = address.and_then(|address| AccessStorage::of(self.view, address, NestedAccess::Ignore));
                let storage = storage.filter(|storage| !matches!(storage, AccessStorage::Unidentified(_)));
                let storage = storage.map(|storage| KnownStorage::new(self.view, storage));
                let StorageAccess { kind, nested: said } = StorageAccess::of(body, begin);
                let comes_again = storage.is_some_and(|storage| !storages.insert(storage));
                is_useful |= comes_again || said == NestedConflict::Possible;
                let access = Access { storage, nested: NestedConflict::None, kind, said, comes_again };
                self.found.accesses.insert(begin, access);
            }
        }
        is_useful
    }

    /// The storage that each loop accesses, including its inner loops.
    fn accesses_of_loops(&self) -> Vec<AccessedStorage> {
        let loops = &self.regions.nest.loops;
        let mut found: Vec<AccessedStorage> = loops.iter().map(|_| AccessedStorage::default()).collect();
        for id in (0..loops.len()).rev() {
            let mut all = AccessedStorage::default();
            for node in self.regions.nodes(Some(id)) {
                match node {
                    Node::Loop(inner) => all.merge(&found[inner]),
                    Node::Block(block) => {
                        for instruction in self.view.body.instructions_in(block) {
                            all.merge(&self.called.of_instruction(self.context, self.view, instruction));
                        }
                    }
                }
            }
            found[id] = all;
        }
        found
    }

    fn follow(&mut self, region: Option<LoopId>, in_loops: &[AccessedStorage]) {
        let mut states: FxHashMap<Node, State> = FxHashMap::default();
        for node in self.regions.nodes(region) {
            let mut state = self.joined(region, node, &states);
            match node {
                Node::Loop(id) => self.conflict_with_all(&mut state, &in_loops[id]),
                Node::Block(block) => {
                    let instructions = self.view.body.instructions_in(block);
                    instructions.for_each(|id| self.instruction(&mut state, id));
                }
            }
            // The dataflow does not follow edges to other regions or to nodes that it has already visited.
            let leaves = self.regions.successors(node).into_iter().any(|to| {
                let to = self.regions.node_of(region, to);
                to.is_none_or(|to| to == node || states.contains_key(&to))
            });
            if leaves {
                state.in_progress.iter().for_each(|begin| self.mark(*begin));
            }
            states.insert(node, state);
        }
    }

    /// The intersection of the predecessors' states. Empty if a predecessor has not been visited.
    fn joined(&mut self, region: Option<LoopId>, node: Node, states: &FxHashMap<Node, State>) -> State {
        let before: Vec<Option<&State>> = self
            .regions
            .predecessors(node)
            .map(|from| self.regions.node_of(region, from).and_then(|from| states.get(&from)))
            .collect();
        let known: Option<Vec<&State>> = before.iter().copied().collect();
        let Some(known) = known else {
            let lost = before.into_iter().flatten().flat_map(|state| state.in_progress.clone());
            lost.for_each(|begin| self.mark(begin));
            return State::default();
        };
        let Some((first, others)) = known.split_first() else { return State::default() };
        let mut state = (*first).clone();
        for other in others {
            state.in_progress.retain(|begin| other.in_progress.contains(begin));
            state.ended.retain(|begin| other.ended.contains(begin));
        }
        state
    }

    fn instruction(&mut self, state: &mut State, id: InstructionId) {
        let (body, function) = (self.view.body, self.view.function);
        match self.view.opcode(id) {
            Opcode::BeginAccess if self.found.accesses.contains_key(&id) => self.begin(state, id),
            Opcode::BeginAccess => {}
            Opcode::EndAccess => {
                let begin = self.view.operand(id, 0).and_then(|access| body.defining(access));
                if let Some(begin) = begin.filter(|begin| self.found.accesses.contains_key(begin)) {
                    self.end(state, begin);
                }
            }
            // The caller that the coroutine yields to may access any storage.
            Opcode::BeginUnpairedAccess | Opcode::EndUnpairedAccess | Opcode::Yield => {
                self.conflict_with_anything(state)
            }
            _ if running_call(body, id).is_some() => {
                let accessed = self.called.of_instruction(self.context, self.view, id);
                self.conflict_with_all(state, &accessed);
            }
            _ if may_deinitialize(self.context, function, body, id) => self.conflict_with_deinitializer(state),
            _ => {}
        }
    }

    fn begin(&mut self, state: &mut State, begin: InstructionId) {
        let Access { storage, kind, said, .. } = self.found.accesses[&begin];
        match storage {
            None => self.conflict_with_anything(state),
            Some(storage) => {
                self.mark_conflicting(state, &storage, kind);
                self.remove_overlapping(&mut state.in_progress, &storage);
            }
        }
        if said == NestedConflict::Possible {
            state.in_progress.push(begin);
        }
        // Nested conflicts in the second access do not matter.
        if let Some(storage) = storage
            && let Some(before) = self.take_mergeable(state, &storage)
        {
            self.found.pairs.push((before, begin));
        }
    }

    /// Returns an ended access of the same storage that can be extended over this one. An ended access of overlapping
    /// storage prevents that, since both would be in progress at once.
    fn take_mergeable(&self, state: &mut State, storage: &KnownStorage) -> Option<InstructionId> {
        let same = state.ended.iter().position(|begin| self.found.accesses[begin].storage.as_ref() == Some(storage))?;
        let before = state.ended.remove(same);
        let is_apart = state.ended.iter().all(|begin| !self.overlaps(*begin, storage));
        is_apart.then_some(before)
    }

    fn end(&mut self, state: &mut State, begin: InstructionId) {
        state.in_progress.retain(|other| *other != begin);
        let Access { storage, comes_again, .. } = self.found.accesses[&begin];
        let Some(storage) = storage else {
            state.ended.clear();
            return;
        };
        // Of two nested accesses, the outer one, which ends last, is kept.
        self.remove_overlapping(&mut state.ended, &storage);
        if comes_again {
            state.ended.push(begin);
        }
    }

    /// Any of the given storage may be accessed here.
    fn conflict_with_all(&mut self, state: &mut State, accessed: &AccessedStorage) {
        if accessed.unidentified().is_some() {
            return self.conflict_with_anything(state);
        }
        for (storage, access) in accessed.storages() {
            self.mark_conflicting(state, storage, access.kind);
            self.remove_overlapping(&mut state.in_progress, storage);
            self.remove_overlapping(&mut state.ended, storage);
        }
    }

    fn conflict_with_anything(&mut self, state: &mut State) {
        state.in_progress.iter().for_each(|begin| self.mark(*begin));
        *state = State::default();
    }

    /// A deinitialiser cannot access stack variables of this function.
    fn conflict_with_deinitializer(&mut self, state: &mut State) {
        let is_reached = |begin: &InstructionId| match self.found.accesses[begin].storage {
            Some(known) => !matches!(known.storage, AccessStorage::Stack(_) | AccessStorage::Argument(_)),
            None => true,
        };
        let reached: Vec<InstructionId> = state.in_progress.iter().copied().filter(is_reached).collect();
        state.in_progress.retain(|begin| !is_reached(begin));
        state.ended.retain(|begin| !is_reached(begin));
        reached.into_iter().for_each(|begin| self.mark(begin));
    }

    fn mark_conflicting(&mut self, state: &State, storage: &KnownStorage, kind: AccessKind) {
        for begin in &state.in_progress {
            if kind.may_conflict(self.found.accesses[begin].kind) && self.overlaps(*begin, storage) {
                self.mark(*begin);
            }
        }
    }

    fn remove_overlapping(&self, accesses: &mut Vec<InstructionId>, storage: &KnownStorage) {
        accesses.retain(|begin| !self.overlaps(*begin, storage));
    }

    fn overlaps(&self, begin: InstructionId, storage: &KnownStorage) -> bool {
        self.found.accesses[&begin].storage.is_none_or(|own| !own.is_distinct(storage))
    }

    fn mark(&mut self, begin: InstructionId) {
        self.found.accesses[&begin].nested = NestedConflict::Possible;
    }
}

/// Returns whether an instruction begins a dynamic access.
pub(super) fn is_checked(view: &BodyView<'_>, id: InstructionId) -> bool {
    view.opcode(id) == Opcode::BeginAccess && view.body.instructions[id].attributes.contains(Attribute::Dynamic)
}
