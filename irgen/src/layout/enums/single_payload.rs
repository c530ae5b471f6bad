//! Enums with one payload case: the other cases are extra inhabitants of the payload, then values of an extra tag.

use super::layout::{Numbers, bits_for};
use super::{Bits, CaseKind, Group, Pattern, Strategy};
use crate::layout::TypeInfo;

/// The layout of an enum of `count` cases (at least two) where case number `case` has the payload `payload`.
pub(super) fn numbers(count: usize, case: usize, payload: &TypeInfo) -> Numbers {
    let empty: Vec<usize> = (0..count).filter(|index| *index != case).collect();
    let used_inhabitants = payload.extra_inhabitant_count.min(empty.len() as u32);
    let (inhabitants, tagged) = empty.split_at(used_inhabitants as usize);
    let tagging = Tagging::new(payload.size, tagged.len() as u64);
    let width = payload.size * 8;
    let with_payload = Pattern { kind: CaseKind::Payload, payload: Bits::zero(width), extra_tag: 0 };
    let mut patterns = vec![with_payload; count];
    for (index, number) in inhabitants.iter().zip(0..) {
        patterns[*index] = Pattern { kind: CaseKind::Empty, payload: payload.extra_inhabitant(number), extra_tag: 0 };
    }
    let mask = if inhabitants.is_empty() { Bits::zero(width) } else { payload.extra_inhabitant_mask() };
    let mut groups = vec![Group { tag: 0, matched: inhabitants.to_vec(), otherwise: Some(case), mask }];
    for (index, number) in tagged.iter().zip(0u64..) {
        let extra_tag = number / tagging.cases_per_tag + 1;
        let value = Bits::from_u64(width, number % tagging.cases_per_tag);
        patterns[*index] = Pattern { kind: CaseKind::Empty, payload: value, extra_tag };
        if groups.last().is_none_or(|group| group.tag != extra_tag) {
            let mask = Bits::from_u64(width, u64::from(u32::MAX));
            groups.push(Group { tag: extra_tag, matched: Vec::new(), otherwise: None, mask });
        }
        if let Some(group) = groups.last_mut() {
            group.matched.push(*index);
        }
    }
    Numbers {
        strategy: Strategy::SinglePayload { case, used_inhabitants },
        payload_size: payload.size,
        payload_tag_bits: Bits::zero(width),
        extra_tag_bits: tagging.bits,
        patterns,
        groups,
        // The bits of the payload that no inhabitant uses are not known.
        spare_payload_bits: Bits::zero(width),
        extra_inhabitant_count: payload.extra_inhabitant_count - used_inhabitants,
    }
}

/// The numbering of cases that are not extra inhabitants.
struct Tagging {
    /// The bits of the extra tag.
    bits: u32,
    /// The number of cases that share a value of the extra tag.
    cases_per_tag: u64,
}

impl Tagging {
    fn new(payload_size: u64, cases: u64) -> Self {
        match (cases, payload_size) {
            (0, _) => Self { bits: 0, cases_per_tag: 1 },
            (_, 4..) => Self { bits: 1, cases_per_tag: u64::MAX },
            _ => {
                let cases_per_tag = 1 << (payload_size * 8);
                Self { bits: bits_for(cases.div_ceil(cases_per_tag) + 1), cases_per_tag }
            }
        }
    }
}
