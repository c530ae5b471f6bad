//! Empties the originals of specialised functions that became unused, so that their code is not diagnosed
//! (lib/SILOptimizer/Mandatory/DiagnosticDeadFunctionElimination.cpp).

use rustc_hash::FxHashSet;

use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, Details, Function, FunctionAttribute, FunctionId, Linkage, Module, Place, Serialization};
use sil_text::syntax::Libraries;

use crate::InstructionBuilder;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const UNUSED_ORIGINALS: Pass = Pass::new(&Description {
    name: "sil-diagnostic-dead-function-elim",
    class_name: "DiagnosticDeadFunctionElimination",
    summary: "Empties the originals of specialised functions that nothing calls.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| empty(module, libraries)),
});

/// The `@_semantics` of functions that are deleted if they are unreferenced.
pub(crate) const DELETE_IF_UNUSED: &str = "sil.optimizer.delete_if_unused";

/// Empties such functions.
pub(crate) fn empty(module: &mut Module, _: &Libraries<'_>) -> Vec<Diagnostic> {
    let mark = FunctionAttribute::Semantics(module.context.name(DELETE_IF_UNUSED));
    let is_marked = |function: &Function| function.body.is_some() && function.attributes.contains(&mark);
    let marked: Vec<FunctionId> =
        module.functions.iter().filter(|(_, function)| is_marked(function)).map(|(id, _)| id).collect();
    if marked.is_empty() {
        return Vec::new();
    }
    let referred = referred_functions(module);
    for id in marked {
        let function = &mut module.functions[id];
        if referred.contains(&function.name) || !matches!(function.linkage, Linkage::Private | Linkage::Shared) {
            continue;
        }
        if let Some(body) = &mut function.body {
            leave_nothing(body);
        }
        // Another module's body of a shared function must take precedence over this one.
        if function.linkage == Linkage::Shared {
            function.linkage = Linkage::Private;
            function.serialization = Serialization::None;
        }
    }
    Vec::new()
}

/// Returns the functions that bodies reference. A function with box arguments is in no table.
fn referred_functions(module: &Module) -> FxHashSet<Name> {
    let mut referred = FxHashSet::default();
    for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
        referred.extend(body.placed_instructions().filter_map(|id| match &body.instructions[id].details {
            Details::Function(name) => Some(*name),
            _ => None,
        }));
    }
    referred
}

/// Removes everything but the arguments.
fn leave_nothing(body: &mut Body) {
    let entry = body.entry();
    let Some(first) = body.take_instructions(entry).first().copied() else { return };
    let mut builder = InstructionBuilder::new(body, Place::Start(entry), first);
    let end = builder.unreachable();
    // The source contains no such end of a function.
    if let Some(location) = &mut body.instructions[end].location {
        location.automatic = true;
    }
    body.keep_blocks(&[entry]);
}
