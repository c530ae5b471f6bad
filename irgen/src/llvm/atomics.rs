//! Atomic operations and fences. Loads and stores become atomic by their ordering, which inkwell sets.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp};

use super::builder::{Builder, built};

/// With whom a fence synchronises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncScope {
    /// All threads.
    System,
    /// Signal handlers of the same thread only.
    SingleThread,
}

impl<'ctx> Builder<'ctx> {
    /// `fence`; the ordering is acquire or stronger.
    pub fn fence(&self, ordering: AtomicOrdering, scope: SyncScope) {
        built(self.inkwell().build_fence(ordering, scope == SyncScope::SingleThread, ""));
    }

    /// `cmpxchg` of integers or pointers: gives the pair of the old value and an `i1` that says whether it stored; `None` for other
    /// values.
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

    /// `atomicrmw`: gives the old value.
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
