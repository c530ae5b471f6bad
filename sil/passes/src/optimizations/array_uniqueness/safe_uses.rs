//! Decides whether the uses of an array, of its container and of its parts permit to hoist the uniqueness check: the
//! loop must not create a reference to the buffer that is still alive when the array is mutated.

use sil_ir::instructions::Opcode;
use sil_ir::model::views::Store;
use sil_ir::model::{Definition, InstructionId};

use super::Candidate;
use super::safe_loops::Ownership;
use crate::knowledge::array_calls::ArrayCall;
use crate::knowledge::array_uses::ArrayUses;

impl Candidate<'_, '_> {
    /// Returns whether all uses are safe.
    pub(super) fn are_uses_safe(&mut self, uses: &ArrayUses) -> bool {
        self.users = uses.users();
        let addresses = uses.of_container.iter().chain(&uses.of_address);
        uses.of_field_address.is_empty()
            && addresses.copied().collect::<Vec<_>>().into_iter().all(|id| self.is_address_use_safe(id))
            && uses.of_value.iter().all(|id| self.is_value_use_safe(*id))
            && uses.of_field.iter().all(|id| self.is_part_use_safe(*id))
    }

    fn is_array_call(&self, id: InstructionId) -> bool {
        ArrayCall::of(self.environment, self.view.body, id).is_some()
    }

    /// Returns whether an address use cannot retain the array (`checkSafeArrayAddressUses`).
    fn is_address_use_safe(&mut self, id: InstructionId) -> bool {
        use Opcode::*;
        let body = self.view.body;
        let block = body.instructions[id].block;
        match self.view.opcode(id) {
            Apply => self.is_array_call(id) || !self.around.contains(block) && !self.around.reaching().contains(&block),
            Load if self.is_retain(id) => self.is_released_before_change(id, Ownership::Exclusive),
            Load | LoadBorrow | DeallocStack | MarkDependence | MarkDependenceAddr | DebugValue => true,
            Store => !self.around.contains(block) && self.is_made_elsewhere(id),
            _ => false,
        }
    }

    /// Returns whether a store initialises an array with an argument or the result of a call.
    fn is_made_elsewhere(&self, store: InstructionId) -> bool {
        let body = self.view.body;
        let stored = Store::of(body, store).source;
        match body.values[stored].definition {
            Definition::Argument { .. } => true,
            _ => self.view.definition(stored).is_some_and(|(_, opcode)| opcode == Opcode::Apply),
        }
    }

    /// Returns whether a use of the array value only reads the array or retains it temporarily
    /// (`checkSafeArrayValueUses`).
    fn is_value_use_safe(&mut self, id: InstructionId) -> bool {
        use Opcode::*;
        match self.view.opcode(id) {
            Apply => self.is_array_call(id),
            MarkDependence | MarkDependenceAddr | EndBorrow | DebugValue => true,
            _ if self.gives_parts(id) => self.are_results_safe(id),
            _ if self.is_retain(id) => self.is_released_before_change(id, Ownership::Exclusive),
            _ => self.is_release(id),
        }
    }

    /// Returns whether a use of a part of the array only retains it or projects its elements
    /// (`checkSafeArrayElementUse`).
    fn is_part_use_safe(&mut self, id: InstructionId) -> bool {
        use Opcode::*;
        match self.view.opcode(id) {
            RefTailAddr | MarkDependence | MarkDependenceAddr | EndBorrow | DebugValue => true,
            _ if self.is_retain(id) => self.is_released_before_change(id, Ownership::Exclusive),
            _ if self.gives_parts(id) => self.are_results_safe(id),
            _ => self.is_release(id),
        }
    }

    /// Returns whether the results of an instruction are its operand or parts of it.
    fn gives_parts(&self, id: InstructionId) -> bool {
        use Opcode::*;
        matches!(
            self.view.opcode(id),
            StructExtract
                | TupleExtract
                | DestructureStruct
                | DestructureTuple
                | UncheckedEnumData
                | Struct
                | Tuple
                | Enum
                | UncheckedRefCast
                | UncheckedBitwiseCast
                | BeginBorrow
        )
    }

    fn are_results_safe(&mut self, id: InstructionId) -> bool {
        let results = self.view.body.results(id).flat_map(|result| self.view.uses.of(result));
        let users: Vec<InstructionId> = results.map(|found| found.user).collect();
        users.into_iter().all(|user| self.is_part_use_safe(user))
    }
}
