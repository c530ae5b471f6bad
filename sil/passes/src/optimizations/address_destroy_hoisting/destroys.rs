//! Hoists the destroys of an address to the barriers above them.

use rustc_hash::FxHashSet;
use sil_analysis::{BodyView, ControlFlowGraph, is_deinit_barrier};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Place, Value};

use super::Barriers;
use super::known_uses::KnownUses;
use crate::InstructionBuilder;
use crate::knowledge::barriers::{self, find_barriers};

/// Hoists the destroys of the memory at `root`.
pub(super) struct Hoisting<'h, 'm> {
    pub(super) view: &'h BodyView<'m>,
    pub(super) root: Value,
    barriers: Barriers,
    uses: &'h KnownUses,
    /// The `end_access` instructions that destroys may not be hoisted across.
    closed: FxHashSet<InstructionId>,
}

/// The body being rewritten.
struct Rewriting {
    body: Body,
    root: Value,
    reused: FxHashSet<InstructionId>,
    /// Blocks whose predecessors' destroys are merged into one, if all predecessors end with a destroy.
    merging: Vec<BlockId>,
    is_changed: bool,
}

impl<'h, 'm> Hoisting<'h, 'm> {
    pub(super) fn new(view: &'h BodyView<'m>, root: Value, barriers: Barriers, uses: &'h KnownUses) -> Self {
        Self { view, root, barriers, uses, closed: FxHashSet::default() }
    }

    /// Returns the body with the destroys hoisted, or `None` if they do not move. Adds the erased destroys to
    /// `removed`.
    pub(super) fn hoisted(mut self, removed: &mut FxHashSet<InstructionId>) -> Option<Body> {
        let ends = self.ends();
        let body = self.view.body;
        let mut rewriting = Rewriting {
            body: body.clone(),
            root: self.root,
            reused: FxHashSet::default(),
            merging: Vec::new(),
            is_changed: false,
        };
        let mut seen = FxHashSet::default();
        for barrier in ends.instructions.iter().copied().filter(|id| seen.insert(*id)) {
            match body.next(barrier) {
                None => {
                    for target in body.targets(barrier) {
                        rewriting.destroy_at_start(self.uses, barrier, *target);
                    }
                }
                Some(next) => match self.folded(barrier) {
                    Some(copies) => rewriting.take(copies),
                    None => rewriting.destroy_before(self.uses, barrier, next),
                },
            }
        }
        let mut starts = FxHashSet::default();
        for block in ends.phis.iter().chain(&ends.edges).chain(&ends.first).copied() {
            if starts.insert(block) {
                let like = *self.uses.destroys.first()?;
                rewriting.destroy_at_start(self.uses, like, block);
            }
        }
        let dead = self.uses.debug.iter().filter(|id| ends.passed.contains(id));
        rewriting.erase_all(dead.copied().collect());
        let gone: Vec<InstructionId> =
            self.uses.destroys.iter().copied().filter(|id| !rewriting.reused.contains(id)).collect();
        let mut erased = gone.clone();
        rewriting.erase_all(gone);
        rewriting.merge(&self.view.cfg, &mut erased);
        if !rewriting.is_changed {
            return None;
        }
        removed.extend(erased);
        Some(rewriting.body)
    }

    /// Returns whether destroys may not be hoisted above an instruction.
    pub(super) fn is_barrier(&self, id: InstructionId) -> bool {
        Some(id) == self.view.body.defining(self.root)
            || self.uses.users.contains(&id)
            || self.closed.contains(&id)
            || self.barriers == Barriers::Respected && is_deinit_barrier(self.view, id)
    }

    /// Computes the barriers above the destroys. No destroy is hoisted into an access scope that did not contain it,
    /// since a deinitialiser that it runs might access the same storage.
    fn ends(&mut self) -> barriers::Barriers {
        let stop = match self.view.body.values[self.root].definition {
            Definition::Result { instruction, .. } => Some(self.view.body.instructions[instruction].block),
            _ => None,
        };
        loop {
            let is_barrier = |id| self.is_barrier(id);
            let ends = find_barriers(self.view.body, &self.view.cfg, &self.uses.destroys, stop, is_barrier);
            let Some(access) = self.entered_access(&ends) else { return ends };
            self.closed.extend(self.ends_of(access));
        }
    }

    fn ends_of(&self, access: InstructionId) -> Vec<InstructionId> {
        let uses = self.view.body.result(access).map_or(&[][..], |result| self.view.uses.of(result));
        let ends = uses.iter().map(|found| found.user);
        ends.filter(|end| self.view.opcode(*end) == Opcode::EndAccess).collect()
    }

    /// Returns an access scope that hoisting would enter without leaving it again.
    fn entered_access(&self, ends: &barriers::Barriers) -> Option<InstructionId> {
        let body = self.view.body;
        let entered = ends.passed.iter().copied().filter(|id| self.view.opcode(*id) == Opcode::EndAccess);
        let mut accesses: Vec<InstructionId> =
            entered.filter_map(|end| body.defining(*body.operands(end).first()?)).collect();
        accesses.sort_by_key(|access| access.as_u32());
        accesses.dedup();
        let starts: FxHashSet<BlockId> = ends.phis.iter().chain(&ends.edges).chain(&ends.first).copied().collect();
        accesses.into_iter().find(|access| {
            let inside = self.inside(*access);
            let is_inside = |id: &InstructionId| inside.contains(id) || id == access;
            ends.instructions.iter().any(|barrier| is_inside(barrier) && !self.ends_of(*access).contains(barrier))
                || starts.iter().any(|block| body.first_instruction(*block).is_some_and(|first| is_inside(&first)))
        })
    }

    /// The instructions of an access scope, including its ends but not its begin.
    fn inside(&self, access: InstructionId) -> FxHashSet<InstructionId> {
        let body = self.view.body;
        let mut found = FxHashSet::default();
        let mut open: Vec<InstructionId> = self.ends_of(access);
        while let Some(last) = open.pop() {
            let mut current = Some(last);
            while let Some(id) = current.filter(|id| *id != access && found.insert(*id)) {
                current = body.previous(id);
                if current.is_none() {
                    let before = self.view.cfg.predecessors(body.instructions[id].block);
                    open.extend(before.iter().filter_map(|block| body.terminator(*block)));
                }
            }
        }
        found
    }
}

impl Rewriting {
    fn destroy_at_start(&mut self, uses: &KnownUses, like: InstructionId, block: BlockId) {
        if let Some(first) = self.body.first_instruction(block) {
            self.destroy_before(uses, like, first);
        }
    }

    /// Destroys the memory before `next`. Reuses `next` if it is a destroy itself.
    fn destroy_before(&mut self, uses: &KnownUses, like: InstructionId, next: InstructionId) {
        if self.body.instructions[next].opcode == Opcode::Br {
            let target = self.body.targets(next)[0];
            if !self.merging.contains(&target) {
                self.merging.push(target);
            }
        }
        if uses.destroys.contains(&next) {
            self.reused.insert(next);
            return;
        }
        self.destroy(like, Place::Before(next));
    }

    fn destroy(&mut self, like: InstructionId, place: Place) {
        let mut builder = InstructionBuilder::new(&mut self.body, place, like);
        let made = builder.destroy_addr(self.root);
        self.body.instructions[made].locate_automatically();
        self.is_changed = true;
    }

    /// Turns copies into takes.
    fn take(&mut self, copies: Vec<InstructionId>) {
        for id in copies {
            super::folding::take(&mut self.body, id);
        }
        self.is_changed = true;
    }

    fn erase_all(&mut self, erased: Vec<InstructionId>) {
        for id in erased {
            self.body.erase(id);
            self.is_changed = true;
        }
    }

    /// Merges the destroys at the ends of all predecessors of a block into one destroy at its start.
    fn merge(&mut self, cfg: &ControlFlowGraph, erased: &mut Vec<InstructionId>) {
        for block in std::mem::take(&mut self.merging) {
            let last = |from: &BlockId| {
                let destroy = self.body.previous(self.body.terminator(*from)?)?;
                let is_destroy = self.body.instructions[destroy].opcode == Opcode::DestroyAddr;
                (is_destroy && self.body.operands(destroy) == [self.root]).then_some(destroy)
            };
            let Some(last) = cfg.predecessors(block).iter().map(last).collect::<Option<Vec<_>>>() else { continue };
            if last.len() < 2 {
                continue;
            }
            if let Some(first) = self.body.first_instruction(block) {
                self.destroy(last[0], Place::Before(first));
                erased.extend(&last);
                self.erase_all(last);
            }
        }
    }
}
