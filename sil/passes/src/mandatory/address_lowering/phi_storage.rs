//! Coalesces block arguments with the branch operands passed for them: an operand with memory of its own can share the
//! argument's memory if it does not interfere with another value that shares it
//! (lib/SILOptimizer/Mandatory/PhiStorageOptimizer.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{Use, Worklist};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Value};

use super::lowering::{Lowered, Lowering};
use super::storage::{Ordinal, Projection};

/// The values in the memory of a branch operand.
struct SharedMemory {
    /// The value and all values in its memory.
    values: Vec<Value>,
    /// The block that dominates their definitions.
    dominator: BlockId,
}

impl Lowering<'_> {
    /// Returns the branch operands that can share the memory of the block argument `phi`.
    pub(super) fn coalesced_operands(&self, phi: Value) -> Lowered<Vec<Use>> {
        let Some((block, index)) = self.argument(phi) else { return Ok(Vec::new()) };
        let mut incoming = Vec::new();
        // Swift starts with the newest branch.
        for predecessor in self.cfg.predecessors(block).iter().rev() {
            let Some(branch) = self.body().terminator(*predecessor) else { continue };
            if self.opcode(branch) != Opcode::Br {
                return self.unsupported(branch, "an opaque value that a conditional branch passes on");
            }
            incoming.push(Use { user: branch, operand: index });
        }
        if let [only] = incoming[..] {
            let can_share = self.shared_memory(only.value(self.body())).is_some();
            return Ok(if can_share { vec![only] } else { Vec::new() });
        }
        let mut occupied = self.blocks_after(phi, block);
        let is_shared = |found: &Use| {
            let live =
                self.shared_memory(found.value(self.body())).and_then(|memory| self.live_blocks(&memory, &occupied));
            match live {
                Some(live) => {
                    occupied.extend(live);
                    true
                }
                None => false,
            }
        };
        Ok(incoming.into_iter().filter(is_shared).collect())
    }

    /// Returns the live blocks of the block argument and its enclosing aggregates. They matter in loops only: elsewhere
    /// the operands are dead by then.
    fn blocks_after(&self, phi: Value, block: BlockId) -> FxHashSet<BlockId> {
        let mut memory = SharedMemory { values: Vec::new(), dominator: block };
        let mut open = Worklist::new([phi]);
        while let Some(value) = open.pop() {
            memory.values.push(value);
            let users: Vec<InstructionId> = self.uses(value).into_iter().map(|found| found.user).collect();
            let given = |user: &InstructionId| {
                let targets = if self.opcode(*user) == Opcode::Br { &[] } else { self.body().targets(*user) };
                targets.iter().flat_map(|target| self.body().blocks[*target].arguments.clone()).collect::<Vec<_>>()
            };
            let results = users.iter().flat_map(|user| self.body().results(*user).chain(given(user)));
            let opaque = results.filter(|result| self.storages.ordinal(*result).is_some());
            open.extend(opaque);
        }
        self.live_blocks(&memory, &FxHashSet::default()).into_iter().flatten().collect()
    }

    /// Returns the values in the memory of `value`, if that is stack memory of its own.
    fn shared_memory(&self, value: Value) -> Option<SharedMemory> {
        let storage = self.storages.of(value)?;
        if storage.projection != Projection::None || self.is_phi(value) {
            return None;
        }
        self.editor.made_by(storage.address?, Opcode::AllocStack)?;
        let mut memory = SharedMemory { values: Vec::new(), dominator: self.block_of(value) };
        let mut open = Worklist::new([value]);
        while let Some(value) = open.pop() {
            memory.values.push(value);
            let Some(ordinal) = self.storages.ordinal(value) else { continue };
            let (put_in, taken_out) = (self.put_in(value, ordinal), self.taken_out(value, ordinal));
            // Operands are made before the aggregate.
            if put_in.is_empty() {
                memory.dominator = self.common_dominator(memory.dominator, self.block_of(value));
            }
            let within = if put_in.is_empty() { taken_out } else { put_in };
            open.extend(within);
        }
        Some(memory)
    }

    /// Returns the operands of the definition of `value` that are made in its memory.
    fn put_in(&self, value: Value, ordinal: Ordinal) -> Vec<Value> {
        let Some(user) = self.body().defining(value) else { return Vec::new() };
        let operands = (0..).zip(self.body().operands(user));
        let is_put_in = |(operand, _): &(u32, &Value)| self.is_put_into(Use { user, operand: *operand }, ordinal);
        operands.filter(is_put_in).map(|(_, operand)| *operand).collect()
    }

    /// Returns the projections of `value` that stay in its memory.
    fn taken_out(&self, value: Value, ordinal: Ordinal) -> Vec<Value> {
        let users: Vec<InstructionId> = self.uses(value).into_iter().map(|found| found.user).collect();
        let is_taken_out = |result: &Value| {
            self.storages.of(*result).is_some_and(|storage| storage.projection == Projection::Definition(ordinal))
        };
        users.into_iter().flat_map(|user| self.body().results(user)).filter(is_taken_out).collect()
    }

    /// Returns the blocks in which a value in the memory is live; `None` if one of them is occupied.
    fn live_blocks(&self, memory: &SharedMemory, occupied: &FxHashSet<BlockId>) -> Option<Vec<BlockId>> {
        let (mut live, mut seen) = (Vec::new(), FxHashSet::default());
        for value in &memory.values {
            for found in self.uses(*value) {
                let mut open = vec![self.body().instructions[found.user].block];
                while let Some(block) = open.pop() {
                    if occupied.contains(&block) {
                        return None;
                    }
                    if seen.insert(block) {
                        live.push(block);
                        if block != memory.dominator {
                            open.extend(self.cfg.predecessors(block));
                        }
                    }
                }
            }
        }
        Some(live)
    }
}
