//! What is known of a reference at a place: which retains came before it, or which releases come behind it, and what has happened in between
//! (lib/SILOptimizer/ARC/RefCountState.cpp).

use std::collections::BTreeSet;

use crate::model::{InstructionId, Value};
use crate::transform::knowledge::reference_questions::{Counting, Questions};

/// What counted a reference last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Retains, or releases.
    Instructions(Counting, BTreeSet<InstructionId>),
    /// What brought it into being.
    Entrance,
}

/// How far it has come with a reference: each step speaks more against moving what counts it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum Progress {
    /// Nothing is known.
    #[default]
    None,
    /// It was counted.
    Counted,
    /// From the top: it may have been released since. From the bottom: it may be used before the release.
    Interfered,
    /// From the top: it may be used behind that. From the bottom: it may be released before that use.
    Blocked,
}

impl Progress {
    /// Where two ways meet.
    fn merged(self, other: Self) -> Self {
        if self == Progress::None || other == Progress::None { Progress::None } else { self.max(other) }
    }
}

/// From where a function is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    TopDown,
    BottomUp,
}

impl Direction {
    /// What is paired with something later in this direction.
    pub(super) fn tracked(self) -> Counting {
        match self {
            Direction::TopDown => Counting::Retain,
            Direction::BottomUp => Counting::Release,
        }
    }
}

/// What is known of a reference.
#[derive(Clone, Debug)]
pub(super) struct State {
    direction: Direction,
    source: Option<Source>,
    progress: Progress,
    is_known_safe: bool,
    /// Something that is not removed needs the reference.
    is_needed: bool,
}

impl State {
    /// Nothing.
    pub(super) fn new(direction: Direction) -> Self {
        Self { direction, source: None, progress: Progress::None, is_known_safe: false, is_needed: false }
    }

    /// Begins with a retain or a release. Gives whether another one was followed already.
    pub(super) fn begin(&mut self, id: InstructionId) -> bool {
        let is_nested = self.source.is_some();
        self.is_known_safe = match self.direction {
            // What was retained before is kept alive by that.
            Direction::TopDown => self.progress == Progress::Counted,
            // What is released later as well is not destroyed by this.
            Direction::BottomUp => is_nested || self.is_needed,
        };
        self.source = Some(Source::Instructions(self.direction.tracked(), BTreeSet::from([id])));
        self.progress = Progress::Counted;
        is_nested
    }

    /// Begins with what brings the reference into being.
    pub(super) fn enter(&mut self) {
        self.source = Some(Source::Entrance);
        self.progress = Progress::Counted;
        self.is_known_safe = false;
    }

    /// Forgets what is known.
    pub(super) fn clear(&mut self) {
        let may_go = self.progress != Progress::None && (self.is_movable() || self.is_known_safe);
        // Where a release stays, what comes before it must not count on one.
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

    /// Whether nothing needs what it is about to stay.
    pub(super) fn is_movable(&self) -> bool {
        self.progress != Progress::Blocked
    }

    /// The retains or releases; none where it is about something else.
    pub(super) fn instructions(&self) -> Option<&BTreeSet<InstructionId>> {
        match &self.source {
            Some(Source::Instructions(_, found)) => Some(found),
            _ => None,
        }
    }

    /// Whether it is about retains or releases that the other one of the two takes back.
    pub(super) fn is_matched(&self) -> bool {
        self.instructions().is_some() && self.progress != Progress::None
    }

    /// What is known where another way comes along as well. Gives whether something is.
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

    /// Looks at an instruction on the way.
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

    /// Looks at an instruction of a loop on the way, which may run any number of times.
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

    /// What surely uses the reference and stays keeps it alive up to there.
    fn note_need(&mut self, questions: &Questions<'_>, id: InstructionId, root: Value) {
        if self.direction == Direction::BottomUp && questions.must_use(id, root) {
            self.is_needed = true;
        }
    }

    /// A counting of what may be the same object that has no partner may be taken for the partner of what is followed here.
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
