//! Casts between classes, and between metatypes, of which it is known how they end (lib/SILOptimizer/Utils/CastOptimizer.cpp).

use crate::context::{SilType, Type, TypeId};
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
    let formal = cast.target;
    let to = match editor.body().blocks[success].arguments[..] {
        [argument] => editor.body().ty(argument),
        _ => SilType::object(formal),
    };
    let outcome = outcome(queries, from.ty, formal)?;
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

/// How a cast of an object or a metatype ends.
fn outcome(queries: &TypeQueries<'_>, from: TypeId, to: TypeId) -> Option<Outcome> {
    match (queries.get(from), queries.get(to)) {
        (Type::Metatype { instance: from, .. }, Type::Metatype { instance: to, .. }) => {
            instance_outcome(queries, *from, *to)
        }
        _ => object_outcome(queries, from, to),
    }
}

/// How a cast of the metatype of one type to that of another ends: those of values are of one type each, and that of a protocol of no type at all.
fn instance_outcome(queries: &TypeQueries<'_>, from: TypeId, to: TypeId) -> Option<Outcome> {
    let declared = |ty| queries.as_nominal(ty).filter(|_| !queries.is_class(ty) && !queries.is_dependent(ty));
    let is_plain = |ty: TypeId| declared(ty).is_some_and(|nominal| nominal.arguments.is_empty());
    match (queries.get(from), queries.get(to)) {
        (Type::Existential(_), _) if queries.as_nominal(to).is_some() && !queries.is_dependent(to) => {
            Some(Outcome::Fails)
        }
        _ if is_plain(from) && is_plain(to) => {
            Some(if queries.same_type(from, to) { Outcome::Succeeds } else { Outcome::Fails })
        }
        _ => object_outcome(queries, from, to),
    }
}

/// How a cast of an object ends: it succeeds where its class inherits from the other one, and fails where neither does.
fn object_outcome(queries: &TypeQueries<'_>, from: TypeId, to: TypeId) -> Option<Outcome> {
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
