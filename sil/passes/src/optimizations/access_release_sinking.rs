//! Sinks releases out of accesses, past instructions that permit it. That shortens the accesses and avoids running
//! deinitialisers inside them. Follows lib/SILOptimizer/Transforms/AccessEnforcementReleaseSinking.cpp.
//!
//! Does not own: functions with ownership.

use sil_analysis::{Change, InstructionEffects};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId};

use crate::pass::{Description, Environment, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const ACCESS_RELEASE_SINKING: Pass = Pass::new(&Description {
    name: "access-enforcement-release",
    class_name: "AccessEnforcementReleaseSinking",
    summary: "Sinks releases out of access scopes.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Function(sink),
});

/// Sinks the releases of a function.
pub(crate) fn sink(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let has_accesses = body.placed_instructions().any(|id| body.instructions[id].opcode == Opcode::EndAccess);
    if !has_accesses {
        return Ok(None);
    }
    let mut sunk: Option<Body> = None;
    for block in body.blocks.keys() {
        if let Some(order) = reordered(environment, block) {
            let body = sunk.get_or_insert_with(|| body.clone());
            body.take_instructions(block);
            order.into_iter().for_each(|id| body.push(block, id));
        }
    }
    Ok(sunk.map(|body| Rewrite::new(function, body, Change::Instructions)))
}

/// The reordered instructions of a block, or `None` if the order is unchanged.
fn reordered(environment: Environment<'_>, block: BlockId) -> Option<Vec<InstructionId>> {
    let body = environment.body;
    let before: Vec<InstructionId> = body.instructions_in(block).collect();
    // Built from the end of the block, in reverse order.
    let mut after = Vec::with_capacity(before.len());
    // The insertion point in `after` for the releases met next: the last `end_access` that they may sink past.
    let mut place = None;
    let mut is_changed = false;
    for id in before.into_iter().rev() {
        match body.instructions[id].opcode {
            Opcode::EndAccess => {
                place = place.or(Some(after.len()));
                after.push(id);
            }
            opcode if is_barrier(environment, id, opcode) => {
                place = None;
                after.push(id);
            }
            opcode => match place.filter(|_| is_release(opcode)) {
                Some(at) => {
                    after.insert(at, id);
                    place = Some(at + 1);
                    is_changed = true;
                }
                None => after.push(id),
            },
        }
    }
    after.reverse();
    is_changed.then_some(after)
}

fn is_release(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, DestroyValue | ReleaseValue | ReleaseValueAddr | StrongRelease | UnmanagedReleaseValue)
}

/// Returns whether a release may not sink past an instruction. Such an instruction may observe reference counts, begin
/// an access, or free the released object.
fn is_barrier(environment: Environment<'_>, id: InstructionId, opcode: Opcode) -> bool {
    use Opcode::*;
    let Environment { module, queries, body, .. } = environment;
    match opcode {
        Apply | TryApply | BeginApply | EndApply | AbortApply | BeginAccess | BeginUnpairedAccess => true,
        IsUnique | IsEscapingClosure | DestroyNotEscapedClosure | BeginCowMutation => true,
        DeallocStack
        | DeallocStackRef
        | DeallocPack
        | DeallocPackMetadata
        | DeallocRef
        | DeallocPartialRef
        | DeallocBox
        | DeallocExistentialBox => true,
        Builtin => InstructionEffects::new(module, queries).may_have_side_effects(body, id),
        _ => false,
    }
}
