//! The payload area of an enum: pointer-sized chunks into which the scalars of a payload are packed.

use crate::layout::{Bits, Element, Scalar};

/// The chunks of a payload area: pointer-sized integers, the last one narrower if the area ends within it. A chunk that
/// is a pointer in the only payload stays a pointer, so that it needs no conversion.
#[derive(Debug)]
pub struct PayloadSchema {
    chunks: Vec<Element>,
    /// The width of a pointer.
    pub(crate) pointer_bits: u32,
}

/// A run of mask bits within one chunk.
pub(crate) struct Run {
    pub chunk: usize,
    /// The lowest bit, relative to the chunk's.
    pub start: u32,
    pub width: u32,
    /// The position of the run's lowest bit when all runs are concatenated.
    pub position: u32,
}

impl PayloadSchema {
    /// The chunks of an area of `size` bytes. `payload` has the scalars of the only payload, if there is one.
    pub fn new(size: u64, pointer_size: u64, payload: &[Element]) -> Self {
        let chunk = |offset: u64| {
            let bits = ((size - offset).min(pointer_size) * 8) as u32;
            let is_pointer = |element: &&Element| element.offset == offset && element.scalar == Scalar::Pointer;
            let pointer = payload.iter().find(is_pointer);
            pointer.copied().unwrap_or(Element { scalar: Scalar::Integer(bits), offset, bits })
        };
        let chunks = (0..size).step_by(pointer_size as usize).map(chunk).collect();
        Self { chunks, pointer_bits: pointer_size as u32 * 8 }
    }

    /// The chunks as scalars with their offsets.
    pub fn chunks(&self) -> &[Element] {
        &self.chunks
    }

    /// The first bit of chunk number `index`, and its width.
    pub(crate) fn place(&self, index: usize) -> (u64, u64) {
        (self.chunks[index].offset * 8, u64::from(self.chunks[index].bits))
    }

    /// The part of `bits` in chunk number `index`.
    pub(crate) fn part(&self, index: usize, bits: &Bits) -> u64 {
        let (start, width) = self.place(index);
        bits.slice(start, width).words().first().copied().unwrap_or(0)
    }

    /// The indices of the chunks that `mask` touches.
    pub fn touched(&self, mask: &Bits) -> Vec<usize> {
        (0..self.chunks.len()).filter(|index| self.part(*index, mask) != 0).collect()
    }

    /// Returns whether `mask` has every bit of chunk number `index`.
    pub(crate) fn is_all_ones(&self, index: usize, mask: &Bits) -> bool {
        let bits = self.chunks[index].bits;
        u64::from(self.part(index, mask).count_ones()) == u64::from(bits)
    }

    /// The runs of one bits in `mask`, lowest first.
    pub(crate) fn runs(&self, mask: &Bits) -> Vec<Run> {
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
