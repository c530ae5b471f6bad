//! The live ranges of the owners of scopes, which limit the extension of the scopes (`AddressOwnershipLiveRange`,
//! SwiftCompilerSources/Sources/Optimizer/Utilities/AddressUtils.swift).

use sil_analysis::{AccessBase, AccessPath, InstructionRange, LifetimeFacts};
use sil_ir::model::{InstructionId, Ownership, Value};
use sil_ir::types::ArgumentConvention;

use super::facts::Facts;
use super::local_accesses::LocalAccessKind;
use super::reachability::Reachabilities;
use super::scope::{linear_range, range_to, scope_range};

/// The live range of an owner.
pub(super) enum OwnerRange<'f> {
    /// The whole function.
    Function,
    /// The intersection of these ranges.
    Ranges(Vec<InstructionRange<'f>>),
}

impl<'f> OwnerRange<'f> {
    /// Returns the live range of `owner`, for a scope that begins with `begin`; `None` if it is not known.
    pub(super) fn of(
        facts: &'f Facts<'_, '_>,
        variables: &Reachabilities,
        owner: Value,
        begin: InstructionId,
    ) -> Option<Self> {
        if facts.view.body.ty(owner).is_address() {
            return Self::of_address(facts, variables, owner, begin);
        }
        match facts.view.ownership(owner) {
            Ownership::Owned => Some(OwnerRange::Ranges(vec![linear_range(facts, owner)?])),
            Ownership::Guaranteed if facts.view.argument_convention(owner).is_some() => Some(OwnerRange::Function),
            Ownership::Guaranteed => {
                let introduces = facts.dependence.introduces_borrow(owner);
                Some(OwnerRange::Ranges(vec![linear_range(facts, owner).filter(|_| introduces)?]))
            }
            Ownership::None => Some(OwnerRange::Function),
            Ownership::Unowned => None,
        }
    }

    fn of_address(
        facts: &'f Facts<'_, '_>,
        variables: &Reachabilities,
        address: Value,
        begin: InstructionId,
    ) -> Option<Self> {
        let base = AccessPath::of(facts.view, address).base;
        let local = |variable| Some(OwnerRange::Ranges(vec![local_range(facts, variables, variable, begin)?]));
        match base {
            AccessBase::Box(_) | AccessBase::Class(_) | AccessBase::Tail(_) => {
                Self::of_reference(facts, base.reference(facts.view)?)
            }
            AccessBase::Stack(allocation) => local(allocation),
            AccessBase::Global(_) => Some(OwnerRange::Function),
            AccessBase::Argument(argument) => {
                let convention = facts.view.argument_convention(argument)?;
                if is_kept_by_caller(convention) { Some(OwnerRange::Function) } else { local(argument) }
            }
            AccessBase::Yield(yielded) => {
                let convention = facts.yield_convention(yielded)?;
                let call = facts.view.body.defining(yielded)?;
                if convention.is_indirect_in() && convention.is_guaranteed() {
                    return Some(OwnerRange::Ranges(vec![scope_range(facts, call)]));
                }
                local(yielded)
            }
            AccessBase::StoreBorrow(stored) => {
                let store = facts.view.body.defining(stored)?;
                Self::of_reference(facts, facts.view.operand(store, 0)?)
            }
            AccessBase::Pointer(_) | AccessBase::Index(_) | AccessBase::Unidentified(_) => None,
        }
    }

    fn of_reference(facts: &'f Facts<'_, '_>, reference: Value) -> Option<Self> {
        match facts.view.ownership(reference) {
            Ownership::Owned => Some(OwnerRange::Ranges(vec![known_range(facts, reference)?])),
            Ownership::Guaranteed => {
                let introducers = facts.dependence.borrow_introducers(reference);
                let ranges = introducers.into_iter().map(|borrow| known_range(facts, borrow));
                Some(OwnerRange::Ranges(ranges.collect::<Option<_>>()?))
            }
            Ownership::None | Ownership::Unowned => None,
        }
    }

    /// Returns whether the owner is live at an instruction.
    pub(super) fn covers(&self, id: InstructionId) -> bool {
        match self {
            OwnerRange::Function => true,
            OwnerRange::Ranges(ranges) => ranges.iter().all(|range| range.contains_or_ends(id)),
        }
    }
}

/// Returns whether the memory of an argument belongs to the caller and keeps its value.
fn is_kept_by_caller(convention: ArgumentConvention) -> bool {
    convention.is_indirect_out() || convention.is_indirect_in() && convention.is_guaranteed()
}

/// Returns the live range of the known uses of an owned value or a borrow, which may be an argument that the caller
/// keeps alive (`computeKnownLiveness`, SwiftCompilerSources/Sources/Optimizer/Utilities/OwnershipLiveness.swift).
fn known_range<'f>(facts: &'f Facts<'_, '_>, value: Value) -> Option<InstructionRange<'f>> {
    let mut range = InstructionRange::new(facts.view.body, &facts.view.cfg, value)?;
    let within = LifetimeFacts { view: facts.view, dependence: &facts.dependence };
    let (liveness, _) = within.simple_liveness(value);
    liveness.users().for_each(|(user, _)| range.insert(user));
    // An escape is a use.
    facts.uses(value).into_iter().for_each(|found| range.insert(found.user));
    Some(range)
}

/// Returns the live range of the value of a local variable at `begin`.
fn local_range<'f>(
    facts: &'f Facts<'_, '_>,
    variables: &Reachabilities,
    variable: Value,
    begin: InstructionId,
) -> Option<InstructionRange<'f>> {
    let reachability = variables.of(facts, variable)?;
    let assignments = reachability.assignments_at(facts, begin)?;
    // All assignments that reach `begin` have the same lifetime after it.
    let assignment = assignments.first()?;
    let body = facts.view.body;
    let first = assignment.instruction.or_else(|| body.instructions_in(body.entry()).next())?;
    let mut range = range_to(facts, first, &[]);
    for access in reachability.lifetime_of(facts, assignment) {
        let Some(id) = access.instruction else { continue };
        let is_scope = access.kind != LocalAccessKind::OutgoingArgument && facts.begins_scope(id);
        let ends = if is_scope { facts.scope_ends(id) } else { vec![id] };
        ends.into_iter().for_each(|end| range.insert(end));
    }
    Some(range)
}
