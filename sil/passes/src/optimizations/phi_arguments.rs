//! Optimises phis: unifies equal phis, and passes a single field if only that is used. Follows
//! lib/SILOptimizer/Transforms/PhiArgumentOptimizations.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::Use;
use sil_ir::context::{MemberId, SilType};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::views::StructExtract;
use sil_ir::model::{BlockId, DebugOperator, Definition, Details, InstructionId, Ownership, Place, Value};

use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const PHI_EXPANSION: Pass = Pass::new(&Description {
    name: "phi-expansion",
    class_name: "PhiExpansion",
    summary: "Replaces struct block arguments by the only field that is used.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(expand),
});

pub(crate) const REDUNDANT_PHI_ELIMINATION: Pass = Pass::new(&Description {
    name: "redundant-phi-elimination",
    class_name: "RedundantPhiElimination",
    summary: "Merges block arguments that always have the same value.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(unify),
});

/// The limit on compared pairs of arguments per block.
const MOST_PAIRS: u32 = 48;

/// The limit on compared pairs of values per pair of arguments.
const MOST_CHECKS: usize = 16;

/// Unifies phis that always have the same value.
pub(crate) fn unify(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let mut arguments = PhiArguments { editor: &mut editor };
    for block in environment.body.blocks.keys().skip(1) {
        arguments.unify_in(block);
    }
    Ok(editor.finish())
}

/// Passes a single field instead of a struct, if only that is used.
pub(crate) fn expand(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let mut arguments = PhiArguments { editor: &mut editor };
    for block in environment.body.blocks.keys().skip(1) {
        for argument in environment.body.blocks[block].arguments.clone() {
            while arguments.expand(argument) {}
        }
    }
    Ok(editor.finish())
}

pub(super) struct PhiArguments<'e, 'm> {
    pub(super) editor: &'e mut Editor<'m>,
}

impl PhiArguments<'_, '_> {
    /// The incoming operands of a phi, or `None` if a predecessor's terminator is not a branch.
    pub(super) fn incoming(&self, argument: Value) -> Option<Vec<Use>> {
        let body = self.editor.body();
        let Definition::Argument { block, index } = body.values[argument].definition else { return None };
        if block == body.entry() {
            return None;
        }
        let mut incoming = Vec::new();
        for predecessor in self.editor.predecessors(block) {
            let user = body.terminator(*predecessor)?;
            match (self.editor.opcode(user), &body.instructions[user].details) {
                (Opcode::Br, _) => incoming.push(Use { user, operand: index }),
                (Opcode::CondBr, Details::CondBranch { true_arguments, .. }) => {
                    let starts = [1, 1 + true_arguments];
                    let edges = body.targets(user).iter().zip(starts).filter(|(target, _)| **target == block);
                    incoming.extend(edges.map(|(_, start)| Use { user, operand: start + index }));
                }
                _ => return None,
            }
        }
        Some(incoming)
    }

    fn unify_in(&mut self, block: BlockId) {
        let mut pairs = 0;
        let mut first = 0;
        while let Some(one) = self.editor.body().blocks[block].arguments.get(first).copied() {
            let mut second = first + 1;
            while let Some(other) = self.editor.body().blocks[block].arguments.get(second).copied() {
                pairs += 1;
                if pairs > MOST_PAIRS || self.incoming(one).is_none() || self.incoming(other).is_none() {
                    return;
                }
                match self.are_equal(one, other) {
                    true if self.is_owned_alone(one, other) => {
                        self.editor.replace_all(one, other);
                        self.remove(block, first);
                        break;
                    }
                    true => self.unify_second(block, one, other, second),
                    false => second += 1,
                }
            }
            // The replacement of the first one is compared with the others.
            if self.editor.body().blocks[block].arguments.get(first) == Some(&one) {
                first += 1;
            }
        }
    }

    fn is_owned_alone(&self, one: Value, other: Value) -> bool {
        self.ownership(one) == Ownership::Owned && self.ownership(other) == Ownership::None
    }

    /// The ownership of an argument in a function with ownership.
    fn ownership(&self, argument: Value) -> Ownership {
        match self.editor.has_ownership() {
            true => self.editor.body().values[argument].ownership,
            false => Ownership::None,
        }
    }

    /// Replaces the second of two equal arguments with the first one.
    fn unify_second(&mut self, block: BlockId, one: Value, other: Value, index: usize) {
        let are_owned = [one, other].map(|argument| self.ownership(argument) == Ownership::Owned);
        let mut by = one;
        if let ([true, true], Some(like)) = (are_owned, self.editor.body().first_instruction(block)) {
            by = self.editor.build(Place::Start(block), like, |builder| builder.copy_value(one));
        }
        self.editor.replace_all(other, by);
        self.remove(block, index);
    }

    /// Removes an argument. The incoming values of an owned one are destroyed instead.
    fn remove(&mut self, block: BlockId, index: usize) {
        let argument = self.editor.body().blocks[block].arguments[index];
        if self.ownership(argument) == Ownership::Owned {
            for found in self.incoming(argument).unwrap_or_default() {
                let passed = found.value(self.editor.body());
                if self.editor.ownership(passed) == Ownership::Owned {
                    self.editor.build(Place::Before(found.user), found.user, |builder| {
                        builder.destroy_value(passed);
                    });
                }
            }
        }
        self.editor.remove_argument(block, index);
    }

    /// Returns whether two phis are always equal: their incoming values are equal, or are computed by equal
    /// instructions.
    fn are_equal(&self, one: Value, other: Value) -> bool {
        let mut seen: FxHashSet<(Value, Value)> = FxHashSet::default();
        let mut open = vec![(one, other)];
        seen.insert((one, other));
        while let Some((one, other)) = open.pop() {
            if seen.len() > MOST_CHECKS {
                return false;
            }
            if one == other {
                continue;
            }
            let body = self.editor.body();
            let parts = match (body.values[one].definition, body.values[other].definition) {
                (Definition::Argument { .. }, Definition::Argument { .. }) => self.equal_arguments(one, other),
                (Definition::Result { .. }, Definition::Result { .. }) => self.equal_instructions(one, other),
                _ => None,
            };
            let Some(parts) = parts else { return false };
            open.extend(parts.into_iter().filter(|pair| seen.insert(*pair)));
        }
        true
    }

    /// The pairs of values that must be equal so that two phis are.
    fn equal_arguments(&self, one: Value, other: Value) -> Option<Vec<(Value, Value)>> {
        let body = self.editor.body();
        let block = |argument: Value| match body.values[argument].definition {
            Definition::Argument { block, .. } => Some(block),
            Definition::Result { .. } | Definition::Undef => None,
        };
        let is_borrowed = |argument: Value| self.ownership(argument) == Ownership::Guaranteed;
        if block(one) != block(other) || body.ty(one) != body.ty(other) || is_borrowed(one) || is_borrowed(other) {
            return None;
        }
        let pairs = self.incoming(one)?.into_iter().zip(self.incoming(other)?);
        Some(pairs.map(|(one, other)| (one.value(body), other.value(body))).collect())
    }

    /// The pairs of operands that must be equal so that two instructions are.
    fn equal_instructions(&self, one: Value, other: Value) -> Option<Vec<(Value, Value)>> {
        let body = self.editor.body();
        let (one, other) = (body.defining(one)?, body.defining(other)?);
        let (first, second) = (&body.instructions[one], &body.instructions[other]);
        let is_allocation = first.opcode.name().starts_with("alloc_");
        let is_same = first.opcode == second.opcode
            && first.attributes == second.attributes
            && first.details == second.details
            && body.types(one) == body.types(other)
            && body.operands(one).len() == body.operands(other).len();
        let is_pure = self.editor.memory_behavior(one) == MemoryBehavior::None && body.result(one).is_some();
        let types = [one, other].map(|id| body.result(id).map(|result| body.ty(result)));
        if !is_same || !is_pure || is_allocation || types[0] != types[1] {
            return None;
        }
        Some(body.operands(one).iter().copied().zip(body.operands(other).iter().copied()).collect())
    }

    /// Passes a field instead of a struct, if it is the only used field. Returns whether it is.
    fn expand(&mut self, argument: Value) -> bool {
        if self.incoming(argument).is_none() {
            return false;
        }
        let Some((arguments, extract)) = self.used_field(argument) else { return false };
        let body = self.editor.body();
        let field = StructExtract::of(body, extract).field;
        let Some(result) = body.result(extract) else { return false };
        let (whole, ty) = (body.ty(argument), body.ty(result));
        let Some(incoming) = arguments.iter().map(|argument| self.incoming(*argument)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        for (argument, incoming) in arguments.into_iter().zip(incoming) {
            self.become_field(argument, ty, field, whole);
            self.pass_field(incoming, ty, field, extract);
        }
        true
    }

    /// The phis that a phi is passed on to, and an instruction that extracts their only used field. `None` if there are
    /// other uses.
    fn used_field(&self, argument: Value) -> Option<(Vec<Value>, InstructionId)> {
        let mut arguments = vec![argument];
        let mut extract: Option<InstructionId> = None;
        let mut next = 0;
        while let Some(argument) = arguments.get(next).copied() {
            next += 1;
            for found in self.editor.uses(argument) {
                match self.editor.opcode(found.user) {
                    Opcode::DebugValue => {}
                    Opcode::StructExtract => {
                        let field = |id| StructExtract::of(self.editor.body(), id).field;
                        if extract.is_some_and(|known| field(known) != field(found.user)) {
                            return None;
                        }
                        extract = Some(found.user);
                    }
                    Opcode::Br | Opcode::CondBr => {
                        let passed = self.passed_to(found)?;
                        if !arguments.contains(&passed) {
                            arguments.push(passed);
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some((arguments, extract?))
    }

    /// The phi that a branch operand is passed to, or `None` for a condition.
    fn passed_to(&self, found: Use) -> Option<Value> {
        let body = self.editor.body();
        let targets = body.targets(found.user);
        let (target, index) = match &body.instructions[found.user].details {
            Details::CondBranch { true_arguments, .. } => {
                let index = found.operand.checked_sub(1)?;
                match index.checked_sub(*true_arguments) {
                    Some(index) => (targets.get(1)?, index),
                    None => (targets.first()?, index),
                }
            }
            _ => (targets.first()?, found.operand),
        };
        body.blocks[*target].arguments.get(index as usize).copied()
    }

    fn become_field(&mut self, argument: Value, ty: SilType, field: MemberId, whole: SilType) {
        let uses = self.editor.uses(argument);
        self.editor.set_value_type(argument, ty);
        for found in uses {
            match self.editor.opcode(found.user) {
                Opcode::StructExtract => self.editor.replace(found.user, argument),
                Opcode::DebugValue => {
                    let details = self.editor.body().instructions[found.user].details.clone();
                    let Details::Variable(mut variable) = details else { continue };
                    variable.ty = variable.ty.or(Some(whole));
                    variable.expression.push(DebugOperator::Fragment(field));
                    self.editor.set_details(found.user, Details::Variable(variable));
                }
                _ => {}
            }
        }
    }

    /// Extracts the field from the incoming values that are not the field yet.
    fn pass_field(&mut self, incoming: Vec<Use>, ty: SilType, field: MemberId, like: InstructionId) {
        for found in incoming {
            let passed = found.value(self.editor.body());
            if self.editor.body().ty(passed) == ty {
                continue;
            }
            let part =
                self.editor.build(Place::Before(found.user), like, |builder| builder.struct_extract(passed, field, ty));
            self.editor.set_operand(found, part);
        }
    }
}
