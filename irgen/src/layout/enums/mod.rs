//! Layouts of enums (docs/ABI/TypeLayout.rst, "Fragile Enum Layout").
//!
//! `layout` chooses the discrimination of cases, with the numbers of each strategy in `no_payload`, `single_payload`
//! and `multi_payload`; the chunks of a value's payload area are in `schema`; `description` describes the
//! discrimination for debuggers. The code that constructs and destructures values is in `crate::values::enums`.

mod description;
mod layout;
mod multi_payload;
mod no_payload;
mod schema;
mod single_payload;
mod structure;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use super::{Bits, Element, Rotation, TypeInfo};

pub use description::{Content, Discrimination};
pub(super) use layout::{is_found_by_runtime, is_unknown_to_clients, layout};
pub use schema::PayloadSchema;

/// The layout of an enum: the discrimination of its cases.
#[derive(Debug)]
pub struct EnumLayout {
    /// The cases, in declared order.
    pub cases: Vec<Case>,
    pub(crate) strategy: Strategy,
    /// The chunks of the payload area.
    pub(crate) schema: PayloadSchema,
    /// The size of the payload area in bytes.
    pub(crate) payload_size: u64,
    /// The bits of the payload area that hold a part of the tag.
    pub(crate) payload_tag_bits: Bits,
    /// The integer of whole bytes after the payload area. In registers it is also of whole bytes, since calls pass it
    /// so.
    pub(crate) extra_tag: Option<Element>,
    /// The number of tag bits, including those in the payload area.
    pub(crate) tag_bits: u32,
    /// The tags with their cases, in ascending order.
    pub(crate) groups: Vec<Group>,
    /// The text of [`TypeInfo::write_structure`], computed on demand.
    structure: OnceLock<String>,
}

/// A case.
#[derive(Debug)]
pub struct Case {
    /// Its payload, if it has one. An indirect case contains a box.
    pub payload: Option<Arc<TypeInfo>>,
    /// The form of its value.
    pub(crate) pattern: Pattern,
}

/// The bits that a case adds to its payload, or its whole value if it has none.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub kind: CaseKind,
    /// The payload area; for a case with payload, the tag's bits in it.
    pub payload: Bits,
    /// The integer after the payload area.
    pub extra_tag: u64,
}

/// Whether the layout has room for a payload of the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CaseKind {
    /// There is room.
    Payload,
    /// The case has no payload, or one that is always empty.
    Empty,
}

/// Cases with the same tag, discriminated by the payload area.
#[derive(Debug)]
pub(crate) struct Group {
    /// The tag: the tag bits of the payload area, above them the extra tag.
    pub tag: u64,
    /// The cases with a single pattern of the payload area each.
    pub matched: Vec<usize>,
    /// The case for all other patterns.
    pub otherwise: Option<usize>,
    /// The bits of the payload area that discriminate them.
    pub mask: Bits,
}

/// The layout strategy.
#[derive(Debug)]
pub(crate) enum Strategy {
    /// At most one case: a value is its payload.
    Singleton,
    /// Only a tag.
    NoPayload,
    /// An integer, some of whose values are cases.
    CValues,
    /// One case has a payload: the others are its extra inhabitants, then further tags.
    SinglePayload {
        /// The index of the case with a payload.
        case: usize,
        /// The number of the payload's extra inhabitants that are cases.
        used_inhabitants: u32,
    },
    /// Several cases have payloads: the tag is in their common spare bits, then in additional bits.
    MultiPayload {
        /// The spare bits common to all payloads.
        common_spare_bits: Bits,
    },
}

/// The maximum number of extra inhabitants (include/swift/ABI/MetadataValues.h).
const MAXIMUM_INHABITANTS: u32 = 0x7FFF_FFFF;

impl EnumLayout {
    /// Returns the spare bits common to all payloads, if there are several.
    pub fn common_spare_bits(&self) -> Option<&Bits> {
        match &self.strategy {
            Strategy::MultiPayload { common_spare_bits } => Some(common_spare_bits),
            _ => None,
        }
    }

    /// Returns the pattern of the enum's own extra inhabitant number `index`.
    pub fn extra_inhabitant(&self, whole: &TypeInfo, index: u32) -> Bits {
        let width = whole.size * 8;
        match &self.strategy {
            Strategy::Singleton => match self.only_payload() {
                Some(payload) => payload.extra_inhabitant(index),
                None => Bits::zero(width),
            },
            Strategy::NoPayload => Bits::from_u64(width, u64::from(index) + self.cases.len() as u64),
            Strategy::CValues => Bits::zero(width),
            Strategy::SinglePayload { case, used_inhabitants } => match &self.cases[*case].payload {
                Some(payload) => payload.extra_inhabitant(index + used_inhabitants).resized(width),
                None => Bits::zero(width),
            },
            Strategy::MultiPayload { common_spare_bits, .. } => multi_payload::extra_inhabitant(
                common_spare_bits,
                self.payload_tag_bits.count_ones() as u32,
                width,
                index,
            ),
        }
    }

    /// The bits that discriminate the enum's own extra inhabitants.
    pub fn extra_inhabitant_mask(&self, whole: &TypeInfo) -> Bits {
        let width = whole.size * 8;
        let with_extra_tag = |payload: &Bits| {
            let mut mask = payload.resized(width);
            mask.set_range(self.payload_size * 8, width);
            mask
        };
        match &self.strategy {
            Strategy::Singleton => match self.only_payload() {
                Some(payload) => payload.extra_inhabitant_mask(),
                None => Bits::ones(width),
            },
            Strategy::NoPayload | Strategy::CValues => Bits::ones(width),
            Strategy::SinglePayload { case, .. } => match &self.cases[*case].payload {
                Some(payload) => with_extra_tag(&payload.extra_inhabitant_mask()),
                None => Bits::ones(width),
            },
            Strategy::MultiPayload { common_spare_bits, .. } => with_extra_tag(common_spare_bits),
        }
    }

    /// Returns the rotation of the indices of the enum's own extra inhabitants.
    pub(in crate::layout) fn inhabitant_rotation(&self) -> Option<Rotation> {
        match &self.strategy {
            Strategy::Singleton => self.only_payload()?.inhabitant_rotation(),
            Strategy::NoPayload | Strategy::CValues => None,
            Strategy::SinglePayload { case, .. } => self.cases[*case].payload.as_ref()?.inhabitant_rotation(),
            Strategy::MultiPayload { common_spare_bits } => {
                multi_payload::rotation(common_spare_bits, self.payload_tag_bits.count_ones() as u32)
            }
        }
    }

    /// Returns whether there are values that are not cases.
    pub(crate) fn has_other_values(&self) -> bool {
        matches!(self.strategy, Strategy::CValues)
    }

    /// The payload of an enum with one case.
    pub(crate) fn only_payload(&self) -> Option<&Arc<TypeInfo>> {
        self.cases.first().and_then(|case| case.payload.as_ref())
    }

    /// The group that `case` belongs to.
    pub(crate) fn group_of(&self, case: usize) -> Option<&Group> {
        self.groups.iter().find(|group| group.cases().any(|member| member == case))
    }
}

impl Group {
    pub fn cases(&self) -> impl Iterator<Item = usize> + '_ {
        self.matched.iter().copied().chain(self.otherwise)
    }
}
