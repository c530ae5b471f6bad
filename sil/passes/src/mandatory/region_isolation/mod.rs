//! Region-based isolation: reports values that are sent to another isolation domain although they may be used later, or
//! belong to an actor or to the current task (lib/SILOptimizer/Mandatory/SendNonSendable.cpp, SE-0414).
//!
//! Owns: the diagnostics and their places; `analysis::regions` finds the errors. `use_after_send`, `never_sendable` and
//! `results` have the diagnostics for the kinds of errors, `first_uses` selects the later uses. `report` makes the
//! diagnostics.
//!
//! Facts missing from the text are unknown: `nonisolated(unsafe)` local variables, conformances of local types, the
//! isolation of function values other than parameters, and the places of type declarations, for notes about them.
//! Expressions are missing too; where Swift examines them, the uses of values represent them
//! (`analysis::regions::crossings`, `member_references`).

mod first_uses;
mod never_sendable;
mod report;
mod results;
mod use_after_send;

use sil_analysis::Use;
use sil_analysis::regions::{RegionAnalysis, RegionError, Sendability, ValueIsolation};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{FunctionFlag, InstructionId};
use std::collections::BTreeMap;

use self::report::Report;
use crate::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const REGION_ISOLATION: Pass = Pass::new(&Description {
    name: "send-non-sendable",
    class_name: "SendNonSendable",
    summary: "Diagnoses values that are sent to another isolation domain and used after that.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// A later use of a sent value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LaterUse {
    /// A use by an instruction.
    Use(InstructionId),
    /// The end of the function, at which an `inout sending` parameter has no value.
    Exit(InstructionId),
}

impl LaterUse {
    fn instruction(self) -> InstructionId {
        match self {
            LaterUse::Use(id) | LaterUse::Exit(id) => id,
        }
    }
}

/// Reports the faulty sends of a function.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module: _, queries, function, body, settings, .. } = environment;
    // Compiler-generated thunks belong to no declaration.
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
