//! Removes redundant bounds checks and hoists bounds checks out of loops. Follows
//! lib/SILOptimizer/LoopTransforms/BoundsCheckOpts.cpp.
//!
//! This file owns the order of the steps. `array_places` has the locations of arrays, `array_sizes` the effects on
//! array sizes, `repeated` removes redundant checks, `inductions` finds induction variables and their ranges,
//! `comparisons` simplifies comparisons with them, `hoisting` hoists checks.
//!
//! Swift's pass is unsound in some cases, and this one differs: a loop from zero to the count does not pass a check of
//! the successor of the induction variable; a loop counts up to its end only if each iteration runs the exit test; and
//! memory is distinguished by location, not by the projection instruction.

mod array_places;
mod array_sizes;
mod comparisons;
mod hoisting;
mod inductions;
mod ranges;
mod repeated;

use sil_analysis::{ControlFlowGraph, Dominators, LoopId, RcIdentity};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::BlockId;

use self::array_sizes::ArraySizes;
use self::inductions::CountedLoop;
use crate::editing::editor::Editor;
use crate::knowledge::counters::Counters;
use crate::knowledge::loop_graph::LoopGraph;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const BOUNDS_CHECK_OPTIMIZATION: Pass = Pass::new(&Description {
    name: "bcopts",
    class_name: "BoundsCheckOpts",
    summary: "Removes redundant bounds checks and hoists the rest out of loops.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(optimize),
});

/// Removes and hoists the bounds checks of a function.
pub(crate) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body, .. } = environment;
    let view = environment.view();
    let identity = RcIdentity::new(&view);
    let sizes = ArraySizes::new(environment, &identity);
    let mut checks = BoundsChecks {
        editor: Editor::new(environment),
        graph: LoopGraph::new(body),
        dominators: Dominators::new(body, &ControlFlowGraph::new(body)),
        sizes,
    };
    for block in body.blocks.keys() {
        checks.remove_repeated_in_block(block);
    }
    for id in (0..checks.graph.nest.loops.len()).rev() {
        checks.in_loop(id);
    }
    Ok(checks.editor.finish())
}

/// The body being rewritten. The control flow does not change.
struct BoundsChecks<'a, 'm> {
    editor: Editor<'m>,
    graph: LoopGraph,
    dominators: Dominators,
    sizes: ArraySizes<'a, 'm>,
}

impl BoundsChecks<'_, '_> {
    fn counters(&self) -> Counters<'_> {
        Counters { body: self.editor.body() }
    }

    /// The blocks of a loop in reverse post-order.
    fn loop_blocks(&self, id: LoopId) -> Vec<BlockId> {
        let mut blocks = self.graph.nest.loops[id].blocks.clone();
        blocks.sort_by_key(|block| self.graph.cfg.number(*block));
        blocks
    }

    /// Optimises an innermost loop.
    fn in_loop(&mut self, id: LoopId) {
        let is_innermost = self.graph.nest.loops.iter().all(|found| found.parent != Some(id));
        let preheader = self.graph.nest.preheader(self.editor.body(), &self.graph.cfg, id);
        let Some(preheader) = preheader.filter(|_| is_innermost) else { return };
        let blocks = self.loop_blocks(id);
        let changes = self.sizes.changes_in(&self.editor, &blocks);
        let counted = CountedLoop::of(self, id, preheader);
        let inductions = counted.map_or_else(Vec::new, |counted| self.simplify_comparisons(&blocks, counted));
        self.remove_repeated_in_loop(&blocks, &changes);
        self.remove_repeated_fixed_in_loop(&blocks, preheader);
        hoisting::Hoisting::new(self, id, preheader, &inductions).hoist(&blocks, &changes);
    }
}
