//! Mandatory inlining: inlines calls of `[transparent]` functions (lib/SILOptimizer/Mandatory/MandatoryInlining.cpp).
//!
//! It runs in rounds: inlined code is searched for calls again, with the chain of functions that it came from: a
//! function that calls itself through transparent functions only is an error. In each round methods with a single
//! implementation are devirtualised, calls of locally made closures become calls of their functions (`callees`,
//! `captures`), and unused closures are removed (`cleanup`).

mod callees;
mod captures;
mod cleanup;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sil_analysis::{Analyses, ApplyKind, Change};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Function, FunctionFlag, FunctionId, InstructionId, Value};

use crate::LexicalLifetimes;
use crate::editing::block_merging::{has_blocks_to_merge, merge_blocks};
use crate::editing::editor::Editor;
use crate::editing::inlining::{CallSite, Callee, Chain, InlineKind, Inliner, can_inline};
use crate::editing::ownership_lowering;
use crate::editing::stack_nesting;
use crate::editing::unused::remove_unused;
use crate::knowledge::visibility::may_be_inlined_into;
use crate::messages::findings::error_at;
use crate::optimizations::devirtualization::{MethodTables, devirtualize_call};
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const MANDATORY_INLINING: Pass = Pass::new(&Description {
    name: "mandatory-inlining",
    class_name: "MandatoryInlining",
    summary: "Inlines `[transparent]` functions.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(inline),
});

pub(crate) const TRANSPARENT_CLOSURE_INLINING: Pass = Pass::new(&Description {
    name: "transparent-closure-inlining",
    class_name: "TransparentClosureInlining",
    summary: "Inlines closures of transparent functions. A pass of silc alone: sil-opt does that in `mandatory-inlining`.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(inline_closures),
});

/// The calls that are inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Selection {
    /// Calls of all transparent functions.
    All,
    /// Calls of closures of transparent functions.
    OfClosures,
}

/// Inlines all mandatory calls of a function.
pub(crate) fn inline(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    run(environment, Selection::All)
}

/// Inlines closures at calls where they are made, after the functions that they are passed to were inlined. Circular
/// ones are left alone.
pub(crate) fn inline_closures(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let opcode = |id: InstructionId| environment.body.instructions[id].opcode;
    let makes_closure = |id: InstructionId| matches!(opcode(id), Opcode::PartialApply | Opcode::ThinToThickFunction);
    if !environment.body.placed_instructions().any(makes_closure) {
        return Ok(None);
    }
    run(environment, Selection::OfClosures)
}

fn run(environment: Environment<'_>, selection: Selection) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, module, .. } = environment;
    let kept = [FunctionFlag::Thunk, FunctionFlag::ReabstractionThunk, FunctionFlag::SignatureOptimizedThunk];
    if kept.iter().any(|flag| function.has(*flag)) {
        return Ok(None);
    }
    let is_call = |id: InstructionId| ApplyKind::of(body.instructions[id].opcode).is_some_and(ApplyKind::is_full);
    let merges = has_blocks_to_merge(body);
    if !merges && !body.placed_instructions().any(is_call) {
        return Ok(None);
    }
    let outer = Arc::new(Chain::new(function.name));
    let mut pass = MandatoryInlining {
        environment,
        selection,
        tables: MethodTables::new(module),
        outer,
        chains: FxHashMap::default(),
        lowered: FxHashMap::default(),
        breaks_nesting: false,
    };
    let mut changed: Option<Body> = None;
    while let Some(next) = pass.round(changed.as_ref().unwrap_or(body))? {
        changed = Some(next);
    }
    let Some(mut body) = changed.or_else(|| merges.then(|| body.clone())) else { return Ok(None) };
    merge_blocks(&mut body);
    if pass.breaks_nesting {
        stack_nesting::fix(environment.queries.context, &mut body);
    }
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

struct MandatoryInlining<'m> {
    environment: Environment<'m>,
    selection: Selection,
    tables: MethodTables,
    /// The inlining chain of the function's own instructions.
    outer: Arc<Chain>,
    /// The inlining chains of inlined instructions.
    chains: FxHashMap<InstructionId, Arc<Chain>>,
    /// Callees after ownership lowering.
    lowered: FxHashMap<FunctionId, (Function, Body)>,
    breaks_nesting: bool,
}

/// A call that is to be inlined.
struct Candidate {
    site: CallSite,
    callee: FunctionId,
    /// The function values that may become unused: the callee and function arguments.
    values: Vec<Value>,
}

impl<'m> MandatoryInlining<'m> {
    /// Inlines the current calls, and returns the new body; `None` without changes.
    fn round(&mut self, body: &Body) -> Result<Option<Body>, Box<Diagnostic>> {
        let analyses = Analyses::default();
        let environment = self.environment.with_body(body, &analyses);
        let mut editor = Editor::new(environment);
        let mut candidates = Vec::new();
        for call in calls_backwards(body) {
            if self.selection == Selection::All {
                devirtualize_call(&mut editor, &self.tables, call);
            }
            candidates.extend(self.candidate(&mut editor, call)?);
        }
        let prepared = editor.finish().map(|rewrite| rewrite.body);
        if candidates.is_empty() {
            return Ok(prepared);
        }
        let prepared = prepared.as_ref().unwrap_or(body);
        let values: Vec<Value> = candidates.iter().flat_map(|candidate| candidate.values.iter().copied()).collect();
        let passed: Vec<Value> =
            candidates.iter().flat_map(|candidate| prepared.operands(candidate.site.call).to_vec()).collect();
        let mut inlined = self.inline(prepared, candidates)?;
        remove_unused(&mut inlined, passed);
        let analyses = Analyses::default();
        let mut editor = Editor::new(self.environment.with_body(&inlined, &analyses));
        self.breaks_nesting |= cleanup::remove_unused(&mut editor, values);
        Ok(Some(editor.finish().map_or(inlined, |rewrite| rewrite.body)))
    }

    /// Returns the call with its arguments, if it must be inlined.
    fn candidate(&self, editor: &mut Editor<'_>, call: InstructionId) -> Result<Option<Candidate>, Box<Diagnostic>> {
        let Some(found) = callees::find(editor, call).filter(|found| self.is_inlined(found.function)) else {
            return Ok(None);
        };
        let chain = self.chains.get(&call).unwrap_or(&self.outer);
        let callee = &self.environment.module.functions[found.function];
        let Some(callee_body) = &callee.body else { return Ok(None) };
        let is_circular = chain.contains(callee.name);
        let names_function = |value: Value| editor.made_by(value, Opcode::FunctionRef).is_some();
        let is_of_closure = !editor.operand(call, 0).is_some_and(names_function);
        if self.selection == Selection::OfClosures && (!is_of_closure || is_circular) {
            return Ok(None);
        }
        let opcode = editor.opcode(call);
        if opcode == Opcode::BeginApply && !(found.closure.is_none() && can_inline(editor.body(), call, callee_body)) {
            return Ok(None);
        }
        if is_circular {
            let message = "inlining 'transparent' functions forms circular loop";
            let error = error_at(editor.body(), call, "circular-inlining", message);
            let error = chain.calls().fold(error, |error, call| error.note("while inlining here", Some(call)));
            return Err(Box::new(error));
        }
        let mut arguments = editor.body().operands(call)[1..].to_vec();
        let values = callees::functions_of(editor, call);
        if let Some(closure) = found.closure {
            let Some(captured) = captures::keep_alive(editor, closure, call) else { return Ok(None) };
            arguments.extend(captured);
        }
        let site = CallSite { call, arguments, substitutions: found.substitutions };
        Ok(Some(Candidate { site, callee: found.function, values }))
    }

    fn is_inlined(&self, callee: FunctionId) -> bool {
        let (caller, callee) = (self.environment.function, &self.environment.module.functions[callee]);
        let has_ownership = callee.has(FunctionFlag::Ossa) || !caller.has(FunctionFlag::Ossa);
        callee.has(FunctionFlag::Transparent)
            && callee.body.is_some()
            && !callees::is_foreign(self.environment, callee)
            && may_be_inlined_into(callee, caller)
            && has_ownership
    }

    fn inline(&mut self, body: &Body, candidates: Vec<Candidate>) -> Result<Body, Box<Diagnostic>> {
        let Environment { queries, function, module, .. } = self.environment;
        for callee in candidates.iter().map(|candidate| candidate.callee) {
            self.lower(callee)?;
        }
        let mut inliner = Inliner::with(queries, function, body, InlineKind::Mandatory, LexicalLifetimes::Kept);
        for Candidate { site, callee: id, .. } in candidates {
            let called = &module.functions[id];
            let callee = match (self.lowered.get(&id), &called.body) {
                (Some((function, body)), _) => Callee { function, body },
                (None, Some(body)) => Callee { function: called, body },
                (None, None) => continue,
            };
            self.breaks_nesting |=
                body.instructions[site.call].opcode == Opcode::BeginApply || self.lowered.contains_key(&id);
            let span = body.instructions[site.call].span;
            let chain = self.chains.get(&site.call).unwrap_or(&self.outer);
            let chain = Arc::new(chain.with(called.name, span));
            let made = inliner.inline(&site, callee).instructions;
            self.chains.extend(made.into_iter().map(|id| (id, chain.clone())));
        }
        Ok(inliner.finish())
    }

    /// Lowers the ownership of the callee, if it has ownership and the caller does not.
    fn lower(&mut self, id: FunctionId) -> Result<(), Box<Diagnostic>> {
        let callee = &self.environment.module.functions[id];
        let is_same = self.environment.function.has(FunctionFlag::Ossa) || !callee.has(FunctionFlag::Ossa);
        let Some(body) = callee.body.as_ref().filter(|_| !is_same && !self.lowered.contains_key(&id)) else {
            return Ok(());
        };
        let lowered = ownership_lowering::lower_for_inlining(self.environment, callee, body)?;
        self.lowered.insert(id, lowered);
        Ok(())
    }
}

/// Returns the calls of a body, the last first.
fn calls_backwards(body: &Body) -> Vec<InstructionId> {
    let is_call = |id: &InstructionId| ApplyKind::of(body.instructions[*id].opcode).is_some_and(ApplyKind::is_full);
    let mut calls: Vec<InstructionId> = body.placed_instructions().filter(is_call).collect();
    calls.reverse();
    calls
}
