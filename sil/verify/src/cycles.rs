//! Values that depend on themselves. Dominance rules them out in reachable blocks only: in others they have to be
//! found, because code that follows a value to its definition would not end there.

use sil_analysis::ControlFlowGraph;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Definition, InstructionId, Value};

use super::checker::FunctionVerifier;

/// How far a value has been followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Reports the first value in unreachable blocks that depends on itself.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>, cfg: &ControlFlowGraph) {
    let body = verifier.body;
    let mut visits = vec![Visit::New; body.values.len()];
    let unreachable = body.blocks.keys().filter(|block| !cfg.is_reachable(*block));
    for id in unreachable.flat_map(|block| body.instructions_in(block)) {
        for value in body.operands(id) {
            if follow(body, cfg, *value, &mut visits) {
                let name = body.instructions[id].opcode.name();
                let message = format!("`{name}` uses a value that depends on itself");
                verifier.fail("dominance", body.instructions[id].span, message);
                return;
            }
        }
    }
}

/// Follows `start` to all values that it comes from. Returns whether that leads back to a value on the way.
fn follow(body: &Body, cfg: &ControlFlowGraph, start: Value, visits: &mut [Visit]) -> bool {
    let mut open: Vec<(Value, usize)> = vec![(start, 0)];
    while let Some((value, next)) = open.last_mut() {
        let state = &mut visits[value.as_u32() as usize];
        let parts = made_of(body, cfg, *value).map_or(&[][..], |maker| body.operands(maker));
        match (*state, parts.get(*next)) {
            (Visit::Done, _) | (_, None) => {
                *state = Visit::Done;
                open.pop();
            }
            (_, Some(part)) => {
                *state = Visit::Open;
                *next += 1;
                if visits[part.as_u32() as usize] == Visit::Open {
                    return true;
                }
                open.push((*part, 0));
            }
        }
    }
    false
}

/// The instruction whose operands an unreachable value comes from. The values that branches pass may be cyclic, as they
/// are in loops.
fn made_of(body: &Body, cfg: &ControlFlowGraph, value: Value) -> Option<InstructionId> {
    match body.values[value].definition {
        Definition::Result { instruction, .. } => {
            Some(instruction).filter(|id| !cfg.is_reachable(body.instructions[*id].block))
        }
        Definition::Argument { block, .. } if !cfg.is_reachable(block) => {
            let terminator = cfg.single_predecessor(block).and_then(|predecessor| body.terminator(predecessor));
            terminator.filter(|id| !matches!(body.instructions[*id].opcode, Opcode::Br | Opcode::CondBr))
        }
        Definition::Argument { .. } | Definition::Undef => None,
    }
}
