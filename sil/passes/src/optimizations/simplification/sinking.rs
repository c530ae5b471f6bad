//! Sinks forwarding instructions of owned values to the blocks of their consuming uses, so that they meet their
//! counterparts (`trySinkOwnedForwardingInst` of lib/SILOptimizer/SILCombiner/SILCombine.cpp).

use sil_analysis::{Use, forwards};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use super::Simplifier;
use crate::knowledge::aggregate_parts::has_deinit;

impl Simplifier<'_> {
    /// Sinks a forwarding instruction to its consuming use, or clones it for each of them. Returns whether `id` was
    /// erased.
    pub(super) fn sink_forwarded(&mut self, id: InstructionId) -> bool {
        let Some((result, source)) = self.movable(id) else { return false };
        let uses = self.editor.uses_but_debug(result);
        let ownerships = self.editor.operand_ownerships(&uses);
        if uses.is_empty() || !ownerships.iter().all(|ownership| ownership.ends_lifetime()) {
            return false;
        }
        if let [only] = uses[..] {
            self.move_to_user(id, result, only.user);
            return false;
        }
        for found in uses {
            let is_destroyed = self.editor.opcode(found.user) == Opcode::DestroyValue;
            let passed = if is_destroyed { source } else { self.make_for(id, source, found) };
            self.editor.set_operand(found, passed);
        }
        self.erase_with_debug_uses(id);
        self.editor.forget_ownership();
        true
    }

    /// The result and operand of a forwarding instruction that can be moved.
    fn movable(&self, id: InstructionId) -> Option<(Value, Value)> {
        let body = self.editor.body();
        let opcode = self.editor.opcode(id);
        let (result, [source]) = (body.result(id)?, body.operands(id)) else { return None };
        let is_value = forwards(opcode) && opcode.information().position != Position::Terminator;
        let is_owned = || [result, *source].iter().all(|value| self.editor.ownership(*value) == Ownership::Owned);
        // An opened archetype may be referred to by types, and a value with a `deinit` is destroyed differently than
        // its operand.
        let is_free = || {
            use Opcode::*;
            let is_named = matches!(opcode, OpenExistentialRef | OpenExistentialBoxValue | OpenExistentialValue);
            let is_checked = matches!(opcode, MarkUninitialized | MarkUnresolvedNonCopyableValue);
            !is_named && !is_checked && !has_deinit(self.editor.environment, body.ty(result).ty)
        };
        (self.editor.has_ownership() && is_value && is_owned() && is_free()).then_some((result, *source))
    }

    fn move_to_user(&mut self, id: InstructionId, result: Value, user: InstructionId) {
        let body = self.editor.body();
        if body.instructions[id].block == body.instructions[user].block {
            return;
        }
        for shown in self.editor.uses(result).into_iter().filter(|found| found.user != user) {
            self.editor.erase(shown.user);
        }
        self.editor.move_to(id, Place::Before(user));
    }

    /// Clones `id` before a user.
    fn make_for(&mut self, id: InstructionId, source: Value, found: Use) -> Value {
        let made = self.editor.build(Place::Before(found.user), id, |builder| builder.again(id, &[source]));
        self.editor.body().result(made).unwrap_or(source)
    }
}
