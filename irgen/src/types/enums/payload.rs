//! The payload area of an enum as a value: pointer-sized chunks into which the scalars of a payload are packed.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue};

use crate::llvm::builder::Builder;
use crate::types::{Bits, Element, Explosion};

/// The chunks of a payload area: integers as wide as a pointer, the last one narrower where the area ends inside of it.
/// A chunk that is a pointer in the only payload stays a pointer, so that it needs no conversion.
#[derive(Debug)]
pub struct PayloadSchema<'ctx> {
    chunks: Vec<Element<'ctx>>,
    pointer_bits: u32,
}

/// A run of bits of a mask inside of one chunk.
struct Run {
    chunk: usize,
    /// The lowest bit, counted from the chunk's.
    start: u32,
    width: u32,
    /// Where the run's lowest bit lies when all runs are put together.
    position: u32,
}

impl<'ctx> PayloadSchema<'ctx> {
    /// The chunks of an area of `size` bytes. `payload` has the scalars of the only payload, where there is only one.
    pub fn new(builder: &Builder<'ctx>, size: u64, pointer_size: u64, payload: &[Element<'ctx>]) -> Self {
        let chunk = |offset: u64| {
            let bits = ((size - offset).min(pointer_size) * 8) as u32;
            let pointer = payload.iter().find(|element| element.offset == offset && element.ty.is_pointer_type());
            pointer.copied().unwrap_or(Element { ty: builder.int_type(bits).into(), offset, bits })
        };
        let chunks = (0..size).step_by(pointer_size as usize).map(chunk).collect();
        Self { chunks, pointer_bits: pointer_size as u32 * 8 }
    }

    /// The chunks as scalars with their places.
    pub fn chunks(&self) -> &[Element<'ctx>] {
        &self.chunks
    }

    /// The number of chunks.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    fn place(&self, index: usize) -> (u64, u64) {
        (self.chunks[index].offset * 8, u64::from(self.chunks[index].bits))
    }

    /// The part of `bits` that lies in chunk number `index`.
    fn part(&self, index: usize, bits: &Bits) -> u64 {
        let (start, width) = self.place(index);
        bits.slice(start, width).words().first().copied().unwrap_or(0)
    }

    fn integer(&self, builder: &Builder<'ctx>, chunks: &[BasicValueEnum<'ctx>], index: usize) -> IntValue<'ctx> {
        builder.to_bits(chunks[index], self.pointer_bits)
    }

    fn typed(&self, builder: &Builder<'ctx>, index: usize, value: IntValue<'ctx>) -> BasicValueEnum<'ctx> {
        builder.from_bits(value, self.chunks[index].ty)
    }

    /// The chunks that hold exactly `pattern`.
    pub fn constant(&self, builder: &Builder<'ctx>, pattern: &Bits) -> Explosion<'ctx> {
        let constant = |index: usize| match self.chunks[index].ty {
            BasicTypeEnum::PointerType(ty) if self.part(index, pattern) == 0 => ty.const_null().into(),
            _ => self.typed(builder, index, builder.int(self.chunks[index].bits, self.part(index, pattern))),
        };
        (0..self.chunks.len()).map(constant).collect()
    }

    /// The chunks with the scalars `values` at the places that `elements` say, and zeros elsewhere.
    pub fn pack(
        &self,
        builder: &Builder<'ctx>,
        elements: &[Element<'ctx>],
        values: &[BasicValueEnum<'ctx>],
    ) -> Explosion<'ctx> {
        let pack = |index: usize| {
            let chunk = &self.chunks[index];
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
        (0..self.chunks.len()).map(pack).collect()
    }

    /// What a scalar contributes to chunk number `index`.
    fn scalar_part(
        &self,
        builder: &Builder<'ctx>,
        index: usize,
        element: &Element<'ctx>,
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

    /// The scalars at the places that `elements` say.
    pub fn unpack(
        &self,
        builder: &Builder<'ctx>,
        elements: &[Element<'ctx>],
        chunks: &[BasicValueEnum<'ctx>],
    ) -> Explosion<'ctx> {
        elements.iter().map(|element| self.scalar(builder, element, chunks)).collect()
    }

    fn scalar(
        &self,
        builder: &Builder<'ctx>,
        element: &Element<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        if let Some(index) = self.chunks.iter().position(|chunk| is_same(element, chunk)) {
            return chunks[index];
        }
        let offset = element.offset * 8;
        let end = offset + u64::from(element.bits);
        let mut whole: Option<IntValue<'ctx>> = None;
        for index in 0..self.chunks.len() {
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
        builder.from_bits(whole, element.ty)
    }

    /// The chunks with the bits of `pattern` set in addition.
    pub fn set(&self, builder: &Builder<'ctx>, chunks: &[BasicValueEnum<'ctx>], pattern: &Bits) -> Explosion<'ctx> {
        self.map(builder, chunks, pattern, |value, part| builder.or(value, part))
    }

    /// The chunks with the bits of `mask` cleared.
    pub fn clear(&self, builder: &Builder<'ctx>, chunks: &[BasicValueEnum<'ctx>], mask: &Bits) -> Explosion<'ctx> {
        self.map(builder, chunks, mask, |value, part| builder.and(value, part.const_not()))
    }

    /// The numbers of the chunks that `mask` touches.
    pub fn touched(&self, mask: &Bits) -> Vec<usize> {
        (0..self.chunks.len()).filter(|index| self.part(*index, mask) != 0).collect()
    }

    fn map(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
        change: impl Fn(IntValue<'ctx>, IntValue<'ctx>) -> IntValue<'ctx>,
    ) -> Explosion<'ctx> {
        let change_one = |index: usize| match self.part(index, mask) {
            0 => chunks[index],
            part => {
                let part = builder.int(self.chunks[index].bits, part);
                self.typed(builder, index, change(self.integer(builder, chunks, index), part))
            }
        };
        (0..self.chunks.len()).map(change_one).collect()
    }

    /// Whether the bits that `mask` selects are `pattern`'s.
    pub fn equals(
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

    fn chunk_equals(
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
                builder.equal(value, builder.int(self.chunks[index].bits, expected))
            }
        }
    }

    fn is_all_ones(&self, index: usize, mask: &Bits) -> bool {
        let bits = self.chunks[index].bits;
        u64::from(self.part(index, mask).count_ones()) == u64::from(bits)
    }

    fn masked(
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
        builder.and(value, builder.int(self.chunks[index].bits, self.part(index, mask)))
    }

    /// One integer with the bits that `mask` selects, and how a pattern looks in it; none where they lie in several chunks.
    pub fn selected(
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

    /// The bits that `mask` selects put together, lowest first, in an integer of `width` bits.
    pub fn gather(
        &self,
        builder: &Builder<'ctx>,
        chunks: &[BasicValueEnum<'ctx>],
        mask: &Bits,
        width: u32,
    ) -> IntValue<'ctx> {
        let parts = self.runs(mask).into_iter().map(|run| {
            let chunk_bits = self.chunks[run.chunk].bits;
            let mut part = builder.lshr(self.integer(builder, chunks, run.chunk), run.start);
            if run.start + run.width < chunk_bits {
                part = builder.and(part, builder.int(chunk_bits, low_ones(run.width)));
            }
            builder.shl(builder.resize(part, width), run.position)
        });
        let gathered = parts.reduce(|whole, part| builder.or(whole, part));
        gathered.unwrap_or_else(|| builder.int(width, 0))
    }

    fn runs(&self, mask: &Bits) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut position = 0;
        for chunk in 0..self.chunks.len() {
            let part = self.part(chunk, mask);
            for start in (0..self.chunks[chunk].bits).filter(|bit| part >> bit & 1 != 0) {
                match runs.last_mut() {
                    Some(run) if run.chunk == chunk && run.start + run.width == start => run.width += 1,
                    _ => runs.push(Run { chunk, start, width: 1, position }),
                }
                position += 1;
            }
        }
        runs
    }
}

/// Whether a scalar and a chunk are the same bits as the same type.
fn is_same(element: &Element<'_>, chunk: &Element<'_>) -> bool {
    element.offset == chunk.offset && element.ty == chunk.ty
}

fn low_ones(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
