//! Mandatory linking: the transparent functions that a program calls, and those that they call, with their bodies from libraries
//! (lib/SILOptimizer/IPO/MandatorySILLinker of Swift, as far as what is said of programs needs it).

use rustc_hash::FxHashSet;

use crate::context::Name;
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::FunctionRef;
use crate::model::{FunctionFlag, FunctionId, Module};
use crate::syntax::{Libraries, Wanted};

/// Links what is transparent, in rounds.
pub(in crate::transform) fn link(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut asked = FxHashSet::default();
    let mut open: Vec<FunctionId> = module.functions.keys().collect();
    loop {
        let functions: FxHashSet<Name> = open.iter().flat_map(|id| missing(module, *id)).collect();
        let wanted = Wanted { functions: functions.difference(&asked).copied().collect(), ..Wanted::default() };
        if wanted.is_empty() {
            return diagnostics;
        }
        diagnostics.extend(libraries.link(module, &wanted));
        open = wanted.functions.iter().filter_map(|name| module.function_named(*name)).collect();
        asked.extend(wanted.functions);
    }
}

/// The transparent functions that a function refers to and that have no body.
fn missing(module: &Module, id: FunctionId) -> Vec<Name> {
    let Some(body) = &module.functions[id].body else { return Vec::new() };
    let references = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::FunctionRef);
    let names = references.map(|id| FunctionRef::of(body, id).function);
    let is_missing = |name: &Name| {
        let function = module.function_named(*name).map(|id| &module.functions[id]);
        function.is_some_and(|function| function.has(FunctionFlag::Transparent) && function.body.is_none())
    };
    names.filter(is_missing).collect()
}
