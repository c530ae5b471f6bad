//! Joins lifetimes: a copy that is alive when its original is destroyed is replaced with the original. Follows
//! lib/SILOptimizer/SemanticARC/CopyValueOpts.cpp, "Live Range Joining".

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, OperandOwnership, Use, escapes_into_pointer, is_deinit_barrier, ownership_scopes};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Ownership, Value};

use super::{Elimination, Snapshot};

/// Joins the lifetime of the copy `id` with that of `original`, if the destroy of `original` can be removed.
pub(super) fn join(
    snapshot: &Snapshot<'_, '_>,
    id: InstructionId,
    copy: Value,
    original: Value,
) -> Option<Elimination> {
    if snapshot.facts.view.ownership(original) != Ownership::Owned {
        return None;
    }
    let joined = |destroy: InstructionId| Elimination::new(vec![destroy], id, Some(original));
    let joining = Joining { snapshot, copy, original };
    let end = snapshot.single_consuming_use(copy);
    if let Some(destroy) = joining.only_destroy()
        && let Some(end) = end
        && (joining.outlives_at_exit(destroy, end)
            || joining.block(destroy) == joining.block(end.user) && joining.can_join_in_block(destroy, end))
    {
        return Some(joined(destroy));
    }
    let own_block = joining.block(id);
    let destroys = snapshot.consuming_uses(original).into_iter().map(|found| found.user);
    for destroy in destroys.filter(|id| snapshot.opcode(*id) == Opcode::DestroyValue) {
        if joining.block(destroy) != own_block {
            continue;
        }
        // A copy that is consumed in another block is alive after the destroy.
        let is_joined = match end {
            Some(end) if joining.block(end.user) == own_block => joining.can_join_in_block(destroy, end),
            _ => true,
        };
        if is_joined {
            return Some(joined(destroy));
        }
    }
    None
}

struct Joining<'s, 'v, 'm> {
    snapshot: &'s Snapshot<'v, 'm>,
    copy: Value,
    original: Value,
}

impl Joining<'_, '_, '_> {
    fn block(&self, id: InstructionId) -> BlockId {
        self.snapshot.facts.view.body.instructions[id].block
    }

    /// The destroy of the original, if it is the only consuming use.
    fn only_destroy(&self) -> Option<InstructionId> {
        let only = self.snapshot.single_consuming_use(self.original)?;
        (self.snapshot.opcode(only.user) == Opcode::DestroyValue).then_some(only.user)
    }

    /// Returns whether the copy is consumed at a function exit after the destroy.
    fn outlives_at_exit(&self, destroy: InstructionId, end: Use) -> bool {
        let is_return = |id: InstructionId| self.snapshot.opcode(id) == Opcode::Return;
        let block = self.block(end.user);
        let leaves = self.snapshot.facts.view.body.terminator(block).is_some_and(is_return);
        is_return(end.user) || leaves && block != self.block(destroy)
    }

    /// The instructions between `id` and `user`, or the end of the block, and whether `user` was found.
    fn after(&self, id: InstructionId, user: InstructionId) -> (FxHashSet<InstructionId>, bool) {
        let body = self.snapshot.facts.view.body;
        let mut visited = FxHashSet::default();
        for next in std::iter::successors(body.next(id), |id| body.next(*id)) {
            if next == user {
                return (visited, true);
            }
            visited.insert(next);
        }
        (visited, false)
    }

    /// Returns whether the lifetimes can be joined if the copy is consumed in the block of the destroy.
    fn can_join_in_block(&self, destroy: InstructionId, end: Use) -> bool {
        let Snapshot { facts, .. } = self.snapshot;
        let escapes = |value| escapes_into_pointer(facts.uses(), &facts.view.cfg, value);
        if escapes(self.copy) || escapes(self.original) {
            return false;
        }
        let (between, is_destroyed_later) = self.after(end.user, destroy);
        if !is_destroyed_later {
            return true;
        }
        let kinds = facts.dependence.ownership_kinds();
        if kinds.is_lexical(&facts.view.cfg, self.original) && between.iter().any(|id| self.may_be_barrier(*id)) {
            return false;
        }
        self.is_passed_on_beyond(destroy, end, &between) && !self.is_original_used(destroy, end, &between)
    }

    /// Calls count as barriers, whatever their known effects.
    fn may_be_barrier(&self, id: InstructionId) -> bool {
        let view = self.snapshot.facts.view;
        let is_call = ApplySite::new(view.body, id).is_some_and(|_| view.opcode(id) != Opcode::PartialApply);
        is_call || matches!(view.opcode(id), Opcode::EndApply | Opcode::AbortApply) || is_deinit_barrier(view, id)
    }

    /// Returns whether a value that the copy is forwarded to is alive after the destroy.
    fn is_passed_on_beyond(&self, destroy: InstructionId, end: Use, between: &FxHashSet<InstructionId>) -> bool {
        let mut last = end;
        while let Some(next) = self.forwarded_to(last).and_then(|value| self.snapshot.single_consuming_use(value)) {
            if !between.contains(&next.user) {
                break;
            }
            last = next;
        }
        let Some(forwarded) = self.forwarded_to(last) else { return false };
        match self.snapshot.single_consuming_use(forwarded) {
            Some(consume) if self.block(consume.user) == self.block(destroy) => self.after(destroy, consume.user).1,
            _ => true,
        }
    }

    /// The single result of the instruction that a use forwards its operand to. That includes calls with owned
    /// operands.
    fn forwarded_to(&self, found: Use) -> Option<Value> {
        let view = self.snapshot.facts.view;
        let has_several = matches!(
            self.snapshot.opcode(found.user),
            Opcode::DestructureStruct | Opcode::DestructureTuple | Opcode::BeginApply
        );
        let forwards = self.snapshot.does(found) == OperandOwnership::ForwardOwned && !has_several;
        view.body.result(found.user).filter(|_| forwards)
    }

    /// Returns whether the original is used between the consume of the copy and the destroy.
    fn is_original_used(&self, destroy: InstructionId, end: Use, between: &FxHashSet<InstructionId>) -> bool {
        self.snapshot.uses(self.original).into_iter().any(|found| {
            if found.user == destroy {
                return false;
            }
            if between.contains(&found.user) || found.user == end.user {
                return true;
            }
            if self.snapshot.does(found) != OperandOwnership::Borrow {
                return false;
            }
            let mut ends = Vec::new();
            ownership_scopes::scope_ends(self.snapshot.facts.uses(), found, &mut ends);
            ends.iter().any(|end| between.contains(&end.user)) || ends == [found]
        })
    }
}
