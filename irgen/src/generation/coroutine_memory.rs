//! The allocators of coroutine frames that do not fit into their callers' memory: functions of the C library, and the
//! allocator that callers of `@yield_once_2` coroutines pass (lib/IRGen/GenCall.cpp,
//! `getAddrOfGlobalCoroMallocAllocator`).

use inkwell::values::{FunctionValue, PointerValue};

use super::constants::ConstantStruct;
use super::{CFunction, Entity, Helper, IRGenModule, Roots};
use crate::target::Architecture;

/// Flags of an allocator: its kind, and that the coroutine frees memory itself, rather than its caller at the end of
/// the frame.
const MALLOC_ALLOCATOR: u64 = 2;
const FREES_AT_ONCE: u64 = 1 << 8;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns whether `@yield_once_2` coroutines take the allocator as an ordinary argument. If Swift's LLVM has a
    /// register for it (`swiftcoro`, X23 of AArch64), which no other LLVM has, they have no such argument: silc's own
    /// coroutines allocate like those of `@yield_once`.
    pub fn passes_coroutine_allocators(&self) -> bool {
        self.options.architecture != Architecture::Aarch64
    }

    /// Returns whether only the library is linked with this module.
    pub fn is_whole_program(&self) -> bool {
        self.options.roots != Roots::Visible
    }

    /// Returns the allocator of `@yield_once_2` coroutines for memory that does not fit into the callers' buffers:
    /// flags, the allocating function and the freeing function (`CoroAllocator`, include/swift/ABI/Coro.h).
    pub fn coroutine_allocator(&self) -> PointerValue<'ctx> {
        let entity = Entity::CoroutineAllocator;
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, MALLOC_ALLOCATOR | FREES_AT_ONCE);
        words.align_to(self.pointer_size());
        words.add_address(Entity::Helper(Helper::AllocateFrame));
        words.add_address(Entity::Helper(Helper::DeallocateFrame));
        self.declare_constant(entity, words, self.pointer_size()).as_pointer_value()
    }

    /// Returns the function of the C library, and declares it if necessary.
    pub fn c_function(&self, function: CFunction) -> FunctionValue<'ctx> {
        let entity = Entity::C(function);
        let known = self.function_with_symbol(function.symbol()).or_else(|| self.declared_function(&entity));
        let pointer = self.builder.ptr_type();
        let ty = match function {
            CFunction::Malloc => pointer.fn_type(&[self.word_type().into()], false),
            CFunction::Free => self.context.void_type().fn_type(&[pointer.into()], false),
        };
        known.unwrap_or_else(|| self.declare_function(entity, ty))
    }
}
