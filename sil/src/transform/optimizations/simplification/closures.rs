//! Closures that are called where they are made, or not at all.

use super::Simplifier;
use super::closure_calls::Sole;
use crate::analysis::Use;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Apply;
use crate::model::{Details, InstructionId, Place, Value};

impl Simplifier<'_> {
    pub(super) fn partial_apply(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let Some(closure) = body.result(id) else { return };
        // What is made of another closure owns that.
        if self.editor.made_by(Apply::of(body, id).callee, Opcode::FunctionRef).is_none() {
            return;
        }
        match self.call_function_of(id, closure) {
            Some(owned) => self.remove_called_closure(id, closure, &owned),
            None => self.remove_dead_closure(id, closure),
        }
    }

    /// A closure whose calls are gone is not made if nothing else is done with it. What it captures is destroyed in its place: copies of that are there.
    fn remove_called_closure(&mut self, id: InstructionId, closure: Value, owned: &[Value]) {
        if self.editor.body().instructions[id].attributes.contains(Attribute::OnStack) {
            return self.remove_dead_closure(id, closure);
        }
        let (mut ends, sole) = self.ends_of_closure(closure);
        let is_shown = |found: &Use| self.editor.opcode(found.user) == Opcode::DebugValue;
        let is_variable = self.editor.uses(closure).iter().any(is_shown);
        if sole == Sole::Used || self.preserves_debug_information() && is_variable {
            return;
        }
        for value in owned.iter().copied() {
            if self.editor.has_ownership() && !self.editor.body().ty(value).is_address() {
                self.destroy_before(id, value);
            } else {
                self.end_before(id, value);
            }
        }
        // What is made of a copy goes before the copy.
        ends.reverse();
        ends.into_iter().for_each(|end| self.editor.erase(end));
        self.editor.erase(id);
    }

    /// Destroys a value without ownership, or what is in memory: the copy that was made just before takes its place.
    fn end_before(&mut self, place: InstructionId, value: Value) {
        let ty = self.editor.body().ty(value);
        let copy = self.copy_ahead(place, value);
        match (copy, ty.is_address()) {
            (Some(copy), true) => {
                self.editor.edit_attributes(copy, |attributes| attributes.insert(Attribute::Take));
            }
            (Some(retain), false) => self.editor.erase(retain),
            (None, false) => self.destroy_before(place, value),
            (None, true) => {
                self.editor.build(Place::Before(place), place, |builder| {
                    builder.instruction(Opcode::DestroyAddr, Details::None, &[value]);
                });
            }
        }
    }

    /// The instruction just before `place`, but for others that count no less, that copies or retains `value`.
    fn copy_ahead(&self, place: InstructionId, value: Value) -> Option<InstructionId> {
        let body = self.editor.body();
        let block = body.instructions[place].block;
        let ahead: Vec<InstructionId> = body.instructions_in(block).take_while(|id| *id != place).collect();
        for id in ahead.into_iter().rev() {
            let instruction = &body.instructions[id];
            let is_of_value = body.operands(id).first() == Some(&value);
            match instruction.opcode {
                Opcode::StrongRetain | Opcode::RetainValue if is_of_value => return Some(id),
                Opcode::CopyAddr if is_of_value && !instruction.attributes.contains(Attribute::Take) => {
                    return Some(id);
                }
                Opcode::StrongRetain | Opcode::RetainValue | Opcode::AllocStack | Opcode::CopyAddr => {}
                _ if !self.editor.may_have_side_effects(id) => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether nobody owns what a closure captures.
    fn captures_trivially(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        let is_trivial = |value: &Value| self.editor.is_trivial(body.ty(*value));
        Apply::of(body, id).arguments.iter().all(is_trivial)
    }

    /// A closure that is only destroyed is not made: what it captures is destroyed in its place.
    fn remove_dead_closure(&mut self, id: InstructionId, closure: Value) {
        let uses = self.editor.uses(closure);
        // Of what nobody owns it does not matter how often the closure is retained.
        let is_counted = self.captures_trivially(id) && !self.editor.has_ownership();
        let ends = |found: &Use| match self.editor.opcode(found.user) {
            Opcode::DestroyValue | Opcode::StrongRelease | Opcode::ReleaseValue | Opcode::DeallocStack => true,
            Opcode::StrongRetain | Opcode::RetainValue => is_counted,
            _ => false,
        };
        let is_shown = |found: &Use| self.editor.opcode(found.user) == Opcode::DebugValue;
        let may_go = uses.iter().all(|found| ends(found) || is_shown(found) && !self.preserves_debug_information());
        let body = self.editor.body();
        let is_borrowing = body.instructions[id].attributes.contains(Attribute::OnStack);
        let captured = Apply::of(body, id).arguments.to_vec();
        let is_value = |value: &Value| !body.ty(*value).is_address();
        if !may_go || !is_borrowing && !captured.iter().all(is_value) {
            return;
        }
        for found in uses {
            let is_end = !matches!(self.editor.opcode(found.user), Opcode::DebugValue | Opcode::DeallocStack);
            if is_end && !is_borrowing {
                captured.iter().for_each(|value| self.destroy_before(found.user, *value));
            }
            self.editor.erase(found.user);
        }
        self.editor.erase(id);
        self.breaks_nesting |= is_borrowing;
    }

    fn destroy_before(&mut self, place: InstructionId, value: Value) {
        let ty = self.editor.body().ty(value);
        if self.editor.is_trivial(ty) {
            return;
        }
        let queries = self.editor.environment.queries;
        let properties = queries.properties(ty.ty, self.editor.environment.function.signature);
        let opcode = match self.editor.has_ownership() {
            true => Opcode::DestroyValue,
            false if properties.is_reference() => Opcode::StrongRelease,
            false => Opcode::ReleaseValue,
        };
        self.editor.build(Place::Before(place), place, |builder| {
            builder.instruction(opcode, Details::None, &[value]);
        });
    }
}
