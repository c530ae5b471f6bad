//! The payload area of an enum as a value: packing and unpacking of scalars; setting, clearing, comparing and gathering
//! of bits.

use inkwell::values::{BasicValueEnum, IntValue};

use crate::generation::Explosion;
use crate::layout::enums::PayloadSchema;
use crate::layout::{Bits, Element, Scalar};
use crate::llvm::builder::Builder;

impl PayloadSchema {
    fn integer<'ctx>(&self, builder: &Builder<'ctx>, chunks: &[BasicValueEnum<'ctx>], index: usize) -> IntValue<'ctx> {
        builder.to_bits(chunks[index], self.pointer_bits)
    }

    fn typed<'ctx>(&self, builder: &Builder<'ctx>, index: usize, value: IntValue<'ctx>) -> BasicValueEnum<'ctx> {
        builder.scalar_of_bits(value, builder.scalar_type(self.chunks()[index].scalar))
    }

    /// The chunks that hold exactly `pattern`.
    pub fn constant<'ctx>(&self, builder: &Builder<'ctx>, pattern: &Bits) -> Explosion<'ctx> {
        let constant = |index: usize| match self.chunks()[index].scalar {
            Scalar::Pointer if self.part(index, pattern) == 0 => builder.null().into(),
            _ => self.typed(builder, index, builder.int(self.chunks()[index].bits, self.part(index, pattern))),
        };
        (0..self.chunks().len()).map(constant).collect()
    }

    /// Returns the chunks with the scalars `values` at the offsets of `elements`, and zeros elsewhere.
    pub fn pack<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        elements: &[Element],
        values: &[BasicValueEnum<'ctx>],
    ) -> Explosion<'ctx> {
        let pack = |index: usize| {
            let chunk = &self.chunks()[index];
            if let Some(position) = elements.iter().position(|element| is_same(element, chunk)) {
                return values[position];
            }
            let parts = elements
                .iter()
                .zip(values)
                .filter_map(|(element, value)| self.scalar_part(builder, index, element, *value));
            let whole = parts.reduce(|whole, part| builder.or(whole, part));
            let whole = whole.unwrap_or_else(|| builder.int(chunk.bits, 0));
            self.typed(builder, index, whole)
        };
        (0..self.chunks().len()).map(pack).collect()
    }

    /// Returns the part of a scalar in chunk number `index`.
    fn scalar_part<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        index: usize,
        element: &Element,
        value: BasicValueEnum<'ctx>,
    ) -> Option<IntValue<'ctx>> {
        let (start, width) = self.place(index);
        let offset = element.offset * 8;
        if offset >= start + width || offset + u64::from(element.bits) <= start {
            return None;
        }
        let bits = builder.to_bits(value, self.pointer_bits);
        Some(if offset >= start {
            builder.shl(builder.resize(bits, width as u32), (offset - start) as u32)
        } else {
            builder.resize(builder.lshr(bits, (start - offset) as u32), width as u32)
        })
    }

    /// Returns the scalars at the offsets of `elements`.
    pub fn unpack<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        elements: &[Element],
        chunks: &[BasicValueEnum<'ctx>],
    ) -> Explosion<'ctx> {
        elements.iter().map(|element| self.scalar(builder, element, chunks)).collect()
    }

    fn scalar<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        element: &Element,
        chunks: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        if let Some(index) = self.chunks().iter().position(|chunk| is_same(element, chunk)) {
            return chunks[index];
        }
        let offset = element.offset * 8;
        let end = offset + u64::from(element.bits);
        let mut whole: Option<IntValue<'ctx>> = None;
        for index in 0..self.chunks().len() {
            let (start, width) = self.place(index);
            if offset >= start + width || end <= start {
                continue;
            }
            let bits = self.integer(builder, chunks, index);
            let part = if offset >= start {
                builder.resize(builder.lshr(bits, (offset - start) as u32), element.bits)
            } else {
                builder.shl(builder.resize(bits, element.bits), (start - offset) as u32)
            };
            whole = Some(whole.map_or(part, |whole| builder.or(whole, part)));
        }
        let whole = whole.unwrap_or_else(|| builder.int(element.bits, 0));
        builder.scalar_of_bits(whole, builder.scalar_type(element.scalar))
    }

    /// The chunks with the bits of `pattern` set in addition.
    pub fn set<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        pattern: &Bits,
    ) -> Explosion<'ctx> {
        self.map(builder, chunks, pattern, |value, part| builder.or(value, part))
    }

    /// The chunks with the bits of `mask` cleared.
    pub fn clear<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
    ) -> Explosion<'ctx> {
        self.map(builder, chunks, mask, |value, part| builder.and(value, part.const_not()))
    }

    fn map<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
        change: impl Fn(IntValue<'ctx>, IntValue<'ctx>) -> IntValue<'ctx>,
    ) -> Explosion<'ctx> {
        let change_one = |index: usize| match self.part(index, mask) {
            0 => chunks[index],
            part => {
                let part = builder.int(self.chunks()[index].bits, part);
                self.typed(builder, index, change(self.integer(builder, chunks, index), part))
            }
        };
        (0..self.chunks().len()).map(change_one).collect()
    }

    /// Returns whether the bits that `mask` selects equal those of `pattern`.
    pub fn equals<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
        pattern: &Bits,
    ) -> IntValue<'ctx> {
        let tests =
            self.touched(mask).into_iter().map(|index| self.chunk_equals(builder, chunks, index, mask, pattern));
        tests.reduce(|all, test| builder.and(all, test)).unwrap_or_else(|| builder.bool(true))
    }

    fn chunk_equals<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        index: usize,
        mask: &Bits,
        pattern: &Bits,
    ) -> IntValue<'ctx> {
        let expected = self.part(index, pattern) & self.part(index, mask);
        match chunks[index] {
            BasicValueEnum::PointerValue(pointer) if expected == 0 && self.is_all_ones(index, mask) => {
                builder.is_null(pointer)
            }
            _ => {
                let value = self.masked(builder, chunks, index, mask);
                builder.equal(value, builder.int(self.chunks()[index].bits, expected))
            }
        }
    }

    fn masked<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        index: usize,
        mask: &Bits,
    ) -> IntValue<'ctx> {
        let value = self.integer(builder, chunks, index);
        if self.is_all_ones(index, mask) {
            return value;
        }
        builder.and(value, builder.int(self.chunks()[index].bits, self.part(index, mask)))
    }

    /// Returns one integer with the bits that `mask` selects, and a pattern's bits in it, or `None` if they are in
    /// several chunks.
    pub fn selected<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
    ) -> Option<(IntValue<'ctx>, impl Fn(&Bits) -> u64 + '_)> {
        let [index] = self.touched(mask)[..] else { return None };
        let mask_part = self.part(index, mask);
        let value = self.masked(builder, chunks, index, mask);
        Some((value, move |pattern: &Bits| self.part(index, pattern) & mask_part))
    }

    /// Gathers the bits that `mask` selects, lowest first, in an integer of `width` bits.
    pub fn gather<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
        width: u32,
    ) -> IntValue<'ctx> {
        let parts = self.runs(mask).into_iter().map(|run| {
            let chunk_bits = self.chunks()[run.chunk].bits;
            let mut part = builder.lshr(self.integer(builder, chunks, run.chunk), run.start);
            if run.start + run.width < chunk_bits {
                part = builder.and(part, builder.int(chunk_bits, low_ones(run.width)));
            }
            builder.shl(builder.resize(part, width), run.position)
        });
        let gathered = parts.reduce(|whole, part| builder.or(whole, part));
        gathered.unwrap_or_else(|| builder.int(width, 0))
    }
}

/// Returns whether a scalar and a chunk have the same bits and the same type.
fn is_same(element: &Element, chunk: &Element) -> bool {
    element.offset == chunk.offset && element.scalar == chunk.scalar
}

fn low_ones(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
