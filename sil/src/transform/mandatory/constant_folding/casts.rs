//! Casts between classes of which it is known how they end (lib/SILOptimizer/Utils/CastOptimizer.cpp).

use crate::context::{SilType, TypeId};
use crate::declarations::Origin;
use crate::instructions::Opcode;
use crate::model::views::CheckedCastBr;
use crate::model::{Details, InstructionId, Place};
use crate::transform::editing::editor::Editor;
use crate::transform::knowledge::casts::Outcome;
use crate::types::TypeQueries;

/// Puts a branch in the place of a cast whose outcome is known; none where it stays. Blocks that nothing leads to are
/// left.
pub(super) fn fold(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let queries = editor.environment.queries;
    let CheckedCastBr { operand, success, failure, cast } = CheckedCastBr::of(editor.body(), id);
    let from = editor.body().ty(operand);
    let to = SilType::object(cast.target);
    let outcome = outcome(queries, from.ty, to.ty)?;
    let target = if outcome == Outcome::Succeeds { success } else { failure };
    let passes = match editor.body().blocks[target].arguments.len() {
        0 => false,
        1 => true,
        _ => return None,
    };
    editor.build(Place::Before(id), id, |builder| {
        let value = match outcome {
            Outcome::Succeeds if passes && !queries.same_type(from.ty, to.ty) => {
                builder.value_of_written_type(Opcode::Upcast, Details::None, &[operand], to)
            }
            _ => operand,
        };
        builder.branch(target, if passes { std::slice::from_ref(&value) } else { &[] });
    });
    editor.erase(id);
    editor.forget_ownership();
    Some(())
}

/// How a cast of an object ends: it succeeds where its class inherits from the other one, and fails where neither does.
fn outcome(queries: &TypeQueries<'_>, from: TypeId, to: TypeId) -> Option<Outcome> {
    let is_known = |ty| queries.is_class(ty) && !queries.is_dependent(ty);
    if !is_known(from) || !is_known(to) {
        return None;
    }
    match (inherits(queries, from, to)?, inherits(queries, to, from)?) {
        (true, _) => Some(Outcome::Succeeds),
        (false, false) => Some(Outcome::Fails),
        (false, true) => None,
    }
}

/// Whether a class is another one, or inherits from it. None where not all is known of it.
fn inherits(queries: &TypeQueries<'_>, class: TypeId, other: TypeId) -> Option<bool> {
    let mut current = Some(class);
    // Wrong input may make a class its own superclass.
    for _ in 0..256 {
        let Some(ty) = current else { return Some(false) };
        if queries.same_type(ty, other) {
            return Some(true);
        }
        let declaration = queries.declaration_of(ty)?;
        if declaration.origin == Origin::Named || declaration.attributes.objc {
            return None;
        }
        current = queries.superclass_of(ty);
    }
    None
}
