//! Stack slots are freed in the reverse order of their allocation. The lifetimes of closures need not nest with those of other
//! slots; where they do not, the older slot is freed later (lib/SILOptimizer/Utils/StackNesting.cpp).

use crate::analysis::ControlFlowGraph;
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::{BlockId, Body, InstructionId, Value};
use cranelift_entity::EntityRef;

/// A slot on the stack, and what would free it if the slots above it were free.
type Slot = (Value, Option<InstructionId>);

/// Moves deallocations so that they nest.
pub(super) fn fix(body: &mut Body) -> Result<(), Box<Diagnostic>> {
    let cfg = ControlFlowGraph::new(body);
    let mut at_start: Vec<Option<Vec<Slot>>> = vec![None; body.blocks.len()];
    at_start[body.entry().index()] = Some(Vec::new());
    for block in cfg.reverse_post_order() {
        let mut stack = at_start[block.index()].clone().unwrap_or_default();
        fix_block(body, *block, &mut stack);
        let Some(terminator) = body.terminator(*block) else { continue };
        for target in body.targets(terminator) {
            match &at_start[target.index()] {
                Some(found) if *found != stack => {
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

fn fix_block(body: &mut Body, block: BlockId, stack: &mut Vec<Slot>) {
    for id in std::mem::take(&mut body.blocks[block].instructions) {
        match freed(body, id) {
            Some(slot) => {
                if let Some(found) = stack.iter_mut().find(|(allocated, _)| *allocated == slot) {
                    found.1 = Some(id);
                    while let Some((_, Some(freeing))) = stack.pop_if(|(_, freeing)| freeing.is_some()) {
                        body.push(block, freeing);
                    }
                    continue;
                }
            }
            None => stack.extend(body.result(id).filter(|_| allocates(body, id)).map(|slot| (slot, None))),
        }
        body.push(block, id);
    }
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
