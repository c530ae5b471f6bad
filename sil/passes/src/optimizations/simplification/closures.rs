//! Simplifies closures that are called locally, or dead.

use sil_analysis::Use;
use sil_ir::context::{Representation, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Apply;
use sil_ir::model::{FunctionFlag, InstructionId, Place, Value};

use super::Simplifier;
use super::closure_calls::Sole;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::frontier_of_all_paths;

impl Simplifier<'_> {
    pub(super) fn partial_apply(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let Some(closure) = body.result(id) else { return };
        // A closure of a closure owns the inner one.
        if self.is_closure(Apply::of(body, id).callee) {
            return;
        }
        match self.call_function_of(id, closure) {
            Some(owned) => self.remove_called_closure(id, closure, &owned),
            None => self.remove_dead_closure(id, closure),
        }
    }

    /// Removes a pair of reabstraction thunks whose composition has the type of the original closure.
    pub(super) fn undo_reabstraction(&mut self, id: InstructionId) -> Option<()> {
        let adapted = self.reabstracted(id)?;
        let inner = self.editor.made_by(adapted, Opcode::PartialApply).filter(|inner| self.is_only_user(*inner, id))?;
        let original = self.reabstracted(inner)?;
        let body = self.editor.body();
        if body.ty(original) != body.ty(body.result(id)?) {
            return None;
        }
        self.editor.replace(id, original);
        self.erase_with_debug_uses(inner);
        self.editor.forget_ownership();
        Some(())
    }

    /// The function that a reabstraction thunk's closure captures. The closure may also capture dynamic `Self`.
    fn reabstracted(&self, closure: InstructionId) -> Option<Value> {
        let (function, others) = Apply::of(self.editor.body(), closure).arguments.split_first()?;
        let is_thunk = self.called(closure)?.has(FunctionFlag::ReabstractionThunk);
        (is_thunk && others.len() <= 1 && self.is_closure(*function)).then_some(*function)
    }

    fn is_closure(&self, function: Value) -> bool {
        let ty = self.editor.environment.queries.get(self.editor.body().ty(function).ty);
        matches!(ty, Type::Function(ty) if matches!(ty.representation, Representation::Thick | Representation::Block))
    }

    /// Removes a closure without remaining calls if it is only counted. Its captures, which were copied, are destroyed
    /// in its place.
    fn remove_called_closure(&mut self, id: InstructionId, closure: Value, owned: &[Value]) {
        if self.editor.body().instructions[id].attributes.contains(Attribute::OnStack) {
            return self.remove_dead_closure(id, closure);
        }
        let (mut ends, sole) = self.ends_of_closure(closure);
        if sole == Sole::Used || self.is_shown(closure) {
            return;
        }
        for value in owned.iter().copied() {
            if self.editor.has_ownership() && !self.editor.body().ty(value).is_address() {
                self.destroy_before(id, value);
            } else {
                self.end_before(id, value);
            }
        }
        // Values derived from a copy are erased before the copy.
        ends.reverse();
        ends.into_iter().for_each(|end| self.editor.erase(end));
        self.erase_closure(id);
    }

    /// Returns whether a closure itself has a relevant debug use. A moved closure is another value.
    fn is_shown(&self, closure: Value) -> bool {
        let is_debug = |found: &Use| self.editor.opcode(found.user) == Opcode::DebugValue;
        self.preserves_debug_information() && self.editor.uses(closure).iter().any(is_debug)
    }

    /// Destroys a value without ownership, or the value at an address. If a copy directly precedes, it becomes a take
    /// or is erased.
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
                    builder.destroy_addr(value);
                });
            }
        }
    }

    /// The copy or retain of `value` directly before `place`, ignoring instructions that do not decrement a count.
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

    /// Removes a closure that is only counted. The lifetimes of its captures are extended instead.
    fn remove_dead_closure(&mut self, id: InstructionId, closure: Value) {
        if self.editor.body().instructions[id].attributes.contains(Attribute::OnStack) {
            self.remove_closure_on_stack(id, closure);
        } else if self.keep_until_ends(id, closure).is_some() {
            let (mut ends, _) = self.ends_of_closure(closure);
            // Values derived from a copy are erased before the copy.
            ends.reverse();
            ends.into_iter().for_each(|end| self.editor.erase(end));
            self.erase_closure(id);
        }
    }

    fn remove_closure_on_stack(&mut self, id: InstructionId, closure: Value) {
        let uses = self.editor.uses(closure);
        let may_go = uses.iter().all(|found| match self.editor.opcode(found.user) {
            Opcode::DestroyValue | Opcode::StrongRelease | Opcode::ReleaseValue | Opcode::DeallocStack => true,
            Opcode::DebugValue => !self.preserves_debug_information(),
            _ => false,
        });
        if may_go {
            uses.into_iter().for_each(|found| self.editor.erase(found.user));
            self.erase_closure(id);
            self.breaks_nesting = true;
        }
    }

    /// Extends the lifetimes of the owned captures of a closure to its ends. Returns `None` if the closure has other
    /// uses or its lifetime ends on a critical edge.
    fn keep_until_ends(&mut self, id: InstructionId, closure: Value) -> Option<()> {
        let (ends, sole) = self.ends_of_closure(closure);
        if sole == Sole::Used || self.is_shown(closure) {
            return None;
        }
        let owned = self.owned_captures(id)?;
        if owned.is_empty() {
            return Some(());
        }
        let users: Vec<InstructionId> =
            ends.into_iter().filter(|id| self.editor.opcode(*id) != Opcode::DebugValue).collect();
        let places = frontier_of_all_paths(self.editor.body(), id, &users)?;
        let kept: Vec<Value> = owned.into_iter().map(|value| self.move_aside(id, value)).collect();
        for place in places {
            let like = match place {
                Place::After(last) => last,
                Place::Before(_) | Place::Start(_) | Place::End(_) => id,
            };
            self.end_copies(place, like, &kept);
        }
        Some(())
    }

    /// The value, or new memory for the value at an address.
    fn move_aside(&mut self, id: InstructionId, value: Value) -> Value {
        let ty = self.editor.body().ty(value);
        if !ty.is_address() {
            return value;
        }
        self.breaks_nesting = true;
        self.editor.build(Place::Before(id), id, |builder| {
            let object = ty.object_type();
            let memory = builder.alloc_stack(object, None);
            let mut attributes = AttributeSet::default();
            [Attribute::Take, Attribute::Init].into_iter().for_each(|attribute| attributes.insert(attribute));
            builder.with(attributes).copy_addr(value, memory);
            memory
        })
    }

    /// Erases a closure, and visits the definitions of its captures again.
    fn erase_closure(&mut self, id: InstructionId) {
        let captured = self.editor.body().operands(id).to_vec();
        self.editor.erase(id);
        for value in captured {
            self.editor.body().defining(value).into_iter().for_each(|id| self.push(id));
        }
    }

    fn destroy_before(&mut self, place: InstructionId, value: Value) {
        let ty = self.editor.body().ty(value);
        let opcode = match self.editor.has_ownership() {
            true => (!self.editor.is_trivial(ty)).then_some(Opcode::DestroyValue),
            false => Counting::of(self.editor.environment, ty).release(),
        };
        if let Some(opcode) = opcode {
            self.editor.build(Place::Before(place), place, |builder| {
                builder.effect(opcode, value);
            });
        }
    }
}
