//! Boxes that closures capture, and the marks of their contents.

use sil_analysis::Uses;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{ProjectBox, Unary};
use sil_ir::model::{Body, InstructionId, Value};

/// Returns the box that `boxed` is a copy or a borrow of.
pub(crate) fn box_root(body: &Body, boxed: Value) -> Value {
    let mut root = boxed;
    while let Some(id) = body.defining(root)
        && matches!(body.instructions[id].opcode, Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MarkUninitialized)
    {
        root = Unary::of(body, id).operand;
    }
    root
}

/// Returns the index of the argument that is the box of a `project_box`.
pub(crate) fn captured_box(body: &Body, projection: InstructionId) -> Option<usize> {
    let boxed = box_root(body, ProjectBox::get(body, projection)?.operand);
    body.blocks[body.entry()].arguments.iter().position(|argument| *argument == boxed)
}

/// Returns the `mark_unresolved_non_copyable_value` instructions reached from `addresses`, without those that are
/// final.
pub(crate) fn marks_of(body: &Body, uses: &Uses, addresses: Vec<Value>) -> Vec<InstructionId> {
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
