//! The operator `consume` on copyable values: a consumed value must not be used afterwards, and its lifetime ends at
//! the consume.
//!
//! `memory` owns variables in memory, `dataflow` their uses after a consume, `values` variables that are values,
//! `messages` Swift's words. Does not own: noncopyable values (`noncopyable`).

mod dataflow;
mod memory;
mod messages;
mod values;

use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, InstructionId};

pub(crate) use self::memory::check as check_memory;
pub(crate) use self::values::check as check_values;
use crate::pass::{Description, Gate, Gates, OwnershipGate, Pass, Runner};

pub(crate) const CONSUME_OPERATOR_ADDRESSES: Pass = Pass::new(&Description {
    name: "sil-consume-operator-copyable-addresses-checker",
    class_name: "ConsumeOperatorCopyableAddressesChecker",
    summary: "Checks the operator `consume` on copyable variables in memory.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(check_memory),
});

pub(crate) const CONSUME_OPERATOR_VALUES: Pass = Pass::new(&Description {
    name: "sil-consume-operator-copyable-values-checker",
    class_name: "ConsumeOperatorCopyableValuesChecker",
    summary: "Checks the operator `consume` on copyable values.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(check_values),
});

/// Returns the instructions of `_ = x`, which count as no uses
/// (lib/SILOptimizer/Mandatory/LowerTupleAddrConstructor.cpp erases them before the checks of `consume`).
fn ignored_uses(body: &Body) -> Vec<InstructionId> {
    body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::IgnoredUse).collect()
}
