//! Cleans up after all opaque values are in memory: moves memory near its uses and frees it after them, sinks
//! projections to their uses, and removes instructions that served values only.

use rustc_hash::FxHashSet;
use sil_analysis::{named_archetypes, opening};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Definition, InstructionId, Place, Value};

use super::lowering::{AllocationPosition, Lowering, Site};
use super::storage::Projection;

impl Lowering<'_> {
    /// Cleans up after [`rewrite`](Lowering::rewrite). The deallocations need not nest yet.
    pub(super) fn clean_up(&mut self) {
        self.place_allocations();
        self.sink_projections();
        self.erase_values();
        self.erase_arguments();
    }

    fn place_allocations(&mut self) {
        for allocation in self.allocations.clone() {
            let Some(id) = self.body().defining(allocation.address) else { continue };
            if allocation.position == AllocationPosition::NearUses
                && let Some(block) = self.dominator_of_uses(allocation.address)
                && let Some(first) = self.body().first_instruction(block).filter(|first| *first != id)
            {
                self.editor.move_to(id, Place::Before(first));
            }
            let block = self.body().instructions[id].block;
            for end in self.ends_of_dominance(block) {
                let Some(terminator) = self.body().terminator(end) else { continue };
                if !self.dead_ends.contains(end) {
                    self.deallocate_stack(Site::before(terminator), allocation.address);
                    let freed = self.body().previous(terminator);
                    freed.into_iter().for_each(|id| self.editor.locate_instruction_automatically(id));
                }
            }
        }
    }

    /// Returns the block that dominates all uses of `value`.
    fn dominator_of_uses(&self, value: Value) -> Option<BlockId> {
        let blocks = self.editor.uses(value).into_iter().map(|found| self.body().instructions[found.user].block);
        blocks.reduce(|first, second| self.common_dominator(first, second))
    }

    /// Returns the last blocks that `root` dominates: those that exit the function or have a successor that it does not
    /// dominate.
    fn ends_of_dominance(&self, root: BlockId) -> Vec<BlockId> {
        let is_end = |block: &BlockId| {
            let targets = self.body().terminator(*block).map(|id| self.body().targets(id)).unwrap_or_default();
            let is_left = |target: &BlockId| *target == root || !self.dominators.dominates(root, *target);
            targets.is_empty() || targets.iter().any(is_left)
        };
        let blocks = self.body().blocks.keys();
        blocks.filter(|block| self.dominators.dominates(root, *block)).filter(is_end).collect()
    }

    /// Sinks projections to their uses: inner ones before outer ones.
    fn sink_projections(&mut self) {
        for projection in std::mem::take(&mut self.use_projections).into_iter().rev() {
            self.sink(projection);
        }
        for ordinal in self.storages.ordinals().rev() {
            let storage = *self.storages.get(ordinal);
            if let Some(address) = storage.address.filter(|_| storage.projection != Projection::None) {
                self.sink(address);
            }
        }
    }

    /// Sinks the definition of an address to its first use in the block that dominates all uses, and erases it without
    /// uses.
    fn sink(&mut self, address: Value) {
        let Some(id) = self.body().defining(address).filter(|id| self.editor.is_placed(*id)) else { return };
        // Allocations have their final place already.
        let is_memory = self.opcode(id) == Opcode::AllocStack;
        let mut users: FxHashSet<InstructionId> = self.editor.uses(address).iter().map(|found| found.user).collect();
        users.extend(self.namers(id));
        let blocks = users.iter().map(|user| self.body().instructions[*user].block);
        let Some(block) = blocks.reduce(|first, second| self.common_dominator(first, second)) else {
            if !is_memory {
                self.editor.erase(id);
            }
            return;
        };
        let first = self.body().instructions_in(block).find(|user| users.contains(user));
        let Some(place) = first.or_else(|| self.body().terminator(block)) else { return };
        if self.body().next(id) != Some(place) {
            self.editor.move_to(id, Place::Before(place));
        }
    }

    /// Returns the instructions whose types mention the archetype that `id` opens.
    fn namers(&self, id: InstructionId) -> Vec<InstructionId> {
        let Some((name, _)) = opening(self.lowered, self.body(), id) else { return Vec::new() };
        let names = |user: &InstructionId| named_archetypes(self.lowered, self.body(), *user).contains(&name);
        self.body().placed_instructions().filter(|user| *user != id).filter(names).collect()
    }

    /// Erases the definitions of values and their dead users, users first.
    fn erase_values(&mut self) {
        for ordinal in self.storages.ordinals().rev() {
            let storage = *self.storages.get(ordinal);
            if let Some(address) = storage.address {
                self.erase_unused_memory(address);
            }
            let Some(id) = self.body().defining(storage.value) else {
                self.erase_users(storage.value);
                continue;
            };
            if !self.editor.is_placed(id) {
                continue;
            }
            let call = match self.opcode(id) {
                Opcode::DestructureTuple => {
                    let operand = self.editor.operand(id, 0);
                    operand.and_then(|tuple| self.editor.made_by(tuple, Opcode::Apply))
                }
                _ => None,
            };
            self.editor.erase_with_users(call.unwrap_or(id));
        }
    }

    /// Erases the remaining users of an argument that is no value any more.
    fn erase_users(&mut self, value: Value) {
        if self.ty(value).is_address() {
            return;
        }
        for found in self.uses(value) {
            if self.editor.is_placed(found.user) {
                self.editor.erase_with_users(found.user);
            }
        }
    }

    /// Erases memory that is never initialised, and unused projections.
    pub(super) fn erase_unused_memory(&mut self, address: Value) {
        let Some(id) = self.body().defining(address).filter(|id| self.editor.is_placed(*id)) else { return };
        let users: Vec<InstructionId> = self.editor.uses(address).into_iter().map(|found| found.user).collect();
        match self.opcode(id) {
            Opcode::AllocStack if users.iter().all(|user| self.opcode(*user) == Opcode::DeallocStack) => {
                users.into_iter().for_each(|user| self.editor.erase(user));
                self.editor.erase(id);
            }
            Opcode::StructElementAddr
            | Opcode::TupleElementAddr
            | Opcode::InitEnumDataAddr
            | Opcode::OpenExistentialAddr
                if users.is_empty() =>
            {
                self.editor.erase(id);
            }
            _ => {}
        }
    }

    /// Removes opaque arguments of blocks, and the operands that branches pass for them.
    fn erase_arguments(&mut self) {
        let entry = self.body().entry();
        let values: Vec<Value> = self.storages.ordinals().map(|ordinal| self.storages.get(ordinal).value).collect();
        for value in values {
            let Definition::Argument { block, .. } = self.body().values[value].definition else { continue };
            let position = self.body().blocks[block].arguments.iter().position(|argument| *argument == value);
            if let Some(position) = position.filter(|_| block != entry) {
                self.editor.remove_argument(block, position);
            }
        }
    }
}
