//! Values of a type: loading, storing, copying and destroying them, by explosion and by address. The layout of types is
//! in `layout`.

pub mod enums;
pub mod existentials;
pub mod opaque;

use inkwell::values::{BasicValueEnum, PointerValue};

use crate::generation::{Explosion, Operation};
use crate::generation::{IRGenFunction, RuntimeFunction, Threads};
use crate::layout::{Copying, Element, ReferenceKind, TypeInfo, TypeKind};
use crate::llvm::builder::Builder;

/// An operation on a value in memory.
#[derive(Clone, Copy, Debug)]
enum MemoryOperation<'ctx> {
    /// Destroys the value; its memory is uninitialised afterwards.
    Destroy(PointerValue<'ctx>),
    /// Initialises memory with the value of other memory, which is uninitialised afterwards.
    Take { to: PointerValue<'ctx>, from: PointerValue<'ctx> },
    /// Initialises memory with a copy.
    Copy { to: PointerValue<'ctx>, from: PointerValue<'ctx> },
}

impl<'ctx> MemoryOperation<'ctx> {
    /// Returns the operation on the part of the value at `offset` bytes from its beginning.
    fn offset(self, builder: &Builder<'ctx>, offset: u64) -> Self {
        let place = |base| builder.offset(base, offset);
        match self {
            MemoryOperation::Destroy(address) => MemoryOperation::Destroy(place(address)),
            MemoryOperation::Take { to, from } => MemoryOperation::Take { to: place(to), from: place(from) },
            MemoryOperation::Copy { to, from } => MemoryOperation::Copy { to: place(to), from: place(from) },
        }
    }
}

/// The counting of strong references.
enum Counting {
    /// Without atomic instructions.
    OneThread,
    /// With functions that LLVM may inline.
    Usual,
    /// With out-of-line functions that preserve registers.
    OutOfLine,
}

/// The alignment that a scalar at `offset` has in memory aligned to `alignment` (bytes).
pub fn element_alignment(alignment: u64, offset: u64) -> u64 {
    if offset == 0 { alignment } else { alignment.min(1 << offset.trailing_zeros()) }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Loads the scalars at `address`. The bits are moved, not copied.
    pub fn load_explosion(&self, info: &TypeInfo, address: PointerValue<'ctx>) -> Explosion<'ctx> {
        self.load_explosion_aligned(info, address, info.alignment)
    }

    /// The same for an `address` with this alignment (bytes).
    pub fn load_explosion_aligned(
        &self,
        info: &TypeInfo,
        address: PointerValue<'ctx>,
        alignment: u64,
    ) -> Explosion<'ctx> {
        let load = |element: &Element| {
            let place = self.builder.offset(address, element.offset);
            self.builder.load(
                self.builder.scalar_type(element.scalar),
                place,
                element_alignment(alignment, element.offset),
            )
        };
        info.elements.iter().map(load).collect()
    }

    /// Stores the scalars to `address`. The bits are moved; the old value is not destroyed.
    pub fn store_explosion(&self, info: &TypeInfo, explosion: &[BasicValueEnum<'ctx>], address: PointerValue<'ctx>) {
        self.store_explosion_aligned(info, explosion, address, info.alignment);
    }

    /// The same for an `address` with this alignment (bytes).
    pub fn store_explosion_aligned(
        &self,
        info: &TypeInfo,
        explosion: &[BasicValueEnum<'ctx>],
        address: PointerValue<'ctx>,
        alignment: u64,
    ) {
        for (element, value) in info.elements.iter().zip(explosion) {
            let place = self.builder.offset(address, element.offset);
            self.builder.store(*value, place, element_alignment(alignment, element.offset));
        }
    }

    /// Copies a loaded value: retains its references.
    pub fn copy_explosion(&self, info: &TypeInfo, explosion: &[BasicValueEnum<'ctx>]) {
        self.operate_on_explosion(Operation::Copy, info, explosion);
    }

    /// Destroys a loaded value: calls its `deinit`, or releases its references.
    pub fn destroy_explosion(&self, info: &TypeInfo, explosion: &[BasicValueEnum<'ctx>]) {
        self.operate_on_explosion(Operation::Destroy, info, explosion);
    }

    /// Destroys the value at `address`.
    pub fn destroy_at(&self, info: &TypeInfo, address: PointerValue<'ctx>) {
        self.operate_in_memory(MemoryOperation::Destroy(address), info);
    }

    /// Moves the bits at `from` to uninitialised memory at `to`; `from` is uninitialised afterwards.
    pub fn initialize_with_take(&self, info: &TypeInfo, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        self.operate_in_memory(MemoryOperation::Take { to, from }, info);
    }

    /// Copies the value at `from` to uninitialised memory at `to`.
    pub fn initialize_with_copy(&self, info: &TypeInfo, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        self.operate_in_memory(MemoryOperation::Copy { to, from }, info);
    }

    /// Applies an operation to the structure of a loaded value.
    fn operate_on_explosion(&self, operation: Operation, info: &TypeInfo, explosion: &[BasicValueEnum<'ctx>]) {
        if info.is_trivial() {
            return;
        }
        if let (Some(deinit), Operation::Destroy) = (&info.deinit, operation) {
            return self.call_deinit(deinit, explosion);
        }
        match &info.kind {
            TypeKind::Reference(kind) => match operation {
                Operation::Copy => self.retain(*kind, explosion[0]),
                Operation::Destroy => self.release(*kind, explosion[0]),
            },
            TypeKind::Record(fields) => {
                for field in fields {
                    self.operate_on_explosion(operation, &field.info, &explosion[field.elements()]);
                }
            }
            TypeKind::Enum(layout) => enums::operate_on_explosion(self, operation, info, layout, explosion),
            TypeKind::FixedArray { element, .. } => {
                for part in explosion.chunks(element.elements.len().max(1)) {
                    self.operate_on_explosion(operation, element, part);
                }
            }
            // Scalars are trivial, the others are never loaded.
            TypeKind::Scalar(_) | TypeKind::Weak | TypeKind::Raw | TypeKind::Existential(_) => {}
        }
    }

    /// Applies an operation to the structure of a value in memory. A loadable value is loaded.
    fn operate_in_memory(&self, operation: MemoryOperation<'ctx>, info: &TypeInfo) {
        if info.is_loadable() {
            return self.operate_on_loadable(operation, info);
        }
        if let (Some(deinit), MemoryOperation::Destroy(address)) = (&info.deinit, operation) {
            return self.call_deinit(deinit, &[address.into()]);
        }
        match &info.kind {
            TypeKind::Record(fields) => {
                for field in fields {
                    self.operate_in_memory(operation.offset(&self.builder, field.offset), &field.info);
                }
            }
            TypeKind::Enum(layout) => enums::operate_in_memory(self, operation, info, layout),
            TypeKind::FixedArray { count, element } => {
                for index in 0..*count {
                    self.operate_in_memory(operation.offset(&self.builder, index * element.stride()), element);
                }
            }
            TypeKind::Weak => self.operate_on_weak(operation),
            TypeKind::Existential(fields) => self.operate_on_existential(operation, info, fields),
            // Its type is noncopyable, and its `deinit` destroys the content.
            TypeKind::Raw => match operation {
                MemoryOperation::Destroy(_) => {}
                MemoryOperation::Take { to, from } | MemoryOperation::Copy { to, from } => {
                    self.move_bits(info, to, from);
                }
            },
            // These are loadable.
            TypeKind::Scalar(_) | TypeKind::Reference(_) => {}
        }
    }

    fn operate_on_loadable(&self, operation: MemoryOperation<'ctx>, info: &TypeInfo) {
        match operation {
            MemoryOperation::Destroy(_) if info.is_trivial() => {}
            MemoryOperation::Destroy(address) => self.destroy_explosion(info, &self.load_explosion(info, address)),
            MemoryOperation::Take { to, from } => self.move_bits(info, to, from),
            MemoryOperation::Copy { to, from } if info.is_trivial() => self.move_bits(info, to, from),
            MemoryOperation::Copy { to, from } => {
                let value = self.load_explosion(info, from);
                self.copy_explosion(info, &value);
                self.store_explosion(info, &value, to);
            }
        }
    }

    fn operate_on_weak(&self, operation: MemoryOperation<'ctx>) {
        match operation {
            MemoryOperation::Destroy(address) => self.call_runtime(RuntimeFunction::WeakDestroy, &[address.into()]),
            MemoryOperation::Take { to, from } => {
                self.call_runtime(RuntimeFunction::WeakTakeInit, &[to.into(), from.into()])
            }
            MemoryOperation::Copy { to, from } => {
                self.call_runtime(RuntimeFunction::WeakCopyInit, &[to.into(), from.into()])
            }
        };
    }

    /// Replaces the value at `to` with a copy of the one at `from`. The addresses may be equal.
    pub fn assign_with_copy(&self, info: &TypeInfo, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        match info.copying {
            Copying::Trivial => self.move_bits(info, to, from),
            Copying::Loadable => {
                let value = self.load_explosion(info, from);
                self.copy_explosion(info, &value);
                self.assign_explosion(info, &value, to);
            }
            Copying::AddressOnly => {
                let temporary = self.temporary(info);
                self.initialize_with_copy(info, temporary, from);
                self.destroy_at(info, to);
                self.initialize_with_take(info, to, temporary);
            }
        }
    }

    /// Replaces the value at `to` with the one at `from`, which is uninitialised afterwards.
    pub fn assign_with_take(&self, info: &TypeInfo, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        match info.copying {
            Copying::Trivial => self.move_bits(info, to, from),
            Copying::Loadable => {
                let value = self.load_explosion(info, from);
                self.assign_explosion(info, &value, to);
            }
            Copying::AddressOnly => {
                self.destroy_at(info, to);
                self.initialize_with_take(info, to, from);
            }
        }
    }

    /// Replaces the value at `to` with a loaded one. The old value is destroyed after the store, since its deinit may
    /// read the memory.
    pub fn assign_explosion(&self, info: &TypeInfo, value: &[BasicValueEnum<'ctx>], to: PointerValue<'ctx>) {
        let old = if info.is_trivial() { Vec::new() } else { self.load_explosion(info, to) };
        self.store_explosion(info, value, to);
        self.destroy_explosion(info, &old);
    }

    fn move_bits(&self, info: &TypeInfo, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        const SCALARS_AT_MOST: usize = 4;
        if info.size == 0 {
            return;
        }
        if info.elements.len() <= SCALARS_AT_MOST && !info.elements.is_empty() {
            let value = self.load_explosion(info, from);
            self.store_explosion(info, &value, to);
        } else {
            self.builder.memmove(to, from, self.builder.int(64, info.size), info.alignment);
        }
    }

    /// Retains one reference; null is ignored.
    pub fn retain(&self, kind: ReferenceKind, value: BasicValueEnum<'ctx>) {
        let function = match (kind, self.counting()) {
            (ReferenceKind::Native, Counting::OneThread) => RuntimeFunction::NonatomicRetain,
            (ReferenceKind::Native, Counting::Usual) => RuntimeFunction::Retain,
            (ReferenceKind::Native, Counting::OutOfLine) => RuntimeFunction::RetainOutOfLine,
            (ReferenceKind::Bridge, Counting::OutOfLine) => RuntimeFunction::BridgeObjectRetainOutOfLine,
            (ReferenceKind::Bridge, Counting::OneThread | Counting::Usual) => RuntimeFunction::BridgeObjectRetain,
            (ReferenceKind::Unowned | ReferenceKind::OptionalUnowned, _) => RuntimeFunction::UnownedRetain,
            // Block values are on the heap, where the copy is the same block.
            (ReferenceKind::Block, _) => RuntimeFunction::BlockCopy,
        };
        self.call_runtime(function, &[value]);
    }

    fn counting(&self) -> Counting {
        if self.module.options.threads == Threads::One {
            Counting::OneThread
        } else if self.module.calls_own_runtime() && self.keeps_runtime_calls() {
            Counting::OutOfLine
        } else {
            Counting::Usual
        }
    }

    /// Releases one reference; null is ignored.
    pub fn release(&self, kind: ReferenceKind, value: BasicValueEnum<'ctx>) {
        let function = match (kind, self.counting()) {
            (ReferenceKind::Native, Counting::OneThread) => RuntimeFunction::NonatomicRelease,
            (ReferenceKind::Native, Counting::Usual) => RuntimeFunction::Release,
            (ReferenceKind::Native, Counting::OutOfLine) => RuntimeFunction::ReleaseOutOfLine,
            (ReferenceKind::Bridge, Counting::OutOfLine) => RuntimeFunction::BridgeObjectReleaseOutOfLine,
            (ReferenceKind::Bridge, Counting::OneThread | Counting::Usual) => RuntimeFunction::BridgeObjectRelease,
            (ReferenceKind::Unowned | ReferenceKind::OptionalUnowned, _) => RuntimeFunction::UnownedRelease,
            (ReferenceKind::Block, _) => RuntimeFunction::BlockRelease,
        };
        self.call_runtime(function, &[value]);
    }
}
