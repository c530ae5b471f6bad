//! Sinks retains and hoists releases on all paths until an instruction blocks them, so that pairs become adjacent.
//! Follows lib/SILOptimizer/Transforms/ARCCodeMotion.cpp.
//!
//! The retains or releases of a reference are erased and recreated at the insertion points that `flow` computes. A
//! retain is blocked by instructions that may release the reference or check its uniqueness, a release by instructions
//! that may use the object.
//!
//! Does not own: functions with ownership.

mod flow;

use rustc_hash::FxHashSet;
use sil_analysis::{AliasAnalysis, Analyses, AnalyzedModule, ApplySite, Change, RcIdentity};
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId, Place, Value};

use self::flow::{Direction, Points, Subjects};
use crate::InstructionBuilder;
use crate::editing::block_order::stand_after_predecessors;
use crate::editing::critical_edges;
use crate::editing::deleter::{Deadness, without_dead};

use sil_ir::types::{ArgumentConvention, Copyability};

use crate::knowledge::counting::Counting as ValueCounting;
use crate::knowledge::reference_questions::{Counting, Questions};
use crate::pass::{
    Description, Environment, Gates, ModuleEnvironment, OwnershipGate, Pass, Rewrite, Rewrites, Runner, over_analyzed,
};

pub(crate) const RETAIN_SINKING: Pass = Pass::new(&Description {
    name: "retain-sinking",
    class_name: "RetainSinking",
    summary: "Sinks retains.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Module(sink_retains),
});

pub(crate) const RELEASE_HOISTING: Pass = Pass::new(&Description {
    name: "release-hoisting",
    class_name: "ReleaseHoisting",
    summary: "Hoists releases, except epilogue releases of arguments.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Module(hoist_releases),
});

pub(crate) const LATE_RELEASE_HOISTING: Pass = Pass::new(&Description {
    name: "late-release-hoisting",
    class_name: "LateReleaseHoisting",
    summary: "Hoists all releases.",
    gates: Gates { ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Module(hoist_all_releases),
});

/// Sinks retains.
pub(crate) fn sink_retains(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Motion::Sink))
}

/// Hoists releases, except for the epilogue releases of arguments.
pub(crate) fn hoist_releases(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Motion::HoistInner))
}

/// Hoists all releases.
pub(crate) fn hoist_all_releases(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, |environment, analyzed| in_function(environment, analyzed, Motion::HoistAll))
}

/// The motion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// Sinks retains.
    Sink,
    /// Hoists releases except for the epilogue releases of arguments.
    HoistInner,
    /// Hoists all releases.
    HoistAll,
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>, motion: Motion) -> Option<Rewrite> {
    let Environment { function, body: before, .. } = environment;
    if !before.placed_instructions().any(|id| counting(before, id).is_some()) {
        return None;
    }
    let mut body = before.clone();
    critical_edges::split_in(&mut body, environment.analyses.cfg(before));
    let is_split = body.blocks.len() > before.blocks.len();
    let analyses = Analyses::default();
    let environment = environment.with_body(&body, &analyses);
    let view = environment.view();
    let aliases = AliasAnalysis::new(analyzed, &view);
    let identities = RcIdentity::new(&view);
    let questions = Questions::new(environment, &view, &aliases, &identities);
    let subjects = subjects(environment, &questions, motion);
    let points = match motion {
        Motion::Sink => flow::points(&questions, &subjects, Direction::Down),
        Motion::HoistInner | Motion::HoistAll => flow::points(&questions, &subjects, Direction::Up),
    };
    let mut moved = Moved {
        questions: &questions,
        body: body.clone(),
        subjects: &subjects,
        counted: Vec::new(),
        is_changed: false,
    };
    match motion {
        Motion::Sink => {
            moved.make_retains(&points);
            moved.leave_out_before_ends();
        }
        Motion::HoistInner | Motion::HoistAll => moved.make_releases(&points),
    }
    let Moved { body: moved, is_changed, counted, .. } = moved;
    if !is_changed && !is_split {
        return None;
    }
    let mut moved = without_dead(environment, &moved, &counted, Deadness::Unused);
    stand_after_predecessors(&mut moved, before.blocks.len());
    Some(Rewrite::new(function, moved, if is_split { Change::Blocks } else { Change::Instructions }))
}

/// The counting operation of an instruction, including that of unowned references.
fn counting(body: &Body, id: InstructionId) -> Option<Counting> {
    match body.instructions[id].opcode {
        Opcode::StrongRetain | Opcode::RetainValue | Opcode::UnownedRetain => Some(Counting::Retain),
        Opcode::StrongRelease | Opcode::ReleaseValue | Opcode::UnownedRelease => Some(Counting::Release),
        _ => None,
    }
}

/// The moving retains or releases, by reference.
fn subjects(environment: Environment<'_>, questions: &Questions<'_>, motion: Motion) -> Subjects {
    let view = questions.view;
    let wanted = if motion == Motion::Sink { Counting::Retain } else { Counting::Release };
    let fixed = if motion == Motion::HoistInner { last_releases(questions) } else { FxHashSet::default() };
    let mut subjects = Subjects::default();
    for block in view.cfg.reverse_post_order() {
        for id in view.body.instructions_in(*block).filter(|id| counting(view.body, *id) == Some(wanted)) {
            let root = questions.counted_root(id);
            let properties = environment.queries.properties(view.body.ty(root).ty, environment.function.signature);
            if !fixed.contains(&id) && properties.copyability == Copyability::Copyable {
                subjects.add(id, root);
            }
        }
    }
    subjects
}

/// The releases of owned arguments in the returning block that no other potential release follows.
fn last_releases(questions: &Questions<'_>) -> FxHashSet<InstructionId> {
    let view = questions.view;
    let owned = Some(ArgumentConvention::Parameter(ParameterConvention::Owned));
    let returns = |block: &&BlockId| view.body.terminator(**block).map(|end| view.opcode(end)) == Some(Opcode::Return);
    let Some(block) = view.cfg.reverse_post_order().iter().find(returns) else { return FxHashSet::default() };
    let instructions: Vec<InstructionId> = view.body.instructions_in(*block).collect();
    let mut released = FxHashSet::default();
    let mut found = FxHashSet::default();
    for id in instructions.into_iter().rev() {
        if counting(view.body, id) == Some(Counting::Release) {
            let root = questions.counted_root(id);
            if view.argument_convention(root) != owned || !released.insert(root) {
                break;
            }
            found.insert(id);
        } else if questions.may_release_or_read_count(id) {
            break;
        }
    }
    found
}

/// A body with moved retains or releases.
struct Moved<'a> {
    questions: &'a Questions<'a>,
    body: Body,
    subjects: &'a Subjects,
    /// The operands of the erased instructions.
    counted: Vec<Value>,
    is_changed: bool,
}

impl Moved<'_> {
    fn make_retains(&mut self, points: &Points) {
        let view = self.questions.view;
        let mut removed: FxHashSet<InstructionId> = self.subjects.instructions().collect();
        for (root, places) in points.of_roots(self.subjects) {
            for place in places {
                // Nothing must be kept alive before the program terminates.
                if self.questions.ends_program(view.body.instructions[*place].block) {
                    continue;
                }
                match self.reusable_before(*place, root) {
                    Some(known) => _ = removed.remove(&known),
                    None => _ = self.make(root, *place, Counting::Retain),
                }
            }
        }
        self.remove(removed);
    }

    fn make_releases(&mut self, points: &Points) {
        let mut removed: FxHashSet<InstructionId> = self.subjects.instructions().collect();
        let mut there = Vec::new();
        for (root, places) in points.of_roots(self.subjects) {
            for place in places {
                match self.reusable_before(*place, root) {
                    Some(known) => there.extend(removed.remove(&known).then_some((known, root))),
                    None => there.extend(self.make(root, *place, Counting::Release).map(|made| (made, root))),
                }
            }
        }
        self.remove(removed);
        for (release, root) in there {
            let retain = self.body.previous(release).filter(|id| counting(&self.body, *id) == Some(Counting::Retain));
            if let Some(retain) = retain.filter(|retain| self.questions.root(self.body.operands(*retain)[0]) == root) {
                self.erase(retain);
                self.erase(release);
            }
        }
    }

    /// The instruction directly before a place that counts the same reference.
    fn reusable_before(&self, place: InstructionId, root: Value) -> Option<InstructionId> {
        self.body.previous(place).filter(|before| self.subjects.root_of(*before) == Some(root))
    }

    fn make(&mut self, root: Value, place: InstructionId, what: Counting) -> Option<InstructionId> {
        let counting = ValueCounting::of(self.questions.environment(), self.body.ty(root));
        let opcode = match what {
            Counting::Retain => counting.retain(),
            Counting::Release => counting.release(),
        }?;
        self.is_changed = true;
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(place), place);
        Some(builder.effect(opcode, root))
    }

    fn remove(&mut self, removed: FxHashSet<InstructionId>) {
        let view = self.questions.view;
        for id in view.body.placed_instructions().filter(|id| removed.contains(id)) {
            self.erase(id);
        }
    }

    fn erase(&mut self, id: InstructionId) {
        self.counted.extend(self.body.operands(id).first());
        self.body.erase(id);
        self.is_changed = true;
    }

    /// Removes retains that are only followed by the termination of the program.
    fn leave_out_before_ends(&mut self) {
        let blocks: Vec<BlockId> = self.body.blocks.keys().collect();
        for block in blocks {
            for id in self.retains_before_end(block) {
                self.erase(id);
            }
        }
    }

    fn retains_before_end(&self, block: BlockId) -> Vec<InstructionId> {
        let mut after: Vec<InstructionId> = self.body.instructions_in(block).collect();
        let end = after.pop();
        if end.map(|end| self.body.instructions[end].opcode) != Some(Opcode::Unreachable) {
            return Vec::new();
        }
        let is_call = |id: &InstructionId| ApplySite::new(&self.body, *id).is_some_and(|site| site.kind.is_full());
        if let Some(call) = after.last().copied().filter(is_call) {
            if !self.questions.ends_in_call(call) {
                return Vec::new();
            }
            after.pop();
        }
        let mut found = Vec::new();
        for id in after.into_iter().rev() {
            match self.body.instructions[id].opcode {
                Opcode::StrongRetain | Opcode::RetainValue => found.push(id),
                _ if self.questions.has_side_effects(&self.body, id) => break,
                _ => {}
            }
        }
        found
    }
}
