//! Enums: their layouts (docs/ABI/TypeLayout.rst, "Fragile Enum Layout") and the code that makes, tells apart and takes apart their values.

use std::rc::Rc;

use super::{Bits, TypeInfo};

/// How an enum's cases are told apart.
#[derive(Debug)]
pub struct EnumLayout<'ctx> {
    /// The payload of each case, in declared order; none where a case has no payload. An indirect case has a box.
    pub payloads: Vec<Option<Rc<TypeInfo<'ctx>>>>,
}

impl<'ctx> EnumLayout<'ctx> {
    /// The pattern of the enum's own extra inhabitant number `index`.
    pub fn extra_inhabitant(&self, whole: &TypeInfo<'ctx>, _index: u32) -> Bits {
        Bits::zero(whole.size * 8)
    }

    /// The bits that tell the enum's own extra inhabitants apart.
    pub fn extra_inhabitant_mask(&self, whole: &TypeInfo<'ctx>) -> Bits {
        Bits::zero(whole.size * 8)
    }
}
