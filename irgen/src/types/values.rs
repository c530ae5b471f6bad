//! Values of a type: loading, storing, copying and destroying them, by explosion and by address.

use inkwell::values::{BasicValueEnum, PointerValue};

use super::{Copying, Element, ReferenceKind, TypeInfo, TypeKind, enums};
use crate::generation::{IRGenFunction, RuntimeFunction, Threads};

/// The scalars of a loaded value, in the order of [`TypeInfo::elements`].
pub type Explosion<'ctx> = Vec<BasicValueEnum<'ctx>>;

/// The alignment that a scalar at `offset` has in memory aligned to `alignment` (bytes).
pub fn element_alignment(alignment: u64, offset: u64) -> u64 {
    if offset == 0 { alignment } else { alignment.min(1 << offset.trailing_zeros()) }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Loads the scalars at `address`. The bits move; no copy is made.
    pub fn load_explosion(&self, info: &TypeInfo<'ctx>, address: PointerValue<'ctx>) -> Explosion<'ctx> {
        let load = |element: &Element<'ctx>| {
            let place = self.builder.offset(address, element.offset);
            self.builder.load(element.ty, place, element_alignment(info.alignment, element.offset))
        };
        info.elements.iter().map(load).collect()
    }

    /// Stores the scalars to `address`. The bits move; what was there is not destroyed.
    pub fn store_explosion(
        &self,
        info: &TypeInfo<'ctx>,
        explosion: &[BasicValueEnum<'ctx>],
        address: PointerValue<'ctx>,
    ) {
        for (element, value) in info.elements.iter().zip(explosion) {
            let place = self.builder.offset(address, element.offset);
            self.builder.store(*value, place, element_alignment(info.alignment, element.offset));
        }
    }

    /// Makes a copy of a loaded value: retains what it refers to.
    pub fn copy_explosion(&self, info: &TypeInfo<'ctx>, explosion: &[BasicValueEnum<'ctx>]) {
        if info.is_trivial() {
            return;
        }
        match &info.kind {
            TypeKind::Reference(kind) => self.retain(*kind, explosion[0]),
            TypeKind::Record(fields) => {
                for field in fields {
                    self.copy_explosion(&field.info, &explosion[field.elements()]);
                }
            }
            TypeKind::Enum(layout) => enums::copy(self, info, layout, explosion),
            TypeKind::FixedArray { element, .. } => {
                for part in explosion.chunks(element.elements.len().max(1)) {
                    self.copy_explosion(element, part);
                }
            }
            TypeKind::Scalar(_) | TypeKind::Weak => {}
        }
    }

    /// Destroys a loaded value: releases what it refers to.
    pub fn destroy_explosion(&self, info: &TypeInfo<'ctx>, explosion: &[BasicValueEnum<'ctx>]) {
        match &info.deinit {
            Some(deinit) => self.call_deinit(deinit, explosion),
            None => self.destroy_members(info, explosion),
        }
    }

    /// Destroys what a loaded value is made of, but does not call its own `deinit`.
    fn destroy_members(&self, info: &TypeInfo<'ctx>, explosion: &[BasicValueEnum<'ctx>]) {
        if info.is_trivial() {
            return;
        }
        match &info.kind {
            TypeKind::Reference(kind) => self.release(*kind, explosion[0]),
            TypeKind::Record(fields) => {
                for field in fields {
                    self.destroy_explosion(&field.info, &explosion[field.elements()]);
                }
            }
            TypeKind::Enum(layout) => enums::destroy(self, info, layout, explosion),
            TypeKind::FixedArray { element, .. } => {
                for part in explosion.chunks(element.elements.len().max(1)) {
                    self.destroy_explosion(element, part);
                }
            }
            TypeKind::Scalar(_) | TypeKind::Weak => {}
        }
    }

    /// Destroys the value at `address`.
    pub fn destroy_at(&self, info: &TypeInfo<'ctx>, address: PointerValue<'ctx>) {
        match &info.deinit {
            Some(deinit) if info.copying == Copying::AddressOnly => self.call_deinit(deinit, &[address.into()]),
            _ => self.destroy_members_at(info, address),
        }
    }

    /// Destroys what the value at `address` is made of; a value that can be loaded is destroyed as such.
    fn destroy_members_at(&self, info: &TypeInfo<'ctx>, address: PointerValue<'ctx>) {
        match (&info.kind, info.copying) {
            (_, Copying::Trivial) => {}
            (_, Copying::Loadable) => {
                let value = self.load_explosion(info, address);
                self.destroy_explosion(info, &value);
            }
            (TypeKind::Record(fields), Copying::AddressOnly) => {
                for field in fields {
                    self.destroy_at(&field.info, self.builder.offset(address, field.offset));
                }
            }
            (TypeKind::Enum(layout), Copying::AddressOnly) => enums::destroy_at(self, info, layout, address),
            (TypeKind::FixedArray { count, element }, Copying::AddressOnly) => {
                for index in 0..*count {
                    self.destroy_at(element, self.builder.offset(address, index * element.stride()));
                }
            }
            _ => {
                self.call_runtime(RuntimeFunction::WeakDestroy, &[address.into()]);
            }
        }
    }

    /// Moves the bits at `from` to uninitialised memory at `to`; `from` is uninitialised afterwards.
    pub fn initialize_with_take(&self, info: &TypeInfo<'ctx>, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        match (&info.kind, info.copying) {
            (_, Copying::Trivial | Copying::Loadable) => self.move_bits(info, to, from),
            (TypeKind::Record(fields), Copying::AddressOnly) => {
                for field in fields {
                    let place = |base| self.builder.offset(base, field.offset);
                    self.initialize_with_take(&field.info, place(to), place(from));
                }
            }
            (TypeKind::Enum(layout), Copying::AddressOnly) => {
                enums::initialize_at(self, info, layout, to, from, enums::Initialization::Take);
            }
            (TypeKind::FixedArray { count, element }, Copying::AddressOnly) => {
                for index in 0..*count {
                    let place = |base| self.builder.offset(base, index * element.stride());
                    self.initialize_with_take(element, place(to), place(from));
                }
            }
            _ => {
                self.call_runtime(RuntimeFunction::WeakTakeInit, &[to.into(), from.into()]);
            }
        }
    }

    /// Copies the value at `from` to uninitialised memory at `to`.
    pub fn initialize_with_copy(&self, info: &TypeInfo<'ctx>, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
        match (&info.kind, info.copying) {
            (_, Copying::Trivial) => self.move_bits(info, to, from),
            (_, Copying::Loadable) => {
                let value = self.load_explosion(info, from);
                self.copy_explosion(info, &value);
                self.store_explosion(info, &value, to);
            }
            (TypeKind::Record(fields), Copying::AddressOnly) => {
                for field in fields {
                    let place = |base| self.builder.offset(base, field.offset);
                    self.initialize_with_copy(&field.info, place(to), place(from));
                }
            }
            (TypeKind::Enum(layout), Copying::AddressOnly) => {
                enums::initialize_at(self, info, layout, to, from, enums::Initialization::Copy);
            }
            (TypeKind::FixedArray { count, element }, Copying::AddressOnly) => {
                for index in 0..*count {
                    let place = |base| self.builder.offset(base, index * element.stride());
                    self.initialize_with_copy(element, place(to), place(from));
                }
            }
            _ => {
                self.call_runtime(RuntimeFunction::WeakCopyInit, &[to.into(), from.into()]);
            }
        }
    }

    /// Replaces the value at `to` by a copy of the one at `from`. The places may be the same.
    pub fn assign_with_copy(&self, info: &TypeInfo<'ctx>, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
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

    /// Replaces the value at `to` by the one at `from`, which is uninitialised afterwards.
    pub fn assign_with_take(&self, info: &TypeInfo<'ctx>, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
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

    /// Replaces the value at `to` by a loaded one; the old one is destroyed after the store, as its deinit may look.
    pub fn assign_explosion(&self, info: &TypeInfo<'ctx>, value: &[BasicValueEnum<'ctx>], to: PointerValue<'ctx>) {
        let old = if info.is_trivial() { Vec::new() } else { self.load_explosion(info, to) };
        self.store_explosion(info, value, to);
        self.destroy_explosion(info, &old);
    }

    fn move_bits(&self, info: &TypeInfo<'ctx>, to: PointerValue<'ctx>, from: PointerValue<'ctx>) {
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
        let function = match kind {
            ReferenceKind::Native if self.has_one_thread() => RuntimeFunction::NonatomicRetain,
            ReferenceKind::Native => RuntimeFunction::Retain,
            ReferenceKind::Bridge => RuntimeFunction::BridgeObjectRetain,
            ReferenceKind::Unowned | ReferenceKind::OptionalUnowned => RuntimeFunction::UnownedRetain,
        };
        self.call_runtime(function, &[value]);
    }

    fn has_one_thread(&self) -> bool {
        self.module.options.threads == Threads::One
    }

    /// Releases one reference; null is ignored.
    pub fn release(&self, kind: ReferenceKind, value: BasicValueEnum<'ctx>) {
        let function = match kind {
            ReferenceKind::Native if self.has_one_thread() => RuntimeFunction::NonatomicRelease,
            ReferenceKind::Native => RuntimeFunction::Release,
            ReferenceKind::Bridge => RuntimeFunction::BridgeObjectRelease,
            ReferenceKind::Unowned | ReferenceKind::OptionalUnowned => RuntimeFunction::UnownedRelease,
        };
        self.call_runtime(function, &[value]);
    }
}
