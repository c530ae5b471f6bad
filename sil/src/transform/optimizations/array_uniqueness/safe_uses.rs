//! Whether the uses of an array, of what contains it and of its parts let it be made unique earlier: nothing in the loop may get another reference to its
//! buffer that is still there when the array is changed.

use super::Candidate;
use super::safe_loops::Ownership;
use crate::instructions::Opcode;
use crate::model::views::Store;
use crate::model::{Definition, InstructionId};
use crate::transform::knowledge::array_calls::ArrayCall;
use crate::transform::knowledge::array_uses::ArrayUses;

impl Candidate<'_, '_> {
    /// Whether all uses are of this kind.
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

    /// Whether an address is not passed to something that may retain the array (`checkSafeArrayAddressUses`).
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

    /// Whether a store initialises an array with an argument or the result of a call.
    fn is_made_elsewhere(&self, store: InstructionId) -> bool {
        let body = self.view.body;
        let stored = Store::of(body, store).source;
        match body.values[stored].definition {
            Definition::Argument { .. } => true,
            _ => self.view.definition(stored).is_some_and(|(_, opcode)| opcode == Opcode::Apply),
        }
    }

    /// Whether the array as a value is only asked for something, or retained for a while (`checkSafeArrayValueUses`).
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

    /// Whether a part of the array is only counted, or asked for its elements (`checkSafeArrayElementUse`).
    fn is_part_use_safe(&mut self, id: InstructionId) -> bool {
        use Opcode::*;
        match self.view.opcode(id) {
            RefTailAddr | MarkDependence | MarkDependenceAddr | EndBorrow | DebugValue => true,
            _ if self.is_retain(id) => self.is_released_before_change(id, Ownership::Exclusive),
            _ if self.gives_parts(id) => self.are_results_safe(id),
            _ => self.is_release(id),
        }
    }

    /// Whether an instruction only gives what it takes again, or parts of it.
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
