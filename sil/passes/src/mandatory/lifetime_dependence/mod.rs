//! Lifetime dependence: values of `~Escapable` types and `@lifetime` declarations
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LifetimeDependence*.swift).
//!
//! `insertion` marks dependences, `scope_fixup` extends the scopes of dependencies where possible, `diagnostics`
//! reports values that outlive them. They share `facts` (queries on a body), `scope` (a dependence, and the lifetime of
//! the dependency), `introducers` (from a value to the variables that it comes from), `dependent_uses` (from a value to
//! all that depends on it) and the analyses of memory: `address_use`, `initializers`, `local_accesses`, `reachability`,
//! `owner_range`.

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

use sil_ir::model::ValueData;
use sil_ir::types::Escapability;

use crate::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Runner};
pub(crate) use diagnostics::diagnose;
pub(crate) use insertion::insert;
pub(crate) use scope_fixup::fix_up;

pub(crate) const LIFETIME_DEPENDENCE_INSERTION: Pass = Pass::new(&Description {
    name: "lifetime-dependence-insertion",
    class_name: "LifetimeDependenceInsertion",
    summary: "Marks results of calls as dependent on arguments.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(insert),
});

pub(crate) const LIFETIME_DEPENDENCE_SCOPE_FIXUP: Pass = Pass::new(&Description {
    name: "lifetime-dependence-scope-fixup",
    class_name: "LifetimeDependenceScopeFixup",
    summary: "Extends the lifetimes of values on which others depend.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(fix_up),
});

pub(crate) const LIFETIME_DEPENDENCE_DIAGNOSTICS: Pass = Pass::new(&Description {
    name: "lifetime-dependence-diagnostics",
    class_name: "LifetimeDependenceDiagnostics",
    summary: "Diagnoses values that outlive the values on which they depend.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// Returns whether a function has values of nonescapable types.
pub(crate) fn has_nonescapable_values(environment: Environment<'_>) -> bool {
    let Environment { queries, function, body, .. } = environment;
    let is_nonescapable = |value: &ValueData| {
        queries.properties(value.ty.ty, function.signature).escapability == Escapability::Nonescapable
    };
    body.values.values().any(is_nonescapable)
}
