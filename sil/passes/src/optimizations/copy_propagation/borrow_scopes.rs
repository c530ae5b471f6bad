//! Shrinks borrow scopes to the last use or the last deinit barrier. Copies of the borrow after the new end become
//! copies of the borrowed value. Follows lib/SILOptimizer/Utils/ShrinkBorrowScope.cpp.

use std::cell::Cell;

use rustc_hash::FxHashSet;
use sil_analysis::{
    BodyView, InstructionRange, LifetimeFacts, LiveUse, PrunedLiveness, ValueDependence, is_deinit_barrier,
};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{BlockId, InstructionId, Place, Value, views};

use super::uses::{extended_uses, is_copy_of};
use crate::editing::editor::Editor;
use crate::knowledge::barriers::{Barriers, find_barriers};

/// The result of shrinking a borrow scope.
pub(crate) struct Shrinking {
    /// Whether the scope changed.
    pub(crate) is_shrunk: bool,
    /// The erased ends of the scope.
    pub(crate) removed_ends: Vec<InstructionId>,
    /// The copies that now copy the borrowed value.
    pub(crate) copies: Vec<InstructionId>,
}

/// The new ends of a scope.
struct Plan {
    copies: Vec<InstructionId>,
    ends: Vec<InstructionId>,
    /// The insertion points of the new ends.
    places: Vec<InstructionId>,
}

/// Shrinks the scope of the `begin_borrow`.
pub(crate) fn shrink(editor: &mut Editor<'_>, begin: InstructionId) -> Shrinking {
    let unchanged = Shrinking { is_shrunk: false, removed_ends: Vec::new(), copies: Vec::new() };
    let (Some(borrow), Some(borrowed)) = (editor.body().result(begin), editor.operand(begin, 0)) else {
        return unchanged;
    };
    let Some(plan) = plan(editor, begin, borrow) else { return unchanged };
    for copy in &plan.copies {
        editor.set_operand(sil_analysis::Use { user: *copy, operand: 0 }, borrowed);
    }
    let mut kept = Vec::new();
    let mut is_shrunk = !plan.copies.is_empty();
    for place in &plan.places {
        match present_end(editor, &plan, *place) {
            Some(end) => kept.push(end),
            None => {
                editor.build(Place::Before(*place), *place, |builder| {
                    builder.end_borrow(borrow);
                });
                is_shrunk = true;
            }
        }
    }
    let mut removed_ends = Vec::new();
    if is_shrunk {
        removed_ends.extend(plan.ends.iter().copied().filter(|end| !kept.contains(end)));
        removed_ends.iter().for_each(|end| editor.erase(*end));
    }
    Shrinking { is_shrunk, removed_ends, copies: plan.copies }
}

/// An existing end of the scope at a place, ignoring copies of the borrow.
fn present_end(editor: &Editor<'_>, plan: &Plan, place: InstructionId) -> Option<InstructionId> {
    let mut from = std::iter::successors(Some(place), |id| editor.body().next(*id));
    from.find(|id| !plan.copies.contains(id)).filter(|id| plan.ends.contains(id))
}

fn plan(editor: &Editor<'_>, begin: InstructionId, borrow: Value) -> Option<Plan> {
    let view = editor.view();
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    let kinds = dependence.ownership_kinds();
    let ending = view.uses.of(borrow).iter().rev().filter(|found| kinds.operand(**found).ends_lifetime());
    let ends: Vec<InstructionId> = ending.map(|found| found.user).collect();
    if ends.iter().any(|end| view.opcode(*end) != Opcode::EndBorrow) {
        return None;
    }
    let uses: Vec<InstructionId> = extended_uses(facts, borrow)?.into_iter().map(|found| found.user).collect();
    let users: FxHashSet<InstructionId> = uses.iter().copied().collect();
    let is_copy = |id: InstructionId| {
        let copy = views::Unary::get(view.body, id).filter(|_| view.opcode(id) == Opcode::CopyValue);
        copy.is_some_and(|copy| is_copy_of(facts, borrow, copy.operand))
    };
    let is_plain_barrier =
        |id: InstructionId| id == begin || !is_copy(id) && (users.contains(&id) || is_deinit_barrier(&view, id));
    let barriers = barriers_to_ends(&view, view.body.instructions[begin].block, &ends, is_plain_barrier);
    let mut before = PrunedLiveness::of(view.body, &view.cfg, borrow);
    ends.iter().for_each(|end| before.add(*end, LiveUse::Ending));
    let after = shorter_scope(&view, borrow, &barriers);
    let mut places: Vec<InstructionId> = Vec::new();
    let starts = |blocks: Vec<_>| blocks.into_iter().filter_map(|block| view.body.first_instruction(block)).collect();
    let phis: Vec<InstructionId> = starts(barriers.phis);
    places.extend(phis);
    for barrier in barriers.instructions {
        match view.opcode(barrier).information().position {
            Position::Terminator => places.extend(starts(view.body.targets(barrier).to_vec())),
            _ => places.extend(view.body.next(barrier)),
        }
    }
    let edges: Vec<InstructionId> = starts(barriers.edges);
    places.extend(edges);
    let copies = uses.into_iter().filter(|id| is_copy(*id) && before.is_within(*id) && !after.is_within(*id)).collect();
    Some(Plan { copies, ends, places })
}

/// The barriers for the ends of a scope that begins in `block`: the plain barriers, and the ends of accesses that
/// contain barriers.
fn barriers_to_ends(
    view: &BodyView<'_>,
    block: BlockId,
    ends: &[InstructionId],
    is_plain_barrier: impl Fn(InstructionId) -> bool,
) -> Barriers {
    let find = |is_barrier: &dyn Fn(InstructionId) -> bool| {
        let mut barriers = find_barriers(view.body, &view.cfg, ends, Some(block), is_barrier);
        barriers.edges.append(&mut barriers.first);
        barriers
    };
    let meets_access = Cell::new(false);
    let barriers = find(&|id| {
        meets_access.set(meets_access.get() || view.opcode(id) == Opcode::EndAccess);
        is_plain_barrier(id)
    });
    if !meets_access.get() {
        return barriers;
    }
    let mut accesses = Accesses::of(view);
    accesses.bar_with(view, &is_plain_barrier);
    loop {
        let barriers = find(&|id| is_plain_barrier(id) || accesses.barred.contains(&id));
        if !accesses.bar_around(view, &barriers.edges) {
            return barriers;
        }
        accesses.bar_with_barred();
    }
}

/// The liveness of `borrow` that is limited by the barriers.
fn shorter_scope<'v>(view: &'v BodyView<'_>, borrow: Value, barriers: &Barriers) -> PrunedLiveness<'v> {
    let mut scope = PrunedLiveness::of(view.body, &view.cfg, borrow);
    let blocks = barriers.phis.iter().chain(&barriers.edges);
    let before =
        blocks.flat_map(|block| view.cfg.predecessors(*block)).filter_map(|block| view.body.terminator(*block));
    let needed = barriers.instructions.iter().copied().chain(before);
    let begin = view.body.defining(borrow);
    needed.filter(|id| Some(*id) != begin).for_each(|id| scope.add(id, LiveUse::NonEnding));
    scope
}

/// The accesses of a function. A borrow scope must not be shrunk to end inside an access that contains a barrier.
struct Accesses<'v> {
    /// The range and the ends of each access.
    ranges: Vec<(InstructionRange<'v>, Vec<InstructionId>)>,
    /// The ends of accesses that no borrow scope is shrunk across.
    barred: FxHashSet<InstructionId>,
}

impl<'v> Accesses<'v> {
    fn of(view: &'v BodyView<'_>) -> Self {
        let begins = view.body.placed_instructions().filter(|id| view.opcode(*id) == Opcode::BeginAccess);
        let mut ranges = Vec::new();
        for access in begins.filter_map(|begin| view.body.result(begin)) {
            let uses = view.uses.of(access).iter();
            let ends: Vec<InstructionId> =
                uses.map(|found| found.user).filter(|id| view.opcode(*id) == Opcode::EndAccess).collect();
            let Some(mut range) = InstructionRange::new(view.body, &view.cfg, access) else { continue };
            ends.iter().for_each(|end| range.insert(*end));
            ranges.push((range, ends));
        }
        Self { ranges, barred: FxHashSet::default() }
    }

    /// Bars the accesses that contain barriers, and those that contain the end of a barred one.
    fn bar_with(&mut self, view: &BodyView<'_>, is_barrier: impl Fn(InstructionId) -> bool) {
        if self.ranges.is_empty() {
            return;
        }
        let barriers: Vec<InstructionId> = view.body.placed_instructions().filter(|id| is_barrier(*id)).collect();
        self.bar_where(|_, range| barriers.iter().any(|id| range.contains(*id)));
        self.bar_with_barred();
    }

    /// Bars the accesses that contain the end of a barred access.
    fn bar_with_barred(&mut self) {
        while self.bar_where(|barred, range| barred.iter().any(|id| range.contains(*id))) {}
    }

    /// Bars the accesses that are in progress at the starts of the blocks. Returns whether there are any.
    fn bar_around(&mut self, view: &BodyView<'_>, blocks: &[BlockId]) -> bool {
        let predecessors = blocks.iter().flat_map(|block| view.cfg.predecessors(*block));
        let terminators: Vec<_> = predecessors.filter_map(|block| view.body.terminator(*block)).collect();
        self.bar_where(|_, range| terminators.iter().any(|terminator| range.contains(*terminator)))
    }

    fn bar_where(&mut self, is_wanted: impl Fn(&FxHashSet<InstructionId>, &InstructionRange<'_>) -> bool) -> bool {
        let before = self.barred.len();
        for (range, ends) in &self.ranges {
            if !ends.iter().all(|end| self.barred.contains(end)) && is_wanted(&self.barred, range) {
                self.barred.extend(ends);
            }
        }
        self.barred.len() > before
    }
}
