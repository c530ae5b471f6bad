//! Uses dominating decisions: if a terminator that dominates a block branches on a value, the value is known in the
//! block.

use rustc_hash::FxHashSet;
use sil_analysis::{ControlFlowGraph, Dominators, Use};
use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic};
use sil_ir::model::views::Br;
use sil_ir::model::{BlockId, Definition, Details, InstructionId, Place, Value};

use super::knowledge::Known;
use super::{CfgSimplifier, Paths};
use crate::editing::critical_edges;

/// The limit on the rounds of dominator-based simplification.
const MAXIMAL_ROUNDS: usize = 10;

/// The knowledge about a value at the start of a terminator's target.
#[derive(Clone, Copy)]
struct Decision {
    /// The value that the terminator branches on.
    value: Value,
    /// The block where the value is known.
    target: BlockId,
    known: Known,
}

/// An edge that can be redirected past a dominated decision.
struct Shortcut {
    source: BlockId,
    target: BlockId,
    known: Known,
}

impl CfgSimplifier<'_> {
    /// Propagates dominating decisions and simplifies the results.
    pub(super) fn simplify_by_dominators(&mut self) {
        if self.ways == Paths::All && !self.simplifier.editor.has_ownership() {
            self.split_critical_edges();
        }
        for _ in 0..MAXIMAL_ROUNDS {
            let mut dominators = Dominators::new(self.body(), &self.cfg());
            let mut is_changed = self.thread_casts(&dominators);
            if is_changed {
                dominators = Dominators::new(self.body(), &self.cfg());
            }
            is_changed |= self.simplify_all_arguments(&dominators);
            if self.use_decisions(&dominators) {
                self.fold_ends();
                is_changed = true;
            }
            if !is_changed {
                break;
            }
        }
        let dominators = Dominators::new(self.body(), &self.cfg());
        self.simplify_all_arguments(&dominators);
        self.worklist.clear();
    }

    pub(super) fn simplify_all_arguments(&mut self, dominators: &Dominators) -> bool {
        let mut is_changed = false;
        for block in self.simplifier.order.to_vec() {
            is_changed |= self.simplify_arguments(block, Some(dominators));
        }
        is_changed
    }

    /// Splits critical edges, so that each edge has a block where its knowledge holds.
    fn split_critical_edges(&mut self) {
        let (mut body, count) = (self.body().clone(), self.body().blocks.len());
        critical_edges::split_in(&mut body, &self.cfg());
        if body.blocks.len() == count {
            return;
        }
        self.edit_whole(body);
        let cfg = self.cfg();
        for edge in (count..self.body().blocks.len()).map(|block| BlockId::from_u32(block as u32)) {
            if let Some(source) = cfg.single_predecessor(edge) {
                self.place(edge, source);
            }
        }
    }

    /// Replaces uses that a decision dominates and redirects branches past dominated decisions. Returns whether
    /// something changed.
    fn use_decisions(&mut self, dominators: &Dominators) -> bool {
        let cfg = self.cfg();
        let (mut dominated, mut shortcuts): (Vec<(Use, Decision)>, Vec<Shortcut>) = (Vec::new(), Vec::new());
        let (mut seen, mut threaded) = (FxHashSet::default(), FxHashSet::default());
        for decision in self.decisions(&cfg) {
            for found in self.uses_beyond_expectations(decision.value) {
                let block = self.body().instructions[found.user].block;
                let is_decision_itself = cfg.single_predecessor(decision.target) == Some(block);
                if seen.contains(&found) || is_decision_itself || !self.is_decided_by(found, decision) {
                    continue;
                }
                if dominators.dominates(decision.target, block) {
                    seen.insert(found);
                    dominated.push((found, decision));
                } else if self.ways == Paths::All {
                    shortcuts.extend(self.shortcut(found, decision, (dominators, &cfg), &mut threaded));
                }
            }
        }
        let mut is_changed = !dominated.is_empty();
        for (found, decision) in dominated {
            self.use_decision(found, decision);
        }
        for shortcut in shortcuts {
            is_changed |= self.take_shortcut(shortcut).is_some();
        }
        is_changed
    }

    /// Redirects a branch past a decision.
    fn take_shortcut(&mut self, Shortcut { source, target, known }: Shortcut) -> Option<()> {
        let jump = self.end_of_kind(source, |opcode| opcode == Opcode::Br)?;
        let leads = self.body().targets(jump) == [target] && source != target;
        if !leads || !self.is_threadable(target) {
            return None;
        }
        let copy = self.copy_on_path(source, target, Some(known))?;
        let next = self.end_of_kind(copy, |opcode| opcode == Opcode::Br)?;
        let next = *self.body().targets(next).first()?;
        if let Some(jump) = self.end_of_kind(next, |opcode| opcode == Opcode::Br) {
            self.simplify_jump(next, jump);
        }
        Some(())
    }

    /// The uses of a value, including those of its `expect` intrinsics.
    fn uses_beyond_expectations(&self, value: Value) -> Vec<Use> {
        let mut found = Vec::new();
        for used in self.simplifier.editor.uses(value) {
            match self.expected(used.user).zip(self.body().result(used.user)) {
                Some((expected, result)) if expected == value => {
                    found.extend(self.uses_beyond_expectations(result));
                }
                _ => found.push(used),
            }
        }
        found
    }

    /// The operand of an `expect` intrinsic.
    fn expected(&self, id: InstructionId) -> Option<Value> {
        let Details::Builtin(builtin) = &self.body().instructions[id].details else { return None };
        let operation = builtin.operation()?;
        let is_expectation = operation.kind == BuiltinKind::Intrinsic(Intrinsic::Expect);
        self.body().operands(id).first().copied().filter(|_| is_expectation)
    }

    /// Looks through `expect` intrinsics.
    fn without_expectation(&self, condition: Value) -> Value {
        let mut value = condition;
        while let Some(expected) = self.body().defining(value).and_then(|made| self.expected(made)) {
            value = expected;
        }
        value
    }

    /// The decisions of all terminators of the function.
    fn decisions(&self, cfg: &ControlFlowGraph) -> Vec<Decision> {
        let mut decisions = Vec::new();
        for block in self.simplifier.order.iter().filter(|block| cfg.is_reachable(*block)) {
            let Some(end) = self.body().terminator(block) else { continue };
            let opcode = self.body().instructions[end].opcode;
            let Some(value) = self.body().operands(end).first().copied() else { continue };
            let value = if opcode == Opcode::CondBr { self.without_expectation(value) } else { value };
            let is_undefined = self.body().values[value].definition == Definition::Undef;
            // A value that is known without the decision gains nothing from it.
            let is_known = self.known(opcode, value, block).is_some();
            if is_undefined || is_known {
                continue;
            }
            for (index, target) in self.body().targets(end).iter().copied().enumerate() {
                let known = match opcode {
                    Opcode::CondBr => Some(Known::Condition(index == 0)),
                    Opcode::SwitchEnum => self.only_case(block, target).map(Known::Case),
                    _ => None,
                };
                let is_alone = cfg.single_predecessor(target) == Some(block);
                decisions.extend(known.filter(|_| is_alone).map(|known| Decision { value, target, known }));
            }
        }
        decisions
    }

    /// Returns whether a use profits from a decision. For enums, these are the uses that read the case.
    fn is_decided_by(&self, found: Use, decision: Decision) -> bool {
        match decision.known {
            Known::Case(_) => {
                let opcode = self.body().instructions[found.user].opcode;
                found.operand == 0 && matches!(opcode, Opcode::SwitchEnum | Opcode::SelectEnum)
            }
            Known::Condition(_) => true,
        }
    }

    /// The branch from a block where `decision` is known to a block that branches on the same value. `None` if it is
    /// redirected already.
    fn shortcut(
        &self,
        found: Use,
        decision: Decision,
        (dominators, cfg): (&Dominators, &ControlFlowGraph),
        threaded: &mut FxHashSet<(BlockId, BlockId)>,
    ) -> Option<Shortcut> {
        let target = self.body().instructions[found.user].block;
        if found.operand != 0 || self.body().terminator(target) != Some(found.user) || !self.is_threadable(target) {
            return None;
        }
        let jumps = |block: &BlockId| self.opcode_at_end(*block) == Some(Opcode::Br);
        let mut sources = cfg.predecessors(target).iter().copied().filter(jumps);
        let is_known = |source: BlockId| dominators.dominates(decision.target, source);
        let source = sources.find(|source| is_known(*source) && threaded.insert((*source, target)))?;
        let branch = self.body().terminator(source)?;
        debug_assert_eq!(Br::of(self.body(), branch).target, target);
        Some(Shortcut { source, target, known: decision.known })
    }

    /// Replaces a use with the decided value.
    fn use_decision(&mut self, found: Use, decision: Decision) {
        let ty = self.body().ty(decision.value);
        let payload = match decision.known {
            Known::Case(case) => self.environment().queries.enum_payload_type(ty.ty, case),
            Known::Condition(_) => None,
        };
        let known =
            self.simplifier.editor.build(Place::Before(found.user), found.user, |builder| match decision.known {
                Known::Condition(holds) => builder.integer_literal(if holds { -1 } else { 0 }, ty),
                Known::Case(case) => {
                    let payload = payload.map(|payload| {
                        let ty = SilType::object(payload);
                        builder.unchecked_enum_data(decision.value, case, ty)
                    });
                    builder.enumeration(case, payload, ty)
                }
            });
        self.simplifier.editor.set_operand(found, known);
    }
}
