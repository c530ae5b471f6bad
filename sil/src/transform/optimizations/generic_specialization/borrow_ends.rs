//! Where what is lent to a specialised function in memory of its own is not needed any longer (`GenericCloner::postFixUp` of
//! lib/SILOptimizer/Utils/GenericCloner.cpp).

use crate::analysis::{AddressEscape, BodyView, LifetimeFacts, LiveUse, PrunedLiveness, ValueDependence};
use crate::instructions::Opcode;
use crate::model::{Function, InstructionId, Module, Place, Value};
use crate::transform::InstructionBuilder;
use crate::types::TypeQueries;

/// Ends these `store_borrow`s behind the last uses of what they give, where all uses are known. They end with the function so far.
pub(super) fn shorten(module: &Module, queries: &TypeQueries<'_>, function: &mut Function, borrows: &[Value]) {
    for borrow in borrows {
        let Some((ends, places)) = boundary(module, queries, function, *borrow) else { continue };
        let Some(body) = &mut function.body else { return };
        let Some(like) = body.defining(*borrow) else { continue };
        for place in places {
            let mut builder = InstructionBuilder::new(body, place, like);
            builder.end_borrow(*borrow);
        }
        ends.into_iter().for_each(|end| body.erase(end));
    }
}

/// What ends a borrow, and where it may end; none where not all is known that happens with it.
fn boundary(
    module: &Module,
    queries: &TypeQueries<'_>,
    function: &Function,
    borrow: Value,
) -> Option<(Vec<InstructionId>, Vec<Place>)> {
    let view = BodyView::new(module, queries, function, function.body.as_ref()?);
    let dependence = ValueDependence::new(&view);
    let within = LifetimeFacts { view: &view, dependence: &dependence }.uses().transitive_address_uses(borrow);
    if within.escape != AddressEscape::None {
        return None;
    }
    let own = view.uses.of(borrow).iter().map(|found| found.user);
    let ends: Vec<InstructionId> = own.filter(|user| view.opcode(*user) == Opcode::EndBorrow).collect();
    let mut liveness = PrunedLiveness::of(view.body, &view.cfg, borrow);
    for user in within.uses.iter().map(|found| found.user).filter(|user| !ends.contains(user)) {
        liveness.add(user, LiveUse::NonEnding);
    }
    Some((ends, liveness.boundary().insertion_points(view.body)))
}
