//! Optimisations that ordinary Swift guarantees for functions with annotations such as `@_noLocks`, and for their
//! callees (SwiftCompilerSources, `MandatoryPerformanceOptimizations`): no generic calls, devirtualised methods where
//! possible, and no unnecessary metadata. Does not own: diagnostics of remaining violations
//! (`performance_diagnostics`).
//!
//! Owns: the set of these functions, and the order of the work. `rewriting` owns the work on one function, `metatypes`
//! metatype arguments.

mod metatypes;
mod rewriting;

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, NominalId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views;
use sil_ir::model::{Body, Details, Function, FunctionAttribute, FunctionFlag, InstructionId, LanguageMode, Module};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::{Libraries, Wanted};

use crate::optimizations::generic_specialization::specialize_calls;
use crate::pass::settings::Settings;

/// Optimises annotated functions and their callees. In Embedded Swift, where all functions are optimised, it does
/// nothing.
pub(crate) fn optimize(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Vec<Diagnostic> {
    if module.mode == LanguageMode::Embedded {
        return Vec::new();
    }
    let mut worklist = Worklist::default();
    worklist.push_annotated(module);
    let mut diagnostics = Vec::new();
    let mut requested = Wanted::default();
    while let Some(name) = worklist.pop() {
        diagnostics.extend(link_callees(module, libraries, name, &mut requested));
        // Inlined or specialised code has further calls.
        for _ in 0..MOST_ROUNDS {
            let is_rewritten = rewriting::rewrite(module, name, settings);
            let is_specialized = specialize_calls(module, name, settings);
            diagnostics.extend(link_callees(module, libraries, name, &mut requested));
            if !is_rewritten && !is_specialized {
                break;
            }
        }
        rewriting::let_clients_see(module, name);
        metatypes::specialize_callees(module, name);
        worklist.push_callees(module, name);
    }
    mark(module);
    diagnostics
}

/// The greatest number of rewriting rounds of a function.
const MOST_ROUNDS: usize = 20;

/// Returns whether a function has a performance annotation.
pub(crate) fn is_annotated(function: &Function) -> bool {
    use FunctionFlag::*;
    [NoLocks, NoAllocation, NoRuntime, NoExistentials, NoObjCBridging].iter().any(|flag| function.has(*flag))
}

/// Links the bodies of the functions that a function references, and the tables of the conformances whose methods it
/// calls.
fn link_callees(module: &mut Module, libraries: &Libraries<'_>, name: Name, requested: &mut Wanted) -> Vec<Diagnostic> {
    let Some(body) = module.function_named(name).and_then(|id| module.functions[id].body.as_ref()) else {
        return Vec::new();
    };
    let references = body.placed_instructions().filter_map(|id| views::FunctionRef::get(body, id));
    let is_missing = |name: &Name| {
        let function = module.function_named(*name).map(|id| &module.functions[id]);
        function.is_some_and(|function| function.body.is_none()) && requested.functions.insert(*name)
    };
    let functions: FxHashSet<Name> = references.map(|reference| reference.function).filter(is_missing).collect();
    let conformances = conformances_called(module, body).into_iter();
    let witness_tables = conformances.filter(|conformance| requested.witness_tables.insert(*conformance)).collect();
    let wanted = Wanted { functions, witness_tables, ..Wanted::default() };
    if wanted.is_empty() { Vec::new() } else { libraries.link(module, &wanted) }
}

/// Returns the types whose witness methods a function calls, each with the protocol.
fn conformances_called(module: &Module, body: &Body) -> Vec<(NominalId, NominalId)> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let conformance = |id: InstructionId| {
        let method = views::WitnessMethod::get(body, id)?.method;
        let declaration = queries.as_nominal(method.lookup?)?.declaration;
        Some((declaration, module.context.get_member(method.member).parent?))
    };
    body.placed_instructions().filter_map(conformance).collect()
}

/// Marks annotated functions and all their callees.
fn mark(module: &mut Module) {
    let mut worklist = Worklist::default();
    for function in module.functions.values().filter(|function| is_annotated(function) && function.body.is_some()) {
        worklist.push(function.name);
    }
    while let Some(name) = worklist.pop() {
        worklist.push_callees(module, name);
        let Some(id) = module.function_named(name) else { continue };
        let function = &mut module.functions[id];
        if !function.has(FunctionFlag::PerformanceConstraint) {
            function.attributes.push(FunctionAttribute::Flag(FunctionFlag::PerformanceConstraint));
        }
    }
}

/// The functions to process, each once.
#[derive(Default)]
struct Worklist {
    names: Vec<Name>,
    next: usize,
    seen: FxHashSet<Name>,
}

impl Worklist {
    fn push(&mut self, name: Name) {
        if self.seen.insert(name) {
            self.names.push(name);
        }
    }

    fn pop(&mut self) -> Option<Name> {
        let name = *self.names.get(self.next)?;
        self.next += 1;
        Some(name)
    }

    fn push_annotated(&mut self, module: &Module) {
        module.functions.values().filter(|function| is_annotated(function)).for_each(|found| self.push(found.name));
    }

    /// Adds the callees of a function, including those of `once`.
    fn push_callees(&mut self, module: &Module, name: Name) {
        let Some(body) = module.function_named(name).and_then(|id| module.functions[id].body.as_ref()) else { return };
        for id in body.placed_instructions() {
            if let Some(callee) = callee(body, id) {
                self.push(callee);
            }
        }
    }
}

/// Returns the function that an instruction applies, or runs once.
fn callee(body: &Body, id: InstructionId) -> Option<Name> {
    let operand = match (body.instructions[id].opcode, &body.instructions[id].details) {
        (Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply, _) => 0,
        (Opcode::Builtin, Details::Builtin(builtin)) => {
            let kind = builtin.kind()?;
            let is_once = matches!(kind, BuiltinKind::Named(NamedBuiltin::Once | NamedBuiltin::OnceWithContext));
            is_once.then_some(1)?
        }
        _ => return None,
    };
    let reference = body.defining(*body.operands(id).get(operand)?)?;
    views::FunctionRef::get(body, reference).map(|reference| reference.function)
}
