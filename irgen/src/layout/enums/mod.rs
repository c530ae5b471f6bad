//! Layouts of enums (docs/ABI/TypeLayout.rst, "Fragile Enum Layout").
//!
//! `layout` decides how cases are discriminated, with the numbers of each strategy in `no_payload`, `single_payload`
//! and `multi_payload`; the chunks of a value's payload area are in `schema`; `description` describes the
//! discrimination for debuggers. The code that makes values and takes them apart is in `crate::values::enums`.

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

/// How an enum's cases are discriminated.
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
    /// The integer of whole bytes after the payload area. In registers it has whole bytes as well, as calls pass it so.
    pub(crate) extra_tag: Option<Element>,
    /// How many bits the tag has, those in the payload area included.
    pub(crate) tag_bits: u32,
    /// The tags with the cases that each stands for, tags ascending.
    pub(crate) groups: Vec<Group>,
    /// The text of [`TypeInfo::write_structure`], computed on demand.
    structure: OnceLock<String>,
}

/// A case.
#[derive(Debug)]
pub struct Case {
    /// Its payload; none if it has no payload. An indirect case carries a box.
    pub payload: Option<Arc<TypeInfo>>,
    /// The form of its value.
    pub(crate) pattern: Pattern,
}

/// The bits that a case adds to its payload, or that it is if it has none.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub kind: CaseKind,
    /// The payload area; of a case with payload the tag's bits in it.
    pub payload: Bits,
    /// The integer after the payload area.
    pub extra_tag: u64,
}

/// Whether the layout has room for a payload of the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CaseKind {
    /// It has.
    Payload,
    /// The case has no payload, or one that is always empty.
    Empty,
}

/// Cases with the same tag, which the payload area discriminates.
#[derive(Debug)]
pub(crate) struct Group {
    /// The tag: the tag bits of the payload area, above them the extra tag.
    pub tag: u64,
    /// The cases that are one pattern of the payload area each.
    pub matched: Vec<usize>,
    /// The case that all other patterns are.
    pub otherwise: Option<usize>,
    /// The bits of the payload area that discriminate them.
    pub mask: Bits,
}

/// The way in which cases are laid out.
#[derive(Debug)]
pub(crate) enum Strategy {
    /// At most one case: a value is its payload.
    Singleton,
    /// The tag alone.
    NoPayload,
    /// An integer, of which some are cases.
    CValues,
    /// One case has a payload: the others are its extra inhabitants, then further tags.
    SinglePayload {
        /// The number of that case.
        case: usize,
        /// How many of the payload's extra inhabitants are cases.
        used_inhabitants: u32,
    },
    /// Several cases have payloads: the tag is in the spare bits that all of them have, then in further bits.
    MultiPayload {
        /// The spare bits that all payloads have.
        common_spare_bits: Bits,
    },
}

/// No more extra inhabitants are counted (include/swift/ABI/MetadataValues.h).
const MAXIMUM_INHABITANTS: u32 = 0x7FFF_FFFF;

impl EnumLayout {
    /// The spare bits that all payloads have, where there are several.
    pub fn common_spare_bits(&self) -> Option<&Bits> {
        match &self.strategy {
            Strategy::MultiPayload { common_spare_bits } => Some(common_spare_bits),
            _ => None,
        }
    }

    /// The pattern of the enum's own extra inhabitant number `index`.
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

    /// The rotation of the numbers of the enum's own extra inhabitants.
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

    /// Whether there are values that are none of the cases.
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
