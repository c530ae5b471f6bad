//! Removes copies that are only destroyed, and copies whose uses can use the original value. Follows
//! lib/SILOptimizer/SemanticARC/CopyValueOpts.cpp.

use sil_analysis::{LiveUse, OperandOwnership, PrunedLiveness, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership, Value};

use super::live_range::LiveRange;
use super::{Elimination, Snapshot, joining};
use crate::pass::settings::ArcTransformation;

/// The elimination of the copy `id`, or `None` if it is kept.
pub(super) fn eliminate(
    chosen: &[ArcTransformation],
    snapshot: &Snapshot<'_, '_>,
    id: InstructionId,
) -> Option<Elimination> {
    let view = snapshot.facts.view;
    let (original, copy) = (view.operand(id, 0)?, view.body.result(id)?);
    let removes = chosen.contains(&ArcTransformation::RedundantCopies);
    let joins = chosen.contains(&ArcTransformation::LifetimeJoining);
    None.or_else(|| removes.then(|| dead_copy(snapshot, id, copy)).flatten())
        .or_else(|| joins.then(|| joining::join(snapshot, id, copy, original)).flatten())
        .or_else(|| removes.then(|| copy_of_borrow(snapshot, id, copy, original)).flatten())
        .or_else(|| removes.then(|| copy_within_owner(snapshot, id, copy, original)).flatten())
}

/// Eliminates a copy that is only destroyed.
fn dead_copy(snapshot: &Snapshot<'_, '_>, id: InstructionId, copy: Value) -> Option<Elimination> {
    let uses = snapshot.uses(copy);
    let all = uses.iter().all(|found| snapshot.opcode(found.user) == Opcode::DestroyValue);
    all.then(|| Elimination::new(uses.iter().map(|found| found.user).collect(), id, None))
}

/// Eliminates a copy of a guaranteed value whose consuming uses are destroys within the borrow scope. Its uses use the
/// borrow.
fn copy_of_borrow(snapshot: &Snapshot<'_, '_>, id: InstructionId, copy: Value, original: Value) -> Option<Elimination> {
    let locals = local_scopes(snapshot, original)?;
    let range = LiveRange::of(snapshot, copy);
    if !range.others.is_empty() || range.destroys.is_empty() && !locals.is_empty() {
        return None;
    }
    let consumes = range.consuming_uses();
    if !locals.iter().all(|scope| are_within_scope(snapshot, *scope, &consumes)) {
        return None;
    }
    let destroys = range.destroys.iter().map(|found| found.user).collect();
    let mut elimination = Elimination::new(destroys, id, Some(original));
    elimination.borrowing = range.forwarding_instructions();
    elimination.borrowed_arguments = range.arguments;
    Some(elimination)
}

/// The local borrow scopes of a guaranteed value, or `None` if an introducer is unknown.
pub(super) fn local_scopes(snapshot: &Snapshot<'_, '_>, value: Value) -> Option<Vec<Value>> {
    let view = snapshot.facts.view;
    if view.ownership(value) != Ownership::Guaranteed {
        return None;
    }
    let introducers = snapshot.facts.dependence.borrow_introducers(value);
    let is_known = |value: &Value| {
        let opcode = view.definition(*value).map(|(_, opcode)| opcode);
        opcode.is_none_or(|opcode| {
            matches!(opcode, Opcode::BeginBorrow | Opcode::LoadBorrow | Opcode::BeginApply | Opcode::Borrowed)
        })
    };
    if introducers.is_empty() || !introducers.iter().all(is_known) {
        return None;
    }
    Some(introducers.into_iter().filter(|value| view.argument_convention(*value).is_none()).collect())
}

/// Returns whether uses are within a borrow scope that is not reborrowed.
fn are_within_scope(snapshot: &Snapshot<'_, '_>, scope: Value, uses: &[Use]) -> bool {
    let view = snapshot.facts.view;
    let begin = view.definition(scope);
    let values: Vec<Value> = match begin {
        Some((id, Opcode::BeginApply)) => view.body.results(id).collect(),
        _ => vec![scope],
    };
    let is_end = |found: &Use| {
        let opcode = snapshot.opcode(found.user);
        snapshot.does(*found).ends_lifetime() || matches!(opcode, Opcode::EndApply | Opcode::AbortApply)
    };
    let ends: Vec<Use> = values.into_iter().flat_map(|value| snapshot.uses(value)).filter(is_end).collect();
    if ends.iter().any(|end| snapshot.does(*end) == OperandOwnership::Reborrow) {
        return false;
    }
    let mut liveness = PrunedLiveness::of(view.body, &view.cfg, scope);
    ends.iter().for_each(|end| liveness.add(end.user, LiveUse::Ending));
    uses.iter().all(|found| liveness.is_within(found.user))
}

/// Eliminates a copy of an owned value whose consuming uses are destroys within the lifetime of the original.
fn copy_within_owner(
    snapshot: &Snapshot<'_, '_>,
    id: InstructionId,
    copy: Value,
    original: Value,
) -> Option<Elimination> {
    if snapshot.facts.view.ownership(original) != Ownership::Owned {
        return None;
    }
    let uses = snapshot.uses(copy);
    let mut destroys = Vec::new();
    for found in uses.iter().filter(|found| snapshot.does(**found).ends_lifetime()) {
        if snapshot.opcode(found.user) != Opcode::DestroyValue {
            return None;
        }
        destroys.push(found.user);
    }
    let ends: Vec<Use> = snapshot
        .consuming_uses(original)
        .into_iter()
        .filter(|found| snapshot.does(*found) == OperandOwnership::Consume || is_taken_by_call(snapshot, *found))
        .collect();
    snapshot.are_within(original, &ends, &uses, None).then(|| Elimination::new(destroys, id, Some(original)))
}

/// Returns whether a use passes its operand to an instruction that does not forward it.
fn is_taken_by_call(snapshot: &Snapshot<'_, '_>, found: Use) -> bool {
    use Opcode::*;
    let opcode = snapshot.opcode(found.user);
    matches!(opcode, Apply | TryApply | BeginApply | PartialApply | Yield | Builtin)
}
