//! Code sinking: moves instructions without side effects closer to their uses. The destination is the nearest common
//! dominator of all uses, but never inside a loop that did not contain the instruction. Follows
//! lib/SILOptimizer/Transforms/Sink.cpp.
//!
//! Functions with ownership are left alone, since the places of borrows and copies matter there.

use sil_analysis::{Change, ControlFlowGraph, Dominators, InstructionEffects, LoopNest, Uses, opening};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::{BlockId, Body, InstructionId, Place};
use sil_ir::types::TypeQueries;

use crate::editing::stack_nesting;
use crate::pass::{Description, Environment, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const CODE_SINKING: Pass = Pass::new(&Description {
    name: "code-sinking",
    class_name: "CodeSinking",
    summary: "Sinks computations to the paths that use them.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Function(sink),
});

/// Sinks the instructions of a function.
pub(crate) fn sink(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body: before, analyses, .. } = environment;
    let cfg = analyses.cfg(before);
    let dominators = Dominators::new(before, cfg);
    let loops = LoopNest::new(before, cfg, &dominators);
    let effects = InstructionEffects::new(module, queries);
    let mut sinking =
        Sinking { body: before.clone(), cfg, dominators, loops, uses: analyses.uses(before), queries, effects };
    let mut is_changed = false;
    // Users are sunk before their operands' definitions.
    for block in cfg.reverse_post_order().iter().rev() {
        let instructions: Vec<InstructionId> = before.instructions_in(*block).collect();
        for id in instructions.into_iter().rev() {
            if let Some(destination) = sinking.destination(*block, id) {
                sinking.body.move_to(id, Place::Start(destination));
                is_changed = true;
            }
        }
    }
    Ok(is_changed.then(|| Rewrite::new(function, sinking.body, Change::Instructions)))
}

struct Sinking<'m> {
    /// The body being rewritten. Its blocks do not change.
    body: Body,
    cfg: &'m ControlFlowGraph,
    dominators: Dominators,
    loops: LoopNest,
    uses: &'m Uses,
    queries: &'m TypeQueries<'m>,
    effects: InstructionEffects<'m>,
}

impl Sinking<'_> {
    /// The destination block of an instruction of `block`.
    fn destination(&self, block: BlockId, id: InstructionId) -> Option<BlockId> {
        if !self.may_be_moved(id) {
            return None;
        }
        let mut users = self.body.results(id).flat_map(|result| self.uses.of(result)).map(|found| found.user);
        let first = self.body.instructions[users.next()?].block;
        let mut destination =
            users.try_fold(first, |common, user| self.common(common, self.body.instructions[user].block))?;
        let depth = self.depth(block);
        while self.depth(destination) != depth && destination != block {
            destination = self.dominators.immediate_dominator(destination)?;
        }
        (destination != block).then_some(destination)
    }

    fn may_be_moved(&self, id: InstructionId) -> bool {
        use Opcode::{AllocPackMetadata, MarkDependence, MarkFunctionEscape, MarkUninitialized};
        let is_fixed = matches!(
            self.body.instructions[id].opcode,
            AllocPackMetadata | MarkDependence | MarkFunctionEscape | MarkUninitialized
        );
        !is_fixed
            && !stack_nesting::allocates(&self.body, id)
            && opening(self.queries, &self.body, id).is_none()
            && self.effects.memory_behavior(&self.body, id) == MemoryBehavior::None
            && !self.effects.may_have_side_effects(&self.body, id)
    }

    /// The nearest common dominator of two blocks.
    fn common(&self, one: BlockId, other: BlockId) -> Option<BlockId> {
        if one == other {
            return Some(one);
        }
        let mut common = one;
        if !self.cfg.is_reachable(one) || !self.cfg.is_reachable(other) {
            return None;
        }
        while !self.dominators.dominates(common, other) {
            common = self.dominators.immediate_dominator(common)?;
        }
        Some(common)
    }

    fn depth(&self, block: BlockId) -> usize {
        self.loops.innermost(block).map_or(0, |innermost| self.loops.loops[innermost].depth)
    }
}
