//! Who calls and refers to functions (lib/SILOptimizer/Analysis/CallerAnalysis.cpp, as YAML;
//! SwiftCompilerSources/Sources/Optimizer/DataStructures/FunctionUses.swift).

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_analysis::{ApplyKind, ApplySite, FunctionUses, ModuleExtent, Uses, is_seen_elsewhere};
use sil_ir::context::{Name, Representation, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, Function, FunctionAttribute, FunctionId, InstructionId, Module};
use sil_ir::types::TypeQueries;

use super::Subject;

/// The relation of a function to another one.
#[derive(Clone, Copy)]
struct Caller {
    function: FunctionId,
    calls: bool,
    /// The least number of arguments that it makes a closure with.
    closed_over: Option<usize>,
    /// Whether it does nothing else with it.
    is_understood: bool,
}

/// The callers of each function.
pub(super) fn callers(module: &Module, queries: &TypeQueries<'_>, extent: ModuleExtent) -> String {
    let mut callers: SecondaryMap<FunctionId, Vec<Caller>> = SecondaryMap::new();
    for (function, definition) in &module.functions {
        let Some(body) = &definition.body else { continue };
        let uses = Uses::new(body);
        for reference in body.placed_instructions() {
            let Some(callee) = referenced_function(module, body, reference) else { continue };
            let found = local_calls(body, &uses, function, reference);
            let known = &mut callers[callee];
            match known.iter_mut().find(|known| known.function == function) {
                Some(known) => known.add(found),
                None => known.push(found),
            }
        }
    }
    let nodes = module.functions.iter().map(|(id, function)| node(module, queries, function, &callers[id], extent));
    nodes.collect()
}

impl Caller {
    fn add(&mut self, other: Caller) {
        self.calls |= other.calls;
        self.is_understood &= other.is_understood;
        self.closed_over = match (self.closed_over, other.closed_over) {
            (Some(first), Some(second)) => Some(first.min(second)),
            (first, second) => first.or(second),
        };
    }
}

fn node(
    module: &Module,
    queries: &TypeQueries<'_>,
    function: &Function,
    callers: &[Caller],
    extent: ModuleExtent,
) -> String {
    let name = |caller: &Caller| module.context.text(module.functions[caller.function].name);
    let list = |names: Vec<&str>| match names.as_slice() {
        [] => " []".to_owned(),
        names => names.iter().map(|name| format!("\n  - {name}")).collect(),
    };
    let closing = callers.iter().filter(|caller| caller.closed_over.is_some());
    let calling = callers.iter().filter(|caller| caller.calls);
    let is_complete = callers.iter().all(|caller| caller.is_understood);
    let has_all = is_complete && !may_be_called_otherwise(queries, function, extent);
    format!(
        "---\ncalleeName: {}\nhasCaller: {}\nminPartialAppliedArgs: {}\nhasOnlyCompleteDirectCallerSets: {is_complete}\n\
         hasAllCallers: {has_all}\npartialAppliers:{}\nfullAppliers:{}\n...\n",
        module.context.text(function.name),
        callers.iter().any(|caller| caller.calls),
        callers.iter().filter_map(|caller| caller.closed_over).min().unwrap_or(0),
        list(closing.map(name).collect()),
        list(calling.map(name).collect()),
    )
}

/// Whether others than those who refer to it may call a function: from outside, or through a table.
fn may_be_called_otherwise(queries: &TypeQueries<'_>, function: &Function, extent: ModuleExtent) -> bool {
    use Representation::*;
    let is_dispatched = match queries.get(function.ty) {
        Type::Function(ty) => matches!(ty.representation, Method | ObjCMethod | WitnessMethod(..) | CxxMethod),
        _ => true,
    };
    let is_named = |attribute: &FunctionAttribute| {
        matches!(attribute, FunctionAttribute::DynamicReplacementFor(_) | FunctionAttribute::AdHocRequirementWitness(_))
    };
    is_dispatched || is_seen_elsewhere(function.linkage, extent) || function.attributes.iter().any(is_named)
}

fn referenced_function(module: &Module, body: &Body, id: InstructionId) -> Option<FunctionId> {
    match body.instructions[id].details {
        Details::Function(name) => module.function_named(name),
        _ => None,
    }
}

/// The calls in `function` of the function that `reference` refers to.
fn local_calls(body: &Body, uses: &Uses, function: FunctionId, reference: InstructionId) -> Caller {
    use Opcode::*;
    let mut found = Caller { function, calls: false, closed_over: None, is_understood: true };
    let mut work: Vec<_> = body.results(reference).flat_map(|value| uses.of(value)).collect();
    while let Some(used) = work.pop() {
        let site = ApplySite::new(body, used.user).filter(|_| used.operand == 0);
        let passes_on =
            match (site.map(|site| (site.kind, site.arguments().len())), body.instructions[used.user].opcode) {
                (Some((ApplyKind::PartialApply, arguments)), _) => {
                    found.add(Caller { closed_over: Some(arguments), ..found });
                    true
                }
                (Some(_), _) => {
                    found.calls = true;
                    false
                }
                (
                    None,
                    ThinToThickFunction | ConvertFunction | ConvertEscapeToNoescape | MarkDependence | CopyValue,
                ) => true,
                (None, StrongRetain | StrongRelease | RetainValue | ReleaseValue | DestroyValue | DeallocStack) => {
                    false
                }
                _ => {
                    found.is_understood = false;
                    false
                }
            };
        if passes_on {
            work.extend(body.results(used.user).flat_map(|value| uses.of(value)));
        }
    }
    found
}

/// The instructions that refer to each function, the last one first.
pub(super) fn uses(module: &Module, subjects: &[Subject<'_>], extent: ModuleExtent) -> String {
    let known = FunctionUses::new(module, extent);
    let by_name: FxHashMap<Name, &Subject<'_>> =
        subjects.iter().map(|subject| (subject.function.name, subject)).collect();
    let mut out = String::new();
    for (id, function) in &module.functions {
        let name = module.context.text(function.name);
        out += &format!("Uses of {name}\n[\n");
        if known.has_unknown(id) {
            out += "<unknown uses>\n";
        }
        for (user, instruction) in known.of(id) {
            let Some(subject) = by_name.get(&module.functions[user].name) else { continue };
            out += &format!("@{}: {}", subject.name(), subject.lines.instruction(instruction));
        }
        out += &format!("]\nEnd function {name}\n\n");
    }
    out
}
