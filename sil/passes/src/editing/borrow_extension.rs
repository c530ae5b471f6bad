//! Extends borrow scopes so that interior pointers can be used longer
//! (include/swift/SILOptimizer/Utils/OwnershipOptUtils.h, `GuaranteedOwnershipExtension`).
//!
//! Does not own: the extension of owned lifetimes, which are left unchanged.

use sil_analysis::{
    AddressEscape, InnerBorrows, LifetimeFacts, LiveUse, LocatedAccess, PrunedLiveness, ValueDependence,
};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use crate::editing::editor::Editor;

/// Extends the borrow scope of `address` to cover all uses of the address `other`, which `address` can then replace.
/// Returns whether it does.
pub(crate) fn extend_borrow(editor: &mut Editor<'_>, address: Value, other: Value) -> bool {
    let Some(extension) = Extension::plan(editor, address, other) else { return false };
    extension.ends.into_iter().for_each(|end| editor.erase(end));
    for place in extension.places {
        let like = extension.borrow;
        let Some(borrowed) = editor.body().result(like) else { continue };
        editor.build(place, like, |builder| {
            builder.end_borrow(borrowed);
        });
    }
    editor.forget_ownership();
    true
}

/// The extension of a borrow scope.
struct Extension {
    borrow: InstructionId,
    /// The current ends.
    ends: Vec<InstructionId>,
    /// The new ends.
    places: Vec<Place>,
}

impl Extension {
    fn plan(editor: &Editor<'_>, address: Value, other: Value) -> Option<Extension> {
        let view = editor.view();
        let dependence = ValueDependence::new(&view);
        let facts = LifetimeFacts { view: &view, dependence: &dependence };
        let reference = LocatedAccess::of(&view, address).access.base.reference(&view)?;
        let (borrow, Opcode::BeginBorrow) = view.definition(reference)? else { return None };
        let lender = view.operand(borrow, 0).filter(|lender| view.ownership(*lender) == Ownership::Owned)?;
        let within = facts.uses().transitive_address_uses(other);
        let (liveness, summary) = facts.simple_liveness(reference);
        let is_known = within.escape == AddressEscape::None
            && (summary.addresses, summary.borrows) == (AddressEscape::None, InnerBorrows::Contained);
        let users = liveness.users();
        let (ends, mut kept): (Vec<_>, Vec<_>) = users.partition(|(_, does)| *does == LiveUse::Ending);
        let ends: Vec<InstructionId> = ends.into_iter().map(|(end, _)| end).collect();
        if !is_known || !ends.iter().all(|end| view.opcode(*end) == Opcode::EndBorrow) {
            return None;
        }
        kept.extend(within.uses.iter().map(|found| (found.user, LiveUse::NonEnding)));
        let (lender_liveness, _) = facts.simple_liveness(lender);
        let dead_ends = view.dead_ends();
        let is_lent = |user: &InstructionId| {
            lender_liveness.user(*user) != Some(LiveUse::Ending) && lender_liveness.is_within_extended(*user, dead_ends)
        };
        let leaves = |user: &InstructionId| view.opcode(*user).leaves_function();
        if !kept.iter().all(|(user, _)| is_lent(user) && !leaves(user)) {
            return None;
        }
        let mut longer = PrunedLiveness::of(view.body, &view.cfg, reference);
        kept.iter().for_each(|(user, _)| longer.add(*user, LiveUse::NonEnding));
        let mut places: Vec<Place> = Vec::new();
        for place in longer.boundary().insertion_points(view.body) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        Some(Extension { borrow, ends, places })
    }
}
