//! Splits a store of an aggregate into stores of its parts.

use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::views::Store;
use sil_ir::model::{Body, FunctionFlag, InstructionId, Ownership, Place, Value};

use super::builder::InstructionBuilder;
use crate::knowledge::aggregate_parts::{AggregatePart, parts};
use crate::knowledge::elements::Step;
use crate::pass::Environment;

/// Replaces `store` in `body` with a store of each part. It must also be in the body of `environment`. Returns whether
/// the type has parts.
pub(crate) fn divide_store(
    environment: Environment<'_>,
    body: &mut Body,
    store: InstructionId,
    ownership: Ownership,
) -> bool {
    let before = environment.body;
    let Store { source, destination } = Store::of(before, store);
    let parts = parts(environment.queries, before.ty(source).ty).filter(|parts| !parts.is_empty());
    let Some(parts) = parts else { return false };
    let whole = before.instructions[store].attributes;
    let mut builder = InstructionBuilder::new(body, Place::Before(store), store);
    let values: Vec<Option<Value>> = match ownership {
        Ownership::None => vec![None; parts.len()],
        Ownership::Owned | Ownership::Guaranteed | Ownership::Unowned => {
            let is_tuple = parts.iter().any(|part| matches!(part.step, Step::Tuple(_)));
            let types: Vec<SilType> = parts.iter().map(|part| SilType::object(part.ty)).collect();
            let values = match is_tuple {
                true => builder.destructure_tuple(source, &types),
                false => builder.destructure_struct(source, &types),
            };
            values.into_iter().map(Some).collect()
        }
    };
    for (part, value) in parts.iter().zip(values) {
        // Without an owned aggregate, each part is extracted at its store.
        let value = value.unwrap_or_else(|| part.extract(&mut builder, source));
        let place = part.project(&mut builder, destination);
        let attributes = stored_attributes(environment, whole, *part);
        builder.with(attributes).store(value, place);
    }
    body.erase(store);
    true
}

/// The attributes of a store of a part.
fn stored_attributes(environment: Environment<'_>, whole: AttributeSet, part: AggregatePart) -> AttributeSet {
    let mut attributes = whole;
    let is_trivial = environment.queries.properties(part.ty, environment.function.signature).is_trivial();
    if environment.function.has(FunctionFlag::Ossa) && is_trivial {
        attributes.remove(Attribute::Init);
        attributes.remove(Attribute::Assign);
        attributes.insert(Attribute::Trivial);
    }
    attributes
}
