//! The discrimination of an enum's cases for debuggers: by the value of one range of bits, if the layout has one.

use super::{EnumLayout, Group, Strategy};
use crate::layout::{BitRange, Bits};

/// The bits that discriminate cases, and the meanings of their values.
pub struct Discrimination {
    /// The bits, at most 64.
    pub bits: BitRange,
    /// The content for each value.
    pub alternatives: Vec<Alternative>,
}

/// The form of an enum for one value of the discriminator.
pub struct Alternative {
    /// The value, or `None` for all other values.
    pub value: Option<u64>,
    /// The content.
    pub content: Content,
}

/// The content for one value of the discriminator.
pub enum Content {
    /// The case of this number, with its payload.
    Case(usize),
    /// One of several cases without payload, by the value of further bits.
    Empty { bits: BitRange, cases: Vec<(usize, u64)> },
}

impl Discrimination {
    /// Returns the case for all values that are not listed.
    pub fn otherwise(&self) -> Option<u32> {
        self.alternatives.iter().find_map(|alternative| match (alternative.value, &alternative.content) {
            (None, Content::Case(case)) => Some(*case as u32),
            _ => None,
        })
    }
}

impl EnumLayout {
    /// Returns the discrimination of the cases. `None` if the tag bits are not contiguous, or if it takes more than one
    /// test.
    pub fn discrimination(&self) -> Option<Discrimination> {
        match (&self.strategy, self.groups.as_slice()) {
            (Strategy::Singleton, _) => None,
            (_, [group]) => self.by_inhabitant(group),
            (_, groups) => self.by_tag(groups),
        }
    }

    /// Returns the value of each case of an enum whose values are only a tag.
    pub fn plain_values(&self) -> Option<Vec<u64>> {
        let values = || self.cases.iter().map(|case| case.pattern.extra_tag).collect();
        matches!(self.strategy, Strategy::NoPayload | Strategy::CValues).then(values)
    }

    /// The bits of the payload of case number `case`. A scalar ends before the tag that is in its spare bits.
    pub fn payload_bits(&self, case: usize) -> Option<BitRange> {
        let payload = self.cases.get(case)?.payload.as_ref().filter(|payload| payload.size > 0)?;
        let is_scalar = payload.elements.len() == 1;
        let tag = self.payload_tag_bits.ones_positions().next().filter(|tag| is_scalar && *tag > 0);
        Some(BitRange { offset: 0, width: tag.unwrap_or(payload.size * 8).min(payload.size * 8) })
    }

    /// Discriminates cases without payload, which are patterns that the payload never has.
    fn by_inhabitant(&self, group: &Group) -> Option<Discrimination> {
        let bits = together(&group.mask)?;
        let value = |case: &usize| Alternative {
            value: self.cases[*case].pattern.payload.slice(bits.offset, bits.width).words().first().copied(),
            content: Content::Case(*case),
        };
        let otherwise = group.otherwise.map(|case| Alternative { value: None, content: Content::Case(case) });
        Some(Discrimination { bits, alternatives: group.matched.iter().map(value).chain(otherwise).collect() })
    }

    fn by_tag(&self, groups: &[Group]) -> Option<Discrimination> {
        let bits = together(&self.tag_mask())?;
        let alternative = |group: &Group| {
            let content = match (group.matched.as_slice(), group.otherwise) {
                ([], Some(case)) => Content::Case(case),
                ([case], None) => Content::Case(*case),
                ([_, ..], None) => self.empty_cases(group)?,
                _ => return None,
            };
            Some(Alternative { value: Some(group.tag), content })
        };
        Some(Discrimination { bits, alternatives: groups.iter().map(alternative).collect::<Option<_>>()? })
    }

    fn empty_cases(&self, group: &Group) -> Option<Content> {
        let bits = together(&group.mask)?;
        let value = |case: &usize| {
            let number = self.cases[*case].pattern.payload.slice(bits.offset, bits.width);
            (*case, number.words().first().copied().unwrap_or(0))
        };
        Some(Content::Empty { bits, cases: group.matched.iter().map(value).collect() })
    }

    /// The bits of the tag: those in the payload area, and all bytes after it.
    fn tag_mask(&self) -> Bits {
        let start = self.payload_size * 8;
        let end = start + self.extra_tag.map_or(0, |tag| u64::from(tag.bits));
        let mut mask = self.payload_tag_bits.resized(end);
        mask.set_range(start, end);
        mask
    }
}

/// Returns the range of the one bits, if they are contiguous and at most 64.
fn together(mask: &Bits) -> Option<BitRange> {
    let offset = mask.ones_positions().next()?;
    let width = mask.count_ones();
    let last = mask.ones_positions().last()?;
    (width <= 64 && last - offset + 1 == width).then_some(BitRange { offset, width })
}
