//! Canonicalisation of OSSA lifetimes, step one: computes the liveness of an owned value together with its copies,
//! before copies and destroys are rewritten. Follows lib/SILOptimizer/Utils/CanonicalizeOSSALifetime.cpp.
//!
//! Owns: the relevant uses, and the extension of liveness to dead ends, across deinit barriers and to the ends of
//! accesses. Does not own: the boundary and its rewriting (`extended_boundary`, `rewriting`).

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{
    AddressEscape, ApplySite, BlockLiveness, DeadEndBlocks, Dominators, InnerBorrows, LifetimeFacts, LiveBoundary,
    LiveUse, OperandOwnership, PrunedLiveness, Use, is_deinit_barrier,
};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Definition, InstructionId, Ownership, Value};

use super::dead_ends::availability_boundary;
use super::uses::escapes_as_bits;
use crate::knowledge::barriers::{Barriers, find_barriers};

/// The treatment of `debug_value`s outside of the canonical lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DebugUses {
    /// They extend the lifetime.
    Keep,
    /// They are removed.
    Prune,
}

/// The extent of lifetimes beyond the last use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LifetimeExtent {
    /// Lifetimes end at the last use.
    Minimal,
    /// Lifetimes are kept as long as they were, if that needs no copies, to help debugging.
    Maximal,
}

/// Whether lifetimes may be shortened to end inside accesses that they enclosed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccessScopes {
    /// They may not.
    Respect,
    /// They may.
    Ignore,
}

/// The options of canonicalisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Canonicalization {
    pub(crate) debug_uses: DebugUses,
    pub(crate) extent: LifetimeExtent,
    pub(crate) access_scopes: AccessScopes,
    /// Whether deinit barriers limit the shortening of lexical lifetimes.
    pub(crate) deinit_barriers: DeinitBarriers,
}

/// The treatment of deinit barriers for lexical lifetimes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DeinitBarriers {
    Respect,
    Ignore,
}

/// A value whose uses are part of the lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The value itself.
    Root(Value),
    /// The result of a `copy_value`.
    Copy(InstructionId),
    /// A reborrow of the value by a phi. Its uses are part of the lifetime, but do not consume.
    Borrowed(Value),
}

/// The lifetime of an owned value together with its copies.
pub(super) struct CanonicalLifetime<'v, 'm> {
    pub(super) facts: LifetimeFacts<'v, 'm>,
    pub(super) dead_ends: &'v DeadEndBlocks,
    pub(super) definition: Value,
    pub(super) liveness: PrunedLiveness<'v>,
    /// The value and its copies, in the order of discovery.
    pub(super) parts: Vec<Part>,
    /// The `destroy_value`s of these.
    pub(super) destroys: Vec<InstructionId>,
    /// The blocks that consume the value or a copy.
    pub(super) consuming_blocks: Vec<BlockId>,
    /// The `debug_value`s that may be outside of the lifetime.
    pub(super) debug_values: Vec<InstructionId>,
    /// The terminators in dead ends where the lifetime ends without a consuming instruction.
    pub(super) unreachable_ends: FxHashSet<InstructionId>,
    canonicalization: Canonicalization,
    explicit_ends: &'v [InstructionId],
}

impl<'v, 'm> CanonicalLifetime<'v, 'm> {
    /// Computes the liveness of `definition`, or `None` if its lifetime cannot be canonicalised. With `explicit_ends`,
    /// the lifetime extends to them.
    pub(super) fn of(
        facts: LifetimeFacts<'v, 'm>,
        dead_ends: &'v DeadEndBlocks,
        canonicalization: Canonicalization,
        definition: Value,
        explicit_ends: &'v [InstructionId],
    ) -> Option<Self> {
        let view = facts.view;
        if view.ownership(definition) != Ownership::Owned {
            return None;
        }
        let mut lifetime = Self {
            facts,
            dead_ends,
            definition,
            liveness: PrunedLiveness::of(view.body, &view.cfg, definition),
            parts: Vec::new(),
            destroys: Vec::new(),
            consuming_blocks: Vec::new(),
            debug_values: Vec::new(),
            unreachable_ends: FxHashSet::default(),
            canonicalization,
            explicit_ends,
        };
        lifetime.add_uses()?;
        let is_lexical = canonicalization.deinit_barriers == DeinitBarriers::Respect
            && facts.dependence.ownership_kinds().is_lexical(&view.cfg, definition);
        if explicit_ends.is_empty() && view.body.blocks.keys().any(|block| dead_ends.contains(block)) {
            if is_lexical {
                let (direct, _) = facts.simple_liveness(definition);
                lifetime.extend_to_dead_ends(&direct);
            }
            let complete = lifetime.complete_liveness();
            lifetime.extend_to_dead_ends(&complete);
        }
        if is_lexical {
            lifetime.extend_to_deinit_barriers();
        }
        if canonicalization.access_scopes == AccessScopes::Respect {
            lifetime.extend_through_accesses();
        }
        Some(lifetime)
    }

    pub(super) fn opcode(&self, id: InstructionId) -> Opcode {
        self.facts.view.opcode(id)
    }

    pub(super) fn block_of(&self, id: InstructionId) -> BlockId {
        self.facts.view.body.instructions[id].block
    }

    pub(super) fn successors(&self, block: BlockId) -> &'v [BlockId] {
        let body = self.facts.view.body;
        body.terminator(block).map_or(&[], |terminator| body.targets(terminator))
    }

    /// Adds the uses of the value and its copies. Returns `None` if a use is unknown.
    fn add_uses(&mut self) -> Option<()> {
        let mut seen = FxHashSet::default();
        let mut open = Vec::new();
        self.discover(Part::Root(self.definition), &mut seen, &mut open);
        for phi in self.inner_adjacent_phis() {
            self.discover(Part::Borrowed(phi), &mut seen, &mut open);
        }
        while let Some(part) = open.pop() {
            let value = match part {
                Part::Root(value) | Part::Borrowed(value) => value,
                Part::Copy(copy) => self.facts.view.body.result(copy)?,
            };
            for found in self.facts.view.uses.of(value).iter().rev().copied() {
                match (self.opcode(found.user), part) {
                    (Opcode::CopyValue, Part::Root(_) | Part::Copy(_)) => {
                        self.discover(Part::Copy(found.user), &mut seen, &mut open);
                    }
                    (Opcode::CopyValue, Part::Borrowed(_)) => {}
                    (Opcode::Borrowed, _) => {
                        let borrowed = self.facts.view.body.result(found.user)?;
                        self.discover(Part::Borrowed(borrowed), &mut seen, &mut open);
                    }
                    (Opcode::DebugValue, _) if self.canonicalization.debug_uses == DebugUses::Prune => {
                        self.debug_values.push(found.user);
                    }
                    _ => {
                        let passed = self.add_use(found)?;
                        passed.into_iter().for_each(|phi| self.discover(Part::Borrowed(phi), &mut seen, &mut open));
                    }
                }
            }
        }
        Some(())
    }

    fn discover(&mut self, part: Part, seen: &mut FxHashSet<Value>, open: &mut Vec<Part>) {
        let value = match part {
            Part::Root(value) | Part::Borrowed(value) => Some(value),
            Part::Copy(copy) => self.facts.view.body.result(copy),
        };
        if value.is_some_and(|value| seen.insert(value)) {
            self.parts.push(part);
            open.push(part);
        }
    }

    /// The guaranteed phis of the value's block that are borrowed from the value.
    fn inner_adjacent_phis(&self) -> Vec<Value> {
        let view = self.facts.view;
        let Definition::Argument { block, .. } = view.body.values[self.definition].definition else {
            return Vec::new();
        };
        if view.incoming_values(self.definition).is_none() {
            return Vec::new();
        }
        let arguments = view.body.blocks[block].arguments.iter().copied();
        let is_inner = |phi: &Value| {
            self.facts.dependence.is_guaranteed_phi(*phi)
                && self.facts.dependence.enclosing_values_of_phi(*phi).contains(&self.definition)
        };
        arguments.filter(is_inner).collect()
    }

    /// Adds a use, and returns the phi that reborrows the value there. `None` if the value escapes.
    fn add_use(&mut self, found: Use) -> Option<Option<Value>> {
        match self.facts.dependence.ownership_kinds().operand(found) {
            OperandOwnership::Mention => {}
            OperandOwnership::Escape if !escapes_as_bits(self.opcode(found.user)) => return None,
            OperandOwnership::ForwardUnowned | OperandOwnership::Trivial => return None,
            OperandOwnership::ForwardOwned => {
                self.add_consuming_block(found.user);
                self.liveness.add(found.user, LiveUse::Ending);
            }
            OperandOwnership::Consume => self.add_consume(found.user),
            OperandOwnership::Borrow => {
                if self.facts.add_borrow(&mut self.liveness, found) != InnerBorrows::Contained {
                    return None;
                }
            }
            OperandOwnership::InteriorPointer => {
                if self.facts.add_interior_pointer(&mut self.liveness, found) != AddressEscape::None {
                    return None;
                }
            }
            OperandOwnership::Reborrow => return self.add_reborrow(found),
            OperandOwnership::Escape
            | OperandOwnership::Instantaneous
            | OperandOwnership::InstantaneousOrUnowned
            | OperandOwnership::ForwardBorrowed
            | OperandOwnership::EndBorrow => self.liveness.add(found.user, LiveUse::NonEnding),
        }
        Some(None)
    }

    /// A `destroy_value` of a copy does not extend the liveness. Of a value that is not a copy, it ends a borrow.
    fn add_consume(&mut self, user: InstructionId) {
        let is_destroy = self.opcode(user) == Opcode::DestroyValue;
        if is_destroy && self.destroys_a_copy(user) {
            if !self.destroys.contains(&user) {
                self.destroys.push(user);
            }
        } else {
            self.liveness.add(user, if is_destroy { LiveUse::NonEnding } else { LiveUse::Ending });
        }
        self.add_consuming_block(user);
    }

    fn destroys_a_copy(&self, destroy: InstructionId) -> bool {
        let view = self.facts.view;
        let mut destroyed = view.operand(destroy, 0);
        while let Some(value) = destroyed {
            if value == self.definition {
                return true;
            }
            destroyed = match view.definition(value) {
                Some((copy, Opcode::CopyValue)) => view.operand(copy, 0),
                _ => None,
            };
        }
        false
    }

    fn add_reborrow(&mut self, found: Use) -> Option<Option<Value>> {
        let is_consumed = self.facts.view.body.operands(found.user).contains(&self.definition);
        if is_consumed {
            self.liveness.add(found.user, LiveUse::Ending);
            return Some(None);
        }
        self.liveness.add(found.user, LiveUse::NonEnding);
        Some(self.facts.view.branch_argument(found))
    }

    fn add_consuming_block(&mut self, user: InstructionId) {
        let block = self.block_of(user);
        if !self.consuming_blocks.contains(&block) {
            self.consuming_blocks.push(block);
        }
    }

    /// Extends the liveness to its availability boundary in dead ends.
    fn extend_to_dead_ends(&mut self, liveness: &PrunedLiveness<'v>) {
        for terminator in availability_boundary(self.facts.view.body, &self.facts.view.cfg, liveness) {
            self.add_consuming_block(terminator);
            self.unreachable_ends.insert(terminator);
            self.extend_before(terminator);
        }
    }

    /// Extends the liveness to the instructions before `id`.
    fn extend_before(&mut self, id: InstructionId) {
        let view = self.facts.view;
        if let Some(previous) = view.body.previous(id) {
            self.liveness.extend_to(previous);
            return;
        }
        for predecessor in view.cfg.predecessors(self.block_of(id)).iter().rev() {
            view.body.terminator(*predecessor).into_iter().for_each(|terminator| self.liveness.extend_to(terminator));
        }
    }

    /// The liveness up to the destroys, where only consumes on the boundary end the lifetime.
    fn complete_liveness(&self) -> PrunedLiveness<'v> {
        let mut complete = self.liveness.clone();
        for destroy in self.destroys.iter().filter(|destroy| !self.liveness.is_within(**destroy)) {
            complete.add(*destroy, LiveUse::Ending);
        }
        let mut ends = self.consuming_blocks.clone();
        ends.extend(self.facts.view.body.blocks.keys().filter(|block| self.dead_ends.contains(*block)));
        let last: FxHashSet<InstructionId> = self.liveness.boundary_before(&ends).last_users.into_iter().collect();
        for (user, kind) in self.liveness.users() {
            if kind == LiveUse::Ending && !last.contains(&user) {
                complete.add(user, LiveUse::NonEnding);
            }
        }
        complete
    }

    fn extend_to_deinit_barriers(&mut self) {
        let view = self.facts.view;
        let is_own = |destroy: &InstructionId| view.operand(*destroy, 0) == Some(self.definition);
        let roots: Vec<InstructionId> = match self.explicit_ends {
            [] => self.destroys.iter().copied().filter(is_own).collect(),
            ends => self.unconsumed_ends(ends).into_iter().flat_map(|(id, _)| self.after(id)).collect(),
        };
        let maker = view.body.defining(self.definition);
        let is_barrier = |id: InstructionId| {
            // A call that consumes the value is not a barrier to the value's own lifetime.
            let takes_over = ApplySite::new(view.body, id).is_some() && self.liveness.user(id) == Some(LiveUse::Ending);
            Some(id) == maker || is_deinit_barrier(view, id) && !takes_over
        };
        let barriers = find_barriers(
            view.body,
            &view.cfg,
            &roots,
            self.facts.view.body.defining_block(self.definition),
            is_barrier,
        );
        // If there is no barrier up to the defining block, the liveness is not extended.
        let Barriers { instructions, phis, edges, .. } = barriers;
        instructions.into_iter().for_each(|barrier| self.liveness.extend_to(barrier));
        for block in phis.into_iter().chain(edges) {
            for predecessor in view.cfg.predecessors(block) {
                let terminator = view.body.terminator(*predecessor);
                terminator.into_iter().for_each(|terminator| self.liveness.extend_to(terminator));
            }
        }
    }

    /// The instructions that directly follow `id`.
    fn after(&self, id: InstructionId) -> Vec<InstructionId> {
        let body = self.facts.view.body;
        match body.next(id) {
            Some(next) => vec![next],
            None => body.targets(id).iter().filter_map(|target| body.first_instruction(*target)).collect(),
        }
    }

    /// The ends to which the original liveness can be kept: the edges into blocks that one of `consumes` has consumed
    /// the value before, and the remaining destroys.
    fn unconsumed_ends(&self, consumes: &[InstructionId]) -> Vec<(InstructionId, LiveUse)> {
        let view = self.facts.view;
        let mut originally_live: FxHashSet<BlockId> = self.liveness.discovered_blocks().iter().copied().collect();
        let mut open = self.consuming_blocks.clone();
        while let Some(block) = open.pop() {
            if originally_live.insert(block) {
                open.extend(view.cfg.predecessors(block).iter().filter(|block| !originally_live.contains(block)));
            }
        }
        let is_final =
            |id: &&InstructionId| !self.destroys.contains(id) && self.liveness.user(**id) == Some(LiveUse::Ending);
        let mut consumed: FxHashSet<BlockId> = FxHashSet::default();
        let mut consumed_at_entry = Vec::new();
        let mut open: Vec<BlockId> = consumes.iter().filter(is_final).map(|id| self.block_of(*id)).collect();
        while let Some(block) = open.pop() {
            if !consumed.insert(block) {
                continue;
            }
            for successor in self.successors(block).iter().filter(|block| originally_live.contains(block)) {
                open.push(*successor);
                consumed_at_entry.push(*successor);
            }
        }
        let mut ends = Vec::new();
        for block in consumed_at_entry {
            for predecessor in view.cfg.predecessors(block).iter().filter(|block| !consumed.contains(block)) {
                let Some(terminator) = view.body.terminator(*predecessor) else { continue };
                match view.body.previous(terminator) {
                    Some(previous) => ends.push((previous, LiveUse::NonUse)),
                    None => {
                        let before = view.cfg.predecessors(*predecessor).iter();
                        let terminators = before.filter_map(|block| view.body.terminator(*block));
                        ends.extend(terminators.map(|terminator| (terminator, LiveUse::NonUse)));
                    }
                }
            }
        }
        let kept = self.destroys.iter().filter(|destroy| !consumed.contains(&self.block_of(**destroy)));
        ends.extend(kept.map(|destroy| (*destroy, LiveUse::Ending)));
        ends
    }

    /// Extends the liveness to the original lifetime, as far as that needs no copies.
    pub(super) fn maximize(&mut self, boundary: &LiveBoundary) {
        for (id, kind) in self.unconsumed_ends(&boundary.last_users) {
            self.liveness.add(id, kind);
        }
    }

    /// Extends the liveness to the ends of accesses that the lifetime would otherwise end in, although it enclosed
    /// them.
    fn extend_through_accesses(&mut self) {
        let dominators = self.facts.view.dominators();
        let nonlocal = self.blocks_with_nonlocal_access_ends();
        while let Some(end) = self.overlapping_access_end(dominators, &nonlocal) {
            self.liveness.extend_to(end);
        }
    }

    /// The blocks that end an access of another block.
    fn blocks_with_nonlocal_access_ends(&self) -> FxHashSet<BlockId> {
        let view = self.facts.view;
        let ends_nonlocal = |id: &InstructionId| match self.opcode(*id) {
            Opcode::EndUnpairedAccess => true,
            Opcode::EndAccess => {
                self.begin_of_access(*id).is_none_or(|begin| self.block_of(begin) != self.block_of(*id))
            }
            _ => false,
        };
        view.body.placed_instructions().filter(ends_nonlocal).map(|id| self.block_of(id)).collect()
    }

    fn begin_of_access(&self, end: InstructionId) -> Option<InstructionId> {
        self.facts.view.operand(end, 0).and_then(|access| self.facts.view.body.defining(access))
    }

    /// The last end of an access that overlaps the boundary, in a block between the boundary and the original consumes.
    fn overlapping_access_end(&self, dominators: &Dominators, nonlocal: &FxHashSet<BlockId>) -> Option<InstructionId> {
        let view = self.facts.view;
        let mut blocks = self.consuming_blocks.clone();
        let mut next = 0;
        while let Some(block) = blocks.get(next).copied() {
            next += 1;
            if self.liveness.block(block) == BlockLiveness::Dead {
                for predecessor in view.cfg.predecessors(block) {
                    if !blocks.contains(predecessor) {
                        blocks.push(*predecessor);
                    }
                }
            }
        }
        for block in &blocks {
            let liveness = self.liveness.block(*block);
            if liveness == BlockLiveness::LiveOut || liveness == BlockLiveness::Dead && !nonlocal.contains(block) {
                continue;
            }
            let is_followed = |successor: &BlockId| {
                blocks.contains(successor) && self.liveness.block(*successor) == BlockLiveness::Dead
            };
            let mut is_after_consume =
                self.consuming_blocks.contains(block) && !self.successors(*block).iter().any(is_followed);
            for id in view.body.instructions_in(*block).rev() {
                if is_after_consume {
                    is_after_consume = !self.destroys.contains(&id);
                    continue;
                }
                if liveness == BlockLiveness::LiveWithin && self.liveness.user(id).is_some() {
                    break;
                }
                if self.ends_overlapping_access(id, dominators) {
                    return Some(id);
                }
            }
        }
        None
    }

    fn ends_overlapping_access(&self, id: InstructionId, dominators: &Dominators) -> bool {
        match self.opcode(id) {
            Opcode::EndUnpairedAccess => return true,
            Opcode::EndAccess => {}
            _ => return false,
        }
        let Some(begin) = self.begin_of_access(id) else { return true };
        let block = self.block_of(begin);
        match self.liveness.block(block) {
            BlockLiveness::LiveOut => true,
            BlockLiveness::LiveWithin => {
                self.facts.view.body.instructions_from(begin).skip(1).any(|id| self.liveness.user(id).is_some())
            }
            BlockLiveness::Dead => self
                .facts
                .view
                .body
                .defining_block(self.definition)
                .is_some_and(|defining| block != defining && dominators.dominates(block, defining)),
        }
    }

    /// The potentially consuming uses of the value and its copies, each with whether it ends a lifetime.
    pub(super) fn ending_uses(&self) -> FxHashMap<Value, Vec<(Use, bool)>> {
        let view = self.facts.view;
        let mut uses = FxHashMap::default();
        for part in &self.parts {
            let value = match part {
                Part::Root(value) => *value,
                Part::Copy(copy) => match view.body.result(*copy) {
                    Some(value) => value,
                    None => continue,
                },
                Part::Borrowed(_) => continue,
            };
            let kinds = self.facts.dependence.ownership_kinds();
            let found = view.uses.of(value).iter().rev();
            uses.insert(value, found.map(|found| (*found, kinds.operand(*found).ends_lifetime())).collect());
        }
        uses
    }
}
