//! Boxes that closures capture, and how what is in them is marked.

use crate::analysis::Uses;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{ProjectBox, Unary};
use crate::model::{Body, InstructionId, Value};

/// The box that `boxed` is a copy or a borrow of.
pub(in crate::transform) fn box_root(body: &Body, boxed: Value) -> Value {
    let mut root = boxed;
    while let Some(id) = body.defining(root)
        && matches!(body.instructions[id].opcode, Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MarkUninitialized)
    {
        root = Unary::of(body, id).operand;
    }
    root
}

/// The box that an address is projected from, as the argument of the function that it is.
pub(in crate::transform) fn captured_box(body: &Body, projection: InstructionId) -> Option<usize> {
    let boxed = box_root(body, ProjectBox::get(body, projection)?.operand);
    body.blocks[body.entry()].arguments.iter().position(|argument| *argument == boxed)
}

/// Where what `addresses` lead to is marked as noncopyable, unless that is for good.
pub(in crate::transform) fn marks_of(body: &Body, uses: &Uses, addresses: Vec<Value>) -> Vec<InstructionId> {
    let mut open = addresses;
    let mut marks = Vec::new();
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            let instruction = &body.instructions[user];
            match instruction.opcode {
                Opcode::BeginAccess => open.extend(body.result(user)),
                Opcode::MarkUnresolvedNonCopyableValue => {
                    open.extend(body.result(user));
                    if !instruction.attributes.contains(Attribute::Strict) {
                        marks.push(user);
                    }
                }
                _ => {}
            }
        }
    }
    marks
}
