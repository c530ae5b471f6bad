//! Shortens the borrows of arguments that a specialised function stores to its own memory (`GenericCloner::postFixUp`
//! of lib/SILOptimizer/Utils/GenericCloner.cpp).

use sil_analysis::{AddressEscape, BodyView, LifetimeFacts, LiveUse, PrunedLiveness, ValueDependence};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Function, InstructionId, Module, Place, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;

/// Ends these `store_borrow`s after the last uses of their addresses, if all uses are known. Until then they span the
/// function.
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

/// The ends of a borrow and its new insertion points. `None` if not all uses are known.
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
