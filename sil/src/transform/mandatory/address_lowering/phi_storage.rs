//! Block arguments and what branches pass for them in the same memory: as far as what is passed lives in memory of its own and is not alive where
//! another value is that shares it already (lib/SILOptimizer/Mandatory/PhiStorageOptimizer.cpp).

use rustc_hash::FxHashSet;

use super::lowering::{Lowered, Lowering};
use super::storage::{Ordinal, Projection};
use crate::analysis::{Use, Worklist};
use crate::instructions::Opcode;
use crate::model::{BlockId, InstructionId, Value};

/// What lies in the memory of a value that is passed for a block argument.
struct SharedMemory {
    /// The value and all that lies in its memory.
    values: Vec<Value>,
    /// The block that dominates where these are made.
    dominator: BlockId,
}

impl Lowering<'_> {
    /// The uses by branches whose values can share the memory of the block argument `phi`.
    pub(super) fn coalesced_operands(&self, phi: Value) -> Lowered<Vec<Use>> {
        let Some((block, index)) = self.argument(phi) else { return Ok(Vec::new()) };
        let mut incoming = Vec::new();
        // Swift looks at the newest branch first.
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
        let mut occupied = self.blocks_behind(phi, block);
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

    /// The blocks in which the block argument, or what it is put into, is alive. Those matter in loops alone: elsewhere what is passed is gone by then.
    fn blocks_behind(&self, phi: Value, block: BlockId) -> FxHashSet<BlockId> {
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

    /// What lies in the memory of `value`, where that is memory of its own on the stack.
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
            // What is put in is made before the whole.
            if put_in.is_empty() {
                memory.dominator = self.common_dominator(memory.dominator, self.block_of(value));
            }
            let within = if put_in.is_empty() { taken_out } else { put_in };
            open.extend(within);
        }
        Some(memory)
    }

    /// The operands of what makes `value` that are made in its memory.
    fn put_in(&self, value: Value, ordinal: Ordinal) -> Vec<Value> {
        let Some(user) = self.body().defining(value) else { return Vec::new() };
        let operands = (0..).zip(self.body().operands(user));
        let is_put_in = |(operand, _): &(u32, &Value)| self.is_put_into(Use { user, operand: *operand }, ordinal);
        operands.filter(is_put_in).map(|(_, operand)| *operand).collect()
    }

    /// The values that are taken out of `value` and stay in its memory.
    fn taken_out(&self, value: Value, ordinal: Ordinal) -> Vec<Value> {
        let users: Vec<InstructionId> = self.uses(value).into_iter().map(|found| found.user).collect();
        let is_taken_out = |result: &Value| {
            self.storages.of(*result).is_some_and(|storage| storage.projection == Projection::Definition(ordinal))
        };
        users.into_iter().flat_map(|user| self.body().results(user)).filter(is_taken_out).collect()
    }

    /// The blocks in which something that lies in the memory is alive; none where one of them is occupied.
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
