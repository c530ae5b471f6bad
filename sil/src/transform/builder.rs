//! Making instructions: where they stand, and for which instruction of the source they do.

use crate::context::SilType;
use crate::instructions::{AttributeSet, Opcode};
use crate::model::{BlockId, Body, Details, InstructionId, NewInstruction, Place, Value};

/// Makes instructions at one place. Each next one stands behind those before it; all have the location of one that was there.
pub struct InstructionBuilder<'b> {
    body: &'b mut Body,
    place: Place,
    like: InstructionId,
}

impl<'b> InstructionBuilder<'b> {
    /// A builder at `place`; debuggers and messages take what it makes for a part of `like`.
    pub fn new(body: &'b mut Body, place: Place, like: InstructionId) -> Self {
        Self { body, place, like }
    }

    /// Makes an instruction of the kind `opcode`.
    pub fn instruction(&mut self, opcode: Opcode, details: Details, operands: &[Value]) -> InstructionId {
        self.make(opcode, AttributeSet::default(), details, operands, &[], &[])
    }

    /// The same with attributes.
    pub fn with_attributes(
        &mut self,
        opcode: Opcode,
        attributes: AttributeSet,
        details: Details,
        operands: &[Value],
    ) -> InstructionId {
        self.make(opcode, attributes, details, operands, &[], &[])
    }

    /// Makes an instruction with one result of type `ty`, and gives that.
    pub fn value(&mut self, opcode: Opcode, details: Details, operands: &[Value], ty: SilType) -> Value {
        self.value_with_attributes(opcode, AttributeSet::default(), details, operands, ty)
    }

    /// The same with attributes.
    pub fn value_with_attributes(
        &mut self,
        opcode: Opcode,
        attributes: AttributeSet,
        details: Details,
        operands: &[Value],
        ty: SilType,
    ) -> Value {
        let first = self.body.values.next_key();
        self.make(opcode, attributes, details, operands, &[], &[ty]);
        first
    }

    /// Makes a terminator that leads to `targets`.
    pub fn terminator(&mut self, opcode: Opcode, details: Details, operands: &[Value], targets: &[BlockId]) {
        self.make(opcode, AttributeSet::default(), details, operands, targets, &[]);
    }

    /// Makes a `br` to `target` that passes `arguments`.
    pub fn branch(&mut self, target: BlockId, arguments: &[Value]) {
        self.terminator(Opcode::Br, Details::None, arguments, &[target]);
    }

    fn make(
        &mut self,
        opcode: Opcode,
        attributes: AttributeSet,
        details: Details,
        operands: &[Value],
        targets: &[BlockId],
        results: &[SilType],
    ) -> InstructionId {
        let like = &self.body.instructions[self.like];
        let (span, location) = (like.span, like.location);
        let new =
            NewInstruction { opcode, attributes, details, operands, types: &[], targets, results, span, location };
        let made = self.body.insert(self.place, new);
        self.place = match self.place {
            Place::Start(_) | Place::After(_) => Place::After(made),
            place @ (Place::Before(_) | Place::End(_)) => place,
        };
        made
    }
}
