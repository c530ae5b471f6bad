//! The performance inliner: inlines calls where that is profitable. Follows
//! lib/SILOptimizer/Transforms/PerformanceInliner.cpp.
//!
//! Functions are visited bottom-up in the call graph, and each is revisited as long as a call is inlined into it.
//! `eligibility` decides whether a call can be inlined. `profitability` decides whether it should be, by its `cost`, by
//! the `constants` that become known, and by the execution frequency (`paths`).

mod constants;
mod cost;
mod eligibility;
mod paths;
mod profitability;

use std::cell::RefCell;
use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_analysis::{Analyses, ApplyKind, ApplySite, Change, ControlFlowGraph, Dominators, callees_first};
use sil_ir::context::SubstitutionMapId;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Details, Function, FunctionFlag, FunctionId, InstructionId, Value};

use self::constants::ConstantTracker;
pub(crate) use self::cost::inline_cost;
use self::paths::{DEFAULT_CALL_LENGTH, ShortestPaths};
use self::profitability::Decision;
use crate::editing::block_merging::merge_blocks;
use crate::editing::deleter::{Deadness, without_dead};

use crate::editing::inlining::{CallSite, Callee, InlineKind, Inliner};
use crate::editing::ownership_lowering::lower_for_inlining;
use crate::editing::stack_nesting;
use crate::knowledge::cold_blocks::ColdBlocks;
use crate::pass::settings::InliningExtent;
use crate::pass::{Description, Environment, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const ALWAYS_INLINE: Pass = Pass::new(&Description {
    name: "always-inline",
    class_name: "AlwaysInlineInliner",
    summary: "Inlines functions marked `@inline(__always)`.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Restarting(inline_always),
});

pub(crate) const EARLY_INLINE: Pass = Pass::new(&Description {
    name: "early-inline",
    class_name: "EarlyPerfInliner",
    summary: "Inlines profitable calls, except of functions with semantics that later passes know.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Restarting(inline_early),
});

pub(crate) const INLINE: Pass = Pass::new(&Description {
    name: "inline",
    class_name: "PerfInliner",
    summary: "Inlines profitable calls.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Restarting(inline),
});

/// The functions that may be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Selection {
    /// All profitable callees.
    Everything,
    /// All but functions with semantics that early passes rely on.
    WithoutMeaning,
    /// Only callees that must always be inlined.
    OnlyAlways,
}

/// The limit on how often a function is restarted.
const MOST_ROUNDS: usize = 20;
/// No large callee is inlined into a caller with more blocks.
const CALLER_BLOCKS: i32 = 400;
/// The limit on inlined calls of one callee in one caller.
const CALLS_OF_ONE: usize = 1024;

/// Inlines all profitable calls.
pub(crate) fn inline(environment: ModuleEnvironment<'_>) -> Rewrites {
    run(environment, Selection::Everything)
}

/// Inlines profitable calls, but no functions with semantics that passes rely on.
pub(crate) fn inline_early(environment: ModuleEnvironment<'_>) -> Rewrites {
    run(environment, Selection::WithoutMeaning)
}

/// Inlines only the calls that must always be inlined.
pub(crate) fn inline_always(environment: ModuleEnvironment<'_>) -> Rewrites {
    run(environment, Selection::OnlyAlways)
}

fn run(environment: ModuleEnvironment<'_>, selection: Selection) -> Rewrites {
    if environment.settings.inlining.extent == InliningExtent::Nothing {
        return Vec::new();
    }
    let module = environment.module;
    let facts = RefCell::default();
    let mut calls = Calls { environment, selection, changed: FxHashMap::default(), facts };
    let mut failed: Vec<(FunctionId, Box<Diagnostic>)> = Vec::new();
    let order = environment.only.map_or_else(|| callees_first(module, environment.queries), |only| vec![only]);
    let is_inlined_into = |id: &FunctionId| module.functions[*id].body.is_some() && environment.admits(*id);
    for id in order.into_iter().filter(is_inlined_into) {
        // In a pipeline, the other passes run on the function before it is revisited.
        let rounds = if environment.only.is_some() { 1 } else { MOST_ROUNDS + 1 };
        for _ in 0..rounds {
            match calls.inline_into(id) {
                Ok(Some(body)) => {
                    calls.changed.insert(id, body);
                    calls.facts.get_mut().remove(&id);
                }
                Ok(None) => break,
                Err(diagnostic) => {
                    failed.push((id, diagnostic));
                    break;
                }
            }
        }
    }
    let mut changed = calls.changed;
    let rewrite = |id: FunctionId| {
        let function = &module.functions[id];
        changed.remove(&id).map(|body| (id, Ok(Rewrite::new(function, body, Change::Blocks))))
    };
    let rewrites: Rewrites = module.functions.keys().filter_map(rewrite).collect();
    rewrites.into_iter().chain(failed.into_iter().map(|(id, diagnostic)| (id, Err(diagnostic)))).collect()
}

/// Analyses of a function that may be inlined.
struct Known {
    cfg: ControlFlowGraph,
    paths: ShortestPaths,
    cold: ColdBlocks,
    /// The children of each block in the dominator tree.
    dominated: SecondaryMap<BlockId, Vec<BlockId>>,
}

/// The module being rewritten.
struct Calls<'m> {
    environment: ModuleEnvironment<'m>,
    selection: Selection,
    /// The rewritten bodies.
    changed: FxHashMap<FunctionId, Body>,
    /// The analyses of rewritten bodies.
    facts: RefCell<FxHashMap<FunctionId, Arc<Known>>>,
}

impl<'m> Calls<'m> {
    fn body(&self, id: FunctionId) -> Option<&Body> {
        self.changed.get(&id).or(self.environment.module.functions[id].body.as_ref())
    }

    /// The analyses of a function, which assume a default length of its callees.
    fn facts(&self, id: FunctionId) -> Option<Arc<Known>> {
        let body = self.body(id)?;
        let make = || self.known(body, |_| DEFAULT_CALL_LENGTH);
        if self.changed.contains_key(&id) {
            return Some(self.facts.borrow_mut().entry(id).or_insert_with(|| Arc::new(make())).clone());
        }
        Some(self.environment.analyses[id].of_pass(make))
    }

    fn known(&self, body: &Body, call_length: impl FnMut(InstructionId) -> i32) -> Known {
        let ModuleEnvironment { module, queries, .. } = self.environment;
        let cfg = ControlFlowGraph::new(body);
        let dominators = Dominators::new(body, &cfg);
        let cold = ColdBlocks::new(module, queries, body, &cfg, &dominators);
        let paths = ShortestPaths::new(queries, body, &cfg, &dominators, &cold, call_length);
        let mut dominated: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        for block in cfg.reverse_post_order() {
            if let Some(by) = dominators.immediate_dominator(*block) {
                dominated[by].push(*block);
            }
        }
        Known { cfg, paths, cold, dominated }
    }

    /// Returns the body of a function with profitable calls inlined, or `None` if there are none.
    fn inline_into(&self, id: FunctionId) -> Result<Option<Body>, Box<Diagnostic>> {
        let function = &self.environment.module.functions[id];
        let Some(body) = self.body(id) else { return Ok(None) };
        let has_calls = body.placed_instructions().any(|id| is_call(body, id));
        if !has_calls {
            return Ok(None);
        }
        let mut chosen = self.choose(function, body);
        let has_ownership = function.has(FunctionFlag::Ossa);
        chosen
            .retain(|(_, callee)| !has_ownership || self.environment.module.functions[*callee].has(FunctionFlag::Ossa));
        if chosen.is_empty() {
            return Ok(None);
        }
        self.replace_calls(function, body, chosen).map(Some)
    }

    /// Selects the calls to inline, with their callees.
    fn choose(&self, function: &Function, body: &Body) -> Vec<(InstructionId, FunctionId)> {
        let queries = self.environment.queries;
        let mut corrections: FxHashMap<InstructionId, i32> = FxHashMap::default();
        let known = self.known(body, |call| {
            self.correct_weight(body, call, &mut corrections);
            let callee = self.eligible(function, body, call);
            callee
                .and_then(|callee| Some((self.facts(callee)?, self.body(callee)?)))
                .map_or(DEFAULT_CALL_LENGTH, |(facts, body)| facts.paths.function_length(body))
        });
        let mut tracker = ConstantTracker::of_caller(queries, body);
        let mut blocks = body.blocks.len() as i32;
        let (mut always, mut candidates) = (Vec::new(), Vec::new());
        let mut open = std::collections::VecDeque::from([body.entry()]);
        while let Some(block) = open.pop_front() {
            tracker.begin_block();
            for call in body.instructions_in(block) {
                tracker.track(call);
                let eligible = is_call(body, call).then(|| self.eligible(function, body, call)).flatten();
                let Some(callee) = eligible else { continue };
                let size = self.body(callee).map_or(0, |body| body.blocks.len() as i32);
                if self.is_always_inlined(callee, blocks) {
                    blocks += size;
                    always.push((call, callee));
                    continue;
                }
                let is_aggressive = || self.has_semantics(function, |name| name == "optimize.sil.inline.aggressive");
                if blocks > CALLER_BLOCKS && size > 8 && !is_aggressive() {
                    continue;
                }
                let weight = known.paths.weight(block, paths::Weight::NONE);
                let weight = weight.with_more_loops(corrections.get(&call).copied().unwrap_or(0));
                let decision = Decision { caller: function, body, call, callee, blocks };
                if self.is_worth_it(decision, weight, &tracker) {
                    blocks += size;
                    candidates.push((call, callee));
                }
            }
            for child in &known.dominated[block] {
                if known.cold.contain(*child) {
                    self.choose_cold(function, body, &known, *child, blocks, &mut candidates);
                } else {
                    open.push_back(*child);
                }
            }
        }
        let count = |callee: FunctionId| candidates.iter().filter(|(_, other)| *other == callee).count();
        let few = candidates.iter().filter(|(_, callee)| count(*callee) <= CALLS_OF_ONE).copied();
        always.into_iter().chain(few.collect::<Vec<_>>()).collect()
    }

    /// Selects calls in cold blocks.
    fn choose_cold(
        &self,
        function: &Function,
        body: &Body,
        known: &Known,
        root: BlockId,
        blocks: i32,
        candidates: &mut Vec<(InstructionId, FunctionId)>,
    ) {
        let mut open = std::collections::VecDeque::from([root]);
        while let Some(block) = open.pop_front() {
            for call in body.instructions_in(block).filter(|id| body.instructions[*id].opcode == Opcode::Apply) {
                let Some(callee) = self.eligible(function, body, call) else { continue };
                if self.is_worth_it_where_cold(Decision { caller: function, body, call, callee, blocks }) {
                    candidates.push((call, callee));
                }
            }
            open.extend(&known.dominated[block]);
        }
    }

    /// Increases the weight of the call that allocates the buffer of a new array, since the buffer may be stack
    /// promoted.
    fn correct_weight(&self, body: &Body, call: InstructionId, corrections: &mut FxHashMap<InstructionId, i32>) {
        let callee = self.called(body, call).map(|id| &self.environment.module.functions[id]);
        if !callee.is_some_and(|callee| self.has_semantics(callee, |name| name == "array.uninitialized")) {
            return;
        }
        let mut value = body.operands(call).get(1).copied();
        while let Some(id) = value.and_then(|value| body.defining(value)) {
            use Opcode::*;
            if is_call(body, id) {
                *corrections.entry(id).or_default() += 6;
                return;
            }
            let is_passed_on = matches!(
                body.instructions[id].opcode,
                Upcast | UncheckedRefCast | StructExtract | TupleExtract | RefToRawPointer | RawPointerToRef
            );
            value = body.operands(id).first().copied().filter(|_| is_passed_on);
        }
    }

    /// Removes the definitions of `values`, as far as they are dead.
    fn without_dead(&self, function: &Function, body: Body, values: Vec<Value>) -> Body {
        let ModuleEnvironment { module, queries, settings, .. } = self.environment;
        let (body, analyses) = (&body, &Analyses::default());
        let environment = Environment { module, queries, function, body, analyses, of_module: None, settings };
        without_dead(environment, body, &values, Deadness::Scopes)
    }

    fn replace_calls(
        &self,
        function: &Function,
        body: &Body,
        chosen: Vec<(InstructionId, FunctionId)>,
    ) -> Result<Body, Box<Diagnostic>> {
        let ModuleEnvironment { module, queries, settings, analyses, .. } = self.environment;
        let lexical = settings.lexical_lifetimes;
        let mut inliner = Inliner::with(queries, function, body, InlineKind::Performance, lexical);
        let mut breaks_nesting = false;
        let mut unused: Vec<Value> = Vec::new();
        for (call, id) in chosen.into_iter().rev() {
            let (called, Some(called_body)) = (&module.functions[id], self.body(id)) else { continue };
            let Details::Apply(apply) = &body.instructions[call].details else { continue };
            let lowers = called.has(FunctionFlag::Ossa) && !function.has(FunctionFlag::Ossa);
            let lowered = match lowers {
                true => {
                    let (function, body, of_module) = (called, called_body, Some(analyses));
                    let analyses = &analyses[id];
                    let environment = Environment { module, queries, function, body, analyses, of_module, settings };
                    Some(lower_for_inlining(environment, called, called_body)?)
                }
                false => None,
            };
            let callee = match &lowered {
                Some((function, body)) => Callee { function, body },
                None => Callee { function: called, body: called_body },
            };
            breaks_nesting |= lowers || body.instructions[call].opcode == Opcode::BeginApply;
            let substitutions = if called.signature.is_some() { apply.substitutions } else { SubstitutionMapId::EMPTY };
            let operands = body.operands(call);
            unused.extend(operands);
            let site = CallSite { call, arguments: operands[1..].to_vec(), substitutions };
            inliner.inline(&site, callee);
        }
        let mut body = self.without_dead(function, inliner.finish(), unused);
        merge_blocks(&mut body);
        body.remove_unreachable_blocks();
        if breaks_nesting {
            stack_nesting::fix(queries.context, &mut body);
        }
        Ok(body)
    }
}

fn is_call(body: &Body, id: InstructionId) -> bool {
    ApplyKind::of(body.instructions[id].opcode).is_some_and(ApplyKind::is_full) && ApplySite::new(body, id).is_some()
}
