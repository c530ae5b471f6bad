//! Extra inhabitants as bit patterns: which bits tell them apart, and which pattern has which number.

use super::{Bits, Field, ScalarKind, TypeInfo, TypeKind};

impl<'ctx> TypeInfo<'ctx> {
    /// The pattern of extra inhabitant number `index`, as wide as the type. `index` is below the count.
    pub fn extra_inhabitant(&self, index: u32) -> Bits {
        let width = self.size * 8;
        match &self.kind {
            TypeKind::Scalar(ScalarKind::Number) => Bits::from_u64(width, u64::from(index) + self.used_patterns()),
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
            TypeKind::Weak => Bits::zero(width),
        }
    }

    /// The bits that must be compared to tell extra inhabitants from values, as wide as the type.
    pub fn extra_inhabitant_mask(&self) -> Bits {
        let width = self.size * 8;
        match &self.kind {
            TypeKind::Scalar(_) | TypeKind::Reference(_) | TypeKind::Weak => Bits::ones(width),
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

    /// How many patterns of a number with spare bits are values: 2 for `Builtin.Int1`.
    fn used_patterns(&self) -> u64 {
        let used = self.size * 8 - self.spare_bits.count_ones();
        1u64.checked_shl(used as u32).unwrap_or(0)
    }
}

/// The field whose extra inhabitants a record has: the first of those with the most.
fn inhabited_field<'a, 'ctx>(fields: &'a [Field<'ctx>]) -> Option<&'a Field<'ctx>> {
    let most = fields.iter().map(|field| field.info.extra_inhabitant_count).max()?;
    fields.iter().find(|field| field.info.extra_inhabitant_count == most)
}
