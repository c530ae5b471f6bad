//! Applies rewrites to the module.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;
use sil_analysis::Analyses;
use sil_ir::context::Name;
use sil_ir::model::{Function, FunctionId, Module};

use super::findings::Findings;
use super::rewrite::Rewrites;

/// Applies the results of a pass to the module. Returns the analyses that are still valid.
pub(crate) fn apply(
    module: &mut Module,
    rewritten: Rewrites,
    mut analyses: PrimaryMap<FunctionId, Analyses>,
    findings: &mut Findings,
) -> PrimaryMap<FunctionId, Analyses> {
    let mut made = Vec::new();
    let mut appended = Vec::new();
    for (id, rewrite) in rewritten {
        match rewrite {
            Ok(mut rewrite) => {
                module.add_globals_of(&mut rewrite.body, rewrite.globals);
                let name = module.functions[id].name;
                let said = rewrite.diagnostics.into_iter().map(|diagnostic| diagnostic.in_function(name));
                findings.diagnostics.extend(said);
                findings.remarks.extend(rewrite.remarks);
                let function = &mut module.functions[id];
                function.body = Some(rewrite.body);
                function.attributes = rewrite.attributes;
                analyses[id].forget(rewrite.change);
                for (global, value) in rewrite.initial_values {
                    module.globals[global].initializer = Some(Box::new(value));
                }
                for (other, function) in rewrite.others {
                    module.functions[other] = function;
                    analyses[other] = Analyses::default();
                }
                made.extend(rewrite.functions);
                appended.extend(rewrite.appended);
            }
            Err(diagnostic) => findings.diagnostics.push(diagnostic.in_function(module.functions[id].name)),
        }
    }
    if !made.is_empty() {
        analyses = insert(module, analyses, made);
    }
    let mut after = Vec::new();
    for function in appended {
        if module.function_named(function.name).is_none() {
            after.push(module.add_function(function));
            analyses.push(Analyses::default());
        }
    }
    module.give_own_scopes(after);
    analyses
}

/// Adds functions to a module. The analyses of existing functions are kept.
fn insert(
    module: &mut Module,
    analyses: PrimaryMap<FunctionId, Analyses>,
    made: Vec<(FunctionId, Function)>,
) -> PrimaryMap<FunctionId, Analyses> {
    let names = made.iter().map(|(_, function)| function.name);
    let new: FxHashSet<Name> = names.filter(|name| module.function_named(*name).is_none()).collect();
    let moved = module.insert_functions(made);
    let functions = module.functions.iter().filter(|(_, function)| new.contains(&function.name));
    let ids: Vec<FunctionId> = functions.map(|(id, _)| id).collect();
    module.give_own_scopes(ids);
    let mut inserted: PrimaryMap<FunctionId, Analyses> = module.functions.keys().map(|_| Analyses::default()).collect();
    for (id, known) in analyses {
        inserted[moved[id]] = known;
    }
    inserted
}
