//! Extra inhabitants as bit patterns: which bits tell them apart, and which pattern has which number.

use super::{Bits, Field, ReferenceKind, ScalarKind, TypeInfo, TypeKind};

/// Extra inhabitants that follow one another as numbers do.
#[derive(Clone, Copy, Debug)]
pub struct InhabitantSeries {
    /// Where the integer lies that tells them, in bytes.
    pub offset: u64,
    /// Its width in bits.
    pub bits: u32,
    /// The bits of it that tell them, from the lowest one on.
    pub mask: u64,
    /// The first one.
    pub first: u64,
    /// Whether they go down from there.
    pub descends: bool,
}

impl TypeInfo {
    /// The pattern of extra inhabitant number `index`, as wide as the type. `index` is below the count.
    pub fn extra_inhabitant(&self, index: u32) -> Bits {
        let width = self.size * 8;
        match &self.kind {
            TypeKind::Scalar(ScalarKind::Number) => self.spare_pattern(index),
            // Null is a value of these.
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

    /// The bits that must be compared to tell extra inhabitants from values, as wide as the type.
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

    /// The extra inhabitants, where each differs by one from the one before it in the same bits of one word or less.
    pub fn extra_inhabitant_series(&self) -> Option<InhabitantSeries> {
        let mask = self.extra_inhabitant_mask();
        let (start, end) = (mask.ones_positions().next()? / 8, mask.ones_positions().last()? / 8 + 1);
        let bytes = (end - start).next_power_of_two().min(self.size - start);
        if !bytes.is_power_of_two() || bytes > 8 {
            return None;
        }
        let chunk = |bits: &Bits| bits.slice(start * 8, bytes * 8).words().first().copied().unwrap_or(0);
        let mask = chunk(&mask);
        let pattern = |index: u32| chunk(&self.extra_inhabitant(index)) & mask;
        let (first, last) = (pattern(0), self.extra_inhabitant_count.checked_sub(1)?);
        let descends = last > 0 && pattern(1) == first.wrapping_sub(1) & mask;
        let expected = |index: u32| {
            let distance = u64::from(index);
            let moved = if descends { first.wrapping_sub(distance) } else { first.wrapping_add(distance) };
            moved & mask
        };
        let is_low = mask & mask.wrapping_add(1) == 0;
        let is_it = |index: u32| pattern(index) == expected(index);
        let is_series = is_low && [1, 2, last / 2, last].into_iter().filter(|index| *index <= last).all(is_it);
        is_series.then_some(InhabitantSeries { offset: start, bits: bytes as u32 * 8, mask, first, descends })
    }

    /// Pattern number `index` among those with a spare bit set: the low part of the number in the bits that are used, the rest,
    /// counted from one, in the spare bits.
    fn spare_pattern(&self, index: u32) -> Bits {
        let used = self.spare_bits.not();
        let used_bits = used.count_ones().min(32) as u32;
        let spare_number = u64::from(index).checked_shr(used_bits).unwrap_or(0) + 1;
        self.spare_bits.scatter(spare_number).or(&used.scatter(u64::from(index)))
    }
}

/// The field whose extra inhabitants a record has: the first of those with the most.
fn inhabited_field(fields: &[Field]) -> Option<&Field> {
    let most = fields.iter().map(|field| field.info.extra_inhabitant_count).max()?;
    fields.iter().find(|field| field.info.extra_inhabitant_count == most)
}
