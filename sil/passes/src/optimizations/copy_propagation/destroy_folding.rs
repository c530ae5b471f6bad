//! Folds destroys of a borrowed value into calls that consume a copy of the borrow, so that the call consumes the value
//! itself (lib/SILOptimizer/Utils/LexicalDestroyFolding.cpp).
//!
//! ```sil
//! %lifetime = begin_borrow [lexical] %value
//! %copy = copy_value %lifetime
//! apply %take(%copy)
//! end_borrow %lifetime
//! destroy_value %value
//! ```
//!
//! becomes
//!
//! ```sil
//! %move = move_value [lexical] %value
//! %lifetime = begin_borrow [lexical] %move
//! end_borrow %lifetime
//! apply %take(%move)
//! ```

use rustc_hash::FxHashSet;
use sil_analysis::{
    ApplySite, BodyView, LifetimeFacts, LiveUse, OperandOwnership, PrunedLiveness, Use, ValueDependence,
    ownership_scopes,
};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use super::extended_boundary::is_ignored;
use super::uses::{extended_uses, is_copy_of};
use crate::editing::deleter::{Deadness, delete_if_dead};
use crate::editing::editor::Editor;

/// An end of a borrow scope followed by a destroy of the borrowed value.
struct Candidate {
    end: InstructionId,
    destroy: InstructionId,
    /// The call directly before the end, with the operands that consume copies of the borrow. They can consume the
    /// borrowed value instead.
    call: Option<(InstructionId, Vec<u32>)>,
}

/// Folds destroys into calls for the scope of the lexical `begin_borrow`. Returns the inserted move.
pub(crate) fn fold_destroys(editor: &mut Editor<'_>, begin: InstructionId) -> Option<InstructionId> {
    let borrow = editor.body().result(begin)?;
    let borrowed = editor.operand(begin, 0)?;
    let candidates = candidates(editor, begin, borrow, borrowed)?;
    let moved = editor.build(Place::Before(begin), begin, |builder| {
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Lexical);
        builder.with(attributes).move_value(borrowed)
    });
    editor.set_operand(Use { user: begin, operand: 0 }, moved);
    for candidate in candidates {
        match candidate.call {
            None => editor.set_operand(Use { user: candidate.destroy, operand: 0 }, moved),
            Some((call, operands)) => {
                take_over(editor, call, &operands, moved);
                editor.build(Place::Before(call), call, |builder| {
                    builder.end_borrow(borrow);
                });
                editor.erase(candidate.end);
                editor.erase(candidate.destroy);
            }
        }
    }
    editor.body().defining(moved)
}

/// Replaces the first consumed copy with `moved`. Further consumed copies become copies of `moved`.
fn take_over(editor: &mut Editor<'_>, call: InstructionId, operands: &[u32], moved: Value) {
    for (number, operand) in operands.iter().enumerate() {
        let found = Use { user: call, operand: *operand };
        let copy = found.value(editor.body());
        let Some(maker) = editor.body().defining(copy) else { continue };
        if number > 0 {
            editor.set_operand(Use { user: maker, operand: 0 }, moved);
            continue;
        }
        editor.set_operand(found, moved);
        if !delete_if_dead(editor, maker, Deadness::Scopes) {
            editor.build(Place::Before(call), call, |builder| {
                builder.destroy_value(copy);
            });
        }
    }
}

fn candidates(editor: &Editor<'_>, begin: InstructionId, borrow: Value, borrowed: Value) -> Option<Vec<Candidate>> {
    let is_lexical = editor.body().instructions[begin].attributes.contains(Attribute::Lexical);
    if !is_lexical || editor.ownership(borrowed) != Ownership::Owned {
        return None;
    }
    let view = editor.view();
    if !view.cfg.is_reachable(view.body.instructions[begin].block) {
        return None;
    }
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    let kinds = dependence.ownership_kinds();
    let ends = view.uses.of(borrow).iter().rev().filter(|found| kinds.operand(**found).ends_lifetime());
    let ends: Vec<InstructionId> = ends.map(|found| found.user).collect();
    let mut candidates = Vec::new();
    for end in &ends {
        let destroy = destroy_after(&view, *end, borrowed)?;
        candidates.push((*end, destroy));
    }
    let outer = uses_of_borrowed(facts, begin, borrowed)?;
    let inner = extended_uses(facts, borrow)?;
    let outer_users: FxHashSet<InstructionId> = outer.iter().map(|found| found.user).collect();
    let mut found = Vec::new();
    for (end, destroy) in candidates {
        let mut between = std::iter::successors(Some(end), |id| view.body.next(*id)).take_while(|id| *id != destroy);
        if between.any(|id| outer_users.contains(&id)) {
            return None;
        }
        let call = view.body.previous(end).filter(|id| view.opcode(*id) == Opcode::Apply);
        let call = call.and_then(|call| Some((call, taken_copies(facts, borrow, &inner, call)?)));
        found.push(Candidate { end, destroy, call });
    }
    let is_any = found.iter().any(|candidate| candidate.call.is_some());
    (is_any && !is_used_within(facts, borrow, &ends, &outer)).then_some(found)
}

/// The destroy of `borrowed` after the end of the scope, with only ignored instructions in between.
fn destroy_after(view: &BodyView<'_>, end: InstructionId, borrowed: Value) -> Option<InstructionId> {
    if view.opcode(end) != Opcode::EndBorrow {
        return None;
    }
    let after = std::iter::successors(view.body.next(end), |id| view.body.next(*id));
    let mut ignored = after.take_while(|id| is_ignored(view.opcode(*id)));
    ignored.find(|id| view.opcode(*id) == Opcode::DestroyValue && view.operand(*id, 0) == Some(borrowed))
}

/// The uses of the borrowed value after the start of the scope, including the ends of inner scopes. `None` if the value
/// escapes.
fn uses_of_borrowed(facts: LifetimeFacts<'_, '_>, begin: InstructionId, borrowed: Value) -> Option<Vec<Use>> {
    let view = facts.view;
    let kinds = facts.dependence.ownership_kinds();
    let dominators = view.dominators();
    let mut uses = Vec::new();
    for found in view.uses.of(borrowed).iter().rev().filter(|found| found.user != begin) {
        match kinds.operand(*found) {
            OperandOwnership::Escape => return None,
            OperandOwnership::Borrow => {
                let mut ends = Vec::new();
                ownership_scopes::scope_ends(facts.uses(), *found, &mut ends);
                if ends.is_empty() || ends.iter().any(|end| kinds.operand(*end) == OperandOwnership::Reborrow) {
                    return None;
                }
                uses.extend(ends);
            }
            _ => {}
        }
        uses.push(*found);
    }
    uses.retain(|found| dominators.instruction_dominates(view.body, begin, found.user));
    Some(uses)
}

/// The operands of a call that consume copies of the borrow. `None` if the call uses the borrow otherwise, or does not
/// use it.
fn taken_copies(facts: LifetimeFacts<'_, '_>, borrow: Value, inner: &[Use], call: InstructionId) -> Option<Vec<u32>> {
    let view = facts.view;
    let mut uses: Vec<Use> = inner.iter().copied().filter(|found| found.user == call).collect();
    uses.sort();
    let callee_or_argument = |found: &Use| {
        let takes = facts.dependence.ownership_kinds().operand(*found) == OperandOwnership::ForwardOwned;
        found.operand > 0 && takes && is_copy_of(facts, borrow, found.value(view.body))
    };
    let site = ApplySite::new(view.body, call);
    let all = site.is_some() && !uses.is_empty() && uses.iter().all(callee_or_argument);
    let copies = uses.iter().all(|found| found.value(view.body) != borrow);
    (all && copies).then(|| uses.into_iter().map(|found| found.operand).collect())
}

/// Returns whether the borrowed value is used within the scope.
fn is_used_within(facts: LifetimeFacts<'_, '_>, borrow: Value, ends: &[InstructionId], outer: &[Use]) -> bool {
    let view = facts.view;
    let mut liveness = PrunedLiveness::of(view.body, &view.cfg, borrow);
    ends.iter().for_each(|end| liveness.add(*end, LiveUse::Ending));
    outer.iter().any(|found| liveness.is_within_extended(found.user, view.dead_ends()))
}
