//! The linear lifetime of one value: ended exactly once on every path that leaves the function, and not used after
//! that.

use sil_analysis::{OperandOwnership, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Value};

use super::OwnershipVerifier;
use super::findings::Finding;

/// A value with the uses that matter to its lifetime.
#[derive(Clone, Copy)]
pub(super) struct Lifetime<'u> {
    pub value: Value,
    /// The uses that end it.
    pub ending: &'u [Use],
    /// `extend_lifetime`
    pub extending: &'u [Use],
    /// The uses that must come before the end.
    pub regular: &'u [Use],
}

/// Marks on blocks that last for one check.
pub(super) struct LifetimeChecker {
    round: u32,
    visited: Vec<u32>,
    ended: Vec<u32>,
}

impl LifetimeChecker {
    pub fn new(body: &Body) -> Self {
        let count = body.blocks.len();
        Self { round: 0, visited: vec![0; count], ended: vec![0; count] }
    }

    fn visit(&mut self, block: BlockId) -> bool {
        std::mem::replace(&mut self.visited[block.as_u32() as usize], self.round) != self.round
    }

    fn is_visited(&self, block: BlockId) -> bool {
        self.visited[block.as_u32() as usize] == self.round
    }

    fn end(&mut self, block: BlockId) -> bool {
        std::mem::replace(&mut self.ended[block.as_u32() as usize], self.round) != self.round
    }

    fn is_ended(&self, block: BlockId) -> bool {
        self.ended[block.as_u32() as usize] == self.round
    }
}

/// An error in a lifetime.
pub(super) struct Broken {
    pub value: Value,
    /// The uses that end it.
    pub ending: Vec<Use>,
    /// In the order in which they were found; at least one.
    pub faults: Vec<Fault>,
}

/// One thing that is wrong with a lifetime.
pub(super) enum Fault {
    /// A use ends a lifetime that another one in `block` has ended before it; which one is not known if the path to it
    /// was walked back for several.
    OverConsumed { end: Option<Use>, block: BlockId },
    /// A use outside of the lifetime.
    Outside { found: Use, placement: Placement },
    /// Blocks at whose beginning the value leaks.
    Leak(Vec<BlockId>),
}

/// Where a use is that is outside of a lifetime.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// In front of the definition, in its block.
    BeforeDefinition,
    /// Behind this end, in its block.
    AfterEnd(Use),
    /// In another block than the definition and the only end.
    OtherBlock,
    /// In a block that no end of the lifetime leads back to.
    Unreached,
}

/// A lifetime while it is checked.
struct Check<'u> {
    lifetime: Lifetime<'u>,
    begin: BlockId,
    /// The regular uses whose block is not known to be within the lifetime.
    pending: Vec<Use>,
    /// Blocks in which the value is alive and that have not been reached yet.
    unvisited: Vec<BlockId>,
    /// Blocks at whose end the value is alive, and that are to be walked back from.
    open: Vec<BlockId>,
    faults: Vec<Fault>,
}

impl OwnershipVerifier<'_, '_> {
    /// Checks a lifetime and notes its errors.
    pub(super) fn check(&mut self, lifetime: Lifetime<'_>) {
        let faults = self.faults(lifetime);
        if !faults.is_empty() {
            let Lifetime { value, ending, .. } = lifetime;
            self.findings.push(Finding::Lifetime(Broken { value, ending: ending.to_vec(), faults }));
        }
    }

    pub(super) fn block(&self, found: Use) -> BlockId {
        self.analyses.body.instructions[found.user].block
    }

    fn begin(&self, value: Value) -> (BlockId, Option<InstructionId>) {
        let body = self.analyses.body;
        match body.values[value].definition {
            Definition::Argument { block, .. } => (block, None),
            Definition::Result { instruction, .. } => (body.instructions[instruction].block, Some(instruction)),
            Definition::Undef => (body.entry(), None),
        }
    }

    fn is_dead_end(&self, block: BlockId) -> bool {
        self.analyses.dead_ends.contains(block)
    }

    /// The errors in a lifetime.
    pub(super) fn faults(&mut self, lifetime: Lifetime<'_>) -> Vec<Fault> {
        self.lifetimes.round += 1;
        let (begin, maker) = self.begin(lifetime.value);
        let pending = lifetime.regular.to_vec();
        let mut check = Check { lifetime, begin, pending, unvisited: Vec::new(), open: Vec::new(), faults: Vec::new() };
        if let Some(maker) = maker {
            self.uses_before(maker, &mut check);
        }
        for end in lifetime.ending {
            self.end_in_block(*end, &mut check);
        }
        if let ([only], []) = (lifetime.ending, lifetime.extending)
            && self.block(*only) == begin
        {
            let outside = check.pending.iter().filter(|found| !self.is_dead_end(self.block(**found)));
            let outside = outside.map(|found| Fault::Outside { found: *found, placement: Placement::OtherBlock });
            check.faults.extend(outside);
            return check.faults;
        }
        for end in lifetime.ending.iter().chain(lifetime.extending) {
            let block = self.block(*end);
            self.lifetimes.visit(block);
        }
        for end in lifetime.extending {
            let (block, position) = (self.block(*end), self.analyses.position(end.user));
            check.pending.retain(|found| self.block(*found) != block || self.analyses.position(found.user) > position);
        }
        self.flow(&mut check);
        check.faults
    }

    /// The uses in the block of the definition must come after it.
    fn uses_before(&self, maker: InstructionId, check: &mut Check<'_>) {
        let position = self.analyses.position(maker);
        let is_before =
            |found: &Use| self.block(*found) == check.begin && self.analyses.position(found.user) < position;
        let (before, pending) = check.pending.iter().partition(|found| is_before(found));
        check.pending = pending;
        let before: Vec<Use> = before;
        let faults = before.into_iter().map(|found| Fault::Outside { found, placement: Placement::BeforeDefinition });
        check.faults.extend(faults);
    }

    /// The uses in the block of an end must come before it.
    fn end_in_block(&mut self, end: Use, check: &mut Check<'_>) {
        let block = self.block(end);
        if !self.lifetimes.end(block) {
            check.faults.push(Fault::OverConsumed { end: Some(end), block });
        }
        let position = self.analyses.position(end.user);
        for found in check.pending.iter().filter(|found| self.block(**found) == block) {
            let after = if found.user == end.user {
                !self.is_parallel(*found)
            } else {
                self.analyses.position(found.user) > position
            };
            if after {
                check.faults.push(Fault::Outside { found: *found, placement: Placement::AfterEnd(end) });
            }
        }
        check.pending.retain(|found| self.block(*found) != block);
    }

    /// Whether an operand may stand beside one of the same instruction that consumes the value.
    fn is_parallel(&self, found: Use) -> bool {
        let does = self.analyses.kinds.operand(found);
        matches!(self.analyses.opcode(found.user), Opcode::MarkDependence | Opcode::ReturnBorrow)
            || matches!(does, OperandOwnership::Reborrow | OperandOwnership::ForwardBorrowed)
    }

    /// Walks back from the ends to the beginning.
    fn flow(&mut self, check: &mut Check<'_>) {
        let analyses = self.analyses;
        for end in check.lifetime.ending.iter().chain(check.lifetime.extending) {
            let block = self.block(*end);
            if block == check.begin {
                continue;
            }
            for predecessor in analyses.cfg.predecessors(block) {
                self.reach(*predecessor, Some(*end), check);
            }
        }
        while let Some(block) = check.open.pop() {
            check.unvisited.retain(|other| *other != block);
            check.pending.retain(|found| self.block(*found) != block);
            self.note_successors(block, &mut check.unvisited);
            if block == check.begin {
                continue;
            }
            for predecessor in analyses.cfg.predecessors(block) {
                self.reach(*predecessor, None, check);
            }
        }
        if !check.unvisited.is_empty() {
            check.faults.push(Fault::Leak(std::mem::take(&mut check.unvisited)));
        }
        // A lifetime that is extended into dead ends is followed there too.
        let extended = !check.lifetime.extending.is_empty();
        check.pending.retain(|found| extended || !self.is_dead_end(self.block(*found)));
        check.pending.sort_by_key(|found| self.block(*found));
        let outside = check.pending.iter();
        let outside = outside.map(|found| Fault::Outside { found: *found, placement: Placement::Unreached });
        check.faults.extend(outside);
    }

    /// The value is alive at the end of `block`: nothing in it may have ended the lifetime.
    fn reach(&mut self, block: BlockId, end: Option<Use>, check: &mut Check<'_>) {
        if self.lifetimes.is_ended(block) {
            check.faults.push(Fault::OverConsumed { end, block });
            self.note_successors(block, &mut check.unvisited);
        }
        if self.lifetimes.visit(block) {
            check.open.push(block);
        }
    }

    /// If the value is alive at the end of `block`, it must be followed into all blocks after it.
    fn note_successors(&self, block: BlockId, unvisited: &mut Vec<BlockId>) {
        let body = self.analyses.body;
        for successor in body.terminator(block).map_or(&[][..], |id| body.targets(id)) {
            let known = self.lifetimes.is_visited(*successor) || unvisited.contains(successor);
            if !known && !self.is_dead_end(*successor) {
                unvisited.push(*successor);
            }
        }
    }
}
