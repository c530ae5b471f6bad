//! Finds the uses of a variable after a `consume` of it in the way of Swift's checker: block by block, where earlier
//! results change the later ones (lib/SILOptimizer/Mandatory/ConsumeOperatorCopyableAddressesChecker.cpp,
//! `performSingleBasicBlockAnalysis` and `DataflowState`). Does not own: the rewriting of memory, and the messages.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::Worklist;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId};

use crate::knowledge::element_flow::{Event, EventKind};

/// The results for the consumes of one variable.
#[derive(Default)]
pub(super) struct Found {
    /// Consumes with a later use of the variable, in the order in which they were found.
    pub(super) used: Vec<Misuse>,
    /// Consumes whose analysis was not completed, because of an error within a block.
    pub(super) unresolved: Vec<InstructionId>,
}

/// A `consume` with a later use of the variable.
pub(super) struct Misuse {
    pub(super) consume: InstructionId,
    pub(super) user: InstructionId,
    /// Whether an earlier resolved consume reinitialised the variable: it then has two debug values.
    pub(super) is_replaced: bool,
}

/// The first event after a `consume` in its block.
enum Next {
    Use(InstructionId),
    Destroy(InstructionId),
    Replacement(InstructionId),
    /// A `defer` that reinitialises the variable.
    Deferred,
    Nothing,
}

/// The events of a variable, and its resolved instructions.
pub(super) struct Dataflow<'d> {
    body: &'d Body,
    kinds: FxHashMap<InstructionId, Vec<EventKind>>,
    /// Resolved consumes and destroys, which no longer exist.
    gone: FxHashSet<InstructionId>,
    /// Assignments that became initialisations.
    replaced: FxHashSet<InstructionId>,
    /// The first use in blocks that begin with the value.
    first_uses: FxHashMap<BlockId, InstructionId>,
}

impl<'d> Dataflow<'d> {
    pub(super) fn new(body: &'d Body, events: &[Event]) -> Self {
        let mut kinds: FxHashMap<InstructionId, Vec<EventKind>> = FxHashMap::default();
        events.iter().for_each(|event| kinds.entry(event.instruction).or_default().push(event.kind));
        let (gone, replaced) = (FxHashSet::default(), FxHashSet::default());
        Self { body, kinds, gone, replaced, first_uses: FxHashMap::default() }
    }

    /// Analyses the code after each of `consumes`, in order.
    pub(super) fn follow(mut self, consumes: &[InstructionId]) -> Found {
        let (mut found, mut leaving) = (Found::default(), Vec::new());
        for consume in consumes {
            let next = self.next_in_block(*consume);
            let (resolved, other) = match next {
                Next::Use(user) => {
                    let is_replaced = !self.replaced.is_empty();
                    found.used.push(Misuse { consume: *consume, user, is_replaced });
                    (true, None)
                }
                Next::Destroy(destroy) => (true, Some(destroy)),
                Next::Deferred => (true, None),
                Next::Replacement(assign) => {
                    self.replaced.insert(assign);
                    (true, None)
                }
                Next::Nothing => {
                    leaving.push(*consume);
                    if self.is_first_use(*consume) {
                        self.first_uses.insert(self.block(*consume), *consume);
                    }
                    (false, None)
                }
            };
            self.gone.extend(resolved.then_some(*consume));
            self.gone.extend(other);
        }
        if !found.used.is_empty() {
            return Found { unresolved: leaving, ..found };
        }
        let uses: Vec<InstructionId> = self.with_kind(|kind| matches!(kind, EventKind::Borrow | EventKind::GiveBack));
        let first: Vec<InstructionId> = uses.into_iter().filter(|user| self.is_first_use(*user)).collect();
        for user in first {
            self.first_uses.insert(self.block(user), user);
        }
        let is_replaced = !self.replaced.is_empty();
        let misused = |consume: InstructionId| Some(Misuse { consume, user: self.use_after(consume)?, is_replaced });
        found.used.extend(leaving.into_iter().filter_map(misused));
        found
    }

    fn block(&self, id: InstructionId) -> BlockId {
        self.body.instructions[id].block
    }

    /// Returns the effects of an unresolved instruction on the variable.
    fn kinds(&self, id: InstructionId) -> &[EventKind] {
        let kinds = self.kinds.get(&id).filter(|_| !self.gone.contains(&id));
        kinds.map_or(&[], |kinds| kinds.as_slice())
    }

    fn with_kind(&self, is_wanted: impl Fn(EventKind) -> bool) -> Vec<InstructionId> {
        let placed = self.body.placed_instructions();
        placed.filter(|id| self.kinds(*id).iter().any(|kind| is_wanted(*kind))).collect()
    }

    fn next_in_block(&self, consume: InstructionId) -> Next {
        let after = self.body.instructions_in(self.block(consume)).skip_while(|id| *id != consume).skip(1);
        for id in after {
            for kind in self.kinds(id) {
                match kind {
                    EventKind::Assign if self.is_captured(id) => return Next::Deferred,
                    EventKind::Assign => return Next::Replacement(id),
                    EventKind::Destroy => return Next::Destroy(id),
                    EventKind::EndBefore | EventKind::EndAfter => {}
                    EventKind::Borrow | EventKind::GiveBack | EventKind::Consume | EventKind::Initialize => {
                        return Next::Use(id);
                    }
                }
            }
        }
        Next::Nothing
    }

    /// Returns whether the event is a call of a `defer`.
    fn is_captured(&self, id: InstructionId) -> bool {
        self.body.instructions[id].opcode == Opcode::Apply
    }

    /// Returns whether `id` is the first event of the variable in its block.
    fn is_first_use(&self, id: InstructionId) -> bool {
        let mut before = self.body.instructions_in(self.block(id)).take_while(|other| *other != id);
        before.all(|other| self.kinds(other).is_empty())
    }

    /// Returns a use of the variable in a block after that of `consume`.
    fn use_after(&self, consume: InstructionId) -> Option<InstructionId> {
        let successors = |block: BlockId| self.body.terminator(block).map_or(&[][..], |id| self.body.targets(id));
        let mut open = Worklist::new(successors(self.block(consume)).iter().copied());
        while let Some(block) = open.pop() {
            if let Some(user) = self.first_uses.get(&block) {
                return Some(*user);
            }
            if !self.ends_value(block) {
                open.extend(successors(block).iter().copied());
            }
        }
        None
    }

    /// Returns whether a block destroys or replaces the value, possibly after uses. The replacement by a resolved
    /// assignment hides the events after it.
    fn ends_value(&self, block: BlockId) -> bool {
        for id in self.body.instructions_in(block) {
            for kind in self.kinds(id) {
                match kind {
                    EventKind::Initialize | EventKind::Destroy => return true,
                    EventKind::Assign if !self.replaced.contains(&id) => return true,
                    EventKind::Assign => {
                        let after = self.body.instructions_in(block).skip_while(|other| *other != id);
                        return after.flat_map(|id| self.kinds(id)).any(|kind| *kind == EventKind::Initialize);
                    }
                    _ => {}
                }
            }
        }
        false
    }
}
