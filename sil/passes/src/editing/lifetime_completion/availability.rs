//! Completes lifetimes in dead-end regions at their availability boundary, since SILGen does not end values there
//! (lib/SIL/Utils/OSSALifetimeCompletion.cpp).
//!
//! Owns: the choice of values, and the places and kinds of their ends. Does not own: ends on paths that leave the
//! function, without which the SIL is invalid.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{Change, ControlFlowGraph, DeadEndBlocks, OwnershipKinds, Use};
use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode, Position};
use sil_ir::model::{BlockId, Body, InstructionId, Ownership, Place, Value};

use crate::InstructionBuilder;
use crate::pass::{Environment, Rewrite};

/// Completes the lifetimes of a function. Returns `None` if all are complete.
pub(crate) fn complete(environment: Environment<'_>) -> Option<Rewrite> {
    complete_of(environment, |_| true)
}

/// Completes the lifetimes of selected values. Returns `None` if all are complete.
pub(crate) fn complete_of(environment: Environment<'_>, is_wanted: impl Fn(Value) -> bool) -> Option<Rewrite> {
    let Environment { queries, function, body: before, analyses, .. } = environment;
    let cfg = analyses.cfg(before);
    let dead_ends = DeadEndBlocks::new(before, cfg);
    if !before.blocks.keys().any(|block| dead_ends.contains(block)) {
        return None;
    }
    let kinds = OwnershipKinds::new(queries, function, before, cfg);
    let body = before.clone();
    let mut completion =
        Completion { environment, kinds, dead_ends, body, ends: FxHashMap::default(), is_changed: false };
    for block in inner_blocks_first(before) {
        let instructions: Vec<InstructionId> = before.instructions_in(block).collect();
        let results = instructions.into_iter().rev().flat_map(|id| before.results(id).collect::<Vec<_>>());
        let values: Vec<Value> = results.chain(before.blocks[block].arguments.iter().copied()).collect();
        values.into_iter().filter(|value| is_wanted(*value)).for_each(|value| completion.complete(value));
    }
    let Completion { body, is_changed, .. } = completion;
    is_changed.then(|| Rewrite::new(function, body, Change::Instructions))
}

/// All blocks, including unreachable ones, in post-order.
fn inner_blocks_first(body: &Body) -> Vec<BlockId> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let others = body.blocks.keys().collect::<Vec<_>>().into_iter().rev();
    for root in [body.entry()].into_iter().chain(others) {
        let mut open = vec![(root, 0)];
        if !seen.insert(root) {
            continue;
        }
        while let Some((block, next)) = open.last_mut() {
            let successors = body.terminator(*block).map(|end| body.targets(end)).unwrap_or_default();
            match successors.get(*next) {
                Some(successor) => {
                    *next += 1;
                    if seen.insert(*successor) {
                        open.push((*successor, 0));
                    }
                }
                None => {
                    order.push(*block);
                    open.pop();
                }
            }
        }
    }
    order
}

/// The instruction that ends a lifetime.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// `destroy_value`
    Destroy,
    /// `dealloc_box`
    DeallocateBox,
    /// `end_borrow`
    EndBorrow,
    /// `end_access`
    EndAccess,
    /// `end_borrow` of a coroutine token.
    EndCoroutine,
    /// `extend_lifetime` for a variable without ownership.
    ExtendLifetime,
}

/// The uses of a value, by block.
#[derive(Default)]
struct Liveness {
    used: FxHashSet<BlockId>,
    ending: FxHashSet<BlockId>,
    /// The users that do not end the lifetime.
    users: BTreeSet<InstructionId>,
}

struct Completion<'m> {
    environment: Environment<'m>,
    kinds: OwnershipKinds<'m>,
    dead_ends: DeadEndBlocks,
    body: Body,
    /// The blocks at whose ends the lifetimes were ended.
    ends: FxHashMap<Value, Vec<BlockId>>,
    is_changed: bool,
}

impl Completion<'_> {
    fn complete(&mut self, value: Value) {
        let Some(ending) = self.ending(value) else { return };
        let Some(start) = self.environment.body.defining_block(value) else { return };
        let mut liveness = Liveness::default();
        self.collect(value, ending, &mut liveness, &mut FxHashSet::default());
        let live = self.live_blocks(start, &liveness.used);
        for block in self.last_available(start, &liveness, &live, ending) {
            self.end(value, ending, block);
            liveness.ending.insert(block);
        }
        let live = self.live_blocks(start, &liveness.ending);
        self.extend_in_loops(value, start, ending, &liveness, &live);
    }

    /// The ending that a value needs, or `None` if it needs none.
    fn ending(&self, value: Value) -> Option<Ending> {
        let before = self.environment.body;
        let maker = before.defining(value).map(|id| &before.instructions[id]);
        match (self.kinds.kind(value), maker) {
            (Ownership::Owned, _) => Some(match self.environment.queries.get(before.ty(value).ty) {
                Type::Box(_) => Ending::DeallocateBox,
                _ => Ending::Destroy,
            }),
            (Ownership::Guaranteed, _) => self.kinds.begins_scope(value).then_some(Ending::EndBorrow),
            (_, Some(maker)) => match maker.opcode {
                Opcode::BeginAccess => Some(Ending::EndAccess),
                Opcode::StoreBorrow => Some(Ending::EndBorrow),
                Opcode::BeginApply if self.is_token(value) => Some(Ending::EndCoroutine),
                Opcode::MoveValue if maker.attributes.contains(Attribute::VarDecl) => Some(Ending::ExtendLifetime),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_token(&self, value: Value) -> bool {
        let ty = self.environment.body.ty(value).ty;
        matches!(self.environment.queries.get(ty), Type::Builtin(BuiltinType::Token))
    }

    fn ends(&self, found: Use, ending: Ending) -> bool {
        let opcode = self.environment.body.instructions[found.user].opcode;
        match ending {
            Ending::Destroy | Ending::DeallocateBox => self.kinds.operand(found).ends_lifetime(),
            Ending::EndBorrow => opcode == Opcode::EndBorrow || self.kinds.operand(found).ends_lifetime(),
            Ending::EndAccess => opcode == Opcode::EndAccess,
            Ending::EndCoroutine => matches!(opcode, Opcode::EndApply | Opcode::AbortApply | Opcode::EndBorrow),
            Ending::ExtendLifetime => opcode == Opcode::ExtendLifetime,
        }
    }

    /// Collects the uses of a value, of its borrows and of its projections.
    fn collect(&self, value: Value, ending: Ending, liveness: &mut Liveness, inner: &mut FxHashSet<Value>) {
        let before = self.environment.body;
        let is_inner = !inner.is_empty();
        if !inner.insert(value) {
            return;
        }
        liveness.used.extend(self.ends.get(&value).into_iter().flatten());
        for found in self.environment.analyses.uses(before).of(value) {
            let block = before.instructions[found.user].block;
            let opcode = before.instructions[found.user].opcode;
            let ends = !is_inner && self.ends(*found, ending);
            if opcode == Opcode::DebugValue || ending == Ending::ExtendLifetime && !ends {
                continue;
            }
            liveness.used.insert(block);
            if ends {
                liveness.ending.insert(block);
                continue;
            }
            if opcode != Opcode::ExtendLifetime && !is_inner {
                liveness.users.insert(found.user);
            }
            for result in before.results(found.user).collect::<Vec<_>>() {
                let is_part = before.ty(result).is_address() || self.kinds.kind(result) == Ownership::Guaranteed;
                if is_part {
                    self.collect(result, ending, liveness, inner);
                }
            }
        }
    }

    /// The blocks at whose start a value that is defined in `start` is live.
    fn live_blocks(&self, start: BlockId, used: &FxHashSet<BlockId>) -> FxHashSet<BlockId> {
        let (mut live, mut open) = (FxHashSet::default(), Vec::new());
        open.extend(used.iter().copied().filter(|block| *block != start));
        while let Some(block) = open.pop() {
            if live.insert(block) {
                let predecessors = self.cfg().predecessors(block).iter().copied();
                open.extend(predecessors.filter(|predecessor| *predecessor != start));
            }
        }
        live
    }

    fn cfg(&self) -> &ControlFlowGraph {
        self.environment.analyses.cfg(self.environment.body)
    }

    fn successors(&self, block: BlockId) -> &[BlockId] {
        let before = self.environment.body;
        before.terminator(block).map(|end| before.targets(end)).unwrap_or_default()
    }

    /// The blocks at whose ends a value is live for the last time and not ended.
    fn last_available(
        &self,
        start: BlockId,
        liveness: &Liveness,
        live: &FxHashSet<BlockId>,
        ending: Ending,
    ) -> BTreeSet<BlockId> {
        let mut boundary = BTreeSet::new();
        for block in live.iter().copied().chain([start]) {
            let (lives_on, ends): (Vec<BlockId>, Vec<BlockId>) =
                self.successors(block).iter().partition(|successor| live.contains(successor));
            if !lives_on.is_empty() {
                boundary.extend(ends.into_iter().filter(|successor| *successor != start));
            } else if !liveness.ending.contains(&block) && ending != Ending::ExtendLifetime {
                boundary.insert(block);
            }
        }
        let available = self.available(&boundary);
        let is_last = |block: &BlockId| {
            let successors = self.successors(*block);
            successors.is_empty() || successors.iter().any(|successor| !available.contains(successor))
        };
        available.iter().copied().filter(is_last).collect()
    }

    /// The blocks in which a value that is available in `starts` is available on all paths.
    fn available(&self, starts: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
        let mut region: BTreeSet<BlockId> = BTreeSet::new();
        let mut open: Vec<BlockId> = starts.iter().copied().collect();
        while let Some(block) = open.pop() {
            if region.insert(block) {
                open.extend(self.successors(block));
            }
        }
        loop {
            let is_kept = |block: &BlockId| {
                starts.contains(block) || self.cfg().predecessors(*block).iter().all(|found| region.contains(found))
            };
            let kept: BTreeSet<BlockId> = region.iter().copied().filter(is_kept).collect();
            if kept.len() == region.len() {
                return kept;
            }
            region = kept;
        }
    }

    fn end(&mut self, value: Value, ending: Ending, block: BlockId) {
        let Some(terminator) = self.body.terminator(block) else { return };
        let mut attributes = AttributeSet::default();
        let opcode = match ending {
            Ending::Destroy => Opcode::DestroyValue,
            Ending::DeallocateBox => Opcode::DeallocBox,
            Ending::EndBorrow | Ending::EndCoroutine => Opcode::EndBorrow,
            Ending::EndAccess => Opcode::EndAccess,
            Ending::ExtendLifetime => Opcode::ExtendLifetime,
        };
        if matches!(ending, Ending::Destroy | Ending::DeallocateBox) && self.dead_ends.contains(block) {
            attributes.insert(Attribute::DeadEnd);
        }
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(terminator), terminator);
        builder.with(attributes).effect(opcode, value);
        self.ends.entry(value).or_default().push(block);
        self.is_changed = true;
    }

    /// Inserts `extend_lifetime` for uses in infinite loops that no end follows.
    fn extend_in_loops(
        &mut self,
        value: Value,
        start: BlockId,
        ending: Ending,
        liveness: &Liveness,
        live: &FxHashSet<BlockId>,
    ) {
        if !matches!(ending, Ending::Destroy | Ending::DeallocateBox) {
            return;
        }
        for user in &liveness.users {
            let instruction = &self.environment.body.instructions[*user];
            let is_followed = instruction.block == start && !live.is_empty()
                || live.contains(&instruction.block)
                || liveness.ending.contains(&instruction.block);
            if is_followed || instruction.opcode.information().position == Position::Terminator {
                continue;
            }
            let mut builder = InstructionBuilder::new(&mut self.body, Place::After(*user), *user);
            builder.extend_lifetime(value);
            self.is_changed = true;
        }
    }
}
