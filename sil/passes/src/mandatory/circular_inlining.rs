//! Diagnoses transparent functions that call themselves through transparent functions only: their inlining would not
//! terminate (lib/SILOptimizer/Mandatory/MandatoryInlining.cpp, `runOnFunctionRecursively`). Runs before inlining; does
//! not inline.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, FunctionFlag, FunctionId, InstructionId, Module};
use sil_text::syntax::Libraries;

use crate::messages::findings::{error_at, note_at};
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const CIRCULAR_INLINING: Pass = Pass::new(&Description {
    name: "diagnose-circular-inlining",
    class_name: "CircularInliningDiagnostics",
    summary: "Diagnoses transparent functions that would be inlined without end.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| diagnose(module, libraries)),
});

/// Reports for each function the call that closes a cycle of inlined functions.
pub(crate) fn diagnose(module: &mut Module, _: &Libraries<'_>) -> Vec<Diagnostic> {
    let mut search = Search { module, finished: FxHashSet::default(), path: Vec::new() };
    let is_own = |id: &FunctionId| !module.functions[*id].has(FunctionFlag::Canonical);
    module.functions.keys().filter(is_own).filter_map(|function| search.circle_from(function)).collect()
}

/// The greatest depth of followed calls.
const DEEPEST_CALL: usize = 128;

struct Search<'m> {
    module: &'m Module,
    /// Functions that lead into no cycle.
    finished: FxHashSet<FunctionId>,
    /// The call chain of the search.
    path: Vec<FunctionId>,
}

impl Search<'_> {
    /// Returns the diagnostic for the call that closes a cycle, if a function leads into one. Calls are visited from
    /// the last one on, which is inlined first.
    fn circle_from(&mut self, function: FunctionId) -> Option<Diagnostic> {
        let module = self.module;
        let body = module.functions[function].body.as_ref().filter(|_| self.path.len() < DEEPEST_CALL)?;
        if !self.finished.insert(function) {
            return None;
        }
        self.path.push(function);
        let found = body.blocks.keys().find_map(|block| {
            let calls: Vec<InstructionId> = body.instructions_in(block).collect();
            calls.into_iter().rev().find_map(|call| self.circle_by(body, call))
        });
        self.path.pop();
        if found.is_some() {
            // The function leads into a cycle from every caller.
            self.finished.remove(&function);
        }
        found
    }

    fn circle_by(&mut self, body: &Body, call: InstructionId) -> Option<Diagnostic> {
        let callee = self.inlined(body, call)?;
        if self.path.contains(&callee) {
            let message = "inlining 'transparent' functions forms circular loop";
            return Some(error_at(body, call, "circular-inlining", message));
        }
        let is_nested = self.path.len() > 1;
        let found = self.circle_from(callee)?;
        Some(if is_nested { note_at(found, body, call, "while inlining here") } else { found })
    }

    /// Returns the transparent callee of a call.
    fn inlined(&self, body: &Body, call: InstructionId) -> Option<FunctionId> {
        ApplyKind::of(body.instructions[call].opcode).filter(|kind| kind.is_full())?;
        let name = ApplySite::new(body, call)?.called_function()?;
        let function = self.module.function_named(name)?;
        self.module.functions[function].has(FunctionFlag::Transparent).then_some(function)
    }
}
