//! Loop rotation: converts loops that test at the top to loops that test at the bottom. The first test moves to the
//! preheader, so that code that always runs once the loop is entered can be hoisted. Follows
//! lib/SILOptimizer/LoopTransforms/LoopRotate.cpp.
//!
//! This file owns the choice of loops, inner ones first. `header` decides whether a header can be cloned, `rewriting`
//! clones it.

mod header;
mod rewriting;

use sil_analysis::{Change, DeadEndBlocks, LoopId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body};

use self::header::Header;
use crate::knowledge::loop_graph::LoopGraph;
use crate::optimizations::call_inlining::inline_cost;
use crate::optimizations::loop_canonicalization::canonicalize_loop;
use crate::pass::settings::{HeaderCopies, SingleBlockLoops};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const LOOP_ROTATION: Pass = Pass::new(&Description {
    name: "loop-rotate",
    class_name: "LoopRotate",
    summary: "Rotates loops, so that they check their condition at the end.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(rotate), Runner::Function(super::borrowed_phis::update)]),
});

/// Rotates the loops of a function.
pub(crate) fn rotate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let body = environment.body;
    let headers = LoopGraph::new(body).headers();
    let order = body.blocks.keys().collect();
    let mut rotation = Rotation { environment, body: body.clone(), order, is_changed: false };
    for header in headers {
        rotation.visit(header);
    }
    let Rotation { mut body, order, is_changed, .. } = rotation;
    body.keep_blocks(&order);
    Ok(is_changed.then(|| Rewrite::new(environment.function, body, Change::Blocks)))
}

/// The body being rewritten. Blocks keep their ids. Blocks that are not in `order` are removed.
struct Rotation<'m> {
    environment: Environment<'m>,
    body: Body,
    order: Vec<BlockId>,
    is_changed: bool,
}

/// The blocks of a rotation.
struct Rotated {
    preheader: BlockId,
    header: BlockId,
    /// The successor of the header in the loop, which becomes the new header.
    next: BlockId,
    latch: BlockId,
}

impl Rotation<'_> {
    /// Rotates the loop with the given header, at most until its current latch becomes the header.
    fn visit(&mut self, header: BlockId) {
        while let Some(canonical) = canonicalize_loop(&self.body, &mut self.order, header) {
            self.body = canonical;
            self.is_changed = true;
        }
        let graph = LoopGraph::new(&self.body);
        let Some(last) = graph.loop_of(header).and_then(|id| graph.latch(id)) else { return };
        let mut single_blocks = self.environment.settings.single_block_loops;
        let mut header = header;
        while let Some(next) = self.rotate(header, last, single_blocks) {
            header = next;
            single_blocks = SingleBlockLoops::Kept;
        }
    }

    /// Rotates a loop once. Returns the new header, or `None` if the loop is unchanged.
    fn rotate(&mut self, header: BlockId, last: BlockId, single_blocks: SingleBlockLoops) -> Option<BlockId> {
        let graph = LoopGraph::new(&self.body);
        let id = graph.loop_of(header)?;
        let preheader = graph.nest.preheader(&self.body, &graph.cfg, id)?;
        let is_single = header == last || self.is_single_block(&graph, id);
        if single_blocks == SingleBlockLoops::Kept && is_single {
            return None;
        }
        let latch = graph.latch(id)?;
        let branch = self.body.terminator(header)?;
        let &[on_true, on_false] = self.body.targets(branch) else { return None };
        let (next, exit) = if graph.nest.contains(id, on_true) { (on_true, on_false) } else { (on_false, on_true) };
        if self.body.instructions[branch].opcode != Opcode::CondBr
            || graph.nest.contains(id, exit)
            || !graph.nest.contains(id, next)
        {
            return None;
        }
        let moved = Header::new(self, &graph, id).moved()?;
        let is_joined = graph.cfg.single_predecessor(next).is_none() && header != latch;
        // Rotation is not profitable for an exit in a dead end, where borrows have no ends.
        let is_dead_end = DeadEndBlocks::new(&self.body, &graph.cfg).contains(exit);
        if graph.leaves(&self.body, id, next) || is_dead_end || is_joined {
            return None;
        }
        self.is_changed = true;
        self.rewrite(&Rotated { preheader, header, next, latch }, &moved)
    }

    /// Returns whether a loop consists of one block, not counting a trivial latch.
    fn is_single_block(&self, graph: &LoopGraph, id: LoopId) -> bool {
        let queries = self.environment.queries;
        let found = &graph.nest.loops[id];
        let costs = |block: BlockId| {
            let end = self.body.terminator(block);
            let mut others = self.body.instructions_in(block).filter(|id| Some(*id) != end);
            others.any(|id| inline_cost(queries, &self.body, id) != 0)
        };
        match found.blocks[..] {
            [_] => true,
            [first, second] => {
                let back = if first == found.header { second } else { first };
                let targets = self.body.terminator(back).map_or(0, |end| self.body.targets(end).len());
                targets == 1 && !costs(back)
            }
            _ => false,
        }
    }

    /// Returns whether a clone of a header is affordable.
    fn is_affordable(&self, cost: i32) -> bool {
        match self.environment.settings.header_copies {
            HeaderCopies::Small => cost < header::SIZE_LIMIT,
            HeaderCopies::Any => true,
        }
    }
}
