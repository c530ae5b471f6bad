//! Copy-on-write buffers that are only read: reads through the result of `COWBufferForReading` are replaced with reads
//! of the buffer at immutable addresses (`optimizeBuiltinCOWBufferForReading` of
//! lib/SILOptimizer/SILCombiner/SILCombinerBuiltinVisitors.cpp).

use sil_analysis::OperandOwnership;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{InstructionId, Value};

use super::Simplifier;
use crate::editing::ownership_replacement::{self, BorrowedCopies};

impl Simplifier<'_> {
    /// Reads the buffer directly. Returns `None` if the builtin has other uses.
    pub(super) fn read_buffer(&mut self, id: InstructionId) -> Option<()> {
        let (read, buffer) = (self.editor.body().result(id)?, self.editor.operand(id, 0)?);
        if self.editor.has_ownership() {
            return self.read_borrowed_buffer(id, read, buffer);
        }
        for found in self.editor.uses(read) {
            match self.editor.opcode(found.user) {
                Opcode::RefElementAddr | Opcode::RefTailAddr => self.make_immutable(found.user),
                Opcode::StrongRelease | Opcode::DestroyValue => {}
                _ => continue,
            }
            self.editor.set_operand(found, buffer);
        }
        if !self.editor.uses(read).is_empty() {
            return None;
        }
        self.editor.erase(id);
        Some(())
    }

    fn read_borrowed_buffer(&mut self, id: InstructionId, read: Value, buffer: Value) -> Option<()> {
        let uses = self.editor.uses_but_debug(read);
        let mut borrows = Vec::new();
        for (found, does) in uses.iter().zip(self.editor.operand_ownerships(&uses)) {
            match self.editor.opcode(found.user) {
                Opcode::CopyValue | Opcode::DestroyValue => {}
                Opcode::BeginBorrow | Opcode::Borrowed => borrows.extend(self.editor.body().results(found.user)),
                _ if does == OperandOwnership::Borrow => {}
                _ => return None,
            }
        }
        for address in self.addresses_in_borrows(borrows) {
            self.make_immutable(address);
        }
        ownership_replacement::replace(&mut self.editor, id, buffer, BorrowedCopies::Allowed).then_some(())
    }

    /// The instructions that project addresses from borrowed objects. Reborrows are not followed.
    fn addresses_in_borrows(&self, mut borrows: Vec<Value>) -> Vec<InstructionId> {
        let mut addresses = Vec::new();
        while let Some(value) = borrows.pop() {
            let uses = self.editor.uses(value);
            for (found, does) in uses.iter().zip(self.editor.operand_ownerships(&uses)) {
                match self.editor.opcode(found.user) {
                    Opcode::RefElementAddr | Opcode::RefTailAddr => addresses.push(found.user),
                    Opcode::BeginBorrow | Opcode::Borrowed => borrows.extend(self.editor.body().results(found.user)),
                    _ if does == OperandOwnership::ForwardBorrowed => {
                        borrows.extend(self.editor.body().results(found.user));
                    }
                    _ => {}
                }
            }
        }
        addresses
    }

    fn make_immutable(&mut self, address: InstructionId) {
        self.editor.edit_attributes(address, |attributes| attributes.insert(Attribute::Immutable));
    }
}
