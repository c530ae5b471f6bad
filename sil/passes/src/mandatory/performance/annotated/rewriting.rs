//! The work on one annotated function: devirtualises methods, inlines mandatory calls, simplifies instructions, and
//! eliminates loads of local variables, the variables, and unused metatypes.

use rustc_hash::FxHashSet;
use sil_analysis::{Analyses, Change};
use sil_analysis::{ApplyKind, Uses};
use sil_ir::context::{Name, SubstitutionMapId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Body, Details, Function, FunctionFlag, FunctionId, InstructionId, Linkage, Module, Serialization};
use sil_ir::types::{ConformanceTable, TypeQueries};

use crate::LexicalLifetimes;
use crate::editing::block_merging::merge_blocks;
use crate::editing::inlining::{CallSite, Callee, InlineKind, Inliner, can_inline};
use crate::editing::stack_nesting;
use crate::editing::unused::remove_unused;
use crate::knowledge::visibility::may_be_inlined_into;
use crate::mandatory::dead_allocations;
use crate::optimizations::devirtualization::devirtualize_at_any_rate;
use crate::optimizations::redundant_loads::eliminate_mandatory_in;
use crate::optimizations::simplification::simplify_for_debugging;
use crate::pass::settings::Settings;
use crate::pass::{Environment, Rewrite};

type Step = fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>;

/// The steps for a function, in order.
const STEPS: &[Step] = &[
    simplify_for_debugging,
    devirtualize_at_any_rate,
    inline,
    simplify_for_debugging,
    remove_metatypes,
    eliminate_mandatory_in,
    dead_allocations::eliminate,
];

/// Rewrites a function. Returns whether it changed.
pub(super) fn rewrite(module: &mut Module, name: Name, settings: &Settings) -> bool {
    let Some(id) = module.function_named(name) else { return false };
    let mut is_changed = false;
    for step in STEPS {
        if let Some(rewrite) = run(module, id, *step, settings) {
            let function = &mut module.functions[id];
            function.body = Some(rewrite.body);
            function.attributes = rewrite.attributes;
            is_changed = true;
        }
    }
    is_changed
}

/// Runs a step on a function. An unsupported function is unchanged: it is slow, but correct.
fn run(module: &Module, id: FunctionId, step: Step, settings: &Settings) -> Option<Rewrite> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let function = &module.functions[id];
    let body = function.body.as_ref()?;
    let analyses = &Analyses::default();
    let environment = Environment { module, queries, function, body, analyses, of_module: None, settings };
    step(environment).ok().flatten()
}

/// Makes referenced functions of a serialised function public, which were called through tables before.
pub(super) fn let_clients_see(module: &mut Module, name: Name) {
    let Some(caller) = module.function_named(name).map(|id| &module.functions[id]) else { return };
    let Some(body) = caller.body.as_ref().filter(|_| caller.serialization != Serialization::None) else { return };
    let references = body.placed_instructions().filter_map(|id| views::FunctionRef::get(body, id));
    let referenced = references.filter_map(|reference| module.function_named(reference.function));
    let is_hidden = |id: &FunctionId| {
        let function = &module.functions[*id];
        matches!(function.linkage, Linkage::Private | Linkage::Hidden | Linkage::Shared)
            && function.serialization == Serialization::None
            && function.body.is_some()
    };
    let hidden: Vec<FunctionId> = referenced.filter(is_hidden).collect();
    hidden.into_iter().for_each(|id| module.functions[id].linkage = Linkage::Public);
}

/// Inlines mandatory calls, and calls that compute the initial value of a global.
fn inline(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body, .. } = environment;
    let found: Vec<(InstructionId, FunctionId)> =
        body.placed_instructions().filter_map(|call| Some((call, inlined_callee(environment, call)?))).collect();
    if found.is_empty() {
        return Ok(None);
    }
    let mut unused = Vec::new();
    let mut inliner = Inliner::with(queries, function, body, InlineKind::Mandatory, LexicalLifetimes::Kept);
    for (call, callee) in found {
        let called = &module.functions[callee];
        let (Some(callee_body), Details::Apply(apply)) = (&called.body, &body.instructions[call].details) else {
            continue;
        };
        let operands = body.operands(call);
        unused.push(operands[0]);
        let site = CallSite { call, arguments: operands[1..].to_vec(), substitutions: apply.substitutions };
        inliner.inline(&site, Callee { function: called, body: callee_body });
    }
    let mut inlined = inliner.finish();
    remove_unused(&mut inlined, unused);
    merge_blocks(&mut inlined);
    stack_nesting::fix(queries.context, &mut inlined);
    Ok(Some(Rewrite::new(function, inlined, Change::Blocks)))
}

/// Returns the callee that is to be inlined at a call.
fn inlined_callee(environment: Environment<'_>, call: InstructionId) -> Option<FunctionId> {
    let Environment { module, function: caller, body, .. } = environment;
    let kind = ApplyKind::of(body.instructions[call].opcode).filter(|kind| kind.is_full())?;
    let reference = body.defining(*body.operands(call).first()?)?;
    let name = views::FunctionRef::get(body, reference)?.function;
    let id = module.function_named(name)?;
    let callee = &module.functions[id];
    let callee_body = callee.body.as_ref()?;
    let is_possible = name != caller.name
        && (kind != ApplyKind::BeginApply || can_inline(body, call, callee_body))
        && (may_be_inlined_into(callee, caller) || callee.has(FunctionFlag::Thunk))
        && (!caller.has(FunctionFlag::Ossa) || callee.has(FunctionFlag::Ossa))
        && !calls_itself(module, callee);
    let is_wanted = callee.has(FunctionFlag::Transparent)
        || kind == ApplyKind::BeginApply
        || caller.has(FunctionFlag::GlobalInitOnce)
            && (callee.has(FunctionFlag::AlwaysInline) || gives_global_its_value(environment, call));
    (is_possible && is_wanted).then_some(id)
}

/// Returns whether a function references itself, so that inlining would not remove it.
fn calls_itself(module: &Module, callee: &Function) -> bool {
    let mut open = vec![callee.name];
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    while let Some(name) = open.pop() {
        let Some(function) = module.function_named(name).map(|id| &module.functions[id]) else { continue };
        let Some(body) =
            function.body.as_ref().filter(|_| name == callee.name || function.has(FunctionFlag::Transparent))
        else {
            continue;
        };
        for reference in body.placed_instructions().filter_map(|id| views::FunctionRef::get(body, id)) {
            if reference.function == callee.name {
                return true;
            }
            if seen.insert(reference.function) {
                open.push(reference.function);
            }
        }
    }
    false
}

/// Returns whether the only use of a call's result is as a part of the global that the function initialises.
fn gives_global_its_value(environment: Environment<'_>, call: InstructionId) -> bool {
    let body = environment.body;
    let uses = environment.analyses.uses(body);
    let is_generic = match &body.instructions[call].details {
        Details::Apply(apply) => apply.substitutions != SubstitutionMapId::EMPTY,
        _ => true,
    };
    let Some(mut value) = body.result(call).filter(|_| !is_generic) else { return false };
    loop {
        let mut users = uses
            .of(value)
            .iter()
            .filter(|found| !matches!(body.instructions[found.user].opcode, Opcode::DebugValue | Opcode::EndAccess));
        let (Some(only), None) = (users.next(), users.next()) else { return false };
        match body.instructions[only.user].opcode {
            Opcode::Struct
            | Opcode::Tuple
            | Opcode::Enum
            | Opcode::PointerToAddress
            | Opcode::AddressToPointer
            | Opcode::BeginAccess => match body.result(only.user) {
                Some(result) => value = result,
                None => return false,
            },
            Opcode::Store => return is_in_own_global(body, views::Store::of(body, only.user).destination),
            _ => return false,
        }
    }
}

/// Returns whether an address is in the global that the function allocates.
fn is_in_own_global(body: &Body, address: sil_ir::model::Value) -> bool {
    let allocated = body.instructions_in(body.entry()).find_map(|id| match &body.instructions[id].details {
        Details::Global(global, _) if body.instructions[id].opcode == Opcode::AllocGlobal => Some(*global),
        _ => None,
    });
    let mut address = address;
    while let Some(id) = body.defining(address) {
        match body.instructions[id].opcode {
            Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::BeginAccess => {
                address = body.operands(id)[0];
            }
            Opcode::GlobalAddr => {
                return allocated == Some(views::GlobalAddr::of(body, id).global.name);
            }
            _ => return false,
        }
    }
    false
}

/// Removes metatypes whose only users are debug values.
fn remove_metatypes(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let before = environment.body;
    let uses = Uses::new(before);
    let is_metatype = |id: &InstructionId| {
        matches!(before.instructions[*id].opcode, Opcode::Metatype | Opcode::InitExistentialMetatype)
    };
    let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
    // The operand of an existential metatype precedes it.
    let candidates: Vec<InstructionId> = before.placed_instructions().filter(is_metatype).collect();
    for id in candidates.into_iter().rev() {
        let users: Vec<InstructionId> =
            before.results(id).flat_map(|result| uses.of(result)).map(|found| found.user).collect();
        let is_debug = |user: &InstructionId| before.instructions[*user].opcode == Opcode::DebugValue;
        if users.iter().all(|user| is_debug(user) || gone.contains(user)) {
            gone.extend(users);
            gone.insert(id);
        }
    }
    if gone.is_empty() {
        return Ok(None);
    }
    let mut body = before.clone();
    let placed: Vec<InstructionId> = body.placed_instructions().filter(|id| gone.contains(id)).collect();
    placed.into_iter().for_each(|id| body.erase(id));
    Ok(Some(Rewrite::new(environment.function, body, Change::Instructions)))
}
