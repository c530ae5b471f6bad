//! Running passes: over all functions at once, with the whole module in view, one pass after the other.
//!
//! A pass sees the module, bodies of callees too, as it was before the pass. So the order of the functions, and how many threads
//! there are, makes no difference.

use cranelift_entity::PrimaryMap;

use super::analyses::{Analyses, Change};
use super::{
    Pass, access_enforcement, capture_propagation, critical_edges, dead_code, definite_initialization,
    mandatory_inlining, mandatory_performance, noreturn_folding, ownership_lowering, raw_lowering,
};
use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, FunctionAttribute, FunctionId, Module};
use crate::parallel;
use crate::syntax::Libraries;
use crate::types::{ConformanceTable, TypeQueries};

/// What a pass knows of the function that it works on.
#[derive(Clone, Copy)]
pub(super) struct Environment<'m> {
    /// The module, with the bodies that it had before the pass.
    pub(super) module: &'m Module,
    pub(super) queries: &'m TypeQueries<'m>,
    pub(super) function: &'m Function,
    pub(super) body: &'m Body,
    /// What is known of `body`.
    pub(super) analyses: &'m Analyses,
}

/// What a pass makes of a function.
pub(super) struct Rewrite {
    pub(super) body: Body,
    pub(super) change: Change,
    pub(super) attributes: Vec<FunctionAttribute>,
    /// Functions that it made, each with the one that it is to stand before. Of several of one name the first is taken: a name says all
    /// that made the function what it is.
    pub(super) functions: Vec<(FunctionId, Function)>,
    /// What it has to say of the function's code.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// What a pass knows of a module that it works on as a whole.
#[derive(Clone, Copy)]
pub(super) struct ModuleEnvironment<'m> {
    /// The module as it was before the pass.
    pub(super) module: &'m Module,
    pub(super) queries: &'m TypeQueries<'m>,
    /// What is known of each function's body.
    pub(super) analyses: &'m PrimaryMap<FunctionId, Analyses>,
}

/// What a pass makes of the functions that it changes.
pub(super) type Rewrites = Vec<(FunctionId, Result<Rewrite, Box<Diagnostic>>)>;

/// How a pass runs.
enum Runner {
    /// Over one function at a time. None where the function stays as it is.
    Function(fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>),
    /// Over the module, where what becomes of a function depends on what became of others.
    Module(fn(ModuleEnvironment<'_>) -> Rewrites),
    /// Over the program, where functions are added from libraries or taken away.
    Program(fn(&mut Module, &Libraries<'_>) -> Vec<Diagnostic>),
}

fn runner(pass: Pass) -> Runner {
    match pass {
        Pass::AccessEnforcementSelection => Runner::Module(access_enforcement::select),
        Pass::CapturePropagation => Runner::Function(capture_propagation::propagate),
        Pass::CriticalEdgeSplitting => Runner::Function(critical_edges::split),
        Pass::DeadCodeElimination => Runner::Function(dead_code::eliminate),
        Pass::DefiniteInitialization => Runner::Function(definite_initialization::initialize),
        Pass::MandatoryInlining => Runner::Function(mandatory_inlining::inline),
        Pass::MandatoryPerformance => Runner::Program(mandatory_performance::optimize),
        Pass::NoReturnFolding => Runner::Function(noreturn_folding::fold),
        Pass::RawInstructionLowering => Runner::Function(raw_lowering::lower),
        Pass::OwnershipLowering => Runner::Function(ownership_lowering::lower),
    }
}

/// Runs `passes`, in order, on all functions of a module that the verifier accepts. Gives what they say of the code, and what they do not support: a
/// pass leaves such functions as they are.
pub fn run(module: &mut Module, passes: &[Pass], libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    let mut analyses: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    let mut diagnostics = Vec::new();
    for pass in passes {
        let rewritten = match runner(*pass) {
            Runner::Program(pass) => {
                diagnostics.extend(pass(module, libraries));
                analyses = module.functions.keys().map(|_| Analyses::default()).collect();
                continue;
            }
            Runner::Module(pass) => over_module(module, &analyses, pass),
            Runner::Function(pass) => over_functions(module, &analyses, pass),
        };
        let mut made = Vec::new();
        for (id, rewrite) in rewritten {
            match rewrite {
                Ok(Rewrite { body, change, attributes, functions, diagnostics: found }) => {
                    let name = module.functions[id].name;
                    diagnostics.extend(found.into_iter().map(|diagnostic| diagnostic.in_function(name)));
                    let function = &mut module.functions[id];
                    function.body = Some(body);
                    function.attributes = attributes;
                    analyses[id].forget(change);
                    made.extend(functions);
                }
                Err(diagnostic) => diagnostics.push(diagnostic.in_function(module.functions[id].name)),
            }
        }
        if !made.is_empty() {
            analyses = insert(module, analyses, made);
        }
    }
    diagnostics
}

/// Adds functions to a module. What is known of those that are there goes with them.
fn insert(
    module: &mut Module,
    analyses: PrimaryMap<FunctionId, Analyses>,
    made: Vec<(FunctionId, Function)>,
) -> PrimaryMap<FunctionId, Analyses> {
    let moved = module.insert_functions(made);
    let mut inserted: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    for (id, known) in analyses {
        inserted[moved[id]] = known;
    }
    inserted
}

fn over_module(
    module: &Module,
    analyses: &PrimaryMap<FunctionId, Analyses>,
    pass: fn(ModuleEnvironment<'_>) -> Rewrites,
) -> Rewrites {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    pass(ModuleEnvironment { module, queries: &TypeQueries::of(module, &conformances), analyses })
}

fn over_functions(
    module: &Module,
    analyses: &PrimaryMap<FunctionId, Analyses>,
    pass: fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>,
) -> Rewrites {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let rewrite = |id: &FunctionId| {
        let function = &module.functions[*id];
        let body = function.body.as_ref()?;
        let environment = Environment { module, queries, function, body, analyses: &analyses[*id] };
        Some((*id, pass(environment).transpose()?))
    };
    parallel::map(&functions, rewrite).into_iter().flatten().collect()
}
