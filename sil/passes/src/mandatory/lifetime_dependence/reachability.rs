//! The accesses to a local variable that an assignment reaches, and the assignments that reach an instruction
//! (SwiftCompilerSources/Sources/Optimizer/Utilities/LocalVariableUtils.swift, `LocalVariableReachableAccess`).

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Value};

use super::facts::Facts;
use super::local_accesses::{Effect, LocalAccess, LocalAccessKind, LocalAccesses};

/// A cache for the queried variables.
#[derive(Default)]
pub(super) struct Reachabilities {
    known: RefCell<FxHashMap<Value, Option<Rc<Reachability>>>>,
}

impl Reachabilities {
    /// Returns the reachability of a variable; `None` if it is not local, or not all accesses are known.
    pub(super) fn of(&self, facts: &Facts<'_, '_>, allocation: Value) -> Option<Rc<Reachability>> {
        if let Some(found) = self.known.borrow().get(&allocation) {
            return found.clone();
        }
        let found = LocalAccesses::of(facts, allocation).map(|accesses| Rc::new(Reachability::new(facts, accesses)));
        self.known.borrow_mut().insert(allocation, found.clone());
        found
    }
}

/// The kind of accesses that a search collects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Uses of a value that does not escape.
    Uses,
    /// Uses and ends of the lifetime of a value, even if it escapes.
    Lifetime,
}

/// The accesses to a variable by blocks.
pub(super) struct Reachability {
    accesses: LocalAccesses,
    effects: FxHashMap<BlockId, Effect>,
    /// The blocks in which the lifetime of the variable ends.
    ending: FxHashSet<BlockId>,
}

impl Reachability {
    fn new(facts: &Facts<'_, '_>, accesses: LocalAccesses) -> Self {
        let body = facts.view.body;
        let mut effects: FxHashMap<BlockId, Effect> = FxHashMap::default();
        for (access, effect) in &accesses.accesses {
            let Some(id) = access.instruction else { continue };
            let known = effects.entry(body.instructions[id].block).or_insert(*effect);
            *known = (*known).max(*effect);
        }
        let is_end = |id: &InstructionId| {
            use Opcode::*;
            matches!(
                body.instructions[*id].opcode,
                DestroyValue | DeallocStack | DeallocBox | DeallocRef | DeallocPartialRef | DeallocStackRef
            )
        };
        let users = facts.uses(accesses.allocation).into_iter().map(|found| found.user);
        let ending = users.filter(is_end).map(|id| body.instructions[id].block).collect();
        Self { accesses, effects, ending }
    }

    /// Returns the accesses that use the value of `modification`; `None` if these may not be all.
    pub(super) fn uses_of(&self, facts: &Facts<'_, '_>, modification: InstructionId) -> Option<Vec<LocalAccess>> {
        let (access, _) = self.accesses.at(modification)?;
        if self.has_escaped(facts, access) {
            return None;
        }
        let mut found = Vec::new();
        self.visit_after(facts, modification, Search::Uses, &mut found)?;
        Some(found)
    }

    /// Returns the accesses up to the destroy or replacement of the value of `assignment`.
    pub(super) fn lifetime_of(&self, facts: &Facts<'_, '_>, assignment: &LocalAccess) -> Vec<LocalAccess> {
        let mut found = Vec::new();
        let body = facts.view.body;
        let first = || body.instructions_in(body.entry()).next();
        // The accesses found are kept if the search ends early.
        let _ = match assignment.instruction {
            Some(id) => self.visit_after(facts, id, Search::Lifetime, &mut found),
            None => first().and_then(|id| self.visit_from(facts, id, Search::Lifetime, &mut found)),
        };
        found
    }

    /// Returns the assignments whose value may be in the variable at `before`; `None` if it may have been changed by
    /// other code, or none is found.
    pub(super) fn assignments_at(&self, facts: &Facts<'_, '_>, before: InstructionId) -> Option<Vec<LocalAccess>> {
        let body = facts.view.body;
        let mut found = Vec::new();
        let (mut open, mut seen) = (Vec::new(), FxHashSet::default());
        let block = body.instructions[before].block;
        let effect = self.scan_backwards(facts, body.previous(before), &mut found);
        self.go_back(facts, block, effect, (&mut open, &mut seen), &mut found)?;
        while let Some(block) = open.pop() {
            let effect = match self.effects.get(&block).copied() {
                Some(Effect::Assign) => self.scan_backwards(facts, body.terminator(block), &mut found),
                effect => effect,
            };
            self.go_back(facts, block, effect, (&mut open, &mut seen), &mut found)?;
        }
        (!found.is_empty()).then_some(found)
    }

    fn scan_backwards(
        &self,
        facts: &Facts<'_, '_>,
        from: Option<InstructionId>,
        found: &mut Vec<LocalAccess>,
    ) -> Option<Effect> {
        let mut met = None;
        for id in std::iter::successors(from, |id| facts.view.body.previous(*id)) {
            let Some((access, effect)) = self.accesses.at(id) else { continue };
            met = met.max(Some(*effect));
            match met {
                Some(Effect::Assign) => {
                    found.push(*access);
                    break;
                }
                Some(Effect::Escape) => break,
                _ => {}
            }
        }
        met
    }

    fn go_back(
        &self,
        facts: &Facts<'_, '_>,
        block: BlockId,
        effect: Option<Effect>,
        (open, seen): (&mut Vec<BlockId>, &mut FxHashSet<BlockId>),
        found: &mut Vec<LocalAccess>,
    ) -> Option<()> {
        match effect {
            Some(Effect::Escape) => return None,
            Some(Effect::Assign) => return Some(()),
            None | Some(Effect::Read | Effect::Modify) => {}
        }
        let begin = facts.view.body.defining_block(self.accesses.allocation);
        if Some(block) != begin {
            open.extend(facts.view.cfg.predecessors(block).iter().filter(|block| seen.insert(**block)));
        } else if self.accesses.is_argument {
            found.push(LocalAccess { kind: LocalAccessKind::IncomingArgument, operand: None, instruction: None });
        }
        Some(())
    }

    fn visit_after(
        &self,
        facts: &Facts<'_, '_>,
        begin: InstructionId,
        search: Search,
        found: &mut Vec<LocalAccess>,
    ) -> Option<()> {
        let body = facts.view.body;
        if let Some(next) = body.next(begin) {
            return self.visit_from(facts, next, search, found);
        }
        for target in body.targets(begin) {
            self.visit_from(facts, body.instructions_in(*target).next()?, search, found)?;
        }
        Some(())
    }

    /// Visits accesses from `first` on; `None` if the value escapes.
    fn visit_from(
        &self,
        facts: &Facts<'_, '_>,
        first: InstructionId,
        search: Search,
        found: &mut Vec<LocalAccess>,
    ) -> Option<()> {
        let body = facts.view.body;
        let (mut open, mut seen): (Vec<BlockId>, FxHashSet<BlockId>) = (Vec::new(), FxHashSet::default());
        let mut effect = self.scan(facts, first, search, found);
        let mut block = body.instructions[first].block;
        loop {
            if search == Search::Uses && effect == Some(Effect::Escape) {
                return None;
            }
            if effect != Some(Effect::Assign) {
                self.go_on(facts, block, (&mut open, &mut seen), found);
            }
            let Some(next) = open.pop() else { return Some(()) };
            block = next;
            effect = match self.effects.get(&block).copied() {
                None => None,
                Some(Effect::Escape) if search == Search::Uses => Some(Effect::Escape),
                Some(_) => body.instructions_in(block).next().and_then(|id| self.scan(facts, id, search, found)),
            };
        }
    }

    fn go_on(
        &self,
        facts: &Facts<'_, '_>,
        block: BlockId,
        (open, seen): (&mut Vec<BlockId>, &mut FxHashSet<BlockId>),
        found: &mut Vec<LocalAccess>,
    ) {
        let Some(terminator) = facts.view.body.terminator(block).filter(|_| !self.ending.contains(&block)) else {
            return;
        };
        let targets = facts.view.body.targets(terminator);
        let end = |kind| LocalAccess { kind, operand: None, instruction: Some(terminator) };
        if facts.view.opcode(terminator).leaves_function() {
            found.push(end(LocalAccessKind::OutgoingArgument));
        } else if targets.is_empty() {
            found.push(end(LocalAccessKind::DeadEnd));
        } else {
            open.extend(targets.iter().filter(|block| seen.insert(**block)));
        }
    }

    fn scan(
        &self,
        facts: &Facts<'_, '_>,
        first: InstructionId,
        search: Search,
        found: &mut Vec<LocalAccess>,
    ) -> Option<Effect> {
        let mut met = None;
        for id in facts.view.body.instructions_from(first) {
            let Some((access, effect)) = self.accesses.at(id) else { continue };
            met = met.max(Some(*effect));
            match (met, search) {
                (Some(Effect::Assign), Search::Uses) | (Some(Effect::Escape), Search::Uses) => return met,
                (Some(Effect::Assign), Search::Lifetime) => {
                    found.push(*access);
                    return met;
                }
                _ => found.push(*access),
            }
        }
        met
    }

    /// Returns whether the variable may have escaped at an access.
    fn has_escaped(&self, facts: &Facts<'_, '_>, access: &LocalAccess) -> bool {
        if access.kind == LocalAccessKind::Escape || self.accesses.may_alias {
            return true;
        }
        self.accesses.is_boxed && self.escapes_before(facts, access)
    }

    /// Returns whether a box escapes on a path to an access.
    fn escapes_before(&self, facts: &Facts<'_, '_>, access: &LocalAccess) -> bool {
        let body = facts.view.body;
        let Some(end) = access.instruction else { return false };
        let escapes = |id: &InstructionId| {
            self.accesses.at(*id).is_some_and(|(access, _)| access.kind == LocalAccessKind::Escape)
        };
        let backwards = |from: Option<InstructionId>| std::iter::successors(from, |id| body.previous(*id));
        let allocation = body.defining(self.accesses.allocation);
        let mut seen = FxHashSet::default();
        let mut open = vec![body.previous(end)];
        while let Some(from) = open.pop() {
            for id in backwards(from) {
                if Some(id) == allocation {
                    break;
                }
                if escapes(&id) {
                    return true;
                }
            }
            let block = from.map_or(body.instructions[end].block, |id| body.instructions[id].block);
            if allocation.is_some_and(|id| body.instructions[id].block == block) {
                continue;
            }
            let before = facts.view.cfg.predecessors(block).iter().filter(|block| !self.ending.contains(block));
            let new: Vec<BlockId> = before.copied().filter(|block| seen.insert(*block)).collect();
            open.extend(new.into_iter().map(|block| body.terminator(block)));
        }
        false
    }
}
