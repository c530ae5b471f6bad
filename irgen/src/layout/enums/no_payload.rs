//! Enums without payloads: the tag is the number of the case.

use super::layout::Numbers;
use super::{Bits, CaseKind, Group, MAXIMUM_INHABITANTS, Pattern, Strategy};

/// The layout of an enum of `count` cases (at least two) without payloads.
pub(super) fn numbers(count: usize) -> Numbers {
    let nothing = Bits::zero(0);
    let pattern = |tag: usize| Pattern { kind: CaseKind::Empty, payload: nothing.clone(), extra_tag: tag as u64 };
    let group = |tag: usize| Group { tag: tag as u64, matched: vec![tag], otherwise: None, mask: nothing.clone() };
    let tag_bits = super::layout::bits_for(count as u64);
    let all = 1u64 << (super::layout::tag_size(tag_bits) * 8).min(32);
    Numbers {
        strategy: Strategy::NoPayload,
        payload_size: 0,
        payload_tag_bits: nothing.clone(),
        extra_tag_bits: tag_bits,
        patterns: (0..count).map(pattern).collect(),
        groups: (0..count).map(group).collect(),
        spare_payload_bits: nothing,
        extra_inhabitant_count: (all - count as u64).min(u64::from(MAXIMUM_INHABITANTS)) as u32,
    }
}
