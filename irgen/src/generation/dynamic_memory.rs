//! Memory of dynamic size: on the stack, or memory of a coroutine or a task, which is kept during suspension.
//! Allocations are freed in reverse order.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::{IRGenFunction, RuntimeFunction};
use crate::llvm::coroutines::CoroutineMemory;

/// An allocation of dynamic size.
#[derive(Clone, Copy, Debug)]
pub struct DynamicMemory<'ctx> {
    /// Its address.
    pub address: PointerValue<'ctx>,
    end: MemoryEnd<'ctx>,
}

/// The means of freeing it.
#[derive(Clone, Copy, Debug)]
enum MemoryEnd<'ctx> {
    /// The stack pointer is reset.
    StackPointer(BasicValueEnum<'ctx>),
    /// The function's return. An allocation in the first block is executed once.
    Return,
    /// The coroutine.
    Coroutine(CoroutineMemory<'ctx>),
    /// The task.
    Task,
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Allocates `size` bytes.
    pub fn allocate_dynamic(&self, size: IntValue<'ctx>, alignment: u64) -> DynamicMemory<'ctx> {
        if self.signature.yields.is_some() {
            let memory = self.builder.coroutine_memory(&self.module.llvm, size, alignment);
            return DynamicMemory { address: memory.address, end: MemoryEnd::Coroutine(memory) };
        }
        if self.signature.asynchronous.is_some() {
            let address = self.call_runtime_for(RuntimeFunction::TaskAlloc, &[size.into()]).into_pointer_value();
            return DynamicMemory { address, end: MemoryEnd::Task };
        }
        let is_once = self.builder.block() == self.first_block;
        let end = match is_once {
            true => MemoryEnd::Return,
            false => MemoryEnd::StackPointer(self.builder.save_stack(&self.module.llvm)),
        };
        DynamicMemory { address: self.builder.dynamic_alloca(size, alignment), end }
    }

    /// Frees it, and all later allocations.
    pub fn free_dynamic(&self, memory: DynamicMemory<'ctx>) {
        match memory.end {
            MemoryEnd::StackPointer(stack) => self.builder.restore_stack(&self.module.llvm, stack),
            MemoryEnd::Return => {}
            MemoryEnd::Coroutine(memory) => self.builder.free_coroutine_memory(&self.module.llvm, memory),
            MemoryEnd::Task => {
                self.call_runtime(RuntimeFunction::TaskDealloc, &[memory.address.into()]);
            }
        }
    }
}
