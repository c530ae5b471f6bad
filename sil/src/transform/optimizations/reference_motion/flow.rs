//! Where retains on their way down, or releases on their way up, cannot move on: data flow that takes all to move as far as they can on all ways, until
//! something is in their way.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instructions::Opcode;
use crate::model::{BlockId, Definition, InstructionId, Value};
use crate::transform::knowledge::reference_questions::Questions;

/// So many references are looked at; functions with more stay as they are.
const MOST_ROOTS: usize = 500;

/// Whither they move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Down,
    Up,
}

/// What moves.
#[derive(Default)]
pub(super) struct Subjects {
    /// What is counted, in the order in which it was found.
    roots: Vec<Value>,
    numbers: FxHashMap<Value, usize>,
    /// The instructions, each with the number of its root.
    instructions: FxHashMap<InstructionId, usize>,
}

impl Subjects {
    pub(super) fn add(&mut self, id: InstructionId, root: Value) {
        let next = self.roots.len();
        let number = *self.numbers.entry(root).or_insert(next);
        if number == next {
            self.roots.push(root);
        }
        self.instructions.insert(id, number);
    }

    pub(super) fn instructions(&self) -> impl Iterator<Item = InstructionId> {
        self.instructions.keys().copied()
    }

    /// What an instruction counts that moves.
    pub(super) fn root_of(&self, id: InstructionId) -> Option<Value> {
        self.instructions.get(&id).map(|number| self.roots[*number])
    }
}

/// The instructions before which those of each root are to stand.
#[derive(Default)]
pub(super) struct Points {
    by_root: FxHashMap<usize, Vec<InstructionId>>,
}

impl Points {
    fn add(&mut self, root: usize, before: InstructionId) {
        self.by_root.entry(root).or_default().push(before);
    }

    /// The places of each root, in the order of the roots.
    pub(super) fn of_roots<'p>(&'p self, subjects: &'p Subjects) -> impl Iterator<Item = (Value, &'p [InstructionId])> {
        let places = |(number, root): (usize, &Value)| Some((*root, self.by_root.get(&number)?.as_slice()));
        subjects.roots.iter().enumerate().filter_map(places)
    }
}

/// What a block does to those that come to it.
struct Transfer {
    gained: FixedBitSet,
    stopped: FixedBitSet,
}

/// Finds the places. Where there is too much to look at, all stay where they are.
pub(super) fn points(questions: &Questions<'_>, subjects: &Subjects, direction: Direction) -> Points {
    if subjects.roots.is_empty() || subjects.roots.len() > MOST_ROOTS {
        return in_place(questions, subjects);
    }
    let flow = Flow { questions, subjects, direction };
    let leaving = flow.solve();
    flow.places(&leaving)
}

fn in_place(questions: &Questions<'_>, subjects: &Subjects) -> Points {
    let mut points = Points::default();
    let body = questions.view.body;
    for id in body.placed_instructions() {
        if let (Some(number), Some(next)) = (subjects.instructions.get(&id), body.next(id)) {
            points.add(*number, next);
        }
    }
    points
}

struct Flow<'f> {
    questions: &'f Questions<'f>,
    subjects: &'f Subjects,
    direction: Direction,
}

impl Flow<'_> {
    /// The reachable blocks, those that others are looked at before first.
    fn order(&self) -> Vec<BlockId> {
        let order = self.questions.view.cfg.reverse_post_order().to_vec();
        match self.direction {
            Direction::Down => order,
            Direction::Up => order.into_iter().rev().collect(),
        }
    }

    fn successors(&self, block: BlockId) -> &[BlockId] {
        let body = self.questions.view.body;
        body.terminator(block).map_or(&[][..], |end| body.targets(end))
    }

    /// The blocks that those of a block come from.
    fn sources(&self, block: BlockId) -> Vec<BlockId> {
        let cfg = &self.questions.view.cfg;
        let all = match self.direction {
            Direction::Down => cfg.predecessors(block),
            Direction::Up => self.successors(block),
        };
        let mut sources: Vec<BlockId> = Vec::new();
        for source in all.iter().filter(|source| cfg.is_reachable(**source)) {
            if !sources.contains(source) {
                sources.push(*source);
            }
        }
        sources
    }

    /// The instructions of a block in the order in which they are met.
    fn instructions(&self, block: BlockId) -> Vec<InstructionId> {
        let mut instructions: Vec<InstructionId> = self.questions.view.body.instructions_in(block).collect();
        if self.direction == Direction::Up {
            instructions.reverse();
        }
        instructions
    }

    fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.subjects.roots.len())
    }

    fn all(&self) -> FixedBitSet {
        let mut all = self.none();
        all.insert_range(..);
        all
    }

    /// Whether an instruction is in the way of what moves.
    fn stops(&self, id: InstructionId, root: usize) -> bool {
        if self.subjects.instructions.get(&id) == Some(&root) {
            return true;
        }
        let (questions, value) = (self.questions, self.subjects.roots[root]);
        let view = questions.view;
        match self.direction {
            Direction::Down => {
                use Opcode::{Return, Throw, ThrowAddr, Unreachable, Unwind};
                matches!(view.opcode(id), Return | Throw | ThrowAddr | Unwind | Unreachable)
                    || questions.may_decrement(id, value)
            }
            Direction::Up => view.body.defining(value) == Some(id) || questions.may_interfere(id, value),
        }
    }

    /// The roots that are arguments of a block: releases of them go no further up.
    fn arguments(&self, block: BlockId) -> impl Iterator<Item = usize> {
        let body = self.questions.view.body;
        let is_argument = move |value: &Value| matches!(body.values[*value].definition, Definition::Argument { block: of, .. } if of == block);
        let roots = self.subjects.roots.iter().enumerate().filter(move |(_, root)| is_argument(root));
        roots.map(|(number, _)| number).filter(|_| self.direction == Direction::Up)
    }

    /// Those that may come to the end of a block at all.
    fn possible(&self) -> FxHashMap<BlockId, FixedBitSet> {
        let mut possible: FxHashMap<BlockId, FixedBitSet> = FxHashMap::default();
        for block in self.order() {
            let mut found = self.joined(block, &possible, &|_| self.all());
            found.extend(self.instructions(block).iter().filter_map(|id| self.subjects.instructions.get(id).copied()));
            possible.insert(block, found);
        }
        possible
    }

    /// What all sources of a block bring.
    fn joined(
        &self,
        block: BlockId,
        leaving: &FxHashMap<BlockId, FixedBitSet>,
        unknown: &dyn Fn(BlockId) -> FixedBitSet,
    ) -> FixedBitSet {
        let mut sources = self.sources(block).into_iter();
        let Some(first) = sources.next() else { return self.none() };
        let of = |source: BlockId| leaving.get(&source).cloned().unwrap_or_else(|| unknown(source));
        let mut joined = of(first);
        sources.for_each(|source| joined.intersect_with(&of(source)));
        joined
    }

    fn transfer(&self, block: BlockId, possible: &FixedBitSet) -> Transfer {
        let mut transfer = Transfer { gained: self.none(), stopped: self.none() };
        for id in self.instructions(block) {
            for root in possible.ones().filter(|root| self.stops(id, *root)) {
                transfer.stopped.insert(root);
                transfer.gained.set(root, false);
            }
            if let Some(root) = self.subjects.instructions.get(&id) {
                transfer.gained.insert(*root);
                transfer.stopped.set(*root, false);
            }
        }
        for root in self.arguments(block) {
            transfer.stopped.insert(root);
            transfer.gained.set(root, false);
        }
        transfer
    }

    /// What leaves each block: those that can move on on all ways.
    fn solve(&self) -> FxHashMap<BlockId, FixedBitSet> {
        let possible = self.possible();
        let order = self.order();
        let transfers: FxHashMap<BlockId, Transfer> =
            order.iter().map(|block| (*block, self.transfer(*block, &possible[block]))).collect();
        let hopeful = self.hopeful();
        let start = |block: BlockId| if hopeful.contains(&block) { self.all() } else { self.none() };
        let mut leaving: FxHashMap<BlockId, FixedBitSet> = order.iter().map(|block| (*block, start(*block))).collect();
        loop {
            let mut is_changed = false;
            for block in &order {
                let mut set = self.joined(*block, &leaving, &|_| self.none());
                let Transfer { gained, stopped } = &transfers[block];
                set.difference_with(stopped);
                set.union_with(gained);
                is_changed |= leaving[block] != set;
                leaving.insert(*block, set);
            }
            if !is_changed {
                return leaving;
            }
        }
    }

    /// The blocks that are taken to let all pass at first: for releases those from which the function is left, as in others nothing is to be released.
    fn hopeful(&self) -> FxHashSet<BlockId> {
        let view = self.questions.view;
        if self.direction == Direction::Down {
            return view.cfg.reverse_post_order().iter().copied().collect();
        }
        let leaves =
            |block: &&BlockId| view.body.terminator(**block).is_some_and(|end| view.opcode(end).leaves_function());
        let mut open: Vec<BlockId> = view.cfg.reverse_post_order().iter().filter(leaves).copied().collect();
        let mut found = FxHashSet::default();
        while let Some(block) = open.pop() {
            for before in view.cfg.predecessors(block).iter().filter(|before| view.cfg.is_reachable(**before)) {
                if found.insert(*before) {
                    open.push(*before);
                }
            }
        }
        found
    }

    fn places(&self, leaving: &FxHashMap<BlockId, FixedBitSet>) -> Points {
        let mut points = Points::default();
        for block in self.order() {
            let mut coming = self.joined(block, leaving, &|_| self.none());
            self.places_at_joins(block, &coming, leaving, &mut points);
            match self.direction {
                Direction::Down => self.places_down(block, &mut coming, &mut points),
                Direction::Up => self.places_up(block, &mut coming, leaving, &mut points),
            }
        }
        points
    }

    /// Those that come on some ways alone stay there.
    fn places_at_joins(
        &self,
        block: BlockId,
        coming: &FixedBitSet,
        leaving: &FxHashMap<BlockId, FixedBitSet>,
        points: &mut Points,
    ) {
        let body = self.questions.view.body;
        for root in (0..self.subjects.roots.len()).filter(|root| !coming.contains(*root)) {
            for source in self.sources(block).into_iter().filter(|source| leaving[source].contains(root)) {
                let place = match self.direction {
                    Direction::Down => body.terminator(source),
                    Direction::Up => body.first_instruction(source),
                };
                if let Some(place) = place {
                    points.add(root, place);
                }
            }
        }
    }

    fn places_down(&self, block: BlockId, coming: &mut FixedBitSet, points: &mut Points) {
        for id in self.instructions(block) {
            for root in coming.ones().collect::<Vec<_>>() {
                if self.stops(id, root) {
                    coming.set(root, false);
                    points.add(root, id);
                }
            }
            if let Some(root) = self.subjects.instructions.get(&id) {
                coming.insert(*root);
            }
        }
    }

    fn places_up(
        &self,
        block: BlockId,
        coming: &mut FixedBitSet,
        leaving: &FxHashMap<BlockId, FixedBitSet>,
        points: &mut Points,
    ) {
        let body = self.questions.view.body;
        for id in self.instructions(block) {
            let next = body.next(id);
            for root in coming.ones().collect::<Vec<_>>() {
                if !self.stops(id, root) {
                    continue;
                }
                coming.set(root, false);
                match next {
                    Some(next) => points.add(root, next),
                    // Nothing comes behind the end of a block but those that it leads to.
                    None => {
                        let successors = self.sources(block).into_iter().filter(|to| leaving[to].contains(root));
                        successors
                            .filter_map(|to| body.first_instruction(to))
                            .for_each(|first| points.add(root, first));
                    }
                }
            }
            if let Some(root) = self.subjects.instructions.get(&id) {
                coming.insert(*root);
            }
        }
        for root in self.arguments(block) {
            if coming.contains(root)
                && let Some(first) = body.first_instruction(block)
            {
                coming.set(root, false);
                points.add(root, first);
            }
        }
    }
}
