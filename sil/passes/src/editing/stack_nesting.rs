//! Restores the nesting of stack allocations: a slot is deallocated later if a younger slot is still live
//! (lib/SILOptimizer/Utils/StackNesting.cpp).
//!
//! Slots need not be deallocated in dead ends, but all predecessors of a block must agree on the stack.

use cranelift_entity::SecondaryMap;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, DeadEndBlocks};
use sil_ir::context::{Context, SilType, Type};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, Builtin, Details, InstructionId, Place, Value};

use super::block_order::stand_after_predecessors;
use super::critical_edges;
use crate::InstructionBuilder;

/// Moves deallocations so that the allocations nest.
pub(crate) fn fix(context: &Context, body: &mut Body) {
    let mut nesting = Nesting::new(context, body);
    if nesting.is_nested() {
        return;
    }
    let shared = nesting.shared_edges(body);
    if !shared.is_empty() {
        let count = body.blocks.len();
        critical_edges::split_edges(body, |from, to| shared.contains(&(from, to)));
        critical_edges::split_jumps(body, |from, to| shared.contains(&(from, to)));
        stand_after_predecessors(body, count);
        nesting = Nesting::new(context, body);
    }
    if nesting.free_on_edges(body) {
        nesting = Nesting::new(context, body);
    }
    nesting.move_deallocations(body);
}

/// A stack slot.
struct Slot {
    /// The allocating instruction.
    allocation: InstructionId,
    /// The result that is deallocated.
    value: Value,
    /// The slots that are live at the allocation, including this one.
    alive: FixedBitSet,
}

/// The effect of an instruction on a slot, by slot index.
#[derive(Clone, Copy)]
enum Effect {
    Allocate(usize),
    Free(usize),
}

/// The live slots at the start and end of a block, and the effects of its instructions.
#[derive(Clone, Default)]
struct BlockStack {
    effects: Vec<(InstructionId, Effect)>,
    entry: FixedBitSet,
    exit: FixedBitSet,
}

struct Nesting<'c> {
    context: &'c Context,
    /// The slots, in dominance order of their allocations.
    slots: Vec<Slot>,
    /// The reachable blocks in reverse post-order.
    order: Vec<BlockId>,
    blocks: SecondaryMap<BlockId, BlockStack>,
    /// Whether slots were found that do not nest.
    is_extended: bool,
}

impl<'c> Nesting<'c> {
    fn new(context: &'c Context, body: &Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let order = cfg.reverse_post_order().to_vec();
        let mut nesting = Self { context, slots: Vec::new(), order, blocks: SecondaryMap::new(), is_extended: false };
        nesting.find_slots(body);
        if nesting.slots.len() > 1 {
            nesting.find_alive(body);
            nesting.extend(body, &DeadEndBlocks::new(body, &cfg));
        }
        nesting
    }

    fn is_nested(&self) -> bool {
        !self.is_extended
    }

    fn find_slots(&mut self, body: &Body) {
        let mut numbers: FxHashMap<Value, usize> = FxHashMap::default();
        let all_freed: FxHashSet<Value> = body.placed_instructions().filter_map(|id| freed(body, id)).collect();
        // With ownership, stack closures are destroyed instead of deallocated.
        let is_slot = |id: InstructionId, value: &Value| {
            let is_closure = body.instructions[id].opcode == Opcode::PartialApply;
            freeing(body, id).is_some() && (!is_closure || all_freed.contains(value))
        };
        for block in &self.order {
            for id in body.instructions_in(*block) {
                let Some(value) = body.result(id).filter(|value| is_slot(id, value)) else { continue };
                numbers.insert(value, self.slots.len());
                self.slots.push(Slot { allocation: id, value, alive: FixedBitSet::new() });
            }
        }
        let count = self.slots.len();
        for (number, slot) in self.slots.iter_mut().enumerate() {
            slot.alive.grow(count);
            slot.alive.insert(number);
        }
        for block in &self.order {
            let effect = |id| match freed(body, id) {
                Some(value) => Some((id, Effect::Free(*numbers.get(&value)?))),
                None => Some((id, Effect::Allocate(*numbers.get(&body.result(id)?)?))),
            };
            let effects = body.instructions_in(*block).filter_map(effect).collect();
            // Initially all slots are assumed to be live, until the predecessors are known.
            let mut entry = FixedBitSet::with_capacity(count);
            entry.set_range(.., *block != body.entry());
            self.blocks[*block] = BlockStack { effects, entry, exit: FixedBitSet::with_capacity(count) };
        }
    }

    /// The forward dataflow: a slot is live if it is on all incoming edges.
    fn find_alive(&mut self, body: &Body) {
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for block in self.order.clone() {
                let mut bits = self.blocks[block].entry.clone();
                for (_, effect) in &self.blocks[block].effects {
                    match effect {
                        Effect::Allocate(slot) => bits.insert(*slot),
                        Effect::Free(slot) => bits.set(*slot, false),
                    }
                }
                for target in targets(body, block) {
                    self.blocks[*target].entry.intersect_with(&bits);
                }
                is_changed |= bits != self.blocks[block].exit;
                self.blocks[block].exit = bits;
            }
        }
    }

    /// The backward dataflow: while a slot is live, so are the slots that were live at its allocation.
    fn extend(&mut self, body: &Body, dead_ends: &DeadEndBlocks) {
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for block in self.order.clone().into_iter().rev() {
                let mut bits = self.blocks[block].exit.clone();
                for target in targets(body, block) {
                    bits.union_with(&self.blocks[*target].entry);
                }
                if dead_ends.contains(block) {
                    for slot in bits.clone().ones() {
                        bits.union_with(&self.slots[slot].alive);
                    }
                }
                self.blocks[block].exit.clone_from(&bits);
                for (_, effect) in self.blocks[block].effects.iter().rev() {
                    match *effect {
                        Effect::Allocate(slot) => {
                            if self.slots[slot].alive != bits {
                                self.slots[slot].alive.clone_from(&bits);
                                is_changed = true;
                                self.is_extended = true;
                            }
                            bits.set(slot, false);
                        }
                        Effect::Free(slot) => bits.union_with(&self.slots[slot].alive),
                    }
                }
                is_changed |= bits != self.blocks[block].entry;
                self.blocks[block].entry = bits;
            }
        }
    }

    /// The edges on which slots end, with the slots.
    fn edges(&self, body: &Body) -> Vec<(BlockId, BlockId, Vec<usize>)> {
        let mut edges = Vec::new();
        for block in &self.order {
            for target in targets(body, *block) {
                let ending: Vec<usize> = self.blocks[*block].exit.difference(&self.blocks[*target].entry).collect();
                if !ending.is_empty() {
                    edges.push((*block, *target, ending));
                }
            }
        }
        edges
    }

    /// The edges on which slots end whose targets have several predecessors. The slots are deallocated in blocks of
    /// their own.
    fn shared_edges(&self, body: &Body) -> Vec<(BlockId, BlockId)> {
        let cfg = ControlFlowGraph::new(body);
        let edges = self.edges(body).into_iter().map(|(from, to, _)| (from, to));
        edges.filter(|(_, to)| cfg.predecessors(*to).len() > 1).collect()
    }

    /// Deallocates slots on the edges on which they end. Returns whether there are any.
    fn free_on_edges(&self, body: &mut Body) -> bool {
        let edges = self.edges(body);
        for (from, to, ending) in &edges {
            let end = body.terminator(*from).filter(|_| targets(body, *from).len() == 1);
            let mut place = end.map_or(Place::Start(*to), Place::Before);
            for slot in ending.iter().rev() {
                let made = self.free(body, *slot, place, self.slots[*slot].allocation);
                if end.is_none() {
                    place = Place::After(made);
                }
            }
        }
        !edges.is_empty()
    }

    /// Moves the deallocation of each slot after the last slot that must be deallocated before.
    fn move_deallocations(&self, body: &mut Body) {
        for block in &self.order {
            let mut bits = self.blocks[*block].exit.clone();
            for (id, effect) in self.blocks[*block].effects.iter().rev() {
                match *effect {
                    Effect::Allocate(slot) => bits.set(slot, false),
                    Effect::Free(slot) => {
                        let alive = &self.slots[slot].alive;
                        let is_kept = !bits.contains(slot);
                        bits.insert(slot);
                        let mut place = Place::After(*id);
                        for ending in alive.difference(&bits).collect::<Vec<_>>().into_iter().rev() {
                            place = Place::After(self.free(body, ending, place, *id));
                        }
                        bits.union_with(alive);
                        if !is_kept {
                            body.erase(*id);
                        }
                    }
                }
            }
        }
    }

    /// Deallocates a slot at `place`.
    fn free(&self, body: &mut Body, slot: usize, place: Place, like: InstructionId) -> InstructionId {
        let Slot { allocation, value, .. } = self.slots[slot];
        let freeing = freeing(body, allocation);
        let mut builder = InstructionBuilder::new(body, place, like);
        match freeing {
            Some(Freeing::Builtin) => {
                let freeing = Builtin::plain(self.context, NamedBuiltin::StackDealloc.name());
                let nothing = SilType::object(self.context.ty(Type::Tuple(Box::new([]))));
                builder.void_builtin(freeing, &[value], nothing)
            }
            Some(Freeing::Instruction(opcode)) => builder.effect(opcode, value),
            // Each slot was identified by its kind of deallocation.
            None => builder.dealloc_stack(value),
        }
    }
}

fn targets(body: &Body, block: BlockId) -> &[BlockId] {
    body.terminator(block).map_or(&[], |terminator| body.targets(terminator))
}

/// Returns whether `id` allocates a stack slot.
pub(crate) fn allocates(body: &Body, id: InstructionId) -> bool {
    freeing(body, id).is_some()
}

/// The kind of deallocation.
#[derive(Clone, Copy)]
enum Freeing {
    Instruction(Opcode),
    Builtin,
}

/// The named builtin of an instruction.
fn named_builtin(body: &Body, id: InstructionId) -> Option<NamedBuiltin> {
    match &body.instructions[id].details {
        Details::Builtin(builtin) => match builtin.kind()? {
            BuiltinKind::Named(named) => Some(named),
            _ => None,
        },
        _ => None,
    }
}

/// The slot that `id` deallocates.
fn freed(body: &Body, id: InstructionId) -> Option<Value> {
    let is_freeing = match body.instructions[id].opcode {
        Opcode::DeallocStack | Opcode::DeallocStackRef | Opcode::DeallocPack => true,
        Opcode::Builtin => named_builtin(body, id) == Some(NamedBuiltin::StackDealloc),
        _ => false,
    };
    body.operands(id).first().copied().filter(|_| is_freeing)
}

/// The kind of deallocation of the slot that `id` allocates, if it allocates one.
fn freeing(body: &Body, id: InstructionId) -> Option<Freeing> {
    use NamedBuiltin::{StackAlloc, UnprotectedStackAlloc};
    let attributes = body.instructions[id].attributes;
    match body.instructions[id].opcode {
        Opcode::AllocStack => Some(Freeing::Instruction(Opcode::DeallocStack)),
        Opcode::PartialApply if attributes.contains(Attribute::OnStack) => {
            Some(Freeing::Instruction(Opcode::DeallocStack))
        }
        Opcode::AllocRef | Opcode::AllocRefDynamic if attributes.contains(Attribute::Stack) => {
            Some(Freeing::Instruction(Opcode::DeallocStackRef))
        }
        Opcode::AllocPack => Some(Freeing::Instruction(Opcode::DeallocPack)),
        Opcode::Builtin => {
            let allocates = matches!(named_builtin(body, id), Some(StackAlloc | UnprotectedStackAlloc));
            allocates.then_some(Freeing::Builtin)
        }
        _ => None,
    }
}
