//! Exclusivity accesses of a loop that can be hoisted to span the loop.

use sil_analysis::{AccessKind, AccessStorage, KnownStorage, NestedAccess, running_call};
use sil_ir::instructions::Opcode;
use sil_ir::model::InstructionId;
use sil_ir::model::views::Unary;

use super::contents::{Contents, LoopContext};

/// The accesses that can span all iterations: no instruction of the loop outside of the access may conflict with it.
pub(super) fn lasting(context: &LoopContext<'_, '_>, contents: &Contents) -> Vec<InstructionId> {
    let body = context.environment.body;
    if contents.has_unpaired_accesses || context.exits_nowhere() {
        return Vec::new();
    }
    let certain = context.certain_blocks();
    // A check that runs on some paths only must not be hoisted, since it may fail.
    let is_certain = |access: &&InstructionId| certain.contains(&body.instructions[**access].block);
    let can_last = |access: &&InstructionId| can_last(context, contents, **access) == Some(true);
    contents.accesses.iter().filter(is_certain).filter(can_last).copied().collect()
}

/// The ends of an access.
pub(super) fn ends(context: &LoopContext<'_, '_>, access: InstructionId) -> Vec<InstructionId> {
    let body = context.environment.body;
    let uses = body.result(access).map(|scope| context.view.uses.of(scope)).unwrap_or_default();
    let is_end = |user: &InstructionId| body.instructions[*user].opcode == Opcode::EndAccess;
    uses.iter().map(|found| found.user).filter(is_end).collect()
}

fn can_last(context: &LoopContext<'_, '_>, contents: &Contents, access: InstructionId) -> Option<bool> {
    let (body, view) = (context.environment.body, context.view);
    let ends = ends(context, access);
    if ends.is_empty() || !ends.iter().all(|end| context.contains(body.instructions[*end].block)) {
        return Some(false);
    }
    let storage = |begin| AccessStorage::of(view, Unary::of(body, begin).operand, NestedAccess::Ignore);
    let own = storage(access)?;
    for other in contents.accesses.iter().filter(|other| **other != access) {
        if !own.is_distinct(view, storage(*other)?) {
            return Some(false);
        }
    }
    let lies_within = |id: &InstructionId| {
        context.dominators.instruction_dominates(body, access, *id)
            && ends.iter().all(|end| context.dominators.instruction_dominates(body, *id, *end))
    };
    let (known, kind) = (KnownStorage::new(view, own), AccessKind::of(body, access));
    let may_conflict = |call: &InstructionId| {
        // Other code may run during a suspension, with unknown accesses.
        running_call(body, *call).is_none() || context.analyzed.accesses_of(view, *call).may_conflict(kind, &known)
    };
    if !contents.calls.iter().all(|call| lies_within(call) || !may_conflict(call)) {
        return Some(false);
    }
    // Deinitialisers cannot access stack variables. Releases within calls are covered by the calls' summaries.
    let is_local = matches!(own, AccessStorage::Stack(_) | AccessStorage::Argument(_));
    let signature = context.environment.function.signature;
    let may_release =
        |id: &&InstructionId| running_call(body, **id).is_none() && context.effects.may_release(body, signature, **id);
    Some(is_local || contents.side_effects.iter().filter(may_release).all(lies_within))
}
