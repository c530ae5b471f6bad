//! Values whose lifetimes nothing ends on some ways: they end where they are used last (`Boundary::Liveness`).

use crate::analysis::{LifetimeFacts, LiveDefinition, LiveUse, OwnershipKinds, ValueDependence};
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::{Body, Ownership, Value};
use crate::transform::InstructionBuilder;
use crate::transform::pass::Environment;

/// Ends the lifetime of `value`, which is owned or begins a borrow scope, where it is used last, on ways on which nothing ends it.
pub(in crate::transform) fn complete(environment: Environment<'_>, value: Value) -> Body {
    let (body, view) = (environment.body, environment.view());
    let dependence = ValueDependence::new(&view);
    let Some(ending) = ending(dependence.ownership_kinds(), value) else { return body.clone() };
    let (liveness, _) = LifetimeFacts { view: &view, dependence: &dependence }.simple_liveness(value);
    let mut boundary = liveness.boundary();
    boundary.last_users.retain(|user| liveness.user(*user) != Some(LiveUse::Ending));
    boundary.dead_definitions.retain(|found| LiveDefinition::of(body, value) == Some(*found));
    let mut completed = body.clone();
    for place in boundary.insertion_points(body) {
        let Some(like) = body.instructions_behind(place).next() else { continue };
        let mut attributes = AttributeSet::default();
        if ending == Opcode::DestroyValue && view.dead_ends().contains(body.block_of_place(place)) {
            attributes.insert(Attribute::DeadEnd);
        }
        let mut builder = InstructionBuilder::new(&mut completed, place, like);
        builder.with(attributes).effect(ending, value);
    }
    completed
}

/// What ends the lifetime of `value`; none where nothing needs to.
fn ending(kinds: &OwnershipKinds<'_>, value: Value) -> Option<Opcode> {
    match kinds.kind(value) {
        Ownership::Owned => Some(Opcode::DestroyValue),
        Ownership::Guaranteed => kinds.begins_scope(value).then_some(Opcode::EndBorrow),
        Ownership::None | Ownership::Unowned => None,
    }
}
