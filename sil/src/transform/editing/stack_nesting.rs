//! Stack slots are freed in the reverse order of their allocation. The lifetimes of closures need not nest with those of other
//! slots; where they do not, the older slot is freed later (lib/SILOptimizer/Utils/StackNesting.cpp).

use cranelift_entity::EntityRef;

use crate::analysis::ControlFlowGraph;
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::{BlockId, Body, Details, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;

/// A slot on the stack.
#[derive(Clone, Copy)]
struct Slot {
    /// The instruction's result that allocated it.
    slot: Value,
    /// What would have freed it already, if it were not for the slots above it.
    freed_by: Option<InstructionId>,
}

impl Slot {
    /// Slots may be freed by different instructions on the ways to a block.
    fn is_like(self, other: Self) -> bool {
        self.slot == other.slot && self.freed_by.is_some() == other.freed_by.is_some()
    }
}

/// Moves deallocations so that they nest.
pub(in crate::transform) fn fix(body: &mut Body) -> Result<(), Box<Diagnostic>> {
    let cfg = ControlFlowGraph::new(body);
    let mut at_start: Vec<Option<Vec<Slot>>> = vec![None; body.blocks.len()];
    at_start[body.entry().index()] = Some(Vec::new());
    for block in cfg.reverse_post_order() {
        let mut stack = at_start[block.index()].clone().unwrap_or_default();
        fix_block(body, *block, &mut stack);
        let Some(terminator) = body.terminator(*block) else { continue };
        for target in body.targets(terminator) {
            match &at_start[target.index()] {
                Some(found) if !same(found, &stack) => {
                    let what = "closures on the stack whose lifetimes end differently on the ways to a block";
                    return Err(Box::new(Diagnostic::unsupported(what, body.instructions[terminator].span)));
                }
                Some(_) => {}
                None => at_start[target.index()] = Some(stack.clone()),
            }
        }
    }
    Ok(())
}

fn same(left: &[Slot], right: &[Slot]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.is_like(*right))
}

fn fix_block(body: &mut Body, block: BlockId, stack: &mut Vec<Slot>) {
    for id in body.take_instructions(block) {
        let freed = freed(body, id).and_then(|freed| stack.iter_mut().find(|found| found.slot == freed));
        match freed {
            Some(found) => {
                found.freed_by = Some(id);
                while let Some(Slot { slot, freed_by: Some(like) }) = stack.pop_if(|top| top.freed_by.is_some()) {
                    free(body, block, slot, like);
                }
            }
            None => {
                body.push(block, id);
                let slot = body.result(id).filter(|_| allocates(body, id));
                stack.extend(slot.map(|slot| Slot { slot, freed_by: None }));
            }
        }
    }
}

/// Frees `slot` at the end of `block`, as `like` does.
fn free(body: &mut Body, block: BlockId, slot: Value, like: InstructionId) {
    let opcode = body.instructions[like].opcode;
    InstructionBuilder::new(body, Place::End(block), like).instruction(opcode, Details::None, &[slot]);
}

/// The slot that `id` frees.
fn freed(body: &Body, id: InstructionId) -> Option<Value> {
    match body.instructions[id].opcode {
        Opcode::DeallocStack | Opcode::DeallocStackRef | Opcode::DeallocPack => body.operands(id).first().copied(),
        _ => None,
    }
}

fn allocates(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    match instruction.opcode {
        Opcode::AllocStack | Opcode::AllocPack => true,
        Opcode::AllocRef | Opcode::AllocRefDynamic => instruction.attributes.contains(Attribute::Stack),
        Opcode::PartialApply => instruction.attributes.contains(Attribute::OnStack),
        _ => false,
    }
}
