//! Removes dead instructions and arguments.

use cranelift_entity::EntityRef;
use sil_analysis::{Analyses, OwnershipKinds, Use};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{BlockId, Body, Details, InstructionId, Ownership, Place, Replacements, Value};

use super::liveness::Liveness;
use super::{Facts, passed_values};
use crate::InstructionBuilder;
use crate::editing::lifetime_completion;

/// Removes everything from `body` that is not in `liveness`.
pub(super) fn remove(facts: &Facts<'_>, liveness: &Liveness, body: &mut Body) {
    let mut removal = Removal {
        facts,
        liveness,
        body,
        dead: vec![false; facts.body.instructions.len()],
        dead_arguments: Vec::new(),
        replacements: Replacements::default(),
        incomplete: Vec::new(),
        ended: Vec::new(),
    };
    for block in facts.body.blocks.keys() {
        removal.arguments(block);
        for id in facts.body.instructions_in(block) {
            removal.instruction(id);
        }
    }
    removal.finish();
}

/// The way to end a lifetime.
#[derive(Clone, Copy)]
enum Ending {
    /// Destroys the value.
    Destroy,
    /// Ends the borrow scope.
    EndBorrow,
}

/// Inserts the end of the lifetime of `value` at `place`.
fn end_lifetime(body: &mut Body, place: Place, value: Value, ending: Ending) {
    let opcode = match ending {
        Ending::Destroy => Opcode::DestroyValue,
        Ending::EndBorrow => Opcode::EndBorrow,
    };
    let near = match place {
        Place::Before(id) | Place::After(id) => Some(id),
        Place::Start(block) | Place::End(block) => body.first_instruction(block),
    };
    // Each block has a terminator.
    let Some(near) = near else { return };
    InstructionBuilder::new(body, place, near).effect(opcode, value);
}

struct Removal<'r, 'm> {
    facts: &'r Facts<'m>,
    liveness: &'r Liveness,
    body: &'r mut Body,
    /// The instructions to remove, indexed by their id in the original body.
    dead: Vec<bool>,
    /// The arguments to remove, by their index in the original body.
    dead_arguments: Vec<(BlockId, usize)>,
    replacements: Replacements,
    /// Values that were passed for removed arguments and are destroyed instead.
    ended: Vec<Value>,
    /// Values whose lifetimes ended in removed blocks.
    incomplete: Vec<Value>,
}

impl Removal<'_, '_> {
    fn arguments(&mut self, block: BlockId) {
        for (index, argument) in self.facts.body.blocks[block].arguments.iter().enumerate() {
            if self.liveness.has_value(self.facts, *argument) {
                continue;
            }
            self.forget(*argument);
            let kind = self.facts.kinds.as_ref().map_or(Ownership::None, |kinds| kinds.kind(*argument));
            match kind {
                // The argument remains and `undef` is passed for it. Its removal is left to the simplification of the
                // control flow.
                Ownership::None => {}
                _ if self.facts.is_phi(*argument) => {
                    self.end_passed(block, index, *argument);
                    self.dead_arguments.push((block, index));
                }
                // Its consumer is removed, but the argument cannot be.
                Ownership::Owned => end_lifetime(self.body, Place::Start(block), *argument, Ending::Destroy),
                Ownership::Guaranteed | Ownership::Unowned => {}
            }
        }
    }

    /// Ends the lifetimes of the values that are passed for a dead argument.
    fn end_passed(&mut self, block: BlockId, index: usize, argument: Value) {
        let Some(kinds) = &self.facts.kinds else { return };
        for branch in self.facts.branches_to(block).collect::<Vec<_>>() {
            let before = if kinds.is_reborrow(argument) { self.before_destroys(branch) } else { branch };
            for operand in self.facts.operands_passed(branch, block, index as u32) {
                let found = Use { user: branch, operand };
                self.end_operand(kinds, found, before);
                self.ended.push(found.value(self.facts.body));
            }
        }
    }

    /// The first of the destroys directly before `branch`. They may destroy the owner of a borrowed value.
    fn before_destroys(&self, branch: InstructionId) -> InstructionId {
        let mut before = branch;
        for id in self.body.instructions_up_to(branch).rev().skip(1) {
            if self.body.instructions[id].opcode != Opcode::DestroyValue {
                break;
            }
            before = id;
        }
        before
    }

    /// Ends the lifetime of a live value before `before`, if the removed operand ended it.
    fn end_operand(&mut self, kinds: &OwnershipKinds<'_>, found: Use, before: InstructionId) {
        let value = found.value(self.facts.body);
        if !kinds.operand(found).ends_lifetime() || !self.liveness.has_value(self.facts, value) {
            return;
        }
        let ending = match kinds.kind(value) {
            Ownership::Owned => Ending::Destroy,
            Ownership::Guaranteed => Ending::EndBorrow,
            Ownership::None | Ownership::Unowned => return,
        };
        if self.liveness.has_block(self.body.instructions[before].block) {
            end_lifetime(self.body, Place::Before(before), value, ending);
        } else {
            let before = self.facts.before_borrowed_from(value);
            if !self.incomplete.iter().any(|other| self.facts.before_borrowed_from(*other) == before) {
                self.incomplete.push(value);
            }
        }
    }

    fn instruction(&mut self, id: InstructionId) {
        let opcode = self.facts.body.instructions[id].opcode;
        if self.liveness.has_instruction(id) || opcode == Opcode::Br {
            return;
        }
        if opcode.information().position == Position::Terminator {
            let block = self.facts.body.instructions[id].block;
            let Some(target) = self.liveness.next_useful(self.facts, block) else { return };
            self.end_operands(id);
            self.jump(id, target);
        } else {
            self.end_operands(id);
            for result in self.facts.body.results(id) {
                self.forget(result);
            }
        }
        self.dead[id.index()] = true;
    }

    fn end_operands(&mut self, id: InstructionId) {
        let Some(kinds) = &self.facts.kinds else { return };
        for found in self.facts.operand_uses(id) {
            self.end_operand(kinds, found, id);
        }
    }

    /// Inserts a branch to `target` before the terminator `id`. All arguments of `target` are dead.
    fn jump(&mut self, id: InstructionId, target: BlockId) {
        let types: Vec<_> =
            self.facts.body.blocks[target].arguments.iter().map(|argument| self.facts.body.ty(*argument)).collect();
        let operands: Vec<Value> = types.into_iter().map(|ty| self.body.undef(ty)).collect();
        InstructionBuilder::new(self.body, Place::Before(id), id).branch(target, &operands);
    }

    /// Replaces all uses of `value` with `undef`. The remaining users are removed later, or pass it to a dead argument.
    fn forget(&mut self, value: Value) {
        let ty = self.body.ty(value);
        let undef = self.body.undef(ty);
        self.replacements.replace(value, undef);
        let before = self.facts.before_borrowed_from(value);
        let facts = self.facts;
        self.incomplete.retain(|incomplete| facts.before_borrowed_from(*incomplete) != before);
    }

    fn finish(mut self) {
        let dead = self.dead;
        let is_dead = |id: &InstructionId| dead.get(id.index()).copied().unwrap_or(false);
        let placed: Vec<InstructionId> = self.body.placed_instructions().collect();
        placed.iter().filter(|id| is_dead(id)).for_each(|id| self.body.erase(*id));
        // Operands of new instructions are not replaced: they may be dead arguments that remain.
        for id in self.facts.body.instructions.keys() {
            for operand in self.body.operands_mut(id) {
                *operand = self.replacements.resolve(*operand);
            }
        }
        // Removes the last arguments first, so that the indices of the others stay valid.
        self.dead_arguments.sort_unstable();
        for (block, index) in self.dead_arguments.iter().rev() {
            self.body.remove_argument(*block, *index);
        }
        self.body.remove_unreachable_blocks();
        for value in self.incomplete {
            let environment = self.facts.environment;
            *self.body =
                lifetime_completion::liveness::complete(environment.with_body(self.body, &Analyses::default()), value);
        }
        passed_values::clean_up(self.facts, self.body, &self.ended);
    }
}

impl Facts<'_> {
    /// The operands of `id` as uses.
    pub(super) fn operand_uses(&self, id: InstructionId) -> impl Iterator<Item = Use> + use<> {
        (0..self.body.operands(id).len() as u32).map(move |operand| Use { user: id, operand })
    }

    /// The operand indices that `branch` passes for the argument `index` of `block`.
    pub(super) fn operands_passed(&self, branch: InstructionId, block: BlockId, index: u32) -> Vec<u32> {
        let targets = self.body.targets(branch);
        match (self.body.instructions[branch].opcode, &self.body.instructions[branch].details) {
            (Opcode::Br, _) => vec![index],
            (Opcode::CondBr, Details::CondBranch { true_arguments, .. }) => {
                let starts = [1, 1 + true_arguments];
                let passing = starts.into_iter().zip(targets).filter(|(_, target)| **target == block);
                passing.map(|(start, _)| start + index).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values that `branch` passes for the argument `index` of `block`.
    pub(super) fn passed(&self, branch: InstructionId, block: BlockId, index: u32) -> Vec<Value> {
        let operands = self.body.operands(branch);
        self.operands_passed(branch, block, index).into_iter().map(|operand| operands[operand as usize]).collect()
    }

    /// The values that a use forwards its operand to: the results of the user, or the argument of the branch target.
    pub(super) fn passed_on(&self, found: Use) -> Vec<Value> {
        let body = self.body;
        match (body.instructions[found.user].opcode, body.targets(found.user)) {
            (Opcode::Br, [target]) => {
                body.blocks[*target].arguments.get(found.operand as usize).copied().into_iter().collect()
            }
            _ => body.results(found.user).collect(),
        }
    }
}
