//! Loop invariant code motion: hoists pure instructions, checks, loads of memory that the loop does not write, and
//! read-only calls to the preheader. Exclusivity accesses are widened to span the loop, and memory that is only loaded
//! and stored is promoted to values. Follows lib/SILOptimizer/LoopTransforms/LICM.cpp.
//!
//! This file owns the order of loops and rounds. `contents` classifies the instructions, `conflicts` has the conflicts,
//! `accesses` the accesses to widen, `moving` moves instructions, `promotion` and `splitting` promote memory.

mod accesses;
mod conflicts;
mod contents;
mod moving;
mod promotion;
mod splitting;

use rustc_hash::FxHashMap;
use sil_analysis::{AliasAnalysis, AnalyzedModule, Change, StoragePath};
use sil_ir::model::{BlockId, Body};

use self::contents::{Contents, LoopContext};
use self::moving::Movement;
use crate::editing::block_order::stand_after_predecessors;
use crate::knowledge::array_semantics::Semantics;
use crate::knowledge::loop_graph::LoopGraph;
use crate::pass::{
    Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner, over_analyzed,
};

pub(crate) const LOOP_INVARIANT_CODE_MOTION: Pass = Pass::new(&Description {
    name: "licm",
    class_name: "LICM",
    summary: "Hoists loop invariants.",
    gates: Gates::OPEN,
    runner: Runner::Module(hoist),
});

pub(crate) const HIGH_LEVEL_LOOP_INVARIANT_CODE_MOTION: Pass = Pass::new(&Description {
    name: "high-level-licm",
    class_name: "HighLevelLICM",
    summary: "Hoists loop invariants while calls with known semantics are not inlined.",
    gates: Gates::OPEN,
    runner: Runner::Module(hoist_high_level),
});

/// The limit on rounds per loop.
const MOST_ROUNDS: usize = 64;

/// Hoists invariant code out of loops.
pub(crate) fn hoist(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Semantics::Inlined))
}

/// Hoists invariant code while array semantics calls are not inlined.
pub(crate) fn hoist_high_level(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Semantics::Called))
}

/// The number of loads that were created by splitting, for each stored path.
type Splits = FxHashMap<StoragePath, usize>;

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>, semantics: Semantics) -> Option<Rewrite> {
    let mut rounds = Rounds::new(environment);
    for header in LoopGraph::new(environment.body).headers() {
        let mut splits = Splits::default();
        for _ in 0..MOST_ROUNDS {
            let Some(next) = round(rounds.current(), analyzed, semantics, header, &mut splits) else { break };
            rounds.set(next, Change::Blocks);
        }
    }
    let mut rewrite = rounds.finish()?;
    stand_after_predecessors(&mut rewrite.body, environment.body.blocks.len());
    Some(rewrite)
}

/// Returns the body with invariant code hoisted out of the loop with the given header, or `None` if there is none.
/// Blocks keep their ids.
fn round(
    environment: Environment<'_>,
    analyzed: &AnalyzedModule<'_>,
    semantics: Semantics,
    header: BlockId,
    splits: &mut Splits,
) -> Option<Body> {
    let body = environment.body;
    let graph = LoopGraph::new(body);
    let id = graph.loop_of(header)?;
    let preheader = graph.nest.preheader(body, &graph.cfg, id)?;
    let view = environment.view();
    let aliases = AliasAnalysis::new(analyzed, &view);
    let context = LoopContext::new(environment, analyzed, &aliases, &view, &graph, (id, preheader));
    let contents = Contents::of(&context, semantics);
    let hoisted = Movement::of(&context, &contents);
    // A check may guard a load that promotion would hoist.
    if hoisted.moves_checks() {
        return hoisted.finish();
    }
    promotion::promote(&context, &contents, splits).or_else(|| hoisted.finish())
}
