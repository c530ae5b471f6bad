//! The possible callees of calls, and the order of functions that follows from them
//! (lib/SILOptimizer/UtilityPasses/BasicCalleePrinter.cpp, FunctionOrderPrinter.cpp).

use sil_analysis::{ApplySite, CalleeAnalysis, Callees, Completeness, ModuleExtent, bottom_up};
use sil_ir::model::Module;
use sil_ir::symbols::demangle;
use sil_ir::types::TypeQueries;

use super::Subject;

/// The callees of each call.
pub(super) fn callees(subject: &Subject<'_>, extent: ModuleExtent) -> String {
    let analysis = CalleeAnalysis::new(subject.module, subject.queries, extent);
    let mut out = String::new();
    for id in subject.body.placed_instructions() {
        let site = ApplySite::new(subject.body, id).filter(|site| site.kind.is_full());
        let Some(callee) = site.and_then(ApplySite::callee) else { continue };
        out += "Function call site:\n";
        if let Some(definition) = subject.body.defining(callee) {
            out += &subject.lines.instruction(definition);
        }
        out += &subject.lines.instruction(id);
        out += &callee_list(subject.module, &analysis.of(subject.body, callee));
    }
    out
}

fn callee_list(module: &Module, callees: &Callees) -> String {
    let answer = match callees.completeness {
        Completeness::Incomplete => "Yes, not all callees visible",
        Completeness::Complete if callees.all_visible(module).is_some() => "No",
        Completeness::Complete => "No, not all callees visible",
    };
    let mut out = format!("Incomplete callee list? : {answer}\nKnown callees:\n");
    for callee in &callees.functions {
        out += &format!("  {}\n", module.context.text(module.functions[*callee].name));
    }
    out.push('\n');
    out
}

/// All functions, callees first.
pub(super) fn order(module: &Module, queries: &TypeQueries<'_>, extent: ModuleExtent) -> String {
    let analysis = CalleeAnalysis::new(module, queries, extent);
    let mut out = "Bottom up function order:\n".to_owned();
    for component in bottom_up(module, &analysis) {
        let indent = if component.len() == 1 { "" } else { "  " };
        if component.len() != 1 {
            out += "Non-trivial SCC:\n";
        }
        for function in component {
            let name = module.context.text(module.functions[function].name);
            out += &format!("{indent}{}\n", demangle(name).unwrap_or_else(|| name.to_owned()));
        }
    }
    out.push('\n');
    out
}
