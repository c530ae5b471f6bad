//! Simplifies block arguments that always have one value, of which a single part is used, or that are dead
//! (`SimplifyBBArgs` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use sil_analysis::{Dominators, Use, field_number};
use sil_ir::context::SilType;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Enum, EnumCase};
use sil_ir::model::{BlockId, Definition, InstructionId, Ownership, Value};

use super::borrowed_phis;
use super::phi_arguments::PhiArguments;
use crate::editing::deleter::{Deadness, delete_dead_values};
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const ARGUMENT_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "simplify-bb-args",
    class_name: "SimplifyBBArgs",
    summary: "Removes block arguments that are unused or always one value.",
    gates: Gates::OPEN,
    runner: Runner::Function(simplify),
});

/// Simplifies the arguments of all blocks of a function.
pub(crate) fn simplify(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let mut arguments = PhiArguments { editor: &mut editor };
    let dominators = Dominators::new(environment.body, &arguments.editor.cfg());
    for block in environment.body.blocks.keys().skip(1) {
        for index in (0..arguments.editor.body().blocks[block].arguments.len()).rev() {
            arguments.simplify(&dominators, block, index);
        }
    }
    Ok(editor.finish())
}

impl PhiArguments<'_, '_> {
    fn simplify(&mut self, dominators: &Dominators, block: BlockId, index: usize) {
        let argument = self.editor.body().blocks[block].arguments[index];
        if self.incoming(argument).is_none_or(|incoming| incoming.is_empty()) {
            return;
        }
        self.replace_by_only(dominators, argument);
        if self.editor.uses(argument).is_empty() {
            let _ = self.remove_unused_argument(block, index);
        } else {
            let _ = self.pass_part(argument);
        }
    }

    /// Replaces an argument with its incoming value if there is only one.
    pub(super) fn replace_by_only(&mut self, dominators: &Dominators, argument: Value) {
        let incoming = self.incoming(argument).unwrap_or_default();
        if let Some(value) = self.always(dominators, argument, &incoming) {
            self.replace_argument(argument, value);
        }
    }

    /// Removes a dead argument, and the instructions that only computed its incoming values.
    pub(super) fn remove_unused_argument(&mut self, block: BlockId, index: usize) -> Option<()> {
        let incoming = self.incoming(self.editor.body().blocks[block].arguments[index])?;
        let passed: Vec<Value> = incoming.iter().map(|found| found.value(self.editor.body())).collect();
        self.editor.remove_argument(block, index);
        delete_dead_values(self.editor, &passed, Deadness::Unused);
        Some(())
    }

    /// The single incoming value of an argument, if it dominates the block.
    fn always(&self, dominators: &Dominators, argument: Value, incoming: &[Use]) -> Option<Value> {
        let body = self.editor.body();
        let mut passed = incoming.iter().map(|found| found.value(body)).filter(|value| *value != argument);
        let value = passed.next()?;
        let block = |value: Value| body.defining_block(value);
        let is_undefined = |value: Value| body.values[value].definition == Definition::Undef;
        let is_same = |other: Value| other == value || is_undefined(value) && is_undefined(other);
        let is_there = is_undefined(value) || dominators.dominates(block(value)?, block(argument)?);
        (is_there && passed.all(is_same)).then_some(value)
    }

    fn replace_argument(&mut self, argument: Value, value: Value) {
        for found in self.editor.uses(argument) {
            match self.editor.opcode(found.user) {
                Opcode::Borrowed if found.operand == 0 => self.editor.replace(found.user, value),
                _ => self.editor.set_operand(found, value),
            }
        }
        self.editor.forget_ownership();
    }

    /// Passes the only used part instead of the aggregate, if all branches pass a newly made aggregate. Returns the
    /// branching blocks.
    pub(super) fn pass_part(&mut self, argument: Value) -> Option<Vec<BlockId>> {
        let incoming = self.incoming(argument)?;
        let body = self.editor.body();
        let borrowed = self.borrowed_from(argument);
        let received = borrowed.and_then(|id| body.result(id)).unwrap_or(argument);
        let [only] = self.editor.uses(received)[..] else { return None };
        let taken = only.user;
        let kind = if self.editor.has_ownership() { body.values[argument].ownership } else { Ownership::None };
        let is_alone = |found: &Use| self.editor.uses(found.value(body)).len() == 1;
        let is_plain = match kind {
            Ownership::None | Ownership::Guaranteed => true,
            // An aggregate with no other use passes the ownership of the part on.
            Ownership::Owned => incoming.iter().all(is_alone),
            Ownership::Unowned => false,
        };
        let jumps = |found: &Use| self.editor.opcode(found.user) == Opcode::Br;
        if !is_plain || incoming.is_empty() || !incoming.iter().all(jumps) {
            return None;
        }
        let part = |found: &Use| self.part_of(found.value(body), taken);
        let parts = incoming.iter().map(part).collect::<Option<Vec<Value>>>()?;
        let ty = body.ty(body.result(taken)?);
        if let Some(borrowed) = borrowed {
            self.editor.replace(borrowed, argument);
        }
        self.become_part(argument, (ty, kind), taken);
        let passing = incoming.iter().map(|found| self.editor.body().instructions[found.user].block).collect();
        for (found, part) in incoming.into_iter().zip(parts) {
            let whole = found.value(self.editor.body());
            self.editor.set_operand(found, part);
            self.remove_unused(whole);
        }
        if kind == Ownership::Guaranteed {
            borrowed_phis::complete(self.editor, &[argument]);
        }
        Some(passing)
    }

    /// The `borrowed` that describes the enclosing value of an argument, if it is the only use.
    fn borrowed_from(&self, argument: Value) -> Option<InstructionId> {
        match self.editor.uses(argument)[..] {
            [only] if only.operand == 0 && self.editor.opcode(only.user) == Opcode::Borrowed => Some(only.user),
            _ => None,
        }
    }

    /// Changes an argument to the part that `taken` extracts from it.
    fn become_part(&mut self, argument: Value, (ty, kind): (SilType, Ownership), taken: InstructionId) {
        self.editor.set_value_type(argument, ty);
        if kind != Ownership::None && self.editor.is_trivial(ty) {
            self.editor.set_argument_ownership(argument, Ownership::None);
        }
        self.editor.replace(taken, argument);
    }

    /// The operand that `taken` would extract from a newly made aggregate.
    fn part_of(&self, whole: Value, taken: InstructionId) -> Option<Value> {
        let body = self.editor.body();
        let made = match self.editor.opcode(taken) {
            Opcode::StructExtract => Opcode::Struct,
            Opcode::TupleExtract => Opcode::Tuple,
            Opcode::UncheckedEnumData => {
                let made = Enum::of(body, self.editor.made_by(whole, Opcode::Enum)?);
                return made.payload.filter(|_| made.case == EnumCase::of(body, taken).case);
            }
            _ => return None,
        };
        let made = self.editor.made_by(whole, made)?;
        self.editor.operand(made, field_number(self.editor.environment.queries, body, taken)? as usize)
    }

    /// Removes an aggregate instruction that has no uses.
    fn remove_unused(&mut self, value: Value) {
        let made = self
            .editor
            .body()
            .defining(value)
            .filter(|made| matches!(self.editor.opcode(*made), Opcode::Struct | Opcode::Tuple | Opcode::Enum));
        if let Some(made) = made.filter(|made| self.editor.is_placed(*made))
            && self.editor.uses_but_debug(value).is_empty()
        {
            self.editor.erase_with_debug_uses(made);
        }
    }
}
