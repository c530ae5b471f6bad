//! Generic functions made anew for the types that they are called with (lib/SILOptimizer/Transforms/GenericSpecializer.cpp). Calls stay as they are whose
//! types are not all known: nothing is specialised in part.
//!
//! Owns: which calls are specialised, and the names of what is made. How values are passed then is in `reabstraction`, the functions are made in `body`,
//! calls of them in `calls`, what is known of their effects in `effects`, what closures are made of in `thunks`.

mod body;
mod calls;
mod effects;
mod reabstraction;
mod thunks;

pub(in crate::transform) use self::reabstraction::specialized_type;

use rustc_hash::FxHashMap;

use self::reabstraction::Reabstraction;
use self::thunks::Thunk;
use crate::analysis::{Analyses, Change};
use crate::analysis::{ApplyKind, ApplySite};
use crate::context::{Name, SubstitutionMapId, TypeId};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views;
use crate::model::{
    BlockId, Body, Details, Function, FunctionFlag, FunctionId, InstructionId, Module, Serialization, SpecializedFrom,
    Value,
};
use crate::transform::editing::specialized_names::generic_specialized_name;
use crate::transform::editing::unused::remove_unused;
use crate::transform::knowledge::visibility::may_be_inlined_into;
use crate::transform::pipeline::{Environment, Findings, Rewrite, apply};
use crate::transform::remarks::{Outcome, Remark, RemarkPart};
use crate::transform::settings::Settings;
use crate::types::{ConformanceTable, TypeQueries};

/// What the pass is called in remarks.
const REMARKS: &str = "sil-generic-specializer";
/// Functions with this semantics are not specialised.
const NEVER: &str = "optimize.sil.specialize.generic.never";
/// The types of a specialisation are written with no more parts than this (`isTypeTooComplex` in lib/SILOptimizer/Utils/Generics.cpp).
const MOST_PARTS: usize = 500;

/// What functions are specialised for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// To make the program fast.
    Speed,
    /// What calls them must not need what generic code does.
    Guarantee,
}

/// Specialises what a function calls.
pub(in crate::transform) fn specialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let is_optimized = !environment.function.has(FunctionFlag::OptimizeNone);
    Ok(is_optimized.then(|| rewritten(environment, Purpose::Speed)).flatten())
}

/// Specialises what a function of a module calls so that it can do without generic code, and says whether there was something.
pub(in crate::transform) fn specialize_calls(module: &mut Module, caller: Name) -> bool {
    let Some(id) = module.function_named(caller) else { return false };
    let rewritten = {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let (function, analyses, settings) = (&module.functions[id], &Analyses::default(), &Settings::default());
        let Some(body) = &function.body else { return false };
        rewritten(Environment { module, queries, function, body, analyses, settings }, Purpose::Guarantee)
    };
    // Remarks alone change nothing.
    let Some(rewrite) = rewritten.filter(|rewrite| rewrite.change == Change::Blocks) else { return false };
    let analyses = module.functions.keys().map(|_| Analyses::default()).collect();
    apply(module, vec![(id, Ok(rewrite))], analyses, &mut Findings::default());
    true
}

/// Remarks of the calls of generic functions without bodies, with their blocks: in each block the last call first.
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

/// The remarks block by block, within each as they are.
fn in_order(body: &Body, mut remarks: Vec<(BlockId, Remark)>) -> impl Iterator<Item = Remark> {
    let order: FxHashMap<BlockId, usize> = body.blocks.keys().zip(0..).collect();
    remarks.sort_by_key(|(block, _)| order.get(block).copied());
    remarks.into_iter().map(|(_, remark)| remark)
}

/// A call that is to call something else.
struct Site {
    call: InstructionId,
    callee: FunctionId,
    substitutions: SubstitutionMapId,
    reabstraction: Reabstraction,
    name: Name,
    /// What that calls, where it is a thunk for a closure.
    inner: Option<(Reabstraction, Name)>,
}

/// What a function becomes that calls what is specialised, with what is made for that; none where it calls nothing of the kind.
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
    for site in sites {
        let callee = &module.functions[site.callee];
        let serialization = serialization(function, callee, purpose);
        let Some(specialized) = specialized(queries, callee, &site, serialization) else { continue };
        let before = rewrite.body.operands(site.call)[0];
        if !calls::retarget(queries, function, &mut rewrite.body, site.call, &site.reabstraction, site.name) {
            continue;
        }
        unused.push(before);
        remarks.extend(specialization_remark(environment, callee, &site));
        let from = SpecializedFrom { callee: callee.name, substitutions: site.substitutions, caller: function.name };
        for (index, mut made) in specialized.into_iter().enumerate() {
            if !may_be_inlined_into(callee, function) {
                made.linkage = callee.linkage;
            }
            made.specialized_from = Some(from);
            // Thunks stand behind all others.
            match index {
                0 => rewrite.functions.push((site.callee, made)),
                _ => rewrite.appended.push(made),
            }
        }
    }
    remove_unused(&mut rewrite.body, unused);
    rewrite.remarks.extend(in_order(environment.body, remarks));
    Some(rewrite)
}

/// The remark of a call that something was made for, with its block.
fn specialization_remark(environment: Environment<'_>, callee: &Function, site: &Site) -> Option<(BlockId, Remark)> {
    let made_type = site.inner.as_ref().map_or(site.reabstraction.ty, |(inner, _)| inner.ty);
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

/// What `call` is to call, if that is something else.
fn site(environment: Environment<'_>, call: InstructionId, purpose: Purpose) -> Option<Site> {
    let Environment { module, queries, body, function: caller, .. } = environment;
    let site = ApplySite::new(body, call)?;
    let Details::Apply(apply) = &body.instructions[call].details else { return None };
    let substitutions = apply.substitutions;
    let types = queries.context.replacements(substitutions);
    if types.is_empty() || types.iter().any(|ty| queries.is_dependent(*ty) || parts(queries, *ty) > MOST_PARTS) {
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
            Purpose::Speed => may_be_inlined_into(callee, caller) && !is_never_specialized(module, callee),
            Purpose::Guarantee => !is_never_specialized(module, callee),
        };
    if !is_wanted || grows(module, queries, caller.name, callee.name, substitutions) {
        return None;
    }
    let mut reabstraction = Reabstraction::new(environment, site, callee, substitutions)?;
    let serialization = serialization(caller, callee, purpose);
    let mut name = name_of_specialization(module, queries, callee, substitutions, &reabstraction, serialization)?;
    let mut inner = None;
    let is_same = |name: Name, reabstraction: &Reabstraction| {
        let existing = module.function_named(name).map(|id| module.functions[id].ty);
        existing.is_none_or(|ty| queries.same_type(ty, reabstraction.ty))
    };
    if site.kind == ApplyKind::PartialApply && reabstraction.passes_values() {
        if !is_same(name, &reabstraction) {
            return None;
        }
        let outer = Reabstraction::unchanged(queries, callee, substitutions)?;
        let outer_name = name_of_specialization(module, queries, callee, substitutions, &outer, serialization)?;
        inner = Some((std::mem::replace(&mut reabstraction, outer), std::mem::replace(&mut name, outer_name)));
    }
    let fits = is_same(name, &reabstraction);
    fits.then_some(Site { call, callee: id, substitutions, reabstraction, name, inner })
}

/// Whether `caller` was made for a call of `callee` with smaller types: that would not end.
fn grows(
    module: &Module,
    queries: &TypeQueries<'_>,
    caller: Name,
    callee: Name,
    substitutions: SubstitutionMapId,
) -> bool {
    let size = |map| queries.context.replacements(map).iter().map(|ty| parts(queries, *ty)).sum::<usize>();
    let origin = |name: Name| module.function_named(name).and_then(|id| module.functions[id].specialized_from);
    let mut current = origin(caller);
    // The function that one was made for was there before it, but passes can take it away and make another one of its name.
    for _ in 0..module.functions.len() {
        let Some(from) = current else { return false };
        if from.callee == callee && size(substitutions) > size(from.substitutions) {
            return true;
        }
        current = origin(from.caller);
    }
    false
}

/// The functions that a site needs.
fn specialized(
    queries: &TypeQueries<'_>,
    callee: &Function,
    site: &Site,
    serialization: Serialization,
) -> Option<Vec<Function>> {
    let Site { substitutions, reabstraction, name, inner, .. } = site;
    let Some((direct, inner_name)) = inner else {
        return Some(vec![body::function(queries, callee, *substitutions, reabstraction, *name, serialization)?]);
    };
    let thunk =
        Thunk { callee, substitutions: *substitutions, outer: reabstraction, inner: direct, inner_name: *inner_name };
    let called = body::function(queries, callee, *substitutions, direct, *inner_name, serialization)?;
    Some(vec![called, thunk.function(queries, *name, serialization)?])
}

fn is_never_specialized(module: &Module, callee: &Function) -> bool {
    callee.semantics(&module.context).any(|name| name == NEVER)
}

/// How many types a type is written with.
fn parts(queries: &TypeQueries<'_>, ty: TypeId) -> usize {
    let mut count = 0;
    queries.find_in(ty, &mut |_| -> Option<()> {
        count += 1;
        None
    });
    count
}

/// Whether clients see the body of what is made for `caller`.
fn serialization(caller: &Function, callee: &Function, purpose: Purpose) -> Serialization {
    match purpose {
        Purpose::Guarantee if !may_be_inlined_into(callee, caller) => Serialization::None,
        _ => caller.serialization,
    }
}

fn name_of_specialization(
    module: &Module,
    queries: &TypeQueries<'_>,
    callee: &Function,
    substitutions: SubstitutionMapId,
    reabstraction: &Reabstraction,
    serialization: Serialization,
) -> Option<Name> {
    let passing = (reabstraction.abstraction, &*reabstraction.dropped());
    generic_specialized_name(queries, module, callee.name, substitutions, serialization, passing)
}
