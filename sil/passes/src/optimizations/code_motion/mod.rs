//! Sinks common code of predecessors to their successor, and moves retains and releases of enums to where the case is
//! known and only the payload is counted. Follows lib/SILOptimizer/Transforms/SILCodeMotion.cpp.
//!
//! This file owns the order of the blocks: reverse post-order. `tags` tracks known enum cases, `counting` moves retains
//! and releases, `sinking` sinks instructions, `arguments` sinks definitions of passed values.
//!
//! Does not own: retains and releases of other references, which `reference_motion` moves.

mod arguments;
mod counting;
mod sinking;
mod tags;

use sil_analysis::{AliasAnalysis, AnalyzedModule, ControlFlowGraph, RcIdentity};
use sil_ir::context::{MemberId, SilType};

use self::tags::Tags;

use sil_ir::model::{BlockId, InstructionId, Place, Value};

use crate::editing::editor::Editor;
use crate::knowledge::counting::Counting as ValueCounting;
use crate::knowledge::reference_questions::{Counting, Questions};
use crate::pass::{Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner, over_analyzed};

pub(crate) const EARLY_CODE_MOTION: Pass = Pass::new(&Description {
    name: "early-codemotion",
    class_name: "EarlyCodeMotion",
    summary: "Sinks common ends of predecessors, and retains of enums to where the case is known.",
    gates: Gates::OPEN,
    runner: Runner::Module(move_early),
});

pub(crate) const LATE_CODE_MOTION: Pass = Pass::new(&Description {
    name: "late-codemotion",
    class_name: "LateCodeMotion",
    summary: "Sinks common ends of predecessors, and retains and releases of enums to where the case is known.",
    gates: Gates::OPEN,
    runner: Runner::Module(move_late),
});

/// Moves code, but leaves releases in place.
pub(crate) fn move_early(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Releases::Stay))
}

/// Moves code, and hoists releases of enums to where their case is known.
pub(crate) fn move_late(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Releases::Hoisted))
}

/// The treatment of releases of enums.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Releases {
    Stay,
    Hoisted,
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>, releases: Releases) -> Option<Rewrite> {
    let cfg = environment.analyses.cfg(environment.body);
    let mut motion = Motion { editor: Editor::new(environment), analyzed, cfg, tags: Tags::default() };
    for block in cfg.reverse_post_order() {
        motion.block(*block, releases);
    }
    motion.editor.finish()
}

struct Motion<'m, 'a> {
    editor: Editor<'m>,
    analyzed: &'a AnalyzedModule<'a>,
    /// The control flow graph, which does not change.
    cfg: &'m ControlFlowGraph,
    tags: Tags,
}

impl Motion<'_, '_> {
    fn block(&mut self, block: BlockId, releases: Releases) {
        let has_ownership = self.editor.has_ownership();
        self.enter(block);
        if !has_ownership {
            if releases == Releases::Hoisted {
                self.hoist_releases(block);
            }
            self.sink_retains(block);
            self.sink_retains_of_predecessors(block);
            self.count_originals(block);
        }
        self.sink_common_ends(block);
        self.sink_passed_values(block);
        self.sink_passed_literals(block);
        if !has_ownership {
            self.hoist_argument_release(block);
            self.follow_tags(block);
        }
    }

    /// Answers a question about references in the current body.
    fn ask<R>(&self, question: impl FnOnce(&Questions<'_>) -> R) -> R {
        let view = self.editor.view();
        let aliases = AliasAnalysis::new(self.analyzed, &view);
        let identities = RcIdentity::new(&view);
        question(&Questions::new(self.editor.current(), &view, &aliases, &identities))
    }

    /// Returns whether the predecessors of `block` have no other successors.
    fn leads_alone(&self, block: BlockId) -> bool {
        let is_exclusive = |from: &BlockId| self.targets(*from).len() == 1 && self.cfg.is_reachable(*from);
        self.cfg.predecessors(block).iter().all(is_exclusive)
    }

    /// The predecessors of `block`, if there are several and each has no other successor.
    fn exclusive_predecessors(&self, block: BlockId) -> Option<Vec<BlockId>> {
        let predecessors = self.cfg.predecessors(block);
        (predecessors.len() > 1 && self.leads_alone(block)).then(|| predecessors.to_vec())
    }

    fn targets(&self, block: BlockId) -> &[BlockId] {
        let body = self.editor.body();
        body.terminator(block).map_or(&[][..], |end| body.targets(end))
    }

    /// The payload type of an enum's case, or `None` if the case has no payload.
    fn payload(&self, whole: Value, case: MemberId) -> Option<SilType> {
        let ty = self.editor.body().ty(whole).ty;
        self.editor.environment.queries.enum_payload_type(ty, case).map(SilType::object)
    }

    /// Inserts a retain or release of the payload of an enum with a known case at `place`, with the location of `like`.
    fn count_payload(&mut self, whole: Value, case: MemberId, what: Counting, (place, like): (Place, InstructionId)) {
        let Some(payload) = self.payload(whole, case) else { return };
        let counting = ValueCounting::of(self.editor.environment, payload);
        let opcode = match what {
            Counting::Retain => counting.retain(),
            Counting::Release => counting.release(),
        };
        let Some(opcode) = opcode else { return };
        self.editor.build(place, like, |builder| {
            let payload = builder.unchecked_enum_data(whole, case, payload);
            builder.effect(opcode, payload);
        });
    }

    /// Returns whether the destruction of a value of this enum does more than destroy the payload.
    fn has_deinit(&self, whole: Value) -> bool {
        let Environment { module, queries, .. } = self.editor.environment;
        let nominal = queries.as_nominal(self.editor.body().ty(whole).ty).map(|nominal| nominal.declaration);
        nominal.is_none_or(|nominal| {
            queries.declarations.get(nominal).attributes.has_deinit
                || module.deinits.iter().any(|deinit| deinit.nominal == nominal)
        })
    }
}
