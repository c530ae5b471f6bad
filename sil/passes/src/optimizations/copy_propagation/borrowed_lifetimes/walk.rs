//! Walks the uses of a borrowed value, its copies and the values forwarded from them, in the order of rewriting.

use rustc_hash::FxHashSet;
use sil_analysis::{LifetimeFacts, OperandOwnership, Use};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Ownership, Value};

use super::super::uses::escapes_as_bits;
use super::{Scope, forwards_either, has_ownership};

/// The limit on the depth of forwarding.
const DEEPEST: usize = 64;

/// A use with its operand ownership.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) at: Use,
    pub(super) does: OperandOwnership,
}

impl Found {
    /// Returns whether the use consumes its operand.
    pub(super) fn consumes(self) -> bool {
        matches!(self.does, OperandOwnership::Consume | OperandOwnership::ForwardOwned)
    }
}

/// A use to rewrite.
pub(super) enum Step {
    Use(Found),
    /// A use that forwards its operand to these results with ownership, each with its own uses.
    Forward(Found, Vec<(Value, Vec<Step>)>),
}

impl Step {
    /// The use itself.
    pub(super) fn found(&self) -> Found {
        match self {
            Step::Use(found) | Step::Forward(found, _) => *found,
        }
    }
}

/// A walk over the uses of a borrowed value.
pub(super) struct Walk<'v, 'm> {
    facts: LifetimeFacts<'v, 'm>,
    /// Whether the start of the walk is lexical.
    is_lexical: bool,
    scope: Scope,
    seen: FxHashSet<Value>,
    depth: usize,
}

impl<'v, 'm> Walk<'v, 'm> {
    /// Creates a walk from `borrow`.
    pub(super) fn new(facts: LifetimeFacts<'v, 'm>, borrow: Value, scope: Scope) -> Self {
        let is_lexical = facts.dependence.ownership_kinds().is_lexical(&facts.view.cfg, borrow);
        Self { facts, is_lexical, scope, seen: FxHashSet::default(), depth: 0 }
    }

    /// The uses of `inner`, its copies and the values forwarded from them. `None` if some cannot be rewritten.
    pub(super) fn steps(&mut self, inner: Value) -> Option<Vec<Step>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let is_lexical = std::mem::replace(&mut self.is_lexical, false) && self.depth == 1;
        let mut steps = Vec::new();
        let mut open = vec![inner];
        self.seen.insert(inner);
        while let Some(value) = open.pop() {
            for at in self.facts.view.uses.of(value).iter().rev().copied() {
                if let Some(copy) = self.copy(at, is_lexical) {
                    if self.seen.insert(copy) {
                        open.push(copy);
                    }
                    continue;
                }
                steps.extend(self.step(value, at)?);
            }
        }
        self.depth -= 1;
        Some(steps)
    }

    /// The result of a copy or move.
    fn copy(&self, at: Use, is_lexical: bool) -> Option<Value> {
        let body = self.facts.view.body;
        let attributes = body.instructions[at.user].attributes;
        match self.facts.view.opcode(at.user) {
            Opcode::CopyValue => body.result(at.user),
            Opcode::MoveValue if is_lexical || !attributes.contains(Attribute::Lexical) => body.result(at.user),
            _ => None,
        }
    }

    /// The step for a use of `value`, if it needs one. `None` if the use cannot be rewritten.
    fn step(&mut self, value: Value, at: Use) -> Option<Option<Step>> {
        use OperandOwnership::*;
        let kinds = self.facts.dependence.ownership_kinds();
        let (does, is_borrowed) = (kinds.operand(at), kinds.kind(value) == Ownership::Guaranteed);
        let found = Found { at, does };
        let opcode = self.facts.view.opcode(at.user);
        match does {
            Mention | EndBorrow | Reborrow => Some(None),
            // The use must be within the scope.
            InteriorPointer => is_borrowed.then_some(None),
            ForwardUnowned | Escape if !escapes_as_bits(opcode) => {
                let is_confined = is_borrowed || self.scope == Scope::Function;
                is_confined.then_some(Some(Step::Use(found)))
            }
            ForwardBorrowed | ForwardOwned
                if forwards_either(opcode) && self.facts.view.body.operands(at.user).len() == 1 =>
            {
                let results = self.facts.view.body.results(at.user).filter(|result| has_ownership(kinds.kind(*result)));
                let results = results.collect::<Vec<_>>();
                let steps: Option<Vec<_>> =
                    results.into_iter().map(|result| Some((result, self.steps(result)?))).collect();
                Some(Some(Step::Forward(found, steps?)))
            }
            _ => Some(Some(Step::Use(found))),
        }
    }
}
