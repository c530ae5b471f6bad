//! Enums: their layouts (docs/ABI/TypeLayout.rst, "Fragile Enum Layout") and the code that makes, tells apart and takes apart their values.
//!
//! `layout` decides how cases are told apart, with the numbers of each strategy in `no_payload`, `single_payload` and
//! `multi_payload`; a value's payload area is in `payload`. `values` makes values and takes them apart, `switch` tells them
//! apart, `copying` copies and destroys them; `description` tells debuggers how to tell them apart.

mod copying;
mod description;
mod layout;
mod multi_payload;
mod no_payload;
mod outlined;
mod payload;
mod single_payload;
mod switch;
#[cfg(test)]
mod tests;
mod values;

use std::cell::OnceCell;
use std::rc::Rc;

use super::{Bits, Element, TypeInfo};

pub use copying::{Initialization, copy, destroy, destroy_at, initialize_at};
pub use description::{Content, Discrimination};
pub use layout::layout;
use payload::PayloadSchema;
pub use switch::Destinations;
pub use values::EnumValue;

/// How an enum's cases are told apart.
#[derive(Debug)]
pub struct EnumLayout<'ctx> {
    /// The cases, in declared order.
    pub cases: Vec<Case<'ctx>>,
    strategy: Strategy,
    /// The chunks of the payload area.
    schema: PayloadSchema<'ctx>,
    /// The size of the payload area in bytes.
    payload_size: u64,
    /// The bits of the payload area that hold a part of the tag.
    payload_tag_bits: Bits,
    /// The integer of whole bytes behind the payload area. In registers it has whole bytes as well, as calls pass it so.
    extra_tag: Option<Element<'ctx>>,
    /// How many bits the tag has, those in the payload area included.
    tag_bits: u32,
    /// The tags with the cases that each stands for, tags ascending.
    groups: Vec<Group>,
    /// What [`TypeInfo::write_structure`] says, once it was asked for.
    structure: OnceCell<String>,
}

/// A case.
#[derive(Debug)]
pub struct Case<'ctx> {
    /// What it carries; none where it has no payload. An indirect case carries a box.
    pub payload: Option<Rc<TypeInfo<'ctx>>>,
    /// What its value looks like.
    pattern: Pattern,
}

/// What a case adds to its payload, or what it is where it has none.
#[derive(Clone, Debug)]
struct Pattern {
    kind: CaseKind,
    /// The payload area; of a case with payload the tag's bits in it.
    payload: Bits,
    /// The integer behind the payload area.
    extra_tag: u64,
}

/// Whether the layout has room for a payload of the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CaseKind {
    /// It has.
    Payload,
    /// The case has no payload, or one that is always empty.
    Empty,
}

/// Cases with the same tag, which the payload area tells apart.
#[derive(Debug)]
struct Group {
    /// The tag: the tag bits of the payload area, above them the extra tag.
    tag: u64,
    /// The cases that are one pattern of the payload area each.
    matched: Vec<usize>,
    /// The case that all other patterns are.
    otherwise: Option<usize>,
    /// The bits of the payload area that tell them apart.
    mask: Bits,
}

/// The way in which cases are laid out.
#[derive(Debug)]
enum Strategy {
    /// At most one case: a value is its payload.
    Singleton,
    /// The tag alone.
    NoPayload,
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

impl<'ctx> EnumLayout<'ctx> {
    /// The pattern of the enum's own extra inhabitant number `index`.
    pub fn extra_inhabitant(&self, whole: &TypeInfo<'ctx>, index: u32) -> Bits {
        let width = whole.size * 8;
        match &self.strategy {
            Strategy::Singleton => match self.only_payload() {
                Some(payload) => payload.extra_inhabitant(index),
                None => Bits::zero(width),
            },
            Strategy::NoPayload => Bits::from_u64(width, u64::from(index) + self.cases.len() as u64),
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

    /// The bits that tell the enum's own extra inhabitants apart.
    pub fn extra_inhabitant_mask(&self, whole: &TypeInfo<'ctx>) -> Bits {
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
            Strategy::NoPayload => Bits::ones(width),
            Strategy::SinglePayload { case, .. } => match &self.cases[*case].payload {
                Some(payload) => with_extra_tag(&payload.extra_inhabitant_mask()),
                None => Bits::ones(width),
            },
            Strategy::MultiPayload { common_spare_bits, .. } => with_extra_tag(common_spare_bits),
        }
    }

    /// The payload of an enum with one case.
    fn only_payload(&self) -> Option<&Rc<TypeInfo<'ctx>>> {
        self.cases.first().and_then(|case| case.payload.as_ref())
    }

    /// The group that `case` belongs to.
    fn group_of(&self, case: usize) -> Option<&Group> {
        self.groups.iter().find(|group| group.cases().any(|member| member == case))
    }
}

impl Group {
    fn cases(&self) -> impl Iterator<Item = usize> + '_ {
        self.matched.iter().copied().chain(self.otherwise)
    }
}
