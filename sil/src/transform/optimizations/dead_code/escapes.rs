//! Whether a value escapes into a pointer, so that its lifetime cannot be seen from its uses (`findPointerEscape`,
//! lib/SIL/Utils/OwnershipUtils.cpp).

use super::Facts;
use crate::analysis::{OperandOwnership, OwnershipKinds, Use};
use crate::instructions::Opcode;
use crate::model::{Ownership, Value};

/// Whether `value` or what is borrowed from it escapes.
pub(super) fn escapes(facts: &Facts<'_>, value: Value) -> bool {
    let Some(kinds) = &facts.kinds else { return false };
    if !matches!(kinds.kind(value), Ownership::Owned | Ownership::Guaranteed) {
        return false;
    }
    let mut values = vec![value];
    add_incoming(facts, kinds, &mut values);
    let mut next = 0;
    while let Some(value) = values.get(next).copied() {
        next += 1;
        for found in facts.uses.of(value) {
            match kinds.operand(*found) {
                OperandOwnership::Escape | OperandOwnership::ForwardUnowned => return true,
                OperandOwnership::InteriorPointer => {
                    let mut addresses = facts.body.results(found.user);
                    if addresses.any(|address| address_escapes(facts, address)) {
                        return true;
                    }
                }
                OperandOwnership::Borrow | OperandOwnership::ForwardBorrowed => {
                    add_new(&mut values, facts.passed_on(*found));
                    add_new(&mut values, kinds.forwarded_to(*found));
                }
                OperandOwnership::Reborrow | OperandOwnership::ForwardOwned => {
                    add_new(&mut values, facts.passed_on(*found));
                }
                _ => {}
            }
        }
    }
    false
}

/// Adds the values that are passed for block arguments among `values`, and so on.
fn add_incoming(facts: &Facts<'_>, kinds: &OwnershipKinds<'_>, values: &mut Vec<Value>) {
    let mut next = 0;
    while let Some(value) = values.get(next).copied() {
        next += 1;
        let phi = facts.before_borrowed_from(value);
        if facts.is_phi(phi) {
            add_new(values, kinds.incoming(facts.cfg, phi));
        }
    }
}

fn add_new(values: &mut Vec<Value>, found: Vec<Value>) {
    for value in found {
        if !values.contains(&value) {
            values.push(value);
        }
    }
}

/// Whether an address is used in a way that is not known to keep it.
fn address_escapes(facts: &Facts<'_>, address: Value) -> bool {
    facts.uses.of(address).iter().any(|found| use_escapes(facts, *found))
}

fn use_escapes(facts: &Facts<'_>, found: Use) -> bool {
    use Opcode::*;
    let instruction = &facts.body.instructions[found.user];
    match instruction.opcode {
        Load
        | LoadBorrow
        | CopyAddr
        | ExplicitCopyAddr
        | DestroyAddr
        | EndAccess
        | EndBorrow
        | DebugValue
        | FixLifetime
        | LoadWeak
        | LoadUnowned
        | SwitchEnumAddr
        | SelectEnumAddr
        | InjectEnumAddr
        | DeallocStack
        | IsUnique
        | ValueMetatype
        | ExistentialMetatype
        | CheckedCastAddrBr
        | UnconditionalCheckedCastAddr
        | UncheckedRefCastAddr
        | EndUnpairedAccess
        | DeinitExistentialAddr
        | Apply
        | TryApply => false,
        Store | StoreBorrow | StoreWeak | StoreUnowned | Assign => found.operand == 0,
        StructElementAddr
        | TupleElementAddr
        | IndexAddr
        | TailAddr
        | VectorBaseAddr
        | BeginAccess
        | InitEnumDataAddr
        | UncheckedTakeEnumDataAddr
        | OpenExistentialAddr
        | InitExistentialAddr
        | UncheckedAddrCast
        | MarkUninitialized
        | MarkUnresolvedNonCopyableValue
        | ProjectBlockStorage => facts.body.results(found.user).any(|address| address_escapes(facts, address)),
        BeginApply | Yield => false,
        _ => true,
    }
}
