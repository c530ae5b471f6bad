//! The dataflow that computes the insertion points of sunk retains and hoisted releases. Each moves on all paths as far
//! as possible, until an instruction blocks it.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Definition, InstructionId, Value};

use crate::knowledge::reference_questions::Questions;

/// The limit on references. Functions with more are left unchanged.
const MOST_ROOTS: usize = 500;

/// The direction of the motion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Down,
    Up,
}

/// The moving retains or releases.
#[derive(Default)]
pub(super) struct Subjects {
    /// The counted references, in the order of discovery.
    roots: Vec<Value>,
    numbers: FxHashMap<Value, usize>,
    /// The instructions, each with the index of its root.
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

    /// The reference that a moving instruction counts.
    pub(super) fn root_of(&self, id: InstructionId) -> Option<Value> {
        self.instructions.get(&id).map(|number| self.roots[*number])
    }
}

/// The insertion points of each root, before these instructions.
#[derive(Default)]
pub(super) struct Points {
    by_root: FxHashMap<usize, Vec<InstructionId>>,
}

impl Points {
    fn add(&mut self, root: usize, before: InstructionId) {
        self.by_root.entry(root).or_default().push(before);
    }

    /// The insertion points of each root, in the order of the roots.
    pub(super) fn of_roots<'p>(&'p self, subjects: &'p Subjects) -> impl Iterator<Item = (Value, &'p [InstructionId])> {
        let places = |(number, root): (usize, &Value)| Some((*root, self.by_root.get(&number)?.as_slice()));
        subjects.roots.iter().enumerate().filter_map(places)
    }
}

/// The transfer function of a block.
struct Transfer {
    gained: FixedBitSet,
    stopped: FixedBitSet,
}

/// Computes the insertion points. If there are too many references, all instructions stay in place.
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
    /// The reachable blocks in the order of the traversal.
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

    /// The blocks that a block receives its state from.
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

    /// The instructions of a block in the order of the traversal.
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

    /// Returns whether an instruction blocks a root.
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

    /// The roots that are arguments of a block, above which their releases cannot be hoisted.
    fn arguments(&self, block: BlockId) -> impl Iterator<Item = usize> {
        let body = self.questions.view.body;
        let is_argument = move |value: &Value| matches!(body.values[*value].definition, Definition::Argument { block: of, .. } if of == block);
        let roots = self.subjects.roots.iter().enumerate().filter(move |(_, root)| is_argument(root));
        roots.map(|(number, _)| number).filter(|_| self.direction == Direction::Up)
    }

    /// The roots that may reach the end of each block.
    fn possible(&self) -> FxHashMap<BlockId, FixedBitSet> {
        let mut possible: FxHashMap<BlockId, FixedBitSet> = FxHashMap::default();
        for block in self.order() {
            let mut found = self.joined(block, &possible, &|_| self.all());
            found.extend(self.instructions(block).iter().filter_map(|id| self.subjects.instructions.get(id).copied()));
            possible.insert(block, found);
        }
        possible
    }

    /// The intersection of the states of a block's sources.
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

    /// The outgoing state of each block: the roots that can move on, on all paths.
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

    /// The blocks whose outgoing state is initially full. For releases, only blocks that leave the function, since
    /// others need no release.
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

    /// The insertion points of roots that arrive from some sources only.
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
                    // After the end of a block, the insertion points are at the starts of its successors.
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
