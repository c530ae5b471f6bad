//! Which lifetimes are to be complete where noncopyable values are checked. Does not own how they become so.

use rustc_hash::FxHashSet;

use crate::analysis::OwnershipKinds;
use crate::instructions::Opcode;
use crate::model::{InstructionId, Value};
use crate::transform::editing::lifetime_completion::availability;
use crate::transform::pass::{Environment, Rewrite};

/// Completes the lifetimes of what noncopyable values are checked in, as Swift's checker does before it begins: of all values where memory is checked, else of
/// those that come from what is checked (lib/SILOptimizer/Mandatory/MoveOnlyChecker.cpp, `completeObjectLifetimes`).
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

/// The values that others are copied, borrowed, moved or forwarded to.
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
