//! An owned value with its copies, which are all the same value if it is noncopyable.

use sil_analysis::{OwnershipKinds, Use, Uses};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, InstructionId, Value};

use super::Known;

/// The uses of a value and its copies.
pub(crate) struct Copies {
    pub(crate) value: Value,
    /// The instructions that copy it.
    pub(crate) copies: Vec<InstructionId>,
    /// The consuming uses, except destroys.
    pub(crate) consumed: Vec<Use>,
    /// The destroys of the value or a copy, with the destroyed value.
    pub(crate) destroys: Vec<(InstructionId, Value)>,
    /// The instructions that need it, and those that end borrows of it.
    pub(crate) borrowed: Vec<InstructionId>,
}

impl Copies {
    pub(crate) fn of(kinds: &OwnershipKinds<'_>, body: &Body, uses: &Uses, value: Value) -> Self {
        let mut found =
            Self { value, copies: Vec::new(), consumed: Vec::new(), destroys: Vec::new(), borrowed: Vec::new() };
        let mut open = vec![value];
        while let Some(copy) = open.pop() {
            for used in uses.of(copy) {
                match body.instructions[used.user].opcode {
                    opcode @ (Opcode::CopyValue | Opcode::ExplicitCopyValue) => {
                        // The uses of an implicit copy count, not the copy itself.
                        if opcode == Opcode::ExplicitCopyValue {
                            found.borrowed.push(used.user);
                        }
                        found.copies.push(used.user);
                        open.extend(body.result(used.user));
                    }
                    Opcode::DestroyValue => found.destroys.push((used.user, copy)),
                    Opcode::DebugValue => {}
                    _ if kinds.operand(*used).ends_lifetime() => found.consumed.push(*used),
                    _ => found.borrow(body, uses, used.user),
                }
            }
        }
        found
    }

    /// Returns the uses that consume copies of noncopyable parts of the borrowed value.
    pub(super) fn consumed_parts(&self, known: &Known<'_>) -> Vec<Use> {
        let opcode = |id: InstructionId| known.before.instructions[id].opcode;
        let is_projection = |id: InstructionId| {
            matches!(opcode(id), Opcode::BeginBorrow | Opcode::StructExtract | Opcode::TupleExtract)
        };
        let mut consumed = Vec::new();
        let mut open = self.borrowed.clone();
        while let Some(id) = open.pop() {
            let part = known.before.result(id).filter(|part| is_projection(id) && known.is_noncopyable(*part));
            let Some(part) = part else { continue };
            let copies = Self::of(known.kinds, known.before, known.uses, part);
            consumed.extend(copies.consumed.into_iter().filter(|found| opcode(found.user) != Opcode::EndBorrow));
            open.extend(copies.borrowed);
        }
        consumed
    }

    fn borrow(&mut self, body: &Body, uses: &Uses, id: InstructionId) {
        self.borrowed.push(id);
        if body.instructions[id].opcode == Opcode::BeginBorrow {
            let ends = body.results(id).flat_map(|borrow| uses.of(borrow)).map(|found| found.user);
            self.borrowed.extend(ends.filter(|id| body.instructions[*id].opcode == Opcode::EndBorrow));
        }
    }
}
