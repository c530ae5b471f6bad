//! Whether a value escapes into a pointer, so that its lifetime cannot be seen from its uses (`findPointerEscape`,
//! lib/SIL/Utils/OwnershipUtils.cpp).

use sil_ir::instructions::Opcode;
use sil_ir::model::{Ownership, Value};

use super::ownership::escapes_as_bits;
use super::ownership_scopes::OwnershipUses;
use super::{AddressEscape, ControlFlowGraph, OperandOwnership, Use};

/// Whether `value`, a borrow of it, or a value that it is passed on to or comes from through block arguments, escapes.
pub fn escapes_into_pointer(uses: OwnershipUses<'_, '_>, cfg: &ControlFlowGraph, value: Value) -> bool {
    let kinds = uses.kinds;
    if !matches!(kinds.kind(value), Ownership::Owned | Ownership::Guaranteed) {
        return false;
    }
    let mut values = vec![value];
    add_incoming(uses, cfg, &mut values);
    let mut next = 0;
    while let Some(value) = values.get(next).copied() {
        next += 1;
        for found in uses.uses.of(value) {
            match kinds.operand(*found) {
                OperandOwnership::Escape if escapes_as_bits(uses.body.instructions[found.user].opcode) => {}
                OperandOwnership::Escape | OperandOwnership::ForwardUnowned => return true,
                OperandOwnership::InteriorPointer => {
                    let mut addresses = uses.body.results(found.user);
                    if addresses.any(|address| uses.address_uses(address).escape != AddressEscape::None) {
                        return true;
                    }
                }
                OperandOwnership::Borrow | OperandOwnership::ForwardBorrowed => {
                    add_new(&mut values, passed_on(uses, *found));
                    add_new(&mut values, kinds.forwarded_to(*found));
                }
                OperandOwnership::Reborrow | OperandOwnership::ForwardOwned => {
                    add_new(&mut values, passed_on(uses, *found));
                }
                _ => {}
            }
        }
    }
    false
}

/// Adds the values that are passed for block arguments among `values`, and so on.
fn add_incoming(uses: OwnershipUses<'_, '_>, cfg: &ControlFlowGraph, values: &mut Vec<Value>) {
    let mut next = 0;
    while let Some(value) = values.get(next).copied() {
        next += 1;
        let phi = uses.kinds.without_borrowed(value);
        if uses.kinds.is_phi(cfg, phi) {
            add_new(values, uses.kinds.incoming(cfg, phi));
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

/// The values that a use passes its value on to: the results of its user, or the argument that a jump passes it for.
fn passed_on(uses: OwnershipUses<'_, '_>, found: Use) -> Vec<Value> {
    let body = uses.body;
    match (body.instructions[found.user].opcode, body.targets(found.user)) {
        (Opcode::Br, [target]) => {
            body.blocks[*target].arguments.get(found.operand as usize).copied().into_iter().collect()
        }
        _ => body.results(found.user).filter(|value| uses.kinds.kind(*value) != Ownership::None).collect(),
    }
}
