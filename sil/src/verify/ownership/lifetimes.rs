//! The linear lifetime of one value: ended exactly once on every path that leaves the function, and not used after that.

use super::OwnershipVerifier;
use crate::analysis::{OperandOwnership, Use};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::{BlockId, Body, Definition, Ownership, Value};

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

/// What was found about a lifetime.
#[derive(Default)]
struct Findings {
    /// A use that ends what another one has ended before or after it.
    over_consumed: Option<(Use, Option<Use>)>,
    /// A use outside of the lifetime, and the end that it comes after where that is known.
    outside: Option<(Use, Option<Use>)>,
    /// A block at whose beginning the value is left behind.
    leak: Option<BlockId>,
}

impl OwnershipVerifier<'_, '_> {
    /// Checks a lifetime and reports what is wrong with it.
    pub(super) fn check(&mut self, lifetime: Lifetime<'_>) {
        let findings = self.findings(lifetime);
        self.report(lifetime, &findings);
    }

    /// Checks only that the regular uses lie within the lifetime.
    pub(super) fn check_uses_within(&mut self, lifetime: Lifetime<'_>) {
        let findings = self.findings(lifetime);
        self.report(lifetime, &Findings { outside: findings.outside, ..Findings::default() });
    }

    fn block(&self, found: Use) -> BlockId {
        self.analyses.body.instructions[found.user].block
    }

    fn begin(&self, value: Value) -> BlockId {
        let body = self.analyses.body;
        match body.values[value].definition {
            Definition::Argument { block, .. } => block,
            Definition::Result { instruction, .. } => body.instructions[instruction].block,
            Definition::Undef => body.entry(),
        }
    }

    fn is_dead_end(&self, block: BlockId) -> bool {
        self.analyses.dead_ends.contains(block)
    }

    fn findings(&mut self, lifetime: Lifetime<'_>) -> Findings {
        let mut findings = Findings::default();
        self.lifetimes.round += 1;
        let begin = self.begin(lifetime.value);
        // The regular uses whose block is not known to be within the lifetime.
        let mut pending: Vec<Use> = lifetime.regular.to_vec();
        for end in lifetime.ending {
            self.end_in_block(*end, lifetime, &mut pending, &mut findings);
        }
        if let ([only], []) = (lifetime.ending, lifetime.extending)
            && self.block(*only) == begin
        {
            let outside = pending.iter().find(|found| !self.is_dead_end(self.block(**found)));
            findings.outside = findings.outside.or(outside.map(|found| (*found, Some(*only))));
            return findings;
        }
        for end in lifetime.ending.iter().chain(lifetime.extending) {
            let block = self.block(*end);
            self.lifetimes.visit(block);
        }
        for end in lifetime.extending {
            let (block, position) = (self.block(*end), self.analyses.position(end.user));
            pending.retain(|found| self.block(*found) != block || self.analyses.position(found.user) > position);
        }
        self.flow(lifetime, begin, &mut pending, &mut findings);
        findings
    }

    /// The uses in the block of an end must come before it.
    fn end_in_block(&mut self, end: Use, lifetime: Lifetime<'_>, pending: &mut Vec<Use>, findings: &mut Findings) {
        let block = self.block(end);
        if !self.lifetimes.end(block) {
            let other = lifetime.ending.iter().find(|other| **other != end && self.block(**other) == block);
            findings.over_consumed = findings.over_consumed.or(Some((end, other.copied())));
        }
        let position = self.analyses.position(end.user);
        for found in pending.iter().filter(|found| self.block(**found) == block) {
            let after = if found.user == end.user {
                !self.is_parallel(*found)
            } else {
                self.analyses.position(found.user) > position
            };
            if after {
                findings.outside = findings.outside.or(Some((*found, Some(end))));
            }
        }
        pending.retain(|found| self.block(*found) != block);
    }

    /// Whether an operand may stand beside one of the same instruction that consumes the value.
    fn is_parallel(&self, found: Use) -> bool {
        let does = self.analyses.kinds.operand(found);
        matches!(self.analyses.opcode(found.user), Opcode::MarkDependence | Opcode::ReturnBorrow)
            || matches!(does, OperandOwnership::Reborrow | OperandOwnership::ForwardBorrowed)
    }

    /// Walks back from the ends to the beginning.
    fn flow(&mut self, lifetime: Lifetime<'_>, begin: BlockId, pending: &mut Vec<Use>, findings: &mut Findings) {
        let analyses = self.analyses;
        let mut open = Vec::new();
        let mut unvisited: Vec<BlockId> = Vec::new();
        for end in lifetime.ending.iter().chain(lifetime.extending) {
            let block = self.block(*end);
            if block == begin {
                continue;
            }
            for predecessor in analyses.cfg.predecessors(block) {
                self.reach(*predecessor, *end, lifetime, findings, &mut open, &mut unvisited);
            }
        }
        while let Some(block) = open.pop() {
            unvisited.retain(|other| *other != block);
            pending.retain(|found| self.block(*found) != block);
            self.note_successors(block, &mut unvisited);
            if block == begin {
                continue;
            }
            for predecessor in analyses.cfg.predecessors(block) {
                let end = lifetime.ending.first().or(lifetime.extending.first());
                if let Some(end) = end {
                    self.reach(*predecessor, *end, lifetime, findings, &mut open, &mut unvisited);
                }
            }
        }
        findings.leak = unvisited.into_iter().min();
        // What is extended into dead ends is followed there too.
        let extended = !lifetime.extending.is_empty();
        let outside = pending.iter().find(|found| extended || !self.is_dead_end(self.block(**found)));
        findings.outside = findings.outside.or(outside.map(|found| (*found, lifetime.ending.first().copied())));
    }

    /// The value is alive at the end of `block`: nothing in it may have ended the lifetime.
    fn reach(
        &mut self,
        block: BlockId,
        end: Use,
        lifetime: Lifetime<'_>,
        findings: &mut Findings,
        open: &mut Vec<BlockId>,
        unvisited: &mut Vec<BlockId>,
    ) {
        if self.lifetimes.is_ended(block) {
            let first = lifetime.ending.iter().find(|first| self.block(**first) == block);
            findings.over_consumed = findings.over_consumed.or(Some((end, first.copied())));
            self.note_successors(block, unvisited);
        }
        if self.lifetimes.visit(block) {
            open.push(block);
        }
    }

    /// Where the value is alive at the end of `block`, it must be followed into all blocks behind it.
    fn note_successors(&self, block: BlockId, unvisited: &mut Vec<BlockId>) {
        let body = self.analyses.body;
        for successor in body.terminator(block).map_or(&[][..], |id| body.targets(id)) {
            let known = self.lifetimes.is_visited(*successor) || unvisited.contains(successor);
            if !known && !self.is_dead_end(*successor) {
                unvisited.push(*successor);
            }
        }
    }

    fn report(&mut self, lifetime: Lifetime<'_>, findings: &Findings) {
        let borrowed = self.analyses.kinds.kind(lifetime.value) == Ownership::Guaranteed;
        let definition = self.verifier.definition_span(lifetime.value);
        if let Some((end, other)) = findings.over_consumed {
            let message = if borrowed {
                "the borrow scope ends more than once on a path"
            } else {
                "the value is consumed more than once on a path"
            };
            let mut diagnostic = Diagnostic::error("over-consume", message, self.analyses.span(end));
            if let Some(other) = other.filter(|other| *other != end) {
                let note = if borrowed { "it also ends here" } else { "it is also consumed here" };
                diagnostic = diagnostic.note(note, Some(self.analyses.span(other)));
            }
            self.verifier.report(diagnostic.note("it is defined here", definition));
        }
        if let Some((found, end)) = findings.outside {
            let name = self.analyses.opcode(found.user).name();
            let message = match borrowed {
                true => format!("`{name}` uses a borrowed value outside of its borrow scope"),
                false => format!("`{name}` uses a value outside of its lifetime"),
            };
            let mut diagnostic = Diagnostic::error("use-after-consume", message, self.analyses.span(found));
            if let Some(end) = end {
                let note = if borrowed { "the scope ends here" } else { "the value is consumed here" };
                diagnostic = diagnostic.note(note, Some(self.analyses.span(end)));
            }
            self.verifier.report(diagnostic.note("it is defined here", definition));
        }
        if let Some(block) = findings.leak {
            let span = definition.unwrap_or(self.verifier.function.span);
            let (code, message) = match borrowed {
                true => ("unended-borrow", "the borrow scope does not end on every path"),
                false => ("leak", "the value is not consumed on every path, so it leaks"),
            };
            let place = self.analyses.body.blocks[block].span;
            self.verifier.report(Diagnostic::error(code, message, span).note("on the path through this block", place));
        }
    }
}
