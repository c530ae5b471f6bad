//! Projection paths of values and addresses.

use sil_analysis::BodyView;
use sil_ir::context::MemberId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{RefElementAddr, StructExtract, TupleExtract};
use sil_ir::model::{Body, InstructionId, Value};

/// A projection from a value to one of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathStep {
    /// A field of a struct.
    Field(MemberId),
    /// An element of a tuple.
    Element(u32),
    /// A stored property of an object.
    Property(MemberId),
    /// The tail-allocated elements of an object.
    Tail,
    /// The contents of a box.
    Content,
}

impl PathStep {
    /// Returns whether the step leads to memory that other references may refer to as well.
    pub(crate) fn is_indirect(self) -> bool {
        matches!(self, Self::Property(_) | Self::Tail | Self::Content)
    }
}

/// Returns the step of a projection, and its operand.
pub(crate) fn step(body: &Body, id: InstructionId) -> Option<(PathStep, Value)> {
    Some(match body.instructions[id].opcode {
        Opcode::StructExtract | Opcode::StructElementAddr => {
            let StructExtract { operand, field } = StructExtract::of(body, id);
            (PathStep::Field(field), operand)
        }
        Opcode::TupleExtract | Opcode::TupleElementAddr => {
            let TupleExtract { operand, index } = TupleExtract::of(body, id);
            (PathStep::Element(index), operand)
        }
        Opcode::RefElementAddr => {
            let RefElementAddr { object, field } = RefElementAddr::of(body, id);
            (PathStep::Property(field), object)
        }
        Opcode::RefTailAddr => (PathStep::Tail, *body.operands(id).first()?),
        Opcode::ProjectBox => (PathStep::Content, *body.operands(id).first()?),
        _ => return None,
    })
}

/// Strips block arguments with a single incoming value (`stripSinglePredecessorArgs`).
pub(crate) fn without_single_arguments(view: &BodyView<'_>, mut value: Value) -> Value {
    while let Some([only]) = view.incoming_values(value).as_deref() {
        value = *only;
    }
    value
}
