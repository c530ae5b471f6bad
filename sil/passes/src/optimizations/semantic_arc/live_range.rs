//! The ownership live range of an owned value: the consuming uses of the value and of the values it is forwarded to.
//! Follows lib/SILOptimizer/SemanticARC/OwnershipLiveRange.cpp.

use sil_analysis::{Use, cast_keeps_reference};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{InstructionId, Ownership, Value};

use super::Snapshot;

/// The consuming uses of a value and its forwarded values.
#[derive(Default)]
pub(super) struct LiveRange {
    /// The `destroy_value`s.
    pub(super) destroys: Vec<Use>,
    /// Uses that forward it, and could also forward a borrow.
    pub(super) forwarding: Vec<Use>,
    /// All others.
    pub(super) others: Vec<Use>,
    /// The block arguments that it is forwarded to.
    pub(super) arguments: Vec<Value>,
}

impl LiveRange {
    pub(super) fn of(snapshot: &Snapshot<'_, '_>, value: Value) -> Self {
        let mut range = Self::default();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            for found in snapshot.consuming_uses(value) {
                if snapshot.opcode(found.user) == Opcode::DestroyValue {
                    range.destroys.push(found);
                } else if can_pass_a_borrow_on(snapshot, found) {
                    range.forwarding.push(found);
                    range.follow(snapshot, found, &mut open);
                } else {
                    range.others.push(found);
                }
            }
        }
        range
    }

    fn follow(&mut self, snapshot: &Snapshot<'_, '_>, found: Use, open: &mut Vec<Value>) {
        let view = snapshot.facts.view;
        if snapshot.opcode(found.user).information().position != Position::Terminator {
            open.extend(view.body.results(found.user).filter(|value| view.ownership(*value) == Ownership::Owned));
            return;
        }
        for argument in view.body.targets(found.user).iter().flat_map(|target| &view.body.blocks[*target].arguments) {
            if view.ownership(*argument) == Ownership::None {
                // Nothing ends the lifetime on this path, which the uses on other paths would not show.
                self.others.push(found);
            } else {
                self.arguments.push(*argument);
                open.push(*argument);
            }
        }
    }

    /// All consuming uses.
    pub(super) fn consuming_uses(&self) -> Vec<Use> {
        self.destroys.iter().chain(&self.forwarding).chain(&self.others).copied().collect()
    }

    /// The forwarding instructions.
    pub(super) fn forwarding_instructions(&self) -> Vec<InstructionId> {
        self.forwarding.iter().map(|found| found.user).collect()
    }
}

/// Returns whether a use could also forward a guaranteed value. The operand must be the only owned one.
fn can_pass_a_borrow_on(snapshot: &Snapshot<'_, '_>, found: Use) -> bool {
    use Opcode::*;
    let view = snapshot.facts.view;
    let passes_on = match snapshot.opcode(found.user) {
        Struct | Tuple | Enum | Upcast | UncheckedRefCast | ConvertFunction | OpenExistentialRef
        | InitExistentialRef | RefToBridgeObject | BridgeObjectToRef | UncheckedEnumData | UncheckedValueCast
        | DestructureStruct | DestructureTuple | SwitchEnum => true,
        MarkDependence => found.operand == 0,
        CheckedCastBr => is_cast_of_reference(snapshot, found),
        _ => false,
    };
    let owned = view.body.operands(found.user).iter().filter(|value| view.ownership(**value) == Ownership::Owned);
    passes_on && owned.count() == 1
}

/// Returns whether all results of a cast keep the reference.
fn is_cast_of_reference(snapshot: &Snapshot<'_, '_>, found: Use) -> bool {
    let view = snapshot.facts.view;
    let mut results = view.body.targets(found.user).iter().flat_map(|target| &view.body.blocks[*target].arguments);
    results.all(|result| cast_keeps_reference(view, found.value(view.body), *result))
}
