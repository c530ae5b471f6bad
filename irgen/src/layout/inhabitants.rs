//! Extra inhabitants as bit patterns: which bits tell them apart, and which pattern has which number.

use super::{Bits, Field, ReferenceKind, ScalarKind, TypeInfo, TypeKind};

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
            TypeKind::Record(fields) => {
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
            TypeKind::Record(fields) => {
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
