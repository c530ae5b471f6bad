//! Forwarding: the operands of an instruction that live on in its results
//! (SwiftCompilerSources/Sources/SIL/ForwardingInstruction.swift). Block arguments forward the values that branches
//! pass for them.

use std::ops::Range;

use rustc_hash::FxHashSet;
use sil_ir::instructions::{Opcode, OperandUse};
use sil_ir::model::{Definition, InstructionId, Value};

use super::ownership::forwards_anything;
use super::{BodyView, Use};
use crate::Worklist;

/// The fate of a value that is forwarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForwardedUse {
    /// A use that does not forward it.
    Operand(Use),
    /// It, or the value that this use forwards it to, has no use.
    Dead(Value, Option<Use>),
}

/// The numbers of the operands that an instruction forwards: all of an aggregate, the tuple after the index of an
/// element of a pack in it, else the first one.
fn forwarded_numbers(view: &BodyView<'_>, id: InstructionId) -> Range<usize> {
    let count = view.body.operands(id).len();
    match view.opcode(id) {
        Opcode::Struct | Opcode::Tuple | Opcode::Enum | Opcode::DifferentiableFunction | Opcode::LinearFunction => {
            0..count
        }
        Opcode::TuplePackExtract => count.min(1)..count,
        opcode if forwards_anything(opcode) => 0..count.min(1),
        _ => 0..0,
    }
}

/// The operands that an instruction forwards.
fn forwarded_operands<'m>(view: &BodyView<'m>, id: InstructionId) -> &'m [Value] {
    &view.body.operands(id)[forwarded_numbers(view, id)]
}

/// The instruction whose result `value` is, or the terminator that passes it its source.
fn maker(view: &BodyView<'_>, value: Value) -> Option<InstructionId> {
    match view.body.values[value].definition {
        Definition::Result { instruction, .. } => Some(instruction),
        Definition::Argument { block, .. } => {
            let terminator = view.body.terminator(view.cfg.single_predecessor(block)?)?;
            matches!(view.opcode(terminator), Opcode::SwitchEnum | Opcode::CheckedCastBr).then_some(terminator)
        }
        Definition::Undef => None,
    }
}

/// The operands that `value` comes from if an instruction, or a terminator that passes it on, forwards them; none if it
/// is not forwarded.
pub fn forwarded_from<'m>(view: &BodyView<'m>, value: Value) -> &'m [Value] {
    maker(view, value).map_or(&[][..], |id| forwarded_operands(view, id))
}

/// The values that were forwarded to `value`: those that are not made by forwarding themselves.
pub fn lifetime_introducers(view: &BodyView<'_>, value: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut open = Worklist::new([value]);
    while let Some(value) = open.pop() {
        let operands = forwarded_from(view, value);
        let from = match view.incoming_values(value) {
            _ if !operands.is_empty() => operands.to_vec(),
            Some(incoming) => incoming,
            None => {
                found.push(value);
                continue;
            }
        };
        open.extend(from.into_iter().rev());
    }
    found
}

/// The uses of `value` and of all that it is forwarded to which do not forward it.
pub fn forwarded_uses(view: &BodyView<'_>, value: Value) -> Vec<ForwardedUse> {
    let mut found = Vec::new();
    add_uses(view, value, None, &mut FxHashSet::default(), &mut found);
    found
}

fn add_uses(
    view: &BodyView<'_>,
    value: Value,
    from: Option<Use>,
    seen: &mut FxHashSet<Value>,
    found: &mut Vec<ForwardedUse>,
) {
    if !seen.insert(value) {
        return;
    }
    let is_named_only =
        |found: &Use| view.opcode(found.user).information().operand_use(found.operand as usize) == OperandUse::Mention;
    let uses: Vec<Use> = view.uses.of(value).iter().rev().filter(|found| !is_named_only(found)).copied().collect();
    if uses.is_empty() {
        found.push(ForwardedUse::Dead(value, from));
    }
    for next in uses {
        let is_forwarded = forwarded_numbers(view, next.user).contains(&(next.operand as usize));
        match view.branch_argument(next) {
            Some(argument) => add_uses(view, argument, Some(next), seen, found),
            None if is_forwarded => {
                for value in forwarded_results(view, next.user) {
                    add_uses(view, value, Some(next), seen, found);
                }
            }
            None => found.push(ForwardedUse::Operand(next)),
        }
    }
}

/// The results of an instruction that forwards, or the block arguments that a terminator passes something to.
fn forwarded_results(view: &BodyView<'_>, id: InstructionId) -> Vec<Value> {
    let targets = view.body.targets(id);
    if targets.is_empty() {
        return view.body.results(id).collect();
    }
    targets.iter().flat_map(|target| &view.body.blocks[*target].arguments).copied().collect()
}
