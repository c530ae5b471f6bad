//! Selects the lifetimes to complete for the checks of noncopyable values. Does not own: their completion.

use rustc_hash::FxHashSet;
use sil_analysis::OwnershipKinds;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use crate::editing::lifetime_completion::availability;
use crate::pass::{Environment, Rewrite};

/// Completes lifetimes in the way of Swift's checker before it begins: of all values if memory is checked, or else of
/// the values derived from checked ones (lib/SILOptimizer/Mandatory/MoveOnlyChecker.cpp, `completeObjectLifetimes`).
pub(super) fn complete_checked(environment: Environment<'_>) -> Option<Rewrite> {
    let body = environment.body;
    let is_mark = |id: &InstructionId| body.instructions[*id].opcode == Opcode::MarkUnresolvedNonCopyableValue;
    let marks: Vec<Value> = body.placed_instructions().filter(is_mark).filter_map(|id| body.result(id)).collect();
    if marks.iter().any(|mark| body.ty(*mark).is_address()) {
        return availability::complete(environment);
    }
    let checked = derived(environment, marks);
    if checked.is_empty() { None } else { availability::complete_of(environment, |value| checked.contains(&value)) }
}

/// Returns the marked values and those copied, borrowed, moved or forwarded from them.
fn derived(environment: Environment<'_>, marks: Vec<Value>) -> FxHashSet<Value> {
    let body = environment.body;
    let kinds = OwnershipKinds::new(environment.queries, environment.function, body, environment.analyses.cfg(body));
    let uses = environment.analyses.uses(body);
    let mut found = FxHashSet::default();
    let mut open = marks;
    while let Some(value) = open.pop() {
        if !found.insert(value) {
            continue;
        }
        for next in uses.of(value) {
            match body.instructions[next.user].opcode {
                Opcode::BeginBorrow | Opcode::CopyValue | Opcode::MoveValue => open.extend(body.result(next.user)),
                Opcode::Br => {
                    let target = body.targets(next.user).first().map(|target| &body.blocks[*target].arguments);
                    open.extend(target.and_then(|arguments| arguments.get(next.operand as usize)));
                }
                _ => open.extend(kinds.forwarded_to(*next)),
            }
        }
    }
    found
}
