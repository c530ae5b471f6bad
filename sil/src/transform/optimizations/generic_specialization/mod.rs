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
use crate::analysis::{ApplyKind, ApplySite};
use crate::context::{Name, SubstitutionMapId, TypeId};
use crate::instructions::Opcode;
use crate::model::views;
use crate::model::{
    BlockId, Body, Details, Function, FunctionAttribute, FunctionFlag, FunctionId, InstructionId, Module,
    Serialization, Value,
};
use crate::transform::analyses::Analyses;
use crate::transform::editing::specialized_names::generic_specialized_name;
use crate::transform::editing::unused::remove_unused;
use crate::transform::knowledge::visibility::may_be_inlined_into;
use crate::transform::pipeline::{Environment, Findings};
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
pub(in crate::transform) enum Purpose {
    /// To make the program fast.
    Speed,
    /// What calls them must not need what generic code does.
    Guarantee,
}

/// Specialises what the functions of a module call, and what is called by what was made.
pub(in crate::transform) fn specialize(module: &mut Module, settings: &Settings, findings: &mut Findings) {
    let is_optimized = |function: &&Function| function.body.is_some() && !function.has(FunctionFlag::OptimizeNone);
    let mut open: Vec<Name> = module.functions.values().filter(is_optimized).map(|function| function.name).collect();
    open.reverse();
    let mut specializer = Specializer::default();
    while let Some(name) = open.pop() {
        let made = specializer.specialize_calls(module, settings, name, Purpose::Speed);
        open.extend(made.into_iter().rev());
    }
    findings.remarks.append(&mut specializer.remarks);
}

/// Specialises calls of functions, one function after the other.
#[derive(Default)]
pub(in crate::transform) struct Specializer {
    /// What each function that was made was made of, and for which function that was made first.
    origins: FxHashMap<Name, SpecializedFrom>,
    /// What is remarked of calls, in the order of functions and blocks.
    remarks: Vec<Remark>,
}

#[derive(Clone, Copy)]
struct SpecializedFrom {
    callee: Name,
    substitutions: SubstitutionMapId,
    caller: Name,
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

/// A function that was made.
struct Made {
    /// The one that it is to stand in front of; thunks stand behind all others.
    before: Option<FunctionId>,
    function: Function,
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

impl Specializer {
    /// Specialises what a function calls, and gives the functions that were made for it.
    pub(in crate::transform) fn specialize_calls(
        &mut self,
        module: &mut Module,
        settings: &Settings,
        caller: Name,
        purpose: Purpose,
    ) -> Vec<Name> {
        let Some(id) = module.function_named(caller) else { return Vec::new() };
        let Some((body, made)) = self.rewritten(module, settings, id, purpose) else { return Vec::new() };
        module.functions[id].body = Some(body);
        let is_new = |made: &Made| module.function_named(made.function.name).is_none();
        let made: Vec<Made> = made.into_iter().filter(is_new).collect();
        let names = made.iter().map(|made| made.function.name).collect();
        let mut inserted = Vec::new();
        for Made { before, function } in made {
            match before {
                Some(before) => inserted.push((before, function)),
                None if module.function_named(function.name).is_none() => drop(module.add_function(function)),
                None => {}
            }
        }
        module.insert_functions(inserted);
        names
    }

    /// The body of a function that calls what is specialised, and what has to be made for that.
    fn rewritten(
        &mut self,
        module: &Module,
        settings: &Settings,
        id: FunctionId,
        purpose: Purpose,
    ) -> Option<(Body, Vec<Made>)> {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let function = &module.functions[id];
        let environment = Environment {
            module,
            queries,
            function,
            body: function.body.as_ref()?,
            analyses: &Analyses::default(),
            settings,
        };
        let calls: Vec<InstructionId> = environment.body.placed_instructions().collect();
        let sites: Vec<Site> = calls.into_iter().filter_map(|call| self.site(environment, call, purpose)).collect();
        let mut remarks = without_definition(environment);
        if sites.is_empty() {
            self.remarks.extend(in_order(environment.body, remarks));
            return None;
        }
        let mut body = environment.body.clone();
        let mut made = Vec::new();
        let mut unused: Vec<Value> = Vec::new();
        for site in sites {
            let callee = &module.functions[site.callee];
            let serialization = serialization(function, callee, purpose);
            let Some(specialized) = specialized(queries, callee, &site, serialization) else { continue };
            let before = body.operands(site.call)[0];
            if !calls::retarget(queries, function, &mut body, site.call, &site.reabstraction, site.name) {
                continue;
            }
            unused.push(before);
            let made_type = site.inner.as_ref().map_or(site.reabstraction.ty, |(inner, _)| inner.ty);
            let parts = vec![
                RemarkPart::Text("Specialized function "),
                RemarkPart::Function("Function", callee.name, callee.span),
                RemarkPart::Text(" with type "),
                RemarkPart::Type("FuncType", made_type),
            ];
            let instruction = &environment.body.instructions[site.call];
            let remark = Remark::new((Outcome::Passed, REMARKS, "Specialized"), function, instruction, parts);
            remarks.extend(remark.map(|remark| (instruction.block, remark)));
            for (before, mut function_made) in [Some(site.callee), None].into_iter().zip(specialized) {
                if !may_be_inlined_into(callee, function) {
                    function_made.linkage = callee.linkage;
                }
                if module.function_named(function_made.name).is_none() {
                    let substitutions = site.substitutions;
                    let from = SpecializedFrom { callee: callee.name, substitutions, caller: function.name };
                    self.origins.entry(function_made.name).or_insert(from);
                }
                made.push(Made { before, function: function_made });
            }
        }
        remove_unused(&mut body, unused);
        self.remarks.extend(in_order(environment.body, remarks));
        Some((body, made))
    }

    /// What `call` is to call, if that is something else.
    fn site(&self, environment: Environment<'_>, call: InstructionId, purpose: Purpose) -> Option<Site> {
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
        if !is_wanted || self.grows(queries, caller.name, callee.name, substitutions) {
            return None;
        }
        let mut reabstraction = Reabstraction::new(environment, site, callee, substitutions)?;
        let serialization = serialization(caller, callee, purpose);
        let mut name = name(module, queries, callee, substitutions, &reabstraction, serialization)?;
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
            let outer_name = self::name(module, queries, callee, substitutions, &outer, serialization)?;
            inner = Some((std::mem::replace(&mut reabstraction, outer), std::mem::replace(&mut name, outer_name)));
        }
        let fits = is_same(name, &reabstraction);
        fits.then_some(Site { call, callee: id, substitutions, reabstraction, name, inner })
    }

    /// Whether `caller` was made for a call of `callee` with smaller types: that would not end.
    fn grows(&self, queries: &TypeQueries<'_>, caller: Name, callee: Name, substitutions: SubstitutionMapId) -> bool {
        let size = |map| queries.context.replacements(map).iter().map(|ty| parts(queries, *ty)).sum::<usize>();
        let mut current = self.origins.get(&caller);
        while let Some(from) = current {
            if from.callee == callee && size(substitutions) > size(from.substitutions) {
                return true;
            }
            // The function that one was made for was there before it.
            current = self.origins.get(&from.caller);
        }
        false
    }
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
    callee
        .attributes
        .iter()
        .any(|attribute| matches!(attribute, FunctionAttribute::Semantics(name) if module.context.text(*name) == NEVER))
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

fn name(
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
