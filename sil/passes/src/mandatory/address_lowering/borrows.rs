//! Borrows of loadable values projected from a borrowed opaque value. They end with the enclosing borrow scope, or
//! after their last uses.

use sil_analysis::{ControlFlowGraph, LiveUse, OperandOwnership, PrunedLiveness, Use, Worklist};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use super::lowering::{Lowered, Lowering, Site};

impl Lowering<'_> {
    /// Ends the borrow `loaded` at the ends of the borrow scope that contains the opaque value `enclosing`.
    pub(super) fn end_with_enclosing(&mut self, loaded: Value, enclosing: Value) -> Lowered<()> {
        let introducer = self.introducer(enclosing);
        let Some(id) = self.body().defining(introducer) else {
            let Some(user) = self.first_after(introducer) else { return Ok(()) };
            return self.unsupported(user, "a borrow of an opaque value that begins like this");
        };
        let ends: Vec<InstructionId> = match self.opcode(id) {
            Opcode::BeginBorrow | Opcode::LoadBorrow => {
                let users = self.uses(introducer).into_iter().map(|found| found.user);
                users.filter(|user| self.opcode(*user) == Opcode::EndBorrow).collect()
            }
            Opcode::BeginApply => self.coroutine_ends(id),
            _ => return self.unsupported(id, "a borrow of an opaque value that begins like this"),
        };
        ends.into_iter().for_each(|end| self.end_generated_borrow(Place::Before(end), end, loaded));
        Ok(())
    }

    /// Returns the borrow introducer of a borrowed opaque value.
    fn introducer(&self, value: Value) -> Value {
        let mut found = value;
        while let Some(id) = self.body().defining(found) {
            let operand = match self.opcode(id) {
                Opcode::StructExtract
                | Opcode::TupleExtract
                | Opcode::DestructureStruct
                | Opcode::DestructureTuple
                | Opcode::OpenExistentialValue
                | Opcode::OpenExistentialBoxValue
                | Opcode::CopyableToMoveonlywrapper
                | Opcode::MoveonlywrapperToCopyable
                | Opcode::MarkUnresolvedNonCopyableValue
                | Opcode::UncheckedValueCast => 0,
                Opcode::TuplePackExtract => 1,
                _ => break,
            };
            match self.editor.operand(id, operand) {
                Some(operand) => found = operand,
                None => break,
            }
        }
        found
    }

    /// Ends the borrow `loaded`, which has no end yet, after its last uses.
    pub(super) fn end_after_uses(&mut self, loaded: Value) {
        let users = self.guaranteed_users(loaded);
        let cfg = ControlFlowGraph::new(self.body());
        let mut liveness = PrunedLiveness::of(self.body(), &cfg, loaded);
        users.into_iter().for_each(|user| liveness.add(user, LiveUse::NonEnding));
        let places = liveness.boundary().insertion_points(self.body());
        let Some(like) = self.body().defining(loaded) else { return };
        places.into_iter().for_each(|place| self.end_generated_borrow(place, like, loaded));
    }

    fn end_generated_borrow(&mut self, place: Place, like: InstructionId, loaded: Value) {
        let id = self.build(Site { place, like }, |builder| {
            let opcode = Opcode::EndBorrow;
            builder.effect(opcode, loaded)
        });
        self.editor.locate_instruction_automatically(id);
    }

    /// Returns the users of a borrowed value and of the values forwarded from it.
    fn guaranteed_users(&self, value: Value) -> Vec<InstructionId> {
        let (mut users, mut open) = (Vec::new(), Worklist::new([value]));
        while let Some(value) = open.pop() {
            let uses: Vec<Use> = self.uses(value);
            for (found, does) in uses.iter().zip(self.editor.operand_ownerships(&uses)) {
                if does == OperandOwnership::Mention {
                    continue;
                }
                users.push(found.user);
                if does == OperandOwnership::ForwardBorrowed {
                    let results = self.body().results(found.user);
                    open.extend(results.filter(|result| self.ownership(*result) == Ownership::Guaranteed));
                }
                if does == OperandOwnership::Borrow {
                    let results: Vec<Value> = self.body().results(found.user).collect();
                    let ends = results.into_iter().flat_map(|result| self.uses(result)).map(|found| found.user);
                    users.extend(ends.filter(|user| self.opcode(*user) == Opcode::EndBorrow));
                }
            }
        }
        users
    }
}
