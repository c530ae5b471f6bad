//! Promotes objects that do not escape the function to the stack. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/StackPromotion.swift. Retains and releases remain.
//!
//! An object may be stored in another object that was allocated before. The outer range begins at that object's
//! definition, the inner range at the allocation. Only within the inner range is the reachable object the one of the
//! current allocation.

use sil_analysis::escape::{self, EscapePath, Follows, Start, Visit, Visitor};
use sil_analysis::{
    AnalyzedModule, BlockRange, BodyView, Change, DeadEndBlocks, Dominators, InstructionRange, ProjectionPath, Use,
};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Place, Value};

use crate::InstructionBuilder;
use crate::editing::stack_nesting;
use crate::knowledge::aggregate_parts::is_resilient;
use crate::pass::{
    Analyzed, Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner, change_one_by_one,
    over_analyzed,
};

pub(crate) const STACK_PROMOTION: Pass = Pass::new(&Description {
    name: "stack-promotion",
    class_name: "StackPromotion",
    summary: "Promotes objects that do not escape to the stack.",
    gates: Gates::OPEN,
    runner: Runner::Module(promote),
});

/// Promotes the objects of all functions.
pub(crate) fn promote(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    let promote = |now: &Analyzed<'_, '_>, id| Promotion::new(now, analyzed, id)?.promoted();
    let mut rewrite = change_one_by_one(environment, analyzed, allocations, promote)?;
    stack_nesting::fix(environment.queries.context, &mut rewrite.body);
    Some(Rewrite { change: Change::Blocks, ..rewrite })
}

fn allocations(body: &Body) -> Vec<InstructionId> {
    let is_allocation =
        |id: &InstructionId| matches!(body.instructions[*id].opcode, Opcode::AllocRef | Opcode::AllocRefDynamic);
    body.placed_instructions().filter(is_allocation).collect()
}

/// An object that may be promoted.
struct Promotion<'a, 'm> {
    analyzed: &'a AnalyzedModule<'m>,
    view: &'a BodyView<'m>,
    dead_ends: DeadEndBlocks,
    dominators: Dominators,
    id: InstructionId,
    object: Value,
    block: BlockId,
}

impl<'a, 'm> Promotion<'a, 'm> {
    /// Returns `None` if objects of its kind cannot be promoted.
    fn new(now: &Analyzed<'a, 'm>, analyzed: &'a AnalyzedModule<'m>, id: InstructionId) -> Option<Self> {
        let view = now.view;
        let body = view.body;
        let attributes = body.instructions[id].attributes;
        let object = body.result(id)?;
        let is_known = !attributes.contains(Attribute::ObjC) && !is_resilient(view.queries, body.ty(object).ty);
        (is_known && !attributes.contains(Attribute::Stack)).then(|| Self {
            analyzed,
            view,
            dead_ends: DeadEndBlocks::new(body, &view.cfg),
            dominators: Dominators::new(body, &view.cfg),
            id,
            object,
            block: body.instructions[id].block,
        })
    }

    /// Visits all uses of the object. Returns `None` if it escapes.
    fn each_use(&self, visit: impl FnMut(Use)) -> Option<()> {
        let from = (self.object, ProjectionPath::EMPTY);
        escape::walk(self.analyzed, self.view, &mut EachUse(visit), from, Start::Up).ok()
    }

    /// Returns the body with the object on the stack, or `None` if it must stay on the heap.
    fn promoted(&self) -> Option<Body> {
        self.each_use(|_| {})?;
        // In a dead end the last release may be missing. That is harmless outside of loops, in which memory would pile
        // up.
        if self.dead_ends.contains(self.block) && !self.is_in_loop() {
            return Some(self.freed_at(&[]));
        }
        let inner = self.inner_range()?;
        let outer = self.outer_range()?;
        let body = self.view.body;
        if !outer.is_valid(body) || self.leads_into(inner.blocks(), &outer) {
            return None;
        }
        let exits: Vec<BlockId> =
            inner.blocks().exits(body).into_iter().filter(|exit| !self.dead_ends.contains(*exit)).collect();
        // The object cannot be deallocated on a critical edge.
        if exits.iter().any(|exit| self.view.cfg.single_predecessor(*exit).is_none()) {
            return None;
        }
        let mut places: Vec<Place> = exits.into_iter().map(Place::Start).collect();
        for end in inner.ends() {
            match body.targets(end) {
                [] => places.push(Place::After(end)),
                targets => {
                    let reached = |block: &BlockId| self.view.cfg.single_predecessor(*block).is_some();
                    targets.iter().all(reached).then_some(())?;
                    places.extend(targets.iter().map(|target| Place::Start(*target)));
                }
            }
        }
        // An object that is never released is not promoted.
        if places.is_empty() {
            return None;
        }
        Some(self.freed_at(&places))
    }

    fn is_in_loop(&self) -> bool {
        let mut after = BlockRange::new(self.block);
        let body = self.view.body;
        self.view.cfg.predecessors(self.block).iter().for_each(|block| after.insert(&self.view.cfg, *block));
        after.contains(self.block)
            || body.terminator(self.block).is_some_and(|end| body.targets(end).contains(&self.block))
    }

    /// The range from the allocation to all uses that it dominates.
    fn inner_range(&self) -> Option<InstructionRange<'_>> {
        let mut range = InstructionRange::new(self.view.body, &self.view.cfg, self.object)?;
        self.each_use(|found| {
            if self.dominators.dominates(self.block, self.view.body.instructions[found.user].block) {
                range.insert(found.user);
            }
        })?;
        Some(range)
    }

    /// The range from the definition of the first object that contains this one to all uses.
    fn outer_range(&self) -> Option<BlockRange> {
        let body = self.view.body;
        let mut begin = self.block;
        self.each_use(|found| {
            let defined = body.defining_block(self.view.used_value(found));
            begin = defined.filter(|block| self.dominators.dominates(*block, begin)).unwrap_or(begin);
        })?;
        let mut range = BlockRange::new(begin);
        self.each_use(|found| {
            let value = self.view.used_value(found);
            range.insert(&self.view.cfg, body.instructions[found.user].block);
            if let Some(defined) = body.defining_block(value) {
                range.insert(&self.view.cfg, defined);
            }
            // The downward walk does not visit the incoming values of an argument.
            if let Definition::Argument { block, .. } = body.values[value].definition
                && self.view.incoming_values(value).is_some()
            {
                let predecessors = self.view.cfg.predecessors(block).to_vec();
                predecessors.into_iter().for_each(|block| range.insert(&self.view.cfg, block));
            }
        })?;
        Some(range)
    }

    /// Returns whether an edge leads from the inner range to the rest of the outer range, where the object would still
    /// be reachable.
    fn leads_into(&self, inner: &BlockRange, outer: &BlockRange) -> bool {
        let (body, cfg) = (self.view.body, &self.view.cfg);
        let is_outer = |block: BlockId| !inner.contains_or_ends(block) && outer.contains_or_ends(block);
        inner.blocks().iter().any(|block| {
            let targets = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
            targets.iter().any(|target| {
                let comes_from_outer = || cfg.predecessors(*target).iter().any(|block| is_outer(*block));
                is_outer(*target) && *target != outer.begin() || *target == inner.begin() && comes_from_outer()
            })
        })
    }

    fn freed_at(&self, places: &[Place]) -> Body {
        let mut body = self.view.body.clone();
        body.instructions[self.id].attributes.insert(Attribute::Stack);
        for place in places {
            let at_exit = matches!(place, Place::Start(_)).then(|| body.instructions_after(*place).next()).flatten();
            InstructionBuilder::new(&mut body, *place, at_exit.unwrap_or(self.id)).dealloc_stack_ref(self.object);
        }
        body
    }
}

struct EachUse<F>(F);

impl<F: FnMut(Use)> Visitor for EachUse<F> {
    fn visit_use(&mut self, _: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        (self.0)(found);
        Visit::Continue
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}
