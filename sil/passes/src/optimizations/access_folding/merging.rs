//! Merges two accesses of the same kind and the same storage into one access that spans both.

use rustc_hash::FxHashMap;
use sil_analysis::{AccessKind, Analyses, BodyView, ElementOffset, NestedAccess, StoragePath, Worklist};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, InstructionId};

use super::regions::Regions;
use crate::editing::borrow_extension::extend_borrow;
use crate::editing::deleter::{Deadness, delete_dead};
use crate::editing::editor::Editor;
use crate::editing::ownership_replacement::{BorrowedCopies, replace};

/// Two accesses, in execution order.
pub(super) type Pair = (InstructionId, InstructionId);

/// Filters `pairs` to those that can be merged: the second access runs exactly once after each run of the first.
pub(super) fn possible(view: &BodyView<'_>, regions: &Regions<'_>, analyses: &Analyses, pairs: Vec<Pair>) -> Vec<Pair> {
    let body = view.body;
    let alternate = |first: InstructionId, second: InstructionId| {
        let [from, to] = [first, second].map(|id| body.instructions[id].block);
        if from == to {
            return regions.dominators.position(first) < regions.dominators.position(second);
        }
        regions.dominators.dominates(from, to)
            && analyses.post_dominators(body).post_dominates(to, from)
            && !comes_again_before(body, from, to)
            && !comes_again_before(body, to, from)
    };
    let can_be_one = |(first, second): &Pair| {
        let has_one_end = [*first, *second].iter().all(|begin| single_end(view, *begin).is_some());
        has_one_end
            && AccessKind::of(body, *first) == AccessKind::of(body, *second)
            && accesses_same_place(view, *first, *second)
            && alternate(*first, *second)
    };
    pairs.into_iter().filter(can_be_one).collect()
}

/// Returns whether a block can run again before `other` runs.
fn comes_again_before(body: &Body, block: BlockId, other: BlockId) -> bool {
    let mut open = Worklist::new([block]);
    while let Some(from) = open.pop() {
        let targets = body.terminator(from).map_or(&[][..], |end| body.targets(end));
        if targets.contains(&block) {
            return true;
        }
        open.extend(targets.iter().filter(|to| **to != other));
    }
    false
}

fn single_end(view: &BodyView<'_>, begin: InstructionId) -> Option<InstructionId> {
    let mut ends =
        view.body.result(begin).map(|access| ends(view.body, view.uses.of(access).iter().map(|found| found.user)))?;
    ends.next().filter(|_| ends.next().is_none())
}

fn ends<'b>(
    body: &'b Body,
    users: impl Iterator<Item = InstructionId> + 'b,
) -> impl Iterator<Item = InstructionId> + 'b {
    users.filter(|user| body.instructions[*user].opcode == Opcode::EndAccess)
}

fn accesses_same_place(view: &BodyView<'_>, first: InstructionId, second: InstructionId) -> bool {
    let address = |begin| view.operand(begin, 0);
    let place = |begin| StoragePath::of(view, address(begin)?, NestedAccess::Ignore);
    let Some((first_place, second_place)) = place(first).zip(place(second)) else { return false };
    let ty = |begin| view.body.result(begin).map(|access| view.body.ty(access));
    let is_same = (first_place.storage, first_place.offset) == (second_place.storage, second_place.offset)
        && first_place.fields == second_place.fields;
    is_same && matches!(first_place.offset, ElementOffset::Known(_)) && ty(first) == ty(second)
}

/// Merges each pair.
pub(super) fn merge(editor: &mut Editor<'_>, pairs: &[Pair]) {
    // Maps an erased access to the access that replaced it.
    let mut merged: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
    for (first, second) in pairs {
        let first = merged.get(first).copied().unwrap_or(*first);
        if let Some(()) = merge_pair(editor, first, *second) {
            merged.insert(*second, first);
        }
    }
}

fn merge_pair(editor: &mut Editor<'_>, first: InstructionId, second: InstructionId) -> Option<()> {
    let access = editor.body().result(first)?;
    let users: Vec<InstructionId> = editor.uses(access).iter().map(|found| found.user).collect();
    let end = ends(editor.body(), users.into_iter()).next()?;
    let has_conflict = !editor.body().instructions[second].attributes.contains(Attribute::NoNestedConflict);
    let made_of = editor.operand(second, 0).and_then(|address| editor.body().defining(address));
    let replaced = editor.body().result(second)?;
    let take_place = |editor: &mut Editor<'_>| replace(editor, second, access, BorrowedCopies::Avoided);
    let is_replaced = take_place(editor) || extend_borrow(editor, access, replaced) && take_place(editor);
    if !is_replaced {
        return None;
    }
    delete_dead(editor, made_of, Deadness::Scopes);
    if has_conflict {
        editor.edit_attributes(first, |attributes| attributes.remove(Attribute::NoNestedConflict));
    }
    editor.erase(end);
    Some(())
}
