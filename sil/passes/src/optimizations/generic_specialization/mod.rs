//! Generic specialisation: clones generic functions for the types of a call. Calls with types that are not all concrete
//! are left alone, unless the settings permit partial specialisation. Follows
//! lib/SILOptimizer/Transforms/GenericSpecializer.cpp.
//!
//! Owns: the choice of calls that the optimisation specialises. `specialization` has the request for a specialisation,
//! which all clients share. `reabstraction` has the conventions, `dropping` the arguments that are not passed, `body`
//! clones functions, `calls` rewrites calls, `effects` converts effect attributes, `growth` prevents infinite
//! specialisation, `thunks` creates functions for closures, `closures` rewrites users of closures that need no thunk,
//! and `partial` has the remaining generic signature.

mod body;
mod borrow_ends;
mod calls;
mod closures;
mod dropping;
mod effects;
mod growth;
mod partial;
mod reabstraction;
mod specialization;
mod thunks;

pub(crate) use self::calls::{Retargeted, retarget, retarget_to};
pub(crate) use self::dropping::SpecializedCall;
pub(crate) use self::reabstraction::Reabstraction;
pub(crate) use self::specialization::{CallSpecialization, Specialization, reabstracted};

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{Analyses, ApplyKind, ApplySite, Change};
use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{
    BlockId, Body, Details, Function, FunctionId, InstructionId, LanguageMode, Module, Replacements, Value,
};
use sil_ir::types::{ConformanceTable, TypeQueries};

use self::closures::adapt;
use crate::editing::unused::{remove_unused, remove_unused_and_variables};
use crate::knowledge::visibility::may_be_inlined_into;
use crate::pass::settings::{PartialSpecialization, Settings};
use crate::pass::{
    Afterwards, Description, Environment, Findings, Gate, Gates, Outcome, Pass, Remark, RemarkPart, Rewrite, Runner,
    apply,
};

pub(crate) const GENERIC_SPECIALIZER: Pass = Pass::new(&Description {
    name: "generic-specializer",
    class_name: "GenericSpecializer",
    summary: "Specialises generic functions for the types that they are called with.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::FunctionByFunction(specialize, Afterwards::GoOn),
});

/// The name of the pass in remarks.
const REMARKS: &str = "sil-generic-specializer";
/// The semantics of functions that are never specialised.
const NEVER: &str = "optimize.sil.specialize.generic.never";
/// The semantics of functions that are never partially specialised.
const NEVER_IN_PART: &str = "optimize.sil.specialize.generic.partial.never";

/// The semantics of functions that are never specialised for callers that are optimised for size.
const NEVER_FOR_SIZE: &str = "optimize.sil.specialize.generic.size.never";

/// The purpose of specialisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// Optimisation.
    Speed,
    /// Elimination of generic code, which callers must not need.
    Guarantee,
}

/// Specialises the callees of a function.
pub(crate) fn specialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(rewritten(environment, Purpose::Speed))
}

/// Specialises the callees of a function to eliminate generic code. Returns whether there were any.
pub(crate) fn specialize_calls(module: &mut Module, caller: Name, settings: &Settings) -> bool {
    let Some(id) = module.function_named(caller) else { return false };
    let rewritten = {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let (function, analyses) = (&module.functions[id], &Analyses::default());
        let Some(body) = &function.body else { return false };
        rewritten(
            Environment { module, queries, function, body, analyses, of_module: None, settings },
            Purpose::Guarantee,
        )
    };
    // A rewrite with only remarks changes nothing.
    let Some(rewrite) = rewritten.filter(|rewrite| rewrite.change == Change::Blocks) else { return false };
    let analyses = module.functions.keys().map(|_| Analyses::default()).collect();
    apply(module, vec![(id, Ok(rewrite))], analyses, &mut Findings::default());
    true
}

/// The remarks for calls of generic functions without bodies, with their blocks. Within a block the last call comes
/// first.
fn without_definition(environment: Environment<'_>) -> Vec<(BlockId, Remark)> {
    let Environment { module, queries, body, function, .. } = environment;
    let mut found: Vec<(BlockId, Remark)> = Vec::new();
    for call in body.placed_instructions() {
        let instruction = &body.instructions[call];
        let Details::Apply(apply) = &instruction.details else { continue };
        let called = ApplySite::new(body, call).and_then(ApplySite::called_function);
        let callee = called.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
        let Some(callee) = callee.filter(|callee| callee.body.is_none()) else { continue };
        if queries.context.replacements(apply.substitutions).is_empty() {
            continue;
        }
        let parts = vec![
            RemarkPart::Text("Unable to specialize generic function "),
            RemarkPart::Function("Callee", callee.name, callee.span),
            RemarkPart::Text(" since definition is not visible"),
        ];
        let remark = Remark::new((Outcome::Missed, REMARKS, "NoDef"), function, instruction, parts);
        found.extend(remark.map(|remark| (instruction.block, remark)));
    }
    found.reverse();
    found
}

/// The remarks in block order. The order within a block is kept.
fn in_order(body: &Body, mut remarks: Vec<(BlockId, Remark)>) -> impl Iterator<Item = Remark> {
    let order: FxHashMap<BlockId, usize> = body.blocks.keys().zip(0..).collect();
    remarks.sort_by_key(|(block, _)| order.get(block).copied());
    remarks.into_iter().map(|(_, remark)| remark)
}

/// A call to rewrite.
struct Site {
    call: InstructionId,
    callee: FunctionId,
    specialization: CallSpecialization,
}

/// Rewrites a function to call specialisations, together with those. `None` if there are none.
fn rewritten(environment: Environment<'_>, purpose: Purpose) -> Option<Rewrite> {
    let Environment { module, queries, function, .. } = environment;
    let calls: Vec<InstructionId> = environment.body.placed_instructions().collect();
    let sites: Vec<Site> = calls.into_iter().filter_map(|call| site(environment, call, purpose)).collect();
    let mut remarks = without_definition(environment);
    if sites.is_empty() && remarks.is_empty() {
        return None;
    }
    let change = if sites.is_empty() { Change::Instructions } else { Change::Blocks };
    let mut rewrite = Rewrite::new(function, environment.body.clone(), change);
    let mut unused: Vec<Value> = Vec::new();
    let mut replacements = Replacements::default();
    let mut erased: FxHashSet<InstructionId> = FxHashSet::default();
    for site in sites {
        if erased.contains(&site.call) {
            continue;
        }
        let callee = &module.functions[site.callee];
        let Some(made) = functions(module, queries, &site.specialization) else { continue };
        let called = &site.specialization.called;
        let Some(mut retargeted) = calls::retarget(queries, function, &mut rewrite.body, site.call, called) else {
            continue;
        };
        let captures = environment.body.operands(site.call).len() - 1;
        let made_so = (&called.reabstraction, captures);
        adapt(queries, function, &mut rewrite.body, &site.specialization.users, made_so, &mut retargeted);
        unused.extend(retargeted.unneeded);
        erased.extend(retargeted.erased);
        retargeted.replaced.into_iter().for_each(|(value, by)| replacements.replace(value, by));
        remarks.extend(specialization_remark(environment, callee, &site));
        for (made, order) in made {
            match order {
                Order::BeforeCallee => rewrite.functions.push((site.callee, made)),
                Order::Last => rewrite.appended.push(made),
            }
        }
    }
    rewrite.body.replace_values(&replacements);
    match purpose {
        Purpose::Speed => remove_unused_and_variables(&mut rewrite.body, unused),
        Purpose::Guarantee => remove_unused(&mut rewrite.body, unused),
    }
    rewrite.remarks.extend(in_order(environment.body, remarks));
    Some(rewrite)
}

/// The remark for a specialised call, with its block.
fn specialization_remark(environment: Environment<'_>, callee: &Function, site: &Site) -> Option<(BlockId, Remark)> {
    let CallSpecialization { called, inner, .. } = &site.specialization;
    let made_type = inner.as_ref().unwrap_or(called).reabstraction.ty;
    let parts = vec![
        RemarkPart::Text("Specialized function "),
        RemarkPart::Function("Function", callee.name, callee.span),
        RemarkPart::Text(" with type "),
        RemarkPart::Type("FuncType", made_type),
    ];
    let instruction = &environment.body.instructions[site.call];
    let remark = Remark::new((Outcome::Passed, REMARKS, "Specialized"), environment.function, instruction, parts)?;
    Some((instruction.block, remark))
}

/// The specialisation of `call`, if it is specialised.
fn site(environment: Environment<'_>, call: InstructionId, purpose: Purpose) -> Option<Site> {
    let Environment { module, queries, body, function: caller, .. } = environment;
    let site = ApplySite::new(body, call)?;
    let Details::Apply(apply) = &body.instructions[call].details else { return None };
    let substitutions = apply.substitutions;
    let types = queries.context.replacements(substitutions);
    let in_part = types.iter().any(|ty| queries.is_dependent(*ty));
    let allowed = environment.settings.partial_specialization;
    if types.is_empty() || in_part && (allowed == PartialSpecialization::Disabled || purpose == Purpose::Guarantee) {
        return None;
    }
    let reference = body.defining(site.callee()?)?;
    if body.instructions[reference].opcode != Opcode::FunctionRef {
        return None;
    }
    let id = module.function_named(views::FunctionRef::of(body, reference).function)?;
    let callee = &module.functions[id];
    let is_wanted = callee.body.is_some()
        && callee.signature.is_some()
        && match purpose {
            Purpose::Speed => {
                let is_too_large = environment.settings.is_for_size(caller) && asks(module, callee, NEVER_FOR_SIZE);
                may_be_inlined_into(callee, caller) && !is_never_specialized(module, callee) && !is_too_large
            }
            Purpose::Guarantee => !is_never_specialized(module, callee),
        }
        && !(in_part && asks(module, callee, NEVER_IN_PART));
    if !is_wanted {
        return None;
    }
    let (kind, arguments) = (site.kind, site.arguments());
    let uses = (kind == ApplyKind::PartialApply).then(|| &**environment.analyses.uses(body));
    let made_for = SpecializedCall { body, instruction: call, kind, arguments, uses };
    let specialization = CallSpecialization::new(module, environment.into(), caller, callee, substitutions, made_for)?;
    specialization.fits(module, queries).then_some(Site { call, callee: id, specialization })
}

/// The position of a new function in the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Before the generic function.
    BeforeCallee,
    /// After all other functions, for thunks.
    Last,
}

/// Creates the missing functions of a specialisation. Returns `None` if one cannot be created.
fn functions(
    module: &Module,
    queries: &TypeQueries<'_>,
    specialization: &CallSpecialization,
) -> Option<Vec<(Function, Order)>> {
    let CallSpecialization { called, inner, .. } = specialization;
    let order = if inner.is_some() { Order::Last } else { Order::BeforeCallee };
    let needed = inner.iter().map(|inner| (inner, Order::BeforeCallee)).chain([(called, order)]);
    let missing = needed.filter(|(needed, _)| module.function_named(needed.name).is_none());
    missing.map(|(missing, order)| Some((missing.function(module, queries)?, order))).collect()
}

/// Returns whether a function is marked never to be specialised.
fn is_never_specialized(module: &Module, callee: &Function) -> bool {
    asks(module, callee, NEVER)
}

/// Returns whether a function has the given semantics. Embedded Swift ignores it, since it requires specialisation.
fn asks(module: &Module, callee: &Function, semantics: &str) -> bool {
    module.mode == LanguageMode::Full && callee.semantics(&module.context).any(|name| name == semantics)
}
