//! Enums with several payload cases: the tag is in the common spare bits of the payloads, then in additional bits.

use std::sync::Arc;

use super::layout::{Numbers, bits_for, tag_size};
use super::{Bits, CaseKind, Group, MAXIMUM_INHABITANTS, Pattern, Strategy};
use crate::layout::{Rotation, TypeInfo};

/// Whether spare bits of the payloads may hold the tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SpareBits {
    /// Usable for the tag.
    Usable,
    /// Not usable, since the runtime cannot compute them: a payload's layout depends on a generic parameter, or it is
    /// not loadable.
    Unusable,
}

/// The layout of an enum whose cases have these payloads, `None` for an empty case. At least two have one.
pub(super) fn numbers(payloads: &[Option<Arc<TypeInfo>>], spare: SpareBits) -> Numbers {
    let with_payload: Vec<usize> = (0..payloads.len()).filter(|index| payloads[*index].is_some()).collect();
    let empty: Vec<usize> = (0..payloads.len()).filter(|index| payloads[*index].is_none()).collect();
    let common = common_spare_bits(payloads.iter().flatten(), spare);
    let used_bits = common.width() - common.count_ones();
    let cases_per_tag = if used_bits >= 32 { u64::MAX } else { 1 << used_bits };
    let tags = with_payload.len() as u64 + (empty.len() as u64).div_ceil(cases_per_tag);
    let tag_bits = u64::from(bits_for(tags));
    let extra_tag_bits = tag_bits.saturating_sub(common.count_ones()) as u32;
    let payload_tag_bits = highest(&common, tag_bits);
    let scheme = Scheme { common: &common, payload_tag_bits: &payload_tag_bits };

    let mut patterns = vec![scheme.pattern(CaseKind::Payload, 0, 0); payloads.len()];
    let mut groups = Vec::new();
    for (case, tag) in with_payload.iter().zip(0u64..) {
        patterns[*case] = scheme.pattern(CaseKind::Payload, tag, 0);
        groups.push(Group { tag, matched: Vec::new(), otherwise: Some(*case), mask: Bits::zero(common.width()) });
    }
    for (chunk, tag) in empty.chunks(cases_per_tag.min(usize::MAX as u64) as usize).zip(with_payload.len() as u64..) {
        for (case, number) in chunk.iter().zip(0u64..) {
            patterns[*case] = scheme.pattern(CaseKind::Empty, tag, number);
        }
        let mask = scheme.number_mask(chunk.len() as u64);
        groups.push(Group { tag, matched: chunk.to_vec(), otherwise: None, mask });
    }
    Numbers {
        payload_size: common.width() / 8,
        spare_payload_bits: common.and(&payload_tag_bits.not()),
        extra_inhabitant_count: extra_inhabitant_count(common.count_ones(), extra_tag_bits, tags),
        strategy: Strategy::MultiPayload { common_spare_bits: common.clone() },
        payload_tag_bits,
        extra_tag_bits,
        patterns,
        groups,
    }
}

/// The spare bits of all payloads, as wide as the largest. The bytes after a payload are spare.
fn common_spare_bits<'p>(payloads: impl Iterator<Item = &'p Arc<TypeInfo>> + Clone, spare: SpareBits) -> Bits {
    let size = payloads.clone().map(|payload| payload.size).max().unwrap_or(0);
    if spare == SpareBits::Unusable {
        return Bits::zero(size * 8);
    }
    let mut common = Bits::ones(size * 8);
    for payload in payloads {
        let mut bits = payload.spare_bits.resized(size * 8);
        bits.set_range(payload.size * 8, size * 8);
        common = common.and(&bits);
    }
    common
}

/// Returns the `count` highest one bits, or all of them if there are fewer.
fn highest(bits: &Bits, count: u64) -> Bits {
    let mut highest = Bits::zero(bits.width());
    let surplus = bits.count_ones().saturating_sub(count);
    for position in bits.ones_positions().skip(surplus as usize) {
        highest.set(position);
    }
    highest
}

struct Scheme<'b> {
    common: &'b Bits,
    payload_tag_bits: &'b Bits,
}

impl Scheme<'_> {
    fn pattern(&self, kind: CaseKind, tag: u64, number: u64) -> Pattern {
        let payload = self.payload_tag_bits.scatter(tag).or(&self.common.not().scatter(number));
        let extra_tag = tag.checked_shr(self.payload_tag_bits.count_ones() as u32).unwrap_or(0);
        Pattern { kind, payload, extra_tag }
    }

    /// The bits that discriminate `count` empty cases of one tag.
    fn number_mask(&self, count: u64) -> Bits {
        self.common.not().scatter(count.next_power_of_two() - 1)
    }
}

/// Returns the number of extra inhabitants: tags of whole bytes that no case uses, counted over all common spare bits.
fn extra_inhabitant_count(common: u64, extra_tag_bits: u32, tags: u64) -> u32 {
    let bits = common + tag_size(extra_tag_bits) * 8;
    if bits >= 32 {
        return MAXIMUM_INHABITANTS;
    }
    ((1u64 << bits) - tags).min(u64::from(MAXIMUM_INHABITANTS)) as u32
}

/// Returns extra inhabitant number `index` of an enum of `width` bits: tags from all ones downwards. If the tag does
/// not use all common spare bits, the index is rotated so that the tag's bits are lowest (lib/IRGen/GenEnum.cpp has the
/// rule).
pub(super) fn extra_inhabitant(common: &Bits, payload_tag_bits: u32, width: u64, index: u32) -> Bits {
    let common_count = common.count_ones() as u32;
    let mut number = !index;
    if let Some(Rotation { bits, by }) = rotation(common, payload_tag_bits) {
        number &= low_ones(bits);
        number = number >> (bits - by) | number << by;
    }
    let mut pattern = common.scatter(u64::from(number & low_ones(common_count))).resized(width);
    let extra_bits = width - common.width();
    if extra_bits > 0 {
        let extra = number.checked_shr(common_count).unwrap_or(0);
        pattern.insert(common.width(), &Bits::from_u64(extra_bits, u64::from(extra)));
    }
    pattern
}

/// Returns the rotation of extra inhabitant indices, if there are common spare bits without tag bits.
pub(super) fn rotation(common: &Bits, payload_tag_bits: u32) -> Option<Rotation> {
    let common_count = common.count_ones() as u32;
    let unused = common_count - payload_tag_bits;
    (unused > 0 && unused < 32).then(|| Rotation { bits: common_count.min(32), by: unused })
}

fn low_ones(count: u32) -> u32 {
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}
