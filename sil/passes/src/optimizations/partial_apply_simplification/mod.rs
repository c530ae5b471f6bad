//! Partial apply simplification: replaces the captures of closures with an explicit context. If a function is private
//! and all of its uses are apply sites, and its partial applications bind the same number of arguments, it takes one
//! context argument instead of these. Follows lib/SILOptimizer/Transforms/PartialApplySimplification.cpp.
//!
//! This file owns the visit of functions. `applications` finds the apply sites, `context` determines the context,
//! `callee` rewrites the function and `sites` its apply sites.
//!
//! Does not own: functions that are generic, externally visible, or have other uses. Their partial applications are
//! left unchanged, like those of unknown functions. Functions for which no implemented change is correct are rejected.

mod applications;
mod callee;
mod context;
mod sites;

use sil_analysis::FunctionUses;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{FunctionId, Module};
use sil_ir::types::{ConformanceTable, TypeQueries};

use self::applications::Applications;
use self::context::Change;
use crate::pass::settings::Settings;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const PARTIAL_APPLY_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "partial-apply-simplification",
    class_name: "PartialApplySimplification",
    summary: "Gives functions that are only partially applied one context argument for their captures.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| simplify(module, settings)),
});

/// Simplifies the partial applications of a module.
pub(crate) fn simplify(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
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
