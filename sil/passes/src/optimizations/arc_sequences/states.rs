//! The reference count state of a reference at a point: the retains that precede it or the releases that follow it, and
//! the effects since then. Follows lib/SILOptimizer/ARC/RefCountState.cpp.

use sil_ir::model::{InstructionId, Value};
use std::collections::BTreeSet;

use crate::knowledge::reference_questions::{Counting, Questions};

/// The origin of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A set of retains, or of releases.
    Instructions(Counting, BTreeSet<InstructionId>),
    /// The definition of the reference.
    Entrance,
}

/// The position in the lattice of a state. Each step makes it less safe to move the retain or release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum Progress {
    /// Nothing is known.
    #[default]
    None,
    /// The reference has been retained or is to be released.
    Counted,
    /// Top-down: it may have been decremented. Bottom-up: it may be used before the release.
    Interfered,
    /// Top-down: it may have been used after that. Bottom-up: it may be decremented before that use.
    Blocked,
}

impl Progress {
    /// The merge of two states of a control flow join.
    fn merged(self, other: Self) -> Self {
        if self == Progress::None || other == Progress::None { Progress::None } else { self.max(other) }
    }
}

/// The direction of the dataflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    TopDown,
    BottomUp,
}

impl Direction {
    /// The instructions that a state of this direction tracks.
    pub(super) fn tracked(self) -> Counting {
        match self {
            Direction::TopDown => Counting::Retain,
            Direction::BottomUp => Counting::Release,
        }
    }
}

/// The state of a reference.
#[derive(Clone, Debug)]
pub(super) struct State {
    direction: Direction,
    source: Option<Source>,
    progress: Progress,
    is_known_safe: bool,
    /// An instruction that is not removed needs the reference.
    is_needed: bool,
}

impl State {
    /// The empty state.
    pub(super) fn new(direction: Direction) -> Self {
        Self { direction, source: None, progress: Progress::None, is_known_safe: false, is_needed: false }
    }

    /// Starts to track a retain or a release. Returns whether another one was tracked already.
    pub(super) fn begin(&mut self, id: InstructionId) -> bool {
        let is_nested = self.source.is_some();
        self.is_known_safe = match self.direction {
            // The preceding retain keeps the object alive.
            Direction::TopDown => self.progress == Progress::Counted,
            // A later release exists, so this release does not destroy the object.
            Direction::BottomUp => is_nested || self.is_needed,
        };
        self.source = Some(Source::Instructions(self.direction.tracked(), BTreeSet::from([id])));
        self.progress = Progress::Counted;
        is_nested
    }

    /// Starts to track the definition of the reference.
    pub(super) fn enter(&mut self) {
        self.source = Some(Source::Entrance);
        self.progress = Progress::Counted;
        self.is_known_safe = false;
    }

    /// Clears the state.
    pub(super) fn clear(&mut self) {
        let may_go = self.progress != Progress::None && (self.is_movable() || self.is_known_safe);
        // If a release is kept, a retain before it must not depend on the reference.
        if self.direction == Direction::TopDown || may_go {
            self.source = None;
        }
        self.progress = Progress::None;
        self.is_known_safe = false;
    }

    pub(super) fn know_safe(&mut self) {
        self.is_known_safe = true;
    }

    pub(super) fn is_known_safe(&self) -> bool {
        self.is_known_safe
    }

    /// Returns whether no use blocks the removal of the tracked instructions.
    pub(super) fn is_movable(&self) -> bool {
        self.progress != Progress::Blocked
    }

    /// The tracked retains or releases, or `None` if the state tracks something else.
    pub(super) fn instructions(&self) -> Option<&BTreeSet<InstructionId>> {
        match &self.source {
            Some(Source::Instructions(_, found)) => Some(found),
            _ => None,
        }
    }

    /// Returns whether the state tracks retains or releases that can be paired.
    pub(super) fn is_matched(&self) -> bool {
        self.instructions().is_some() && self.progress != Progress::None
    }

    /// Merges the state of another edge. Returns whether a state remains.
    pub(super) fn merge(&mut self, other: &State) -> bool {
        self.progress = self.progress.merged(other.progress);
        self.is_known_safe &= other.is_known_safe;
        self.is_needed &= other.is_needed;
        let is_merged = self.progress != Progress::None
            && match (&mut self.source, &other.source) {
                (Some(Source::Instructions(kind, own)), Some(Source::Instructions(others_kind, others)))
                    if kind == others_kind =>
                {
                    own.extend(others);
                    true
                }
                (Some(Source::Entrance), Some(Source::Entrance)) => true,
                _ => false,
            };
        if !is_merged {
            self.clear();
        }
        is_merged
    }

    /// Advances the state over an instruction.
    pub(super) fn pass(&mut self, questions: &Questions<'_>, id: InstructionId, root: Value) {
        if self.source.is_none() {
            return;
        }
        if self.cares_for_guarantee() && questions.may_need_guarantee(id, root) && questions.may_decrement(id, root) {
            self.note_need(questions, id, root);
            self.progress = Progress::Blocked;
            return;
        }
        let (decremented, used) = match self.direction {
            Direction::TopDown => (Progress::Counted, Progress::Interfered),
            Direction::BottomUp => (Progress::Interfered, Progress::Counted),
        };
        if self.progress == decremented && questions.may_decrement(id, root) {
            self.advance();
        } else if self.progress == used && questions.may_interfere(id, root) {
            self.note_need(questions, id, root);
            self.advance();
        }
    }

    /// Advances the state over an instruction of a loop, which may run any number of times.
    pub(super) fn pass_loop(&mut self, questions: &Questions<'_>, id: InstructionId, root: Value) {
        if self.source.is_none() {
            return;
        }
        if self.cares_for_guarantee() && (questions.may_need_guarantee(id, root) || questions.may_decrement(id, root)) {
            self.progress = Progress::Blocked;
            return;
        }
        let used = match self.direction {
            Direction::TopDown => Progress::Interfered,
            Direction::BottomUp => Progress::Counted,
        };
        if self.progress == used && questions.may_interfere(id, root) {
            self.note_need(questions, id, root);
            self.advance();
        }
    }

    fn cares_for_guarantee(&self) -> bool {
        matches!(self.progress, Progress::Counted | Progress::Interfered)
    }

    fn advance(&mut self) {
        self.progress = match self.progress {
            Progress::Counted => Progress::Interfered,
            _ => Progress::Blocked,
        };
    }

    /// A kept instruction that must use the reference keeps it alive up to that point.
    fn note_need(&mut self, questions: &Questions<'_>, id: InstructionId, root: Value) {
        if self.direction == Direction::BottomUp && questions.must_use(id, root) {
            self.is_needed = true;
        }
    }

    /// An unpaired retain or release of a possible alias could be the real partner of the tracked instruction, so the
    /// state is no longer known safe.
    pub(super) fn doubt(
        &mut self,
        questions: &Questions<'_>,
        id: InstructionId,
        root: Value,
        has_partner: impl Fn(InstructionId) -> bool,
    ) {
        if !self.is_known_safe {
            return;
        }
        let opposite = match self.direction {
            Direction::TopDown => Counting::Release,
            Direction::BottomUp => Counting::Retain,
        };
        if questions.counting(id) == Some(opposite)
            && !has_partner(id)
            && questions.counted(id).is_none_or(|counted| questions.may_alias(counted, root))
        {
            self.is_known_safe = false;
        }
    }
}
