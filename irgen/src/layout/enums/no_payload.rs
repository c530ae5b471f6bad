//! Enums without payloads: the tag is the index of the case, or its integer in C.

use sil_ir::declarations::CValues;

use super::layout::Numbers;
use super::{Bits, CaseKind, Group, MAXIMUM_INHABITANTS, Pattern, Strategy};

/// The layout of an enum of `count` cases (at least two) without payloads.
pub(super) fn numbers(count: usize) -> Numbers {
    let tag_bits = super::layout::bits_for(count as u64);
    let all = 1u64 << (super::layout::tag_size(tag_bits) * 8).min(32);
    let extra_inhabitant_count = (all - count as u64).min(u64::from(MAXIMUM_INHABITANTS)) as u32;
    let tags: Vec<u64> = (0..count as u64).collect();
    with_tags(Strategy::NoPayload, tag_bits, &tags, extra_inhabitant_count)
}

/// The layout of a C enum with `count` cases (lib/IRGen/GenEnum.cpp, `CCompatibleEnumImplStrategy`): every integer is a
/// value. `None` if a case has no integer.
pub(super) fn of_c(values: &CValues, count: usize) -> Option<Numbers> {
    let bits = values.size as u32 * 8;
    (values.values.len() == count).then(|| with_tags(Strategy::CValues, bits, &values.values, 0))
}

fn with_tags(strategy: Strategy, tag_bits: u32, tags: &[u64], extra_inhabitant_count: u32) -> Numbers {
    let nothing = Bits::zero(0);
    let pattern = |tag: &u64| Pattern { kind: CaseKind::Empty, payload: nothing.clone(), extra_tag: *tag };
    let group =
        |(case, tag): (usize, &u64)| Group { tag: *tag, matched: vec![case], otherwise: None, mask: nothing.clone() };
    let mut groups: Vec<Group> = tags.iter().enumerate().map(group).collect();
    groups.sort_by_key(|group| group.tag);
    Numbers {
        strategy,
        payload_size: 0,
        payload_tag_bits: nothing.clone(),
        extra_tag_bits: tag_bits,
        patterns: tags.iter().map(pattern).collect(),
        groups,
        spare_payload_bits: nothing,
        extra_inhabitant_count,
    }
}
