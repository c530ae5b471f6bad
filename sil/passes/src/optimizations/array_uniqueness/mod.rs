//! Hoists the uniqueness checks of arrays that a loop mutates. Follows lib/SILOptimizer/LoopTransforms/COWArrayOpt.cpp.
//! Once everything is inlined, the checks in the loop fold to the result of the hoisted check.
//!
//! This file owns the order of loops and calls. `array_addresses` hoists the address, `safe_loops` decides whether all
//! instructions of a loop are safe for any array, `safe_uses` whether the uses of one array are safe.
//!
//! Unlike Swift's pass, this one makes an element of another array unique only after the checks that the element
//! exists, and it does not treat a block argument as a uniquely referenced array.

mod array_addresses;
mod safe_loops;
mod safe_uses;

use rustc_hash::FxHashSet;
use sil_analysis::{BodyView, Change, Dominators, LoopId, RcIdentity, Use};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, InstructionId, Value};

use crate::knowledge::array_calls::{ArrayCall, ArrayConvention};
use crate::knowledge::array_semantics::ArrayFunction;
use crate::knowledge::array_uses::{ArrayPath, ArrayUses};
use crate::knowledge::cold_blocks::ColdBlocks;
use crate::knowledge::loop_graph::LoopGraph;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Rounds, Runner};

pub(crate) const ARRAY_UNIQUENESS_HOISTING: Pass = Pass::new(&Description {
    name: "cowarray-opt",
    class_name: "COWArrayOpts",
    summary: "Hoists uniqueness checks of arrays out of loops.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(hoist),
});

/// Hoists the calls that make arrays unique out of the loops of a function.
pub(crate) fn hoist(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body, .. } = environment;
    let makes_unique = |id: InstructionId| is_call(environment, body, id, ArrayFunction::MakeMutable).is_some();
    if !body.placed_instructions().any(makes_unique) {
        return Ok(None);
    }
    let mut rounds = Rounds::new(environment);
    for header in LoopGraph::new(body).headers() {
        let next = in_loop(rounds.current(), header);
        next.into_iter().for_each(|Rewrite { body, change, .. }| rounds.set(body, change));
    }
    Ok(rounds.finish())
}

/// Returns the array call if `id` calls the given array function.
fn is_call(environment: Environment<'_>, body: &Body, id: InstructionId, function: ArrayFunction) -> Option<ArrayCall> {
    if body.instructions[id].opcode != Opcode::Apply {
        return None;
    }
    ArrayCall::of(environment, body, id).filter(|call| call.function == function)
}

/// Hoists calls out of the loop with the given header. Returns `None` if there are none to hoist.
fn in_loop(environment: Environment<'_>, header: BlockId) -> Option<Rewrite> {
    let graph = LoopGraph::new(environment.body);
    let id = graph.loop_of(header)?;
    let preheader = graph.nest.preheader(environment.body, &graph.cfg, id)?;
    let dominators = Dominators::new(environment.body, &graph.cfg);
    let around = LoopAround { graph: &graph, dominators: &dominators, id, preheader };
    let mut rounds = Rounds::new(environment);
    let mut decided: FxHashSet<Value> = FxHashSet::default();
    let mut known = Known::default();
    for call in around.changes(environment) {
        let environment = rounds.current();
        let Some(array) = call.array(environment.body).filter(|array| decided.insert(*array)) else { continue };
        let view = environment.view();
        let identity = RcIdentity::new(&view);
        let mut candidate = Candidate {
            environment,
            view: &view,
            identity: &identity,
            around: &around,
            call,
            array,
            users: FxHashSet::default(),
            matched: FxHashSet::default(),
        };
        let next = candidate.hoist(&mut known);
        next.into_iter().for_each(|body| rounds.set(body, Change::Instructions));
    }
    rounds.finish()
}

/// A loop and its surroundings. Hoisting does not change the control flow.
struct LoopAround<'g> {
    graph: &'g LoopGraph,
    dominators: &'g Dominators,
    id: LoopId,
    preheader: BlockId,
}

impl LoopAround<'_> {
    fn blocks(&self) -> &[BlockId] {
        &self.graph.nest.loops[self.id].blocks
    }

    fn contains(&self, block: BlockId) -> bool {
        self.graph.nest.contains(self.id, block)
    }

    /// The calls of the loop that make arrays unique, without those in cold blocks.
    fn changes(&self, environment: Environment<'_>) -> Vec<ArrayCall> {
        let Environment { module, queries, body, .. } = environment;
        let cold = ColdBlocks::new(module, queries, body, &self.graph.cfg, self.dominators);
        let warm = self.blocks().iter().filter(|block| !cold.contain(**block));
        let instructions = warm.flat_map(|block| body.instructions_in(*block));
        instructions.filter_map(|id| is_call(environment, body, id, ArrayFunction::MakeMutable)).collect()
    }

    /// Returns whether a block dominates all exits of the loop.
    fn dominates_exits(&self, body: &Body, block: BlockId) -> bool {
        let mut leaving = self.blocks().iter().filter(|exiting| self.graph.leaves(body, self.id, **exiting));
        leaving.all(|exiting| self.dominators.dominates(block, *exiting))
    }

    /// The blocks that reach the loop.
    fn reaching(&self) -> FxHashSet<BlockId> {
        let mut found: FxHashSet<BlockId> = FxHashSet::default();
        let mut open = vec![self.preheader];
        while let Some(block) = open.pop() {
            if found.insert(block) {
                open.extend(self.graph.cfg.predecessors(block));
            }
        }
        found
    }
}

/// Facts about a loop, shared by its candidates.
#[derive(Default)]
struct Known {
    /// Whether all instructions of the loop are safe for any array.
    is_safe: Option<bool>,
    /// Loads of the buffers of arrays that are already made unique in the preheader. They can be hoisted.
    loads: FxHashSet<InstructionId>,
}

/// A call that may be hoisted.
struct Candidate<'c, 'm> {
    environment: Environment<'m>,
    view: &'c BodyView<'m>,
    identity: &'c RcIdentity<'c, 'm>,
    around: &'c LoopAround<'c>,
    call: ArrayCall,
    /// The address of the array.
    array: Value,
    /// The users of the array that may change it.
    users: FxHashSet<InstructionId>,
    /// The releases that are already matched with a retain.
    matched: FxHashSet<Use>,
}

impl Candidate<'_, '_> {
    /// Hoists the call to the preheader if the loop does not depend on the time of the check.
    fn hoist(&mut self, known: &mut Known) -> Option<Body> {
        let view = self.view;
        if !self.is_there(&known.loads) {
            return None;
        }
        let path = ArrayPath::of(view, self.array);
        let is_unique = self.is_only_reference(path.container, &known.loads);
        let is_certain = self.around.dominates_exits(view.body, view.body.instructions[self.call.instruction].block);
        let is_safe = *known.is_safe.get_or_insert_with(|| self.is_loop_safe());
        let uses = ArrayUses::of(view, &path);
        let can_be_earlier = is_safe && is_certain || is_unique && self.are_uses_safe(&uses);
        if !can_be_earlier {
            return None;
        }
        let end = self.end_of_mutation(&uses)?;
        if is_unique && uses.are_loads_and(view, [self.call.instruction, end.instruction]) {
            let loads = view.uses.of(self.array).iter().map(|found| found.user);
            let is_plain = |id: &InstructionId| {
                let qualified = [Attribute::Copy, Attribute::Take, Attribute::Trivial];
                let attributes = view.body.instructions[*id].attributes;
                view.opcode(*id) == Opcode::Load && !qualified.into_iter().any(|kind| attributes.contains(kind))
            };
            known.loads.extend(loads.filter(is_plain));
        }
        Some(self.make_in_front(end))
    }

    /// The `end_mutation` call of the array.
    fn end_of_mutation(&self, uses: &ArrayUses) -> Option<ArrayCall> {
        let body = self.view.body;
        let direct = self.view.uses.of(self.array).iter().map(|found| found.user);
        let mut users = direct.chain(uses.of_address.iter().copied());
        users.find_map(|id| {
            let call = is_call(self.environment, body, id, ArrayFunction::EndMutation)?;
            let takes_array_alone = body.operands(id).len() == 2 && call.convention == Some(ArrayConvention::InOut);
            takes_array_alone.then_some(call)
        })
    }
}
