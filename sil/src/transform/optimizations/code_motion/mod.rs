//! Code that several blocks end with moves to the block that they all lead to, and retains and releases of enums to where their case is known: there only
//! payloads are counted (lib/SILOptimizer/Transforms/SILCodeMotion.cpp).
//!
//! Here: the order in which blocks are looked at, each behind those that lead to it. `tags` follows what cases enums are known to be, `counting` moves
//! retains and releases, `sinking` instructions, `arguments` what blocks are passed.
//!
//! Does not own: retains and releases of other references, which `reference_motion` moves.

mod arguments;
mod counting;
mod sinking;
mod tags;

use self::tags::Tags;
use crate::analysis::{AliasAnalysis, AnalyzedModule, ControlFlowGraph, RcIdentity};
use crate::context::{MemberId, SilType};

use crate::model::{BlockId, InstructionId, Place, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::knowledge::counting::Counting as ValueCounting;
use crate::transform::knowledge::reference_questions::{Counting, Questions};
use crate::transform::pass::{
    Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner, over_analyzed,
};

pub(in crate::transform) const EARLY_CODE_MOTION: Pass = Pass::new(&Description {
    name: "early-codemotion",
    class_name: "EarlyCodeMotion",
    summary: "Sinks common ends of predecessors, and retains of enums to where the case is known.",
    gates: Gates::OPEN,
    runner: Runner::Module(move_early),
});

pub(in crate::transform) const LATE_CODE_MOTION: Pass = Pass::new(&Description {
    name: "late-codemotion",
    class_name: "LateCodeMotion",
    summary: "Sinks common ends of predecessors, and retains and releases of enums to where the case is known.",
    gates: Gates::OPEN,
    runner: Runner::Module(move_late),
});

/// Moves code of functions in which releases stay where they are.
pub(in crate::transform) fn move_early(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Releases::Stay))
}

/// Moves code, and releases of enums to where their case is known.
pub(in crate::transform) fn move_late(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Releases::Hoisted))
}

/// What becomes of releases of enums.
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
    /// Where blocks lead, which stays as it is.
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

    /// Asks about references in the body as it is.
    fn ask<R>(&self, question: impl FnOnce(&Questions<'_>) -> R) -> R {
        let view = self.editor.view();
        let aliases = AliasAnalysis::new(self.analyzed, &view);
        let identities = RcIdentity::new(&view);
        question(&Questions::new(self.editor.current(), &view, &aliases, &identities))
    }

    /// Whether the blocks that lead to `block` lead nowhere else.
    fn leads_alone(&self, block: BlockId) -> bool {
        let is_exclusive = |from: &BlockId| self.targets(*from).len() == 1 && self.cfg.is_reachable(*from);
        self.cfg.predecessors(block).iter().all(is_exclusive)
    }

    /// The blocks that lead to `block`, if each leads nowhere else and there are several.
    fn exclusive_predecessors(&self, block: BlockId) -> Option<Vec<BlockId>> {
        let predecessors = self.cfg.predecessors(block);
        (predecessors.len() > 1 && self.leads_alone(block)).then(|| predecessors.to_vec())
    }

    fn targets(&self, block: BlockId) -> &[BlockId] {
        let body = self.editor.body();
        body.terminator(block).map_or(&[][..], |end| body.targets(end))
    }

    /// The type of the payload that an enum has as one of a case; none where the case has none.
    fn payload(&self, whole: Value, case: MemberId) -> Option<SilType> {
        let ty = self.editor.body().ty(whole).ty;
        self.editor.environment.queries.enum_payload_type(ty, case).map(SilType::object)
    }

    /// Counts the payload of an enum that is known to be one of a case, at `place`, as `like` counted the enum.
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

    /// Whether more is done as a value of this enum ends than the end of its payload.
    fn has_deinit(&self, whole: Value) -> bool {
        let Environment { module, queries, .. } = self.editor.environment;
        let nominal = queries.as_nominal(self.editor.body().ty(whole).ty).map(|nominal| nominal.declaration);
        nominal.is_none_or(|nominal| {
            queries.declarations.get(nominal).attributes.has_deinit
                || module.deinits.iter().any(|deinit| deinit.nominal == nominal)
        })
    }
}
