//! Region-based isolation: says where values are sent to another actor that code may still use, or that belong to an actor or to the current task
//! (lib/SILOptimizer/Mandatory/SendNonSendable.cpp, SE-0414).
//!
//! Owns what is said and where; what is wrong `analysis::regions` finds. `use_after_send`, `never_sendable` and `results` have the words for the
//! kinds of errors, `first_uses` which of the later uses are pointed at. `report` makes messages.
//!
//! What the text does not have is not known: that a local variable is `nonisolated(unsafe)`, which conformances types in functions have, what function
//! values run on that are no parameters, and where types are declared, for notes about them. Expressions are not in the text either; where Swift asks
//! them, what is done with values stands for them (`analysis::regions::crossings`, `member_references`).

mod first_uses;
mod never_sendable;
mod report;
mod results;
mod use_after_send;

use std::collections::BTreeMap;

use self::report::Report;
use crate::analysis::Use;
use crate::analysis::regions::{RegionAnalysis, RegionError, Sendability, ValueIsolation};
use crate::diagnostic::Diagnostic;
use crate::model::{FunctionFlag, InstructionId};
use crate::transform::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(in crate::transform) const REGION_ISOLATION: Pass = Pass::new(&Description {
    name: "send-non-sendable",
    class_name: "SendNonSendable",
    summary: "Diagnoses values that are sent to another isolation domain and used after that.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// A later use of what was sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LaterUse {
    /// An instruction uses it.
    Use(InstructionId),
    /// The function ends, and an `inout sending` parameter has no value.
    Exit(InstructionId),
}

impl LaterUse {
    fn instruction(self) -> InstructionId {
        match self {
            LaterUse::Use(id) | LaterUse::Exit(id) => id,
        }
    }
}

/// Says what a function sends wrongly.
pub(in crate::transform) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module: _, queries, function, body, settings, .. } = environment;
    // What thunks of the compiler's own do belongs to no declaration.
    let is_own_thunk = function.has(FunctionFlag::ReabstractionThunk);
    if is_own_thunk {
        return Ok(None);
    }
    let sendability = Sendability::new(queries, function.signature);
    if !sendability.is_known() {
        return Ok(None);
    }
    let view = environment.view();
    let values = ValueIsolation { view: &view, sendability: &sendability };
    let mut analysis = RegionAnalysis::of(&values);
    let errors = analysis.errors();
    let mut report = Report::new(&values, analysis, settings);
    let mut later: BTreeMap<Use, Vec<LaterUse>> = BTreeMap::new();
    for error in &errors {
        match *error {
            RegionError::UseAfterSend { user, sent } => later.entry(sent).or_default().push(LaterUse::Use(user)),
            RegionError::InOutNotInitialized { exit, sent } => {
                later.entry(sent).or_default().push(LaterUse::Exit(exit))
            }
            RegionError::Unknown { instruction } => report.unknown(instruction),
            _ => {}
        }
    }
    for (sent, uses) in later {
        report.use_after_send(sent, &first_uses::first_uses(&view, sent.user, &uses));
    }
    for error in &errors {
        report.error_itself(error);
    }
    Ok(Rewrite::diagnostics_alone(function, body, report.finish()))
}
