//! Hoists instructions out of a loop and sinks instructions below it.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, Uses, opening};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, Body, InstructionId, Place, Value};

use super::accesses;
use super::contents::{Contents, LoopContext, is_pure};
use crate::editing::critical_edges::split_edges;
use crate::editing::instruction_copies::copy;

/// A body being rewritten for a loop.
pub(super) struct Movement<'c, 'l, 'm> {
    context: &'c LoopContext<'l, 'm>,
    body: Body,
    is_changed: bool,
    moves_checks: bool,
}

impl<'c, 'l, 'm> Movement<'c, 'l, 'm> {
    /// Moves all instructions that can be moved.
    pub(super) fn of(context: &'c LoopContext<'l, 'm>, contents: &Contents) -> Self {
        let body = context.environment.body.clone();
        let mut movement = Self { context, body, is_changed: false, moves_checks: false };
        movement.hoist_computations(contents);
        movement.sink_fixed_lifetimes(contents);
        for property in &contents.properties {
            movement.hoist(*property);
        }
        for access in accesses::lasting(context, contents) {
            if movement.hoist(access) {
                movement.sink(&accesses::ends(context, access));
            }
        }
        movement
    }

    /// Returns whether a check is hoisted.
    pub(super) fn moves_checks(&self) -> bool {
        self.moves_checks
    }

    /// Returns the body, or `None` if nothing moved.
    pub(super) fn finish(self) -> Option<Body> {
        self.is_changed.then_some(self.body)
    }

    fn hoist_computations(&mut self, contents: &Contents) {
        for block in self.context.certain_blocks() {
            for id in self.body.instructions_in(block).collect::<Vec<_>>() {
                if contents.hoistable.contains(&id) && self.hoist(id) {
                    self.moves_checks |= self.body.instructions[id].opcode == Opcode::CondFail;
                }
            }
        }
    }

    /// Hoists an instruction to the preheader if its operands are invariant.
    fn hoist(&mut self, id: InstructionId) -> bool {
        let Some(end) = self.body.terminator(self.context.preheader) else { return false };
        let is_moved = self.context.is_invariant(&self.body, id);
        if is_moved {
            self.body.move_to(id, Place::Before(end));
            self.is_changed = true;
        }
        is_moved
    }

    fn sink_fixed_lifetimes(&mut self, contents: &Contents) {
        let (context, before) = (self.context, self.context.environment.body);
        let signature = context.environment.function.signature;
        let releases = contents.side_effects.iter().any(|id| context.effects.may_release(before, signature, *id));
        let certain = context.certain_blocks();
        for id in &contents.fixed_lifetimes {
            let address = Unary::of(before, *id).operand;
            let is_changed = || contents.side_effects.iter().any(|effect| context.aliases.may_write(*effect, address));
            if certain.contains(&before.instructions[*id].block)
                && !context.exits_nowhere()
                && !(releases && is_changed())
            {
                self.sink(&[*id]);
            }
        }
    }

    /// Sinks equal instructions of the loop to the start of each exit block.
    fn sink(&mut self, alike: &[InstructionId]) {
        let Some(first) = alike.first() else { return };
        for exit in split_exits(self.context, &mut self.body) {
            copy(&mut self.body, Place::Start(exit), *first, &FxHashMap::default());
        }
        alike.iter().for_each(|id| self.body.erase(*id));
        self.is_changed = true;
    }
}

/// Splits the critical exit edges of the loop. Returns the exit blocks.
pub(super) fn split_exits(context: &LoopContext<'_, '_>, body: &mut Body) -> Vec<BlockId> {
    let is_inside = |block: BlockId| context.contains(block);
    let cfg = ControlFlowGraph::new(body);
    split_edges(body, |from, to| is_inside(from) && !is_inside(to) && cfg.predecessors(to).len() > 1);
    let mut exits = Vec::new();
    for block in context.blocks() {
        let targets = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
        for target in targets {
            if !is_inside(*target) && !exits.contains(target) {
                exits.push(*target);
            }
        }
    }
    exits
}

/// Removes the dead definitions of `values`, which are pure or loads, and then their dead operands.
pub(super) fn remove_unused(context: &LoopContext<'_, '_>, body: &mut Body, mut values: Vec<Value>) {
    let uses = Uses::new(body);
    let placed: FxHashSet<InstructionId> = body.placed_instructions().collect();
    let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
    while let Some(value) = values.pop() {
        let Some(id) = body.defining(value).filter(|id| placed.contains(id) && !gone.contains(id)) else { continue };
        let mut users = body.results(id).flat_map(|result| uses.of(result));
        // Types may refer to an opened archetype.
        let is_named = opening(context.view.queries, body, id).is_some();
        let can_go = is_pure(context, body, id) && !is_named || body.instructions[id].opcode == Opcode::Load;
        if can_go && users.all(|found| gone.contains(&found.user)) {
            gone.insert(id);
            values.extend(body.operands(id));
        }
    }
    gone.into_iter().for_each(|id| body.erase(id));
}

impl LoopContext<'_, '_> {
    /// Returns whether the loop has no exits.
    pub(super) fn exits_nowhere(&self) -> bool {
        let body = self.environment.body;
        !self.blocks().iter().any(|block| self.graph.leaves(body, self.id, *block))
    }
}
