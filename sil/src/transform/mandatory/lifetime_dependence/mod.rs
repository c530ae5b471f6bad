//! Values that must not outlive others: `~Escapable` types and what is said of them by `@lifetime`
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LifetimeDependence*.swift).
//!
//! `insertion` marks what depends on what, `scope_fixup` lets what others depend on live longer where it may, `diagnostics` says what outlives
//! it. They share `facts` (what is asked of a body), `scope` (a dependence, and where what others depend on is alive), `introducers` (from a value to
//! the variables that it comes from), `dependent_uses` (from a value to all that depends on it) and what that needs of memory: `address_use`,
//! `initializers`, `local_accesses`, `reachability`, `owner_range`.

mod address_use;
mod dependent_uses;
mod diagnostics;
mod facts;
mod initializers;
mod insertion;
mod introducers;
mod local_accesses;
mod owner_range;
mod reachability;
mod scope;
mod scope_fixup;

use crate::model::ValueData;
use crate::transform::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Runner};
use crate::types::Escapability;
pub(in crate::transform) use diagnostics::diagnose;
pub(in crate::transform) use insertion::insert;
pub(in crate::transform) use scope_fixup::fix_up;

pub(in crate::transform) const LIFETIME_DEPENDENCE_INSERTION: Pass = Pass::new(&Description {
    name: "lifetime-dependence-insertion",
    class_name: "LifetimeDependenceInsertion",
    summary: "Marks results of calls as dependent on arguments.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(insert),
});

pub(in crate::transform) const LIFETIME_DEPENDENCE_SCOPE_FIXUP: Pass = Pass::new(&Description {
    name: "lifetime-dependence-scope-fixup",
    class_name: "LifetimeDependenceScopeFixup",
    summary: "Extends the lifetimes of values on which others depend.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(fix_up),
});

pub(in crate::transform) const LIFETIME_DEPENDENCE_DIAGNOSTICS: Pass = Pass::new(&Description {
    name: "lifetime-dependence-diagnostics",
    class_name: "LifetimeDependenceDiagnostics",
    summary: "Diagnoses values that outlive the values on which they depend.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// Whether a function has values that must not outlive others.
pub(in crate::transform) fn has_nonescapable_values(environment: Environment<'_>) -> bool {
    let Environment { queries, function, body, .. } = environment;
    let is_nonescapable = |value: &ValueData| {
        queries.properties(value.ty.ty, function.signature).escapability == Escapability::Nonescapable
    };
    body.values.values().any(is_nonescapable)
}
