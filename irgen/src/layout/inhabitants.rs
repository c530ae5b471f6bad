//! Extra inhabitants as bit patterns: the bits that discriminate them, and the pattern of each index.

use super::{Bits, Field, ReferenceKind, ScalarKind, TypeInfo, TypeKind};

/// Extra inhabitants whose concatenated bits are consecutive numbers.
#[derive(Clone, Debug)]
pub struct InhabitantSeries {
    /// The bytes with these bits, without overlaps.
    pub chunks: Vec<InhabitantChunk>,
    /// The number of these bits, at most 64.
    pub bits: u32,
    /// The number of the first extra inhabitant.
    pub first: u64,
    /// Whether the numbers descend from there.
    pub descends: bool,
    /// The rotation of the lowest bits of a number before they are stored.
    pub rotation: Option<Rotation>,
}

/// A chunk of bytes with bits that discriminate extra inhabitants.
#[derive(Clone, Debug)]
pub struct InhabitantChunk {
    /// The offset of the chunk.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The runs of discriminating bits.
    pub runs: Vec<BitRun>,
    /// Bits that are zero, since the number is not wide enough for them.
    pub zeros: Vec<BitRun>,
}

/// Bits that are contiguous both in memory and in a number.
#[derive(Clone, Copy, Debug)]
pub struct BitRun {
    /// The lowest bit in the chunk.
    pub at: u64,
    /// The lowest bit in the number.
    pub in_number: u32,
    /// The number of bits.
    pub width: u32,
}

/// A rotation of the lowest bits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotation {
    /// The number of rotated bits, at most 32.
    pub bits: u32,
    /// The distance to the left: nonzero, and less than `bits`.
    pub by: u32,
}

impl Rotation {
    /// Returns `number` rotated back.
    fn undone(self, number: u64) -> u64 {
        let ones = low_ones(self.bits);
        let low = number & ones;
        (low >> self.by | low << (self.bits - self.by)) & ones | number & !ones
    }
}

/// Returns `count` one bits, at most 64.
pub fn low_ones(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count.min(64)).unwrap_or(0)
}

/// The maximum number of bits in a series.
const MOST_BITS: u32 = 64;

/// The maximum size of a chunk in bytes.
const LARGEST_CHUNK: u64 = 16;

impl TypeInfo {
    /// The pattern of extra inhabitant number `index`, as wide as the type. `index` is below the count.
    pub fn extra_inhabitant(&self, index: u32) -> Bits {
        let width = self.size * 8;
        match &self.kind {
            TypeKind::Scalar(ScalarKind::Number) => self.spare_pattern(index),
            // Null is a value of these types.
            TypeKind::Scalar(ScalarKind::OptionalPointer) | TypeKind::Reference(ReferenceKind::OptionalUnowned) => {
                Bits::from_u64(width, u64::from(index) + 1)
            }
            TypeKind::Scalar(_) | TypeKind::Reference(_) => Bits::from_u64(width, u64::from(index)),
            TypeKind::Record(fields) | TypeKind::Existential(fields) => {
                let mut bits = Bits::zero(width);
                if let Some(field) = inhabited_field(fields) {
                    bits.insert(field.offset * 8, &field.info.extra_inhabitant(index));
                }
                bits
            }
            TypeKind::Enum(layout) => layout.extra_inhabitant(self, index),
            TypeKind::FixedArray { element, .. } => element.extra_inhabitant(index).resized(width),
            TypeKind::Weak | TypeKind::Raw => Bits::zero(width),
        }
    }

    /// The bits to compare to discriminate extra inhabitants from values, as wide as the type.
    pub fn extra_inhabitant_mask(&self) -> Bits {
        let width = self.size * 8;
        match &self.kind {
            TypeKind::Scalar(_) | TypeKind::Reference(_) | TypeKind::Weak | TypeKind::Raw => Bits::ones(width),
            TypeKind::Record(fields) | TypeKind::Existential(fields) => {
                let mut bits = Bits::zero(width);
                if let Some(field) = inhabited_field(fields) {
                    bits.insert(field.offset * 8, &field.info.extra_inhabitant_mask());
                }
                bits
            }
            TypeKind::Enum(layout) => layout.extra_inhabitant_mask(self),
            TypeKind::FixedArray { element, .. } => element.extra_inhabitant_mask().resized(width),
        }
    }

    /// Returns the extra inhabitants as a series, if their discriminating bits are consecutive numbers. If there are
    /// more bits than in a number, the others must be zero.
    pub fn extra_inhabitant_series(&self) -> Option<InhabitantSeries> {
        let mask = self.extra_inhabitant_mask();
        let chunks = chunks_of(&mask);
        let rotation = self.inhabitant_rotation();
        let number = |index: u32| {
            let pattern = self.extra_inhabitant(index);
            let places = mask.ones_positions().take(MOST_BITS as usize).enumerate();
            let number = places.fold(0, |number, (bit, place)| number | u64::from(pattern.get(place)) << bit);
            rotation.map_or(number, |rotation| rotation.undone(number))
        };
        let bits = mask.count_ones().min(u64::from(MOST_BITS)) as u32;
        let (first, last) = (number(0), self.extra_inhabitant_count.checked_sub(1)?);
        let descends = last > 0 && number(1) == first.wrapping_sub(1) & low_ones(bits);
        let expected = |index: u32| {
            let distance = u64::from(index);
            let moved = if descends { first.wrapping_sub(distance) } else { first.wrapping_add(distance) };
            moved & low_ones(bits)
        };
        let is_number = |index: u32| {
            !mask.ones_positions().skip(MOST_BITS as usize).any(|place| self.extra_inhabitant(index).get(place))
        };
        let is_it = |index: u32| number(index) == expected(index) && is_number(index);
        let is_series = [0, 1, 2, last / 2, last].into_iter().filter(|index| *index <= last).all(is_it);
        is_series.then_some(InhabitantSeries { chunks, bits, first, descends, rotation })
    }

    /// Returns the rotation of the indices of the extra inhabitants.
    pub(super) fn inhabitant_rotation(&self) -> Option<Rotation> {
        match &self.kind {
            TypeKind::Record(fields) | TypeKind::Existential(fields) => {
                inhabited_field(fields)?.info.inhabitant_rotation()
            }
            TypeKind::Enum(layout) => layout.inhabitant_rotation(),
            TypeKind::FixedArray { element, .. } => element.inhabitant_rotation(),
            TypeKind::Scalar(_) | TypeKind::Reference(_) | TypeKind::Weak | TypeKind::Raw => None,
        }
    }

    /// Returns pattern number `index` among those with a spare bit set: the low part of the index in the used bits, the
    /// rest, counted from one, in the spare bits.
    fn spare_pattern(&self, index: u32) -> Bits {
        let used = self.spare_bits.not();
        let used_bits = used.count_ones().min(32) as u32;
        let spare_number = u64::from(index).checked_shr(used_bits).unwrap_or(0) + 1;
        self.spare_bits.scatter(spare_number).or(&used.scatter(u64::from(index)))
    }
}

/// Returns the field whose extra inhabitants a record uses: the first of those with the most.
fn inhabited_field(fields: &[Field]) -> Option<&Field> {
    let most = fields.iter().map(|field| field.info.extra_inhabitant_count).max()?;
    fields.iter().find(|field| field.info.extra_inhabitant_count == most)
}

/// Returns the bytes with one bits of `mask`, the lowest of which are in the number.
fn chunks_of(mask: &Bits) -> Vec<InhabitantChunk> {
    let mut chunks: Vec<InhabitantChunk> = Vec::new();
    for (number, place) in (0..).zip(mask.ones_positions()) {
        let byte = place / 8;
        let fits = chunks
            .last()
            .is_some_and(|chunk| byte <= chunk.offset + chunk.bytes && byte < chunk.offset + LARGEST_CHUNK);
        if !fits {
            chunks.push(InhabitantChunk { offset: byte, bytes: 1, runs: Vec::new(), zeros: Vec::new() });
        }
        let Some(chunk) = chunks.last_mut() else { continue };
        chunk.bytes = byte + 1 - chunk.offset;
        let at = place - chunk.offset * 8;
        let runs = if number < MOST_BITS { &mut chunk.runs } else { &mut chunk.zeros };
        match runs.last_mut().filter(|run| run.at + u64::from(run.width) == at && run.width < MOST_BITS) {
            Some(run) => run.width += 1,
            None => runs.push(BitRun { at, in_number: number, width: 1 }),
        }
    }
    chunks
}
