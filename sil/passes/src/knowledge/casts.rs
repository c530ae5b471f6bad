//! The outcome of casts between value types, and the code that replaces casts of known outcome.

use sil_ir::context::TypeId;
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::{CastConsumption, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;

/// The outcome of a cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Succeeds,
    Fails,
}

/// Returns the outcome of a cast between value types: it succeeds for equal types, and fails for types of different
/// declarations. `None` if it is not known, and for optionals, which casts look into.
pub(crate) fn outcome(queries: &TypeQueries<'_>, from: TypeId, to: TypeId) -> Option<Outcome> {
    if queries.same_type(from, to) {
        return Some(Outcome::Succeeds);
    }
    are_unrelated_values(queries, from, to).then_some(Outcome::Fails)
}

/// Emits the effect of an address cast with this outcome on the source and the destination.
pub(crate) fn move_value(
    builder: &mut InstructionBuilder<'_>,
    outcome: Outcome,
    consumption: Option<CastConsumption>,
    source: Value,
    destination: Value,
) {
    if outcome == Outcome::Succeeds {
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Init);
        if consumption != Some(CastConsumption::CopyOnSuccess) {
            attributes.insert(Attribute::Take);
        }
        builder.with(attributes).copy_addr(source, destination);
    } else if consumption == Some(CastConsumption::TakeAlways) {
        builder.destroy_addr(source);
    }
}

/// Returns whether two types have different declarations, and neither is a class, an optional or an existential.
fn are_unrelated_values(queries: &TypeQueries<'_>, from: TypeId, to: TypeId) -> bool {
    let declaration = |ty| {
        let is_plain = queries.optional_object(ty).is_none() && !queries.is_class(ty) && !queries.is_dependent(ty);
        queries.as_nominal(ty).filter(|_| is_plain).map(|nominal| nominal.declaration)
    };
    match (declaration(from), declaration(to)) {
        (Some(from), Some(to)) => from != to,
        _ => false,
    }
}
