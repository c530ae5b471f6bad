//! The arguments of apply sites: an address for each indirect parameter. Opaque values are in memory already; other
//! values are stored in memory for the duration of the call.

use sil_analysis::{ApplyKind, ApplySite, Use};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, ArgumentRole};

use super::lowering::{Lowered, Lowering, Site};
use crate::pass::settings::StackCaptures;

impl Lowering<'_> {
    /// Returns the operands of an apply site that are values and whose parameters are indirect.
    pub(super) fn indirect_operands(&self, call: InstructionId) -> Vec<Use> {
        let is_value = |found: &Use| !self.ty(found.value(self.body())).is_address();
        let operands = (1..self.body().operands(call).len() as u32).map(|operand| Use { user: call, operand });
        operands.filter(is_value).filter(|found| self.indirect_convention(*found).is_some()).collect()
    }

    /// Returns the lowered convention of an operand of an apply site, if that is indirect.
    fn indirect_convention(&self, found: Use) -> Option<ArgumentConvention> {
        let site = ApplySite::new(self.body(), found.user)?;
        let [opaque, lowered] = self.both_conventions(found.user)?;
        let ArgumentRole::Parameter(parameter) = site.argument_of_operand(opaque, found.operand as usize)?.role else {
            return None;
        };
        let convention = lowered.function.parameters.get(parameter as usize)?.convention;
        convention.is_indirect().then_some(ArgumentConvention::Parameter(convention))
    }

    /// Replaces the value operands of indirect parameters by addresses.
    pub(super) fn pass_addresses(&mut self, call: InstructionId) -> Lowered<()> {
        for found in self.indirect_operands(call) {
            self.pass_address(found)?;
        }
        Ok(())
    }

    /// Replaces an operand of an apply site by its address.
    pub(super) fn pass_address(&mut self, found: Use) -> Lowered<()> {
        let value = found.value(self.body());
        if self.is_opaque(value) {
            let address = self.address_of(value, found.user)?;
            self.editor.set_operand(found, address);
            return Ok(());
        }
        if self.is_captured_on_stack(found.user)
            && self.editor.environment.settings.stack_captures == StackCaptures::Refused
        {
            return self
                .unsupported(found.user, "a closure on the stack that captures a loadable value by its address");
        }
        let (site, ty) = (Site::before(found.user), self.ty(value));
        let memory = self.allocate_stack(site, ty);
        if self.is_taken(found) {
            self.store(site, value, memory);
            self.after_call(found.user, |lowering, site| lowering.deallocate_stack(site, memory))?;
            self.editor.set_operand(found, memory);
            return Ok(());
        }
        let is_trivial = self.is_trivial(ty);
        let is_owned = !matches!(self.ownership(value), Ownership::None | Ownership::Guaranteed);
        let borrow = is_owned.then(|| self.build(site, |builder| builder.begin_borrow(value)));
        let lent = borrow.unwrap_or(value);
        let passed = if is_trivial {
            self.store(site, lent, memory);
            memory
        } else {
            self.build(site, |builder| builder.store_borrow(lent, memory))
        };
        self.after_call(found.user, |lowering, site| {
            if !is_trivial {
                lowering.end_borrow(site, passed);
            }
            borrow.into_iter().for_each(|borrow| lowering.end_borrow(site, borrow));
            lowering.deallocate_stack(site, memory);
        })?;
        self.editor.set_operand(found, passed);
        Ok(())
    }

    /// Returns whether an apply site makes a closure on the stack.
    fn is_captured_on_stack(&self, id: InstructionId) -> bool {
        let instruction = &self.body().instructions[id];
        instruction.opcode == Opcode::PartialApply && instruction.attributes.contains(Attribute::OnStack)
    }

    /// Returns whether the callee, or the closure, consumes the value at an address.
    fn is_taken(&self, found: Use) -> bool {
        if self.opcode(found.user) == Opcode::PartialApply {
            return !self.is_captured_on_stack(found.user);
        }
        self.indirect_convention(found).is_some_and(ArgumentConvention::is_consumed)
    }

    /// Makes instructions at all places where a call ends.
    pub(super) fn after_call(&mut self, call: InstructionId, mut make: impl FnMut(&mut Self, Site)) -> Lowered<()> {
        let places: Vec<Place> = match ApplyKind::of(self.opcode(call)) {
            Some(ApplyKind::TryApply) => self.body().targets(call).iter().map(|target| Place::Start(*target)).collect(),
            Some(ApplyKind::BeginApply) => self.coroutine_ends(call).into_iter().map(Place::After).collect(),
            _ => vec![Place::After(call)],
        };
        for place in places {
            let next = match place {
                Place::After(id) => self.body().next(id),
                Place::Start(block) => self.body().first_instruction(block),
                Place::Before(_) | Place::End(_) => None,
            };
            let place = next.map_or(place, Place::Before);
            make(self, Site { place, like: call });
        }
        Ok(())
    }

    /// Returns the ends of the coroutine that `call` begins, `end_apply` before `abort_apply`.
    pub(super) fn coroutine_ends(&self, call: InstructionId) -> Vec<InstructionId> {
        let uses = self.body().results(call).flat_map(|value| self.uses(value));
        let users: Vec<InstructionId> = uses.map(|found| found.user).collect();
        let of = |opcode: Opcode| users.iter().copied().filter(move |user| self.opcode(*user) == opcode);
        of(Opcode::EndApply).chain(of(Opcode::AbortApply)).collect()
    }

    /// Returns the operands of a call without the callee.
    pub(super) fn passed(&self, call: InstructionId) -> Vec<Value> {
        self.body().operands(call).iter().skip(1).copied().collect()
    }
}
