//! Notes, as the program runs, of which elements are initialised: a bit in memory for each element that needs one.

use crate::context::{BuiltinType, Name, SilType, SubstitutionMapId, Type};
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::{BlockId, Body, Builtin, Details, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;
use crate::types::TypeQueries;

/// The memory of a bit, and how bits are written and asked.
pub(super) struct ControlVariable {
    address: Value,
    bit: SilType,
    /// The name of the builtin that says whether two bits are set.
    both: Name,
}

impl ControlVariable {
    /// Makes the memory of a bit that is not set when `mark` is reached. It lives as long as the function runs.
    pub(super) fn new(queries: &TypeQueries<'_>, body: &mut Body, mark: InstructionId) -> Self {
        let ty = queries.context.ty(Type::Builtin(BuiltinType::Integer(1)));
        let (bit, address) = (SilType::object(ty), SilType::address(ty));
        let entry = Place::Start(body.entry());
        let new = body.insert(
            entry,
            crate::model::NewInstruction {
                opcode: Opcode::AllocStack,
                attributes: AttributeSet::default(),
                details: Details::None,
                operands: &[],
                types: &[bit],
                targets: &[],
                results: &[address],
                span: body.instructions[mark].span,
                location: body.instructions[mark].location,
                traits: body.instructions[mark].traits,
            },
        );
        let address = body.results(new).next().unwrap_or_else(|| body.undef(address));
        for exit in exits(body) {
            let mut builder = InstructionBuilder::new(body, Place::Before(exit), mark);
            builder.instruction(Opcode::DeallocStack, Details::None, &[address]);
        }
        let variable = Self { address, bit, both: queries.context.name("and_Int1") };
        variable.write(body, Place::After(mark), mark, Known::No);
        variable
    }

    /// Notes that the element is initialised, or that it is not.
    pub(super) fn write(&self, body: &mut Body, place: Place, like: InstructionId, known: Known) {
        let mut builder = InstructionBuilder::new(body, place, like);
        let value = Details::Integer(if known == Known::Yes { -1 } else { 0 });
        let value = builder.value_of_written_type(Opcode::IntegerLiteral, value, &[], self.bit);
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Trivial);
        builder.with_attributes(Opcode::Store, attributes, Details::None, &[value, self.address]);
    }

    /// Splits the block before `id`: gives a block that is gone through where the element is initialised, and one for where it is not; both lead
    /// to `id`.
    pub(super) fn guard(&self, body: &mut Body, id: InstructionId) -> [BlockId; 2] {
        Self::guard_all(&[self], body, id)
    }

    /// The same for several elements: the first block is gone through where all are initialised.
    pub(super) fn guard_all(variables: &[&Self], body: &mut Body, id: InstructionId) -> [BlockId; 2] {
        let block = body.instructions[id].block;
        let rest = body.split_block(id);
        let (initialized, other) = (body.add_block(), body.add_block());
        let mut builder = InstructionBuilder::new(body, Place::End(block), id);
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Trivial);
        let mut known: Option<Value> = None;
        for Self { address, bit, both } in variables {
            let next = builder.value_with_attributes(Opcode::Load, attributes, Details::None, &[*address], *bit);
            known = Some(match known {
                Some(known) => {
                    let and =
                        Details::Builtin(Box::new(Builtin { name: *both, substitutions: SubstitutionMapId::EMPTY }));
                    builder.value_of_written_type(Opcode::Builtin, and, &[known, next], *bit)
                }
                None => next,
            });
        }
        let arguments = Details::CondBranch { true_arguments: 0, counts: [None; 2] };
        builder.terminator(Opcode::CondBr, arguments, known.as_slice(), &[initialized, other]);
        for from in [initialized, other] {
            InstructionBuilder::new(body, Place::End(from), id).branch(rest, &[]);
        }
        [initialized, other]
    }
}

/// Whether an element is initialised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
}

/// The instructions that leave the function.
fn exits(body: &Body) -> Vec<InstructionId> {
    let terminators = body.blocks.keys().filter_map(|block| body.terminator(block));
    let leaves = |id: &InstructionId| {
        matches!(
            body.instructions[*id].opcode,
            Opcode::Return | Opcode::ReturnBorrow | Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind
        )
    };
    terminators.filter(leaves).collect()
}
