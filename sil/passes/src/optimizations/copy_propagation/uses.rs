//! The uses of a borrow, of its copies and of values forwarded from it (`findExtendedUsesOfSimpleBorrowedValue`,
//! lib/SIL/Utils/OwnershipUtils.cpp).

use rustc_hash::FxHashSet;

use sil_analysis::{AddressEscape, LifetimeFacts, OperandOwnership, Use, ownership_scopes};
use sil_ir::instructions::Opcode;
use sil_ir::model::Value;

/// The uses of a borrow and its copies, or `None` if they are not all known within the borrow scope.
pub(super) fn extended_uses(facts: LifetimeFacts<'_, '_>, borrow: Value) -> Option<Vec<Use>> {
    let kinds = facts.dependence.ownership_kinds();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open: Vec<Use> = facts.view.uses.of(borrow).iter().rev().copied().collect();
    while let Some(next) = open.pop() {
        let does = kinds.operand(next);
        if does == OperandOwnership::Mention || !seen.insert(next) {
            continue;
        }
        if facts.view.opcode(next.user) == Opcode::CopyValue {
            let copies = facts.view.body.results(next.user);
            open.extend(copies.flat_map(|copy| facts.view.uses.of(copy).iter().rev()));
        }
        match does {
            OperandOwnership::ForwardOwned if facts.view.branch_argument(next).is_some() => return None,
            OperandOwnership::ForwardUnowned | OperandOwnership::Reborrow => return None,
            OperandOwnership::Escape if !escapes_as_bits(facts.view.opcode(next.user)) => return None,
            OperandOwnership::InteriorPointer => {
                for address in facts.view.body.results(next.user) {
                    let within = facts.uses().transitive_address_uses(address);
                    if within.escape != AddressEscape::None {
                        return None;
                    }
                    found.extend(within.uses);
                }
                found.push(next);
            }
            OperandOwnership::ForwardBorrowed => {
                if facts.view.branch_argument(next).is_some() {
                    return None;
                }
                let passed = kinds.forwarded_to(next);
                open.extend(passed.into_iter().flat_map(|value| facts.view.uses.of(value).iter().rev()));
                found.push(next);
            }
            OperandOwnership::Borrow => {
                let mut ends = Vec::new();
                ownership_scopes::scope_ends(facts.uses(), next, &mut ends);
                if ends.iter().any(|end| kinds.operand(*end) == OperandOwnership::Reborrow) || ends.is_empty() {
                    return None;
                }
                found.extend(ends);
            }
            _ => found.push(next),
        }
    }
    Some(found)
}

/// Returns whether `value` is the borrow, looking through copies.
pub(super) fn is_copy_of(facts: LifetimeFacts<'_, '_>, borrow: Value, value: Value) -> bool {
    let mut value = value;
    while value != borrow {
        match facts.view.definition(value) {
            Some((copy, Opcode::CopyValue)) => match facts.view.operand(copy, 0) {
                Some(original) => value = original,
                None => return false,
            },
            _ => return false,
        }
    }
    true
}

pub(super) use sil_analysis::escapes_as_bits;
