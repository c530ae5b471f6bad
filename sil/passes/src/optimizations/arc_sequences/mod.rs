//! Removes retains and releases that pair on all paths. Follows lib/SILOptimizer/ARC. `states` tracks the releases that
//! follow a retain, and the retains that precede a release. `pairing` matches instructions that refer to each other and
//! to no others. A pair is removed if nothing between its members depends on the count, or if another reference keeps
//! the object alive.
//!
//! This file owns the order of the loops and the function. `regions` has the order of blocks and loops, `flow` the
//! dataflow, `last_releases` the epilogue releases of arguments.

mod flow;
mod last_releases;
mod pairing;
mod regions;
mod states;

use rustc_hash::FxHashSet;
use sil_analysis::{AliasAnalysis, AnalyzedModule, Change, RcIdentity};
use sil_ir::model::{Body, FunctionFlag, InstructionId};

use self::flow::{Flow, LastReleases};
use self::pairing::Pairing;
use self::regions::Regions;
use super::loop_canonicalization::canonicalize;
use crate::knowledge::reference_questions::Questions;
use crate::pass::settings::ArcLoops;
use crate::pass::{
    Description, Environment, Gates, ModuleEnvironment, OwnershipGate, Pass, Rewrite, Rewrites, Rounds, Runner,
    over_analyzed,
};

pub(crate) const ARC_SEQUENCES: Pass = Pass::new(&Description {
    name: "arc-sequence-opts",
    class_name: "ARCSequenceOpts",
    summary: "Removes pairs of retains and releases that cancel out on every path.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Module(remove_pairs),
});

pub(crate) const ARC_LOOPS: Pass = Pass::new(&Description {
    name: "arc-loop-opts",
    class_name: "ARCLoopOpts",
    summary: "Removes pairs of retains and releases, across loops too.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Module(remove_pairs_in_loops),
});

/// Removes pairs. The settings decide on the treatment of loops.
pub(crate) fn remove_pairs(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| {
        in_function(environment, analyzed, environment.settings.arc_loops)
    })
}

/// Removes pairs, with summaries of loops.
pub(crate) fn remove_pairs_in_loops(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, ArcLoops::Summarized))
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>, loops: ArcLoops) -> Option<Rewrite> {
    let function = environment.function;
    if function.has(FunctionFlag::GlobalInitOnce) {
        return None;
    }
    let canonical = match loops {
        ArcLoops::Summarized => canonicalize(environment).ok().flatten(),
        ArcLoops::Ignored => None,
    };
    let mut rounds = Rounds::after(environment, canonical);
    let removed = removable(rounds.current(), analyzed, loops);
    if !removed.is_empty() {
        let mut body: Body = rounds.current().body.clone();
        removed.into_iter().for_each(|id| body.erase(id));
        rounds.set(body, Change::Instructions);
    }
    rounds.finish()
}

/// The retains and releases of all pairs, in textual order.
fn removable(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>, loops: ArcLoops) -> Vec<InstructionId> {
    let (body, view) = (environment.body, environment.view());
    let aliases = AliasAnalysis::new(analyzed, &view);
    let identities = RcIdentity::new(&view);
    let questions = Questions::new(environment, &view, &aliases, &identities);
    let mut work = Work { questions: &questions, removed: FxHashSet::default(), unmatched: FxHashSet::default() };
    let regions = match loops {
        ArcLoops::Ignored => Regions::of_blocks(&questions),
        ArcLoops::Summarized => Regions::with_loops(&questions),
    };
    match loops {
        ArcLoops::Ignored => work.without_loops(&regions),
        ArcLoops::Summarized => {
            if work.with_loops(&regions) {
                work.with_loops(&regions);
            }
        }
    }
    let removed = work.removed;
    body.placed_instructions().filter(|id| removed.contains(id)).collect()
}

/// The state of the work on a function.
struct Work<'a> {
    questions: &'a Questions<'a>,
    removed: FxHashSet<InstructionId>,
    /// The retains and releases of loops that have no partner.
    unmatched: FxHashSet<InstructionId>,
}

impl Work<'_> {
    fn without_loops(&mut self, regions: &Regions) {
        let Some(region) = regions.all.last() else { return };
        let is_changed = self.until_stable(regions, region, LastReleases::Paired);
        if is_changed {
            self.until_stable(regions, region, LastReleases::Kept);
        }
    }

    /// Visits inner loops before outer loops, and the function last. Returns whether a pair was found.
    fn with_loops(&mut self, regions: &Regions) -> bool {
        let mut is_changed = false;
        for region in &regions.all {
            if self.until_stable(regions, region, LastReleases::Paired) {
                is_changed = true;
                self.until_stable(regions, region, LastReleases::Kept);
            }
        }
        is_changed
    }

    /// Removes the pairs of a region. If retains or releases are nested, the outer ones become pairs once the inner
    /// ones are removed, so this iterates.
    fn until_stable(&mut self, regions: &Regions, region: &regions::Region, last: LastReleases) -> bool {
        let mut is_changed = false;
        loop {
            let mut flow = Flow::new(self.questions, regions, &self.removed, &self.unmatched, last);
            let is_nested = flow.run(region);
            let known = flow.into_known();
            let mut pairing = Pairing::new(known);
            let is_paired = pairing.run();
            is_changed |= is_paired || !pairing.removed.is_empty();
            if region.is_loop() {
                let unmatched = region.own_instructions(self.questions);
                self.unmatched.extend(unmatched.into_iter().filter(|id| pairing.is_unmatched(self.questions, *id)));
            }
            self.removed.extend(pairing.removed);
            if !(is_nested && is_paired) {
                return is_changed;
            }
        }
    }
}
