//! Moves branch operands into the memory of opaque block arguments, if they do not share it. The moves of one branch
//! are parallel: a move that reads memory which another writes precedes it; in a cycle, a value is moved through
//! temporary memory.

use sil_analysis::Use;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{InstructionId, Value};

use super::lowering::{Lowered, Lowering, Site};
use super::materialization::Extent;
use super::storage::Projection;

/// The position of a move.
struct MovePosition {
    /// The latest position: in front of this instruction.
    latest: InstructionId,
    /// Whether that position is too early as well.
    is_circular: bool,
}

impl Lowering<'_> {
    /// Moves the operand of a branch to its opaque block argument.
    pub(super) fn move_to_argument(&mut self, passed: Use) -> Lowered<()> {
        let branch = passed.user;
        let target = self.body().targets(branch).first().copied();
        let argument =
            target.and_then(|target| self.body().blocks[target].arguments.get(passed.operand as usize).copied());
        let Some((phi, ordinal)) = argument.and_then(|phi| Some((phi, self.storages.ordinal(phi)?))) else {
            return self.unsupported(branch, "passing on an opaque value like this");
        };
        let value = passed.value(self.body());
        if self.storages.of(value).is_some_and(|storage| storage.projection == Projection::Phi(ordinal)) {
            return Ok(());
        }
        let source = self.address_of(value, branch)?;
        let position = self.move_position(branch, phi, value);
        let site = Site { place: Site::before(position.latest).place, like: branch };
        let at = self.materializer(phi, site);
        let destination = self.memory(at, *self.storages.get(ordinal), Extent::Branch)?;
        if !position.is_circular {
            self.phi_move(site, source, destination);
            return Ok(());
        }
        let ty = self.ty(phi);
        let between = self.allocate_stack(site, ty);
        self.phi_move(site, source, between);
        self.phi_move(Site::before(branch), between, destination);
        self.deallocate_stack(Site::before(branch), between);
        Ok(())
    }

    fn phi_move(&mut self, site: Site, source: Value, destination: Value) {
        let id = self.move_to_memory(site, source, destination);
        self.phi_moves.insert(id);
    }

    fn move_position(&self, branch: InstructionId, phi: Value, value: Value) -> MovePosition {
        let [into, from] = [phi, value].map(|value| self.base_address(value));
        let mut position = MovePosition { latest: branch, is_circular: false };
        let mut is_read_later = false;
        let mut next = self.body().previous(branch);
        while let Some(id) = next.filter(|id| self.phi_moves.contains(id)) {
            let CopyAddr { source, destination } = CopyAddr::of(self.body(), id);
            is_read_later |= into.is_some() && Some(self.memory_after(source)) == into;
            if from.is_some() && Some(self.memory_after(destination)) == from {
                position.latest = id;
                position.is_circular |= is_read_later;
            }
            next = self.body().previous(id);
        }
        position
    }

    /// Returns the memory that contains a value.
    fn base_address(&self, value: Value) -> Option<Value> {
        let base = self.storages.projections(value).last()?;
        base.address.map(|address| self.memory_after(address))
    }

    /// Returns the base of an address's projections.
    pub(super) fn memory_after(&self, address: Value) -> Value {
        let mut found = address;
        while let Some(id) = self.body().defining(found) {
            match self.opcode(id) {
                Opcode::StructElementAddr
                | Opcode::TupleElementAddr
                | Opcode::InitEnumDataAddr
                | Opcode::UncheckedTakeEnumDataAddr
                | Opcode::InitExistentialAddr
                | Opcode::OpenExistentialAddr
                | Opcode::UncheckedAddrCast
                | Opcode::MarkUnresolvedNonCopyableValue
                | Opcode::CopyableToMoveonlywrapperAddr
                | Opcode::MoveonlywrapperToCopyableAddr => match self.editor.operand(id, 0) {
                    Some(operand) => found = operand,
                    None => break,
                },
                _ => break,
            }
        }
        found
    }
}
