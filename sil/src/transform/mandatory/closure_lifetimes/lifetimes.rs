//! Where values that do not escape end, in a body with ownership.

use crate::analysis::{OwnershipKinds, Use, Uses};
use crate::context::SignatureId;
use crate::instructions::{Opcode, Position};
use crate::model::{Body, Definition, InstructionId, Ownership, Value};
use crate::types::TypeQueries;

/// What is known of a body before its closures are changed.
pub(in crate::transform) struct Lifetimes<'b> {
    pub(in crate::transform) queries: &'b TypeQueries<'b>,
    /// That of the function.
    pub(in crate::transform) signature: Option<SignatureId>,
    pub(in crate::transform) body: &'b Body,
    pub(in crate::transform) uses: &'b Uses,
    pub(in crate::transform) kinds: &'b OwnershipKinds<'b>,
}

impl Lifetimes<'_> {
    /// The instructions at which a value ends, whatever it is made into before; none where that is not seen: it is copied, or passed to a block.
    pub(super) fn ends(&self, value: Value) -> Option<Vec<InstructionId>> {
        let (mut ends, mut open) = (Vec::new(), vec![value]);
        // Each value is owned by one other at most.
        while let Some(value) = open.pop() {
            for found in self.uses.of(value) {
                let opcode = self.body.instructions[found.user].opcode;
                if opcode == Opcode::CopyValue {
                    return None;
                }
                if !self.kinds.operand(*found).ends_lifetime() {
                    continue;
                }
                if opcode.information().position == Position::Terminator {
                    return None;
                }
                match self.body.result(found.user) {
                    Some(result) if !matches!(opcode, Opcode::Apply | Opcode::Builtin) => open.push(result),
                    _ => ends.push(found.user),
                }
            }
        }
        Some(ends)
    }

    /// Whether `value` has ended wherever one of `destroys` stands: in the same block, ahead of it.
    pub(super) fn ends_before(&self, value: Value, destroys: &[InstructionId]) -> bool {
        let Some(ends) = self.ends(value) else { return false };
        destroys.iter().all(|destroy| {
            let block = self.body.instructions[*destroy].block;
            let ahead = self.body.instructions_in(block).take_while(|id| id != destroy);
            ahead.into_iter().any(|id| ends.contains(&id))
        })
    }

    /// Whether memory is there for a value alone that `closure` captures, and is still there wherever one of `destroys` stands.
    pub(super) fn is_temporary(&self, address: Value, closure: InstructionId, destroys: &[InstructionId]) -> bool {
        let (mut frees, mut others) = (Vec::new(), 0);
        for user in self.uses.of(address).iter().map(|found| found.user) {
            match self.body.instructions[user].opcode {
                Opcode::DeallocStack => frees.push(user),
                Opcode::DebugValue => {}
                _ if user == closure => {}
                _ => others += 1,
            }
        }
        let made = self.body.defining(address).map(|id| self.body.instructions[id].opcode);
        let is_last = |free: &InstructionId| {
            let ahead = self.body.instructions_in(self.body.instructions[*free].block).take_while(|id| id != free);
            ahead.into_iter().any(|id| destroys.contains(&id))
        };
        // What initialises it is the only other use.
        made == Some(Opcode::AllocStack) && others == 1 && frees.iter().all(is_last)
    }

    /// Whether a value lives as long as the function: it need not be destroyed, or the caller owns it.
    pub(super) fn is_permanent(&self, value: Value) -> bool {
        let is_argument = matches!(self.body.values[value].definition, Definition::Argument { block, .. } if block == self.body.entry());
        match self.kinds.kind(value) {
            Ownership::None => true,
            Ownership::Guaranteed => is_argument,
            Ownership::Owned | Ownership::Unowned => false,
        }
    }

    /// Where a value is destroyed, if it is never consumed otherwise.
    pub(super) fn destroys(&self, value: Value) -> Option<Vec<InstructionId>> {
        let consuming = |found: &&Use| self.kinds.operand(**found).ends_lifetime();
        let users = self.uses.of(value).iter().filter(consuming).map(|found| found.user);
        let destroys: Vec<InstructionId> = users.collect();
        let are_destroys = destroys.iter().all(|id| self.body.instructions[*id].opcode == Opcode::DestroyValue);
        (are_destroys && self.kinds.kind(value) == Ownership::Owned).then_some(destroys)
    }
}
