//! Making instructions: where they stand, and for which instruction of the source they do.

use crate::context::SilType;
use crate::instructions::{AttributeSet, Opcode};
use crate::model::{BlockId, Body, Details, InstructionId, LocationKind, LocationTraits, NewInstruction, Place, Value};

/// Makes instructions at one place. Each next one stands behind those before it; all have the location of one that was there.
pub struct InstructionBuilder<'b> {
    body: &'b mut Body,
    place: Place,
    like: InstructionId,
    kind: Option<LocationKind>,
}

impl<'b> InstructionBuilder<'b> {
    /// A builder at `place`; debuggers and messages take what it makes for a part of `like`.
    pub fn new(body: &'b mut Body, place: Place, like: InstructionId) -> Self {
        Self { body, place, like, kind: None }
    }

    /// Says what the instructions that are made from now on have to do with the source.
    pub fn set_location_kind(&mut self, kind: LocationKind) {
        self.kind = Some(kind);
    }

    /// The type of a value, of one that was made here too.
    pub fn ty(&self, value: Value) -> SilType {
        self.body.ty(value)
    }

    /// Makes an instruction of the kind `opcode`.
    pub fn instruction(&mut self, opcode: Opcode, details: Details, operands: &[Value]) -> InstructionId {
        let new = self.new_instruction(opcode, details, operands);
        self.make(new)
    }

    /// The same with attributes.
    pub fn with_attributes(
        &mut self,
        opcode: Opcode,
        attributes: AttributeSet,
        details: Details,
        operands: &[Value],
    ) -> InstructionId {
        let new = self.new_instruction(opcode, details, operands);
        self.make(NewInstruction { attributes, ..new })
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
        let new = self.new_instruction(opcode, details, operands);
        self.make(NewInstruction { attributes, results: &[ty], ..new });
        first
    }

    /// Makes an instruction that says the type of its one result, and gives that.
    pub fn value_of_written_type(
        &mut self,
        opcode: Opcode,
        details: Details,
        operands: &[Value],
        ty: SilType,
    ) -> Value {
        let first = self.body.values.next_key();
        let new = self.new_instruction(opcode, details, operands);
        self.make(NewInstruction { types: &[ty], results: &[ty], ..new });
        first
    }

    /// The same with several written types, and attributes.
    pub fn value_of_written_types(
        &mut self,
        opcode: Opcode,
        attributes: AttributeSet,
        details: Details,
        operands: &[Value],
        types: &[SilType],
        ty: SilType,
    ) -> Value {
        let first = self.body.values.next_key();
        let new = self.new_instruction(opcode, details, operands);
        self.make(NewInstruction { attributes, types, results: &[ty], ..new });
        first
    }

    /// Makes an instruction with a result of each of these types, and gives them.
    pub fn values(&mut self, opcode: Opcode, operands: &[Value], types: &[SilType]) -> Vec<Value> {
        let new = self.new_instruction(opcode, Details::None, operands);
        let made = self.make(NewInstruction { results: types, ..new });
        self.body.results(made).collect()
    }

    /// Makes an instruction with one result.
    pub fn instruction_with_result(
        &mut self,
        opcode: Opcode,
        details: Details,
        operands: &[Value],
        ty: SilType,
    ) -> InstructionId {
        let new = self.new_instruction(opcode, details, operands);
        self.make(NewInstruction { results: &[ty], ..new })
    }

    /// Makes an instruction like `id`, of other operands of the same types.
    pub fn again(&mut self, id: InstructionId, operands: &[Value]) -> InstructionId {
        let old = self.body.instructions[id].clone();
        let (types, targets) = (self.body.types(id).to_vec(), self.body.targets(id).to_vec());
        let results: Vec<SilType> = self.body.results(id).map(|result| self.body.ty(result)).collect();
        let new = self.new_instruction(old.opcode, old.details, operands);
        self.make(NewInstruction {
            attributes: old.attributes,
            types: &types,
            targets: &targets,
            results: &results,
            ..new
        })
    }

    /// Makes a terminator that leads to `targets`.
    pub fn terminator(&mut self, opcode: Opcode, details: Details, operands: &[Value], targets: &[BlockId]) {
        let new = self.new_instruction(opcode, details, operands);
        self.make(NewInstruction { targets, ..new });
    }

    /// Makes a `br` to `target` that passes `arguments`.
    pub fn branch(&mut self, target: BlockId, arguments: &[Value]) {
        self.terminator(Opcode::Br, Details::None, arguments, &[target]);
    }

    fn new_instruction<'a>(&self, opcode: Opcode, details: Details, operands: &'a [Value]) -> NewInstruction<'a> {
        let like = &self.body.instructions[self.like];
        NewInstruction {
            opcode,
            attributes: AttributeSet::default(),
            details,
            operands,
            types: &[],
            targets: &[],
            results: &[],
            span: like.span,
            location: like.location,
            traits: LocationTraits { kind: self.kind.unwrap_or(like.traits.kind), ..like.traits },
        }
    }

    fn make(&mut self, new: NewInstruction<'_>) -> InstructionId {
        let made = self.body.insert(self.place, new);
        self.place = match self.place {
            Place::Start(_) | Place::After(_) => Place::After(made),
            place @ (Place::Before(_) | Place::End(_)) => place,
        };
        made
    }
}
