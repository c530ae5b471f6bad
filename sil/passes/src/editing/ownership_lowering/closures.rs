//! Lowers stack closures. With ownership, a stack closure is an owned value that borrows its captures. Without
//! ownership, it is a trivial pointer to a stack slot, which is deallocated where the lifetime ended, and which depends
//! on its captures by `mark_dependence`.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use sil_analysis::{OwnershipKinds, Uses};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode, Position};
use sil_ir::model::views::{Apply, MarkDependence};
use sil_ir::model::{Body, InstructionId, Replacements, Value};

use super::Lowering;
use crate::knowledge::counting::Counting;

/// The stack closures of a body before lowering.
#[derive(Default)]
pub(super) struct Closures {
    /// The closures whose lifetimes end at an instruction, latest first.
    endings: FxHashMap<InstructionId, Vec<Value>>,
    closures: Vec<Value>,
}

impl Closures {
    /// Finds the ends of the lifetimes of stack closures.
    pub(super) fn new(body: &Body, uses: &Uses, kinds: &OwnershipKinds<'_>) -> Result<Self, Box<Diagnostic>> {
        let mut this = Self::default();
        let on_stack = |id: &InstructionId| {
            let instruction = &body.instructions[*id];
            instruction.opcode == Opcode::PartialApply && instruction.attributes.contains(Attribute::OnStack)
        };
        let ids = body.placed_instructions();
        let found: Vec<Value> = ids.filter(on_stack).filter_map(|id| body.result(id)).collect();
        if found.is_empty() {
            return Ok(this);
        }
        for closure in &found {
            this.follow(body, kinds, uses, *closure, *closure)?;
        }
        this.endings.values_mut().for_each(|closures| closures.reverse());
        this.closures = found;
        Ok(this)
    }

    /// Follows `value`, which is `closure` or forwarded from it, to its consuming uses.
    fn follow(
        &mut self,
        body: &Body,
        kinds: &OwnershipKinds<'_>,
        uses: &Uses,
        closure: Value,
        value: Value,
    ) -> Result<(), Box<Diagnostic>> {
        for found in uses.of(value).iter().filter(|found| kinds.operand(**found).ends_lifetime()) {
            let user = &body.instructions[found.user];
            if user.opcode.information().position == Position::Terminator {
                let what = "a closure on the stack that a terminator consumes";
                return Err(Box::new(Diagnostic::unsupported(what, user.span)));
            }
            match body.result(found.user) {
                Some(result) if !matches!(user.opcode, Opcode::Apply | Opcode::Builtin) => {
                    self.follow(body, kinds, uses, closure, result)?;
                }
                _ => self.endings.entry(found.user).or_default().push(closure),
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.closures.is_empty()
    }

    /// The closures whose lifetimes end at `id`, in the order of their deallocation.
    pub(super) fn ending_at(&self, id: InstructionId) -> Vec<Value> {
        self.endings.get(&id).cloned().unwrap_or_default()
    }

    /// Replaces values in all uses, except in the deallocations and dependences of closures.
    pub(super) fn replace(&self, body: &mut Body, replacements: Replacements) {
        if self.is_empty() {
            body.replace_values(&replacements);
            return;
        }
        let mut is_closure = vec![false; body.values.len()];
        for closure in &self.closures {
            is_closure[closure.index()] = true;
        }
        let ids: Vec<InstructionId> = body.placed_instructions().collect();
        for id in ids {
            // The first dependence of a closure directly follows it.
            let keeps = match body.instructions[id].opcode {
                Opcode::DeallocStack => true,
                Opcode::MarkDependence => {
                    body.result(id).is_some_and(|made| is_last_link(&replacements, body, id, made))
                }
                _ => false,
            };
            let first = body.operands(id).first().copied();
            for operand in body.operands_mut(id) {
                *operand = replacements.resolve(*operand);
            }
            if let (Some(first), true) = (first.filter(|first| is_closure[first.index()]), keeps) {
                body.operands_mut(id)[0] = first;
            }
        }
    }
}

/// Returns whether the result `made` of the `mark_dependence` `id` is in the chain that replaces its operand.
fn is_last_link(replacements: &Replacements, body: &Body, id: InstructionId, made: Value) -> bool {
    let stands_for = replacements.resolve(MarkDependence::of(body, id).value);
    let mut link = stands_for;
    loop {
        if link == made {
            return true;
        }
        match body.defining(link).and_then(|definition| MarkDependence::get(body, definition)) {
            Some(dependence) => link = dependence.value,
            None => return false,
        }
    }
}

impl Lowering<'_, '_> {
    /// Keeps a closure, and marks its dependence on the captured values.
    pub(super) fn closure(&mut self, id: InstructionId) {
        self.keep(id);
        let Some(closure) = self.body.result(id) else { return };
        let captured = Apply::of(self.body, id).arguments.to_vec();
        let mut last = closure;
        for value in captured {
            if self.counting(self.body.ty(value)) != Counting::None {
                last = self.at(id).mark_dependence(last, value);
            }
        }
        if last != closure {
            self.replacements.replace(closure, last);
        }
    }
}
