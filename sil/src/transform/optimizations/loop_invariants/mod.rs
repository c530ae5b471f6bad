//! What is the same in each round of a loop is done once in front of it (lib/SILOptimizer/LoopTransforms/LICM.cpp): pure computations, checks, loads of
//! what nothing in the loop writes, calls that only read. Accesses last for the whole loop, and memory that a loop only loads and stores is a value
//! while it runs.
//!
//! Here: the order of loops and rounds. `contents` says what is in a loop, `conflicts` what may not pass what, `accesses` which accesses can last for
//! the loop, `moving` moves instructions, `promotion` and `splitting` make memory a value.

mod accesses;
mod conflicts;
mod contents;
mod moving;
mod promotion;
mod splitting;

use rustc_hash::FxHashMap;

use self::contents::{Contents, LoopContext};
use self::moving::Movement;
use crate::analysis::{AliasAnalysis, AnalyzedModule, Change, StoragePath};
use crate::model::{BlockId, Body};
use crate::transform::editing::block_order::stand_behind_predecessors;
use crate::transform::knowledge::array_semantics::Semantics;
use crate::transform::knowledge::loop_graph::LoopGraph;
use crate::transform::pass::{
    Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner, over_analyzed,
};

pub(in crate::transform) const LOOP_INVARIANT_CODE_MOTION: Pass = Pass::new(&Description {
    name: "licm",
    class_name: "LICM",
    summary: "Hoists loop invariants.",
    gates: Gates::OPEN,
    runner: Runner::Module(hoist),
});

pub(in crate::transform) const HIGH_LEVEL_LOOP_INVARIANT_CODE_MOTION: Pass = Pass::new(&Description {
    name: "high-level-licm",
    class_name: "HighLevelLICM",
    summary: "Hoists loop invariants while calls with known semantics are not inlined.",
    gates: Gates::OPEN,
    runner: Runner::Module(hoist_high_level),
});

/// So many times what comes of a loop is looked at again.
const MOST_ROUNDS: usize = 64;

/// Does what is invariant in front of loops.
pub(in crate::transform) fn hoist(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Semantics::Inlined))
}

/// The same, while the semantics of arrays are calls.
pub(in crate::transform) fn hoist_high_level(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Semantics::Called))
}

/// How many loads were made of the parts of others so that what is stored to a place is loaded alone.
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
    stand_behind_predecessors(&mut rewrite.body, environment.body.blocks.len());
    Some(rewrite)
}

/// The body with less done in the loop that begins with `header`; none where nothing more can be done in front of it. Blocks keep their numbers.
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
    // A check may guard what promotion reads in front of the loop.
    if hoisted.moves_checks() {
        return hoisted.finish();
    }
    promotion::promote(&context, &contents, splits).or_else(|| hoisted.finish())
}
