//! Lifetimes whose end went with a dead block: they end where they are used last (lib/SIL/Utils/OSSALifetimeCompletion.cpp).

use cranelift_entity::EntityRef;

use super::Facts;
use super::removal::{self, Ending};
use crate::analysis::{ControlFlowGraph, OperandOwnership, Use, Uses};
use crate::instructions::{Opcode, Position};
use crate::model::{BlockId, Body, Definition, InstructionId, Ownership, Place, Value};

/// Ends the lifetime of `value` on all ways on which nothing ends it, behind its last use.
pub(super) fn complete(facts: &Facts<'_>, body: &mut Body, value: Value, ending: Ending) {
    let cfg = ControlFlowGraph::new(body);
    let definition = match body.values[value].definition {
        Definition::Result { instruction, .. } => body.instructions[instruction].block,
        Definition::Argument { block, .. } => block,
        Definition::Undef => return,
    };
    let lifetime = Lifetime::new(facts, body, value);
    let live_in = live_in(body, &cfg, &lifetime.users, definition);
    let mut places = Vec::new();
    for block in body.blocks.keys().filter(|block| *block == definition || live_in[block.index()]) {
        let targets = body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
        let is_live = |target: &BlockId| live_in[target.index()];
        if targets.iter().any(is_live) {
            places.extend(targets.iter().filter(|target| !is_live(target)).map(|target| Place::Start(*target)));
            continue;
        }
        let last = body.instructions_in(block).rev().find(|id| lifetime.users.contains(id));
        match last {
            Some(last) if lifetime.ends.contains(&last) => {}
            Some(last) if body.instructions[last].opcode.information().position == Position::Terminator => {
                places.extend(targets.iter().map(|target| Place::Start(*target)));
            }
            Some(last) => places.push(Place::After(last)),
            None => places.push(body.defining(value).map_or(Place::Start(block), Place::After)),
        }
    }
    for place in places {
        removal::end_lifetime(body, place, value, ending);
    }
}

/// The instructions that use a value.
#[derive(Default)]
struct Lifetime {
    /// All that use it or something borrowed from it.
    users: Vec<InstructionId>,
    /// Those that end it.
    ends: Vec<InstructionId>,
}

impl Lifetime {
    fn new(facts: &Facts<'_>, body: &Body, value: Value) -> Self {
        let uses = Uses::new(body);
        let mut lifetime = Self::default();
        let mut values = vec![value];
        let mut next = 0;
        while let Some(part) = values.get(next).copied() {
            next += 1;
            for found in uses.of(part) {
                lifetime.users.push(found.user);
                match role(facts, body, *found, part) {
                    Role::End if part == value => lifetime.ends.push(found.user),
                    Role::End | Role::Use => {}
                    Role::PassOn => {
                        let new = forwarded(body, *found).into_iter().filter(|value| !values.contains(value));
                        values.extend(new.collect::<Vec<_>>());
                    }
                }
            }
        }
        lifetime
    }
}

/// The results of the user, or the arguments that a switch or a cast passes its value to.
fn forwarded(body: &Body, found: Use) -> Vec<Value> {
    match body.instructions[found.user].opcode {
        Opcode::SwitchEnum | Opcode::CheckedCastBr => {
            body.targets(found.user).iter().flat_map(|target| body.blocks[*target].arguments.iter().copied()).collect()
        }
        _ => body.results(found.user).collect(),
    }
}

/// What a use means for the lifetime of its value.
enum Role {
    Use,
    End,
    /// The value lives as long as the results of the user.
    PassOn,
}

/// The role of a use in the new body. The old one knows about ownership.
fn role(facts: &Facts<'_>, body: &Body, found: Use, value: Value) -> Role {
    let opcode = body.instructions[found.user].opcode;
    let Some(kinds) = &facts.kinds else { return Role::Use };
    let is_new = facts.body.instructions.get(found.user).is_none();
    if is_new || opcode == Opcode::Br {
        let owned = kinds.kind(value) == Ownership::Owned;
        return if owned || kinds.begins_scope(value) { Role::End } else { Role::Use };
    }
    match kinds.operand(found) {
        _ if body.ty(value).is_address() => Role::PassOn,
        ownership if ownership.ends_lifetime() => Role::End,
        OperandOwnership::Borrow | OperandOwnership::ForwardBorrowed | OperandOwnership::InteriorPointer => {
            Role::PassOn
        }
        _ => Role::Use,
    }
}

/// The blocks at whose start the value is still needed.
fn live_in(body: &Body, cfg: &ControlFlowGraph, users: &[InstructionId], definition: BlockId) -> Vec<bool> {
    let mut live_in = vec![false; body.blocks.len()];
    let mut open: Vec<BlockId> = users.iter().map(|id| body.instructions[*id].block).collect();
    while let Some(block) = open.pop() {
        if block != definition && !std::mem::replace(&mut live_in[block.index()], true) {
            open.extend(cfg.predecessors(block));
        }
    }
    live_in
}
