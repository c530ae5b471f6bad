//! Atomic operations and fences.

use inkwell::values::{BasicValueEnum, PointerValue};
use inkwell::{AtomicOrdering as LlvmOrdering, AtomicRMWBinOp};
use sil_ir::instructions::builtins::{
    AtomicAccess, AtomicOperation, AtomicOrdering, AtomicScope, Strength, Volatility,
};

use super::Call;
use crate::generation::Explosion;
use crate::llvm::SyncScope;
use crate::llvm::builder::scalar_bits;
use crate::refusal::Generated;

impl<'ctx> Call<'_, '_, 'ctx> {
    pub(super) fn emit_fence(&self, ordering: AtomicOrdering, scope: AtomicScope) -> Generated<Explosion<'ctx>> {
        let scope = match scope {
            AtomicScope::System => SyncScope::System,
            AtomicScope::SingleThread => SyncScope::SingleThread,
        };
        self.function.builder.fence(lower(ordering), scope);
        Ok(Vec::new())
    }

    /// Returns the previous value, and whether it was exchanged.
    pub(super) fn emit_compare_exchange(
        &self,
        [success, failure]: [AtomicOrdering; 2],
        strength: Strength,
        access: AtomicAccess,
    ) -> Generated<Explosion<'ctx>> {
        // A strong exchange, which never fails spuriously, is valid if a weak one is requested.
        let _ = strength;
        let (address, values) = (self.pointer(0)?, [self.argument(1)?, self.argument(2)?]);
        let exchanged = self.function.builder.compare_exchange(address, values, [lower(success), lower(failure)]);
        let pair = exchanged.ok_or_else(|| self.unsupported())?;
        self.set_volatility(pair, access)?;
        Ok(vec![self.function.builder.extract(pair, 0), self.function.builder.extract(pair, 1)])
    }

    pub(super) fn emit_read_modify_write(
        &self,
        operation: AtomicOperation,
        ordering: AtomicOrdering,
        access: AtomicAccess,
    ) -> Generated<Explosion<'ctx>> {
        let operation = match operation {
            AtomicOperation::Xchg => AtomicRMWBinOp::Xchg,
            AtomicOperation::Add => AtomicRMWBinOp::Add,
            AtomicOperation::Sub => AtomicRMWBinOp::Sub,
            AtomicOperation::And => AtomicRMWBinOp::And,
            AtomicOperation::Nand => AtomicRMWBinOp::Nand,
            AtomicOperation::Or => AtomicRMWBinOp::Or,
            AtomicOperation::Xor => AtomicRMWBinOp::Xor,
            AtomicOperation::Max => AtomicRMWBinOp::Max,
            AtomicOperation::Min => AtomicRMWBinOp::Min,
            AtomicOperation::Umax => AtomicRMWBinOp::UMax,
            AtomicOperation::Umin => AtomicRMWBinOp::UMin,
        };
        let value = self.argument(1)?;
        let builder = &self.function.builder;
        let bits = builder.to_bits(value, self.function.module.pointer_bits());
        let old = builder.read_modify_write(operation, self.pointer(0)?, bits, lower(ordering));
        self.set_volatility(old.into(), access)?;
        Ok(vec![builder.scalar_of_bits(old, value.get_type())])
    }

    /// Makes the access that returned `value` volatile if requested. Every operation orders with all threads, which is
    /// stronger than `singlethread`.
    fn set_volatility(&self, value: BasicValueEnum<'ctx>, access: AtomicAccess) -> Generated<()> {
        match (access.volatility, inkwell::values::BasicValue::as_instruction_value(&value)) {
            (Volatility::Volatile, Some(instruction)) => instruction.set_volatile(true).map_err(|_| self.unsupported()),
            _ => Ok(()),
        }
    }

    pub(super) fn emit_atomic_load(
        &self,
        ordering: AtomicOrdering,
        access: AtomicAccess,
    ) -> Generated<Explosion<'ctx>> {
        let ty = self.ty(0)?;
        let alignment = u64::from(scalar_bits(ty, self.function.module.pointer_bits()) / 8).max(1);
        let loaded = self.function.builder.load(ty, self.pointer(0)?, alignment);
        self.make_atomic(loaded, ordering, access)?;
        Ok(vec![loaded])
    }

    pub(super) fn emit_atomic_store(
        &self,
        ordering: AtomicOrdering,
        access: AtomicAccess,
    ) -> Generated<Explosion<'ctx>> {
        let value = self.argument(1)?;
        let address: PointerValue = self.pointer(0)?;
        let bits = scalar_bits(value.get_type(), self.function.module.pointer_bits());
        let store = self.function.builder.store(value, address, u64::from(bits / 8).max(1));
        store.set_atomic_ordering(lower(ordering)).map_err(|_| self.unsupported())?;
        if access.volatility == Volatility::Volatile {
            store.set_volatile(true).map_err(|_| self.unsupported())?;
        }
        Ok(Vec::new())
    }

    fn make_atomic(
        &self,
        loaded: BasicValueEnum<'ctx>,
        ordering: AtomicOrdering,
        access: AtomicAccess,
    ) -> Generated<()> {
        let Some(instruction) = inkwell::values::BasicValue::as_instruction_value(&loaded) else { return Ok(()) };
        instruction.set_atomic_ordering(lower(ordering)).map_err(|_| self.unsupported())?;
        if access.volatility == Volatility::Volatile {
            instruction.set_volatile(true).map_err(|_| self.unsupported())?;
        }
        Ok(())
    }
}

fn lower(ordering: AtomicOrdering) -> LlvmOrdering {
    match ordering {
        AtomicOrdering::Unordered => LlvmOrdering::Unordered,
        AtomicOrdering::Monotonic => LlvmOrdering::Monotonic,
        AtomicOrdering::Acquire => LlvmOrdering::Acquire,
        AtomicOrdering::Release => LlvmOrdering::Release,
        AtomicOrdering::Acqrel => LlvmOrdering::AcquireRelease,
        AtomicOrdering::Seqcst => LlvmOrdering::SequentiallyConsistent,
    }
}
