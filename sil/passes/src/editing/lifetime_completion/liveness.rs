//! Completes lifetimes at their liveness boundary (`Boundary::Liveness`).

use sil_analysis::{LifetimeFacts, LiveDefinition, LiveUse, OwnershipKinds, ValueDependence};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{Body, Ownership, Value};

use crate::InstructionBuilder;
use crate::pass::Environment;

/// Ends the lifetime of `value`, an owned value or a borrow introducer, after its last uses on paths without an end.
pub(crate) fn complete(environment: Environment<'_>, value: Value) -> Body {
    let (body, view) = (environment.body, environment.view());
    let dependence = ValueDependence::new(&view);
    let Some(ending) = ending(dependence.ownership_kinds(), value) else { return body.clone() };
    let (liveness, _) = LifetimeFacts { view: &view, dependence: &dependence }.simple_liveness(value);
    let mut boundary = liveness.boundary();
    boundary.last_users.retain(|user| liveness.user(*user) != Some(LiveUse::Ending));
    boundary.dead_definitions.retain(|found| LiveDefinition::of(body, value) == Some(*found));
    let mut completed = body.clone();
    for place in boundary.insertion_points(body) {
        let Some(like) = body.instructions_after(place).next() else { continue };
        let mut attributes = AttributeSet::default();
        if ending == Opcode::DestroyValue && view.dead_ends().contains(body.block_of_place(place)) {
            attributes.insert(Attribute::DeadEnd);
        }
        let mut builder = InstructionBuilder::new(&mut completed, place, like);
        builder.with(attributes).effect(ending, value);
    }
    completed
}

/// The opcode that ends the lifetime of `value`, or `None` if it needs no end.
fn ending(kinds: &OwnershipKinds<'_>, value: Value) -> Option<Opcode> {
    match kinds.kind(value) {
        Ownership::Owned => Some(Opcode::DestroyValue),
        Ownership::Guaranteed => kinds.begins_scope(value).then_some(Opcode::EndBorrow),
        Ownership::None | Ownership::Unowned => None,
    }
}
