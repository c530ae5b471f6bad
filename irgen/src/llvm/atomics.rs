//! Atomic operations and fences. Loads and stores become atomic by their ordering, which inkwell sets.

use inkwell::types::IntType;
use inkwell::values::{BasicValue, BasicValueEnum, InstructionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp};

use super::builder::{Builder, built};

#[expect(clippy::expect_used, reason = "loads and stores take this ordering")]
fn make_monotonic(instruction: InstructionValue<'_>) {
    instruction.set_atomic_ordering(AtomicOrdering::Monotonic).expect("the instruction can be atomic");
}

/// The threads that a fence synchronises with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncScope {
    /// All threads.
    System,
    /// Only signal handlers of the same thread.
    SingleThread,
}

impl<'ctx> Builder<'ctx> {
    /// `load atomic … monotonic`
    pub fn load_monotonic(&self, ty: IntType<'ctx>, address: PointerValue<'ctx>, alignment: u64) -> IntValue<'ctx> {
        let value = self.load(ty.into(), address, alignment);
        if let Some(instruction) = value.as_instruction_value() {
            make_monotonic(instruction);
        }
        value.into_int_value()
    }

    /// `store atomic … monotonic`
    pub fn store_monotonic(&self, value: IntValue<'ctx>, address: PointerValue<'ctx>, alignment: u64) {
        make_monotonic(self.store(value, address, alignment));
    }

    /// `store atomic … release`
    #[expect(clippy::expect_used, reason = "stores take this ordering")]
    pub fn store_release(&self, value: IntValue<'ctx>, address: PointerValue<'ctx>, alignment: u64) {
        let store = self.store(value, address, alignment);
        store.set_atomic_ordering(AtomicOrdering::Release).expect("stores take this ordering");
    }

    /// `fence`; the ordering is acquire or stronger.
    pub fn fence(&self, ordering: AtomicOrdering, scope: SyncScope) {
        built(self.inkwell().build_fence(ordering, scope == SyncScope::SingleThread, ""));
    }

    /// `cmpxchg` of integers or pointers: returns the pair of the old value and an `i1` for whether it stored, or
    /// `None` for other values.
    pub fn compare_exchange(
        &self,
        address: PointerValue<'ctx>,
        [expected, new]: [BasicValueEnum<'ctx>; 2],
        [success, failure]: [AtomicOrdering; 2],
    ) -> Option<BasicValueEnum<'ctx>> {
        let pair = match (expected, new) {
            (BasicValueEnum::IntValue(expected), BasicValueEnum::IntValue(new)) => {
                built(self.inkwell().build_cmpxchg(address, expected, new, success, failure))
            }
            (BasicValueEnum::PointerValue(expected), BasicValueEnum::PointerValue(new)) => {
                built(self.inkwell().build_cmpxchg(address, expected, new, success, failure))
            }
            _ => return None,
        };
        Some(pair.into())
    }

    /// `atomicrmw`: returns the old value.
    pub fn read_modify_write(
        &self,
        operation: AtomicRMWBinOp,
        address: PointerValue<'ctx>,
        operand: IntValue<'ctx>,
        ordering: AtomicOrdering,
    ) -> IntValue<'ctx> {
        built(self.inkwell().build_atomicrmw(operation, address, operand, ordering))
    }
}
