//! Decides whether all instructions of a loop are safe for any array: the loop calls array functions of one array type
//! only, and otherwise writes only to array elements (`hasLoopOnlyDestructorSafeArrayOperations`). Then an array cannot
//! become an element of itself.

use sil_analysis::{InstructionEffects, Use};
use sil_ir::context::TypeId;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Store;
use sil_ir::model::{InstructionId, Value};

use super::Candidate;
use crate::knowledge::array_calls::{ArrayCall, is_array_element};
use crate::knowledge::array_semantics::ArrayFunction;

/// The assumption about the owner of the retained array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ownership {
    /// The container is exclusively owned by the function.
    Exclusive,
    /// The release of another object may destroy an object that refers to the array.
    Unknown,
}

impl Candidate<'_, '_> {
    /// Returns whether all instructions of the loop are safe.
    pub(super) fn is_loop_safe(&mut self) -> bool {
        let body = self.view.body;
        let blocks = self.around.blocks().iter();
        let instructions: Vec<InstructionId> = blocks.flat_map(|block| body.instructions_in(*block)).collect();
        let mut array_type = None;
        let is_safe = instructions.into_iter().all(|id| self.is_harmless(id, &mut array_type));
        self.matched.clear();
        is_safe
    }

    fn is_harmless(&mut self, id: InstructionId, array_type: &mut Option<TypeId>) -> bool {
        let body = self.view.body;
        if let Some(call) = ArrayCall::of(self.environment, body, id)
            && let Some(array) = call.array(body)
        {
            let makes = matches!(
                call.function,
                ArrayFunction::Init
                    | ArrayFunction::InitEmpty
                    | ArrayFunction::Uninitialized
                    | ArrayFunction::UninitializedIntrinsic
            );
            return makes || *array_type.get_or_insert(body.ty(array).ty) == body.ty(array).ty;
        }
        use Opcode::*;
        match self.view.opcode(id) {
            Store => {
                !body.instructions[id].attributes.contains(Attribute::Assign)
                    && is_array_element(self.environment, body, self::Store::of(body, id).destination)
            }
            CondFail | AllocStack | AllocBox | AllocRef | AllocRefDynamic | DeallocStack | FixLifetime
            | BeginBorrow | EndBorrow => true,
            _ if !self.may_have_side_effects(id) => true,
            _ if self.is_retain(id) => self.is_released_before_change(id, Ownership::Unknown),
            StrongRelease | ReleaseValue | DestroyValue => self.matched.contains(&Use { user: id, operand: 0 }),
            _ => false,
        }
    }

    pub(super) fn may_have_side_effects(&self, id: InstructionId) -> bool {
        InstructionEffects::new(self.view.module, self.view.queries).may_have_side_effects(self.view.body, id)
    }

    /// Returns whether an instruction retains or copies its operand.
    pub(super) fn is_retain(&self, id: InstructionId) -> bool {
        match self.view.opcode(id) {
            Opcode::Load => self.view.body.instructions[id].attributes.contains(Attribute::Copy),
            opcode => matches!(opcode, Opcode::RetainValue | Opcode::StrongRetain | Opcode::CopyValue),
        }
    }

    pub(super) fn is_release(&self, id: InstructionId) -> bool {
        matches!(self.view.opcode(id), Opcode::ReleaseValue | Opcode::StrongRelease | Opcode::DestroyValue)
    }

    fn retained(&self, id: InstructionId) -> Option<Value> {
        match self.view.opcode(id) {
            Opcode::RetainValue | Opcode::StrongRetain => self.view.operand(id, 0),
            _ => self.view.body.result(id),
        }
    }

    /// Returns whether a retain in the loop is released before anything may mutate an array
    /// (`isRetainReleasedBeforeMutate`). Retains outside of the loop are ignored.
    pub(super) fn is_released_before_change(&mut self, retain: InstructionId, ownership: Ownership) -> bool {
        let body = self.view.body;
        if !self.around.contains(body.instructions[retain].block) {
            return true;
        }
        for id in body.instructions_from(retain).skip(1) {
            if self.takes_back(id, retain) {
                return true;
            }
            let is_harmless = self.is_retain(id)
                || !self.may_have_side_effects(id)
                || self.leaves_arrays(id)
                || matches!(self.view.opcode(id), Opcode::BeginBorrow | Opcode::EndBorrow);
            let is_beside = ownership == Ownership::Exclusive && (self.is_release(id) || !self.users.contains(&id));
            if !is_harmless && !is_beside {
                return false;
            }
        }
        false
    }

    /// Returns whether an array call only reads.
    fn leaves_arrays(&self, id: InstructionId) -> bool {
        use ArrayFunction::*;
        let call = ArrayCall::of(self.environment, self.view.body, id);
        call.is_some_and(|call| {
            matches!(
                call.function,
                NativeTypeCheck
                    | SubscriptCheck
                    | IndexCheck
                    | Count
                    | Capacity
                    | Element
                    | ElementAddress
                    | EndMutation
            )
        })
    }

    /// Returns whether a release balances the retain and no other one.
    fn takes_back(&mut self, release: InstructionId, retain: InstructionId) -> bool {
        let found = Use { user: release, operand: 0 };
        let taken = || Some((self.view.operand(release, 0)?, self.retained(retain)?));
        let is_same = self.is_release(release)
            && !self.matched.contains(&found)
            && taken().is_some_and(|(released, retained)| self.are_same_array(released, retained));
        if is_same {
            self.matched.insert(found);
        }
        is_same
    }

    /// Returns whether two values are the array, or parts of it with the same RC identity (`areArraysEqual`).
    fn are_same_array(&self, one: Value, other: Value) -> bool {
        let (one, other) = (self.identity.root(one), self.identity.root(other));
        one == other || self.without_load(one) == self.without_load(other)
    }

    fn without_load(&self, value: Value) -> Value {
        let mut origin = match self.view.definition(value) {
            Some((id, Opcode::Load | Opcode::LoadBorrow)) => self.view.operand(id, 0).unwrap_or(value),
            _ => value,
        };
        while origin != self.array
            && let Some((id, Opcode::StructElementAddr)) = self.view.definition(origin)
            && let Some(operand) = self.view.operand(id, 0)
        {
            origin = operand;
        }
        origin
    }
}
