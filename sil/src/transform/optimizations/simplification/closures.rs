//! Closures that are called where they are made, or not at all.

use super::Simplifier;
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
        if self.captures_trivially(id) {
            for found in self.editor.uses(closure) {
                if found.operand == 0 && self.editor.opcode(found.user) == Opcode::Apply {
                    self.call_directly(id, found.user);
                }
            }
        }
        self.remove_dead_closure(id, closure);
    }

    /// Whether nobody owns what a closure captures.
    fn captures_trivially(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        let is_trivial = |value: &Value| self.editor.is_trivial(body.ty(*value));
        Apply::of(body, id).arguments.iter().all(is_trivial)
    }

    /// A call of a closure is one of its function, with what is captured behind the other arguments.
    fn call_directly(&mut self, closure: InstructionId, call: InstructionId) {
        let body = self.editor.body();
        let Apply { callee, arguments: captured, apply } = Apply::of(body, closure);
        let passed = Apply::of(body, call).arguments;
        let operands: Vec<Value> = [callee].iter().chain(passed).chain(captured).copied().collect();
        let mut called = apply.clone();
        if let Details::Apply(written) = &body.instructions[call].details {
            called.isolation = written.isolation;
        }
        let attributes = body.instructions[call].attributes;
        let Some(result) = body.result(call) else { return };
        let ty = body.ty(result);
        let made = self.editor.build(Place::Before(call), call, |builder| {
            builder.value_with_attributes(Opcode::Apply, attributes, Details::Apply(Box::new(called)), &operands, ty)
        });
        self.editor.forget_ownership();
        self.editor.replace(call, made);
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
