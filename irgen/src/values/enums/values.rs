//! Construction and destructuring of enum values, loaded and in memory.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::super::element_alignment;
use crate::generation::{Explosion, IRGenFunction};
use crate::layout::enums::{CaseKind, EnumLayout, Strategy};
use crate::layout::{Element, TypeInfo};

/// A value in parts: the chunks of its payload area, and the tag after it.
#[derive(Clone, Debug)]
pub struct EnumValue<'ctx> {
    pub(super) chunks: Explosion<'ctx>,
    pub(super) extra_tag: Option<IntValue<'ctx>>,
}

impl EnumLayout {
    /// Returns the payload area and the tag in the scalars of a loaded value. An enum with one case has neither.
    pub fn loaded_value<'ctx>(&self, explosion: &[BasicValueEnum<'ctx>]) -> EnumValue<'ctx> {
        let count = self.schema.chunks().len().min(explosion.len());
        let extra_tag = self.extra_tag.and_then(|_| explosion.get(count)).map(|tag| tag.into_int_value());
        let chunks =
            if matches!(self.strategy, Strategy::Singleton) { Vec::new() } else { explosion[..count].to_vec() };
        EnumValue { chunks, extra_tag }
    }

    /// Loads the payload area and the tag of the value at `address`, which need not be loadable.
    pub fn load_value<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo,
        address: PointerValue<'ctx>,
    ) -> EnumValue<'ctx> {
        let load = |element: &Element| {
            let place = f.builder.offset(address, element.offset);
            f.builder.load(
                f.builder.scalar_type(element.scalar),
                place,
                element_alignment(info.alignment, element.offset),
            )
        };
        let chunks = self.schema.chunks().iter().map(load).collect();
        let extra_tag = self.extra_tag.as_ref().map(|tag| load(tag).into_int_value());
        EnumValue { chunks, extra_tag }
    }

    /// Returns the scalars of the value of case number `case` with this payload.
    pub fn inject<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        case: usize,
        payload: &[BasicValueEnum<'ctx>],
    ) -> Explosion<'ctx> {
        if matches!(self.strategy, Strategy::Singleton) {
            return payload.to_vec();
        }
        let Some(case) = self.cases.get(case) else { return Explosion::new() };
        let mut explosion = match (case.pattern.kind, &case.payload) {
            (CaseKind::Payload, Some(info)) => {
                let packed = self.schema.pack(&f.builder, &info.elements, payload);
                self.schema.set(&f.builder, &packed, &case.pattern.payload)
            }
            _ => self.schema.constant(&f.builder, &case.pattern.payload),
        };
        if let Some(tag) = self.extra_tag {
            explosion.push(f.builder.int(tag.bits, case.pattern.extra_tag).into());
        }
        explosion
    }

    /// Returns the scalars of the payload of a value of case number `case`.
    pub fn project<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        case: usize,
        explosion: &[BasicValueEnum<'ctx>],
    ) -> Explosion<'ctx> {
        if matches!(self.strategy, Strategy::Singleton) {
            return explosion.to_vec();
        }
        match self.cases.get(case) {
            Some(case) if case.pattern.kind == CaseKind::Payload => match &case.payload {
                Some(payload) => {
                    let parts = self.loaded_value(explosion);
                    let chunks = self.schema.clear(&f.builder, &parts.chunks, &self.payload_tag_bits);
                    self.schema.unpack(&f.builder, &payload.elements, &chunks)
                }
                None => Explosion::new(),
            },
            _ => Explosion::new(),
        }
    }

    /// Makes the memory at `address`, which contains the payload, a value of case number `case`.
    pub fn inject_at<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo,
        case: usize,
        address: PointerValue<'ctx>,
    ) {
        let Some(case) = self.cases.get(case) else { return };
        if matches!(self.strategy, Strategy::Singleton) {
            return;
        }
        match case.pattern.kind {
            CaseKind::Payload => {
                self.change_tag_bits(f, info, address, |chunks| {
                    self.schema.set(&f.builder, chunks, &case.pattern.payload)
                });
            }
            CaseKind::Empty => {
                let chunks = self.schema.constant(&f.builder, &case.pattern.payload);
                for (element, value) in self.schema.chunks().iter().zip(chunks) {
                    self.store_element(f, info, element, value, address);
                }
            }
        }
        if let Some(tag) = &self.extra_tag {
            self.store_element(f, info, tag, f.builder.int(tag.bits, case.pattern.extra_tag).into(), address);
        }
    }

    /// Makes the payload of the value at `address` usable in place: removes the tag from its spare bits.
    pub fn project_at<'ctx>(&self, f: &IRGenFunction<'_, 'ctx>, info: &TypeInfo, address: PointerValue<'ctx>) {
        self.change_tag_bits(f, info, address, |chunks| chunks.to_vec());
    }

    /// Stores the tag after the payload area.
    pub(super) fn store_extra_tag<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo,
        tag: Option<IntValue<'ctx>>,
        address: PointerValue<'ctx>,
    ) {
        if let (Some(element), Some(tag)) = (&self.extra_tag, tag) {
            self.store_element(f, info, element, tag.into(), address);
        }
    }

    /// Clears the tag's bits in the payload area, sets others with `change`, and stores the changed bytes.
    fn change_tag_bits<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo,
        address: PointerValue<'ctx>,
        change: impl FnOnce(&[BasicValueEnum<'ctx>]) -> Explosion<'ctx>,
    ) {
        let touched = self.schema.touched(&self.payload_tag_bits);
        if touched.is_empty() {
            return;
        }
        let chunks = self.load_value(f, info, address).chunks;
        let chunks = change(&self.schema.clear(&f.builder, &chunks, &self.payload_tag_bits));
        for index in touched {
            self.store_element(f, info, &self.schema.chunks()[index], chunks[index], address);
        }
    }

    fn store_element<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo,
        element: &Element,
        value: BasicValueEnum<'ctx>,
        address: PointerValue<'ctx>,
    ) {
        let place = f.builder.offset(address, element.offset);
        f.builder.store(value, place, element_alignment(info.alignment, element.offset));
    }
}
