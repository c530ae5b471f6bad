//! Closures become an object or memory for what they capture and a function that takes that (lib/SILOptimizer/Transforms/PartialApplySimplification.cpp):
//! where a function is private and all that is done with it is to apply it, to the same number of arguments wherever it is applied partially, it takes
//! one argument for all of these.
//!
//! Here: the functions of a module, one by one. `applications` finds the sites, `context` says what a function is to take instead, `callee` changes the
//! function and `sites` its sites.
//!
//! Does not own: functions that are generic, that others may call, or that are used in other ways. Their partial applications stay as they are; so do those
//! of functions that are not known. Those are refused that no change made here is right for yet.

mod applications;
mod callee;
mod context;
mod sites;

use self::applications::Applications;
use self::context::Change;
use crate::analysis::FunctionUses;
use crate::diagnostic::Diagnostic;
use crate::model::{FunctionId, Module};
use crate::transform::pass::settings::Settings;
use crate::transform::pass::{Description, Gates, Pass, Runner};
use crate::types::{ConformanceTable, TypeQueries};

pub(in crate::transform) const PARTIAL_APPLY_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "partial-apply-simplification",
    class_name: "PartialApplySimplification",
    summary: "Gives functions that are only partially applied one context argument for their captures.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| simplify(module, settings)),
});

/// Simplifies the partial applications of a module.
pub(in crate::transform) fn simplify(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    let uses = FunctionUses::new(module, settings.extent);
    let mut diagnostics = Vec::new();
    for callee in module.functions.keys().collect::<Vec<FunctionId>>() {
        let Some(applications) = Applications::of(module, &uses, callee) else { continue };
        let change = {
            let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
            Change::of(module, &TypeQueries::of(module, &conformances), callee, &applications)
        };
        match change {
            Ok(Some(change)) => {
                module.functions[callee].ty = change.ty;
                if let Some(context) = &change.context {
                    callee::take_context(&mut module.functions[callee], context);
                }
                sites::apply_changed(module, callee, &applications, &change);
            }
            Ok(None) => {}
            Err(refused) => diagnostics.push(*refused),
        }
    }
    diagnostics
}
