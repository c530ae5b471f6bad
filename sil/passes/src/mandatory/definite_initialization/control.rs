//! The control variable: tracks at run time which elements are initialised, as an integer in memory with a bit for each
//! element (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp, `handleConditionalInitAssign`).

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{BlockId, Body, Builtin, InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::knowledge::elements::Elements;
use crate::knowledge::numbers::truncated;

/// The memory of the bits, with its reads and writes.
pub(super) struct ControlVariable {
    address: Value,
    width: u32,
    number: SilType,
    bit: SilType,
    operations: Operations,
}

/// The builtins on integers of this width.
struct Operations {
    and: Builtin,
    or: Builtin,
    shift: Builtin,
    truncate: Builtin,
    equal: Builtin,
}

impl ControlVariable {
    /// Allocates memory for the bits, all of which are clear at `mark`. Its lifetime is that of the function.
    pub(super) fn new(queries: &TypeQueries<'_>, body: &mut Body, mark: InstructionId, width: u32) -> Self {
        let integer = |width| queries.context.ty(Type::Builtin(BuiltinType::Integer(width)));
        let ty = integer(width);
        let number = SilType::object(ty);
        let entry = Place::Start(body.entry());
        let address = InstructionBuilder::new(body, entry, mark).alloc_stack(number, None);
        for exit in exits(body) {
            let mut builder = InstructionBuilder::new(body, Place::Before(exit), mark);
            builder.dealloc_stack(address);
        }
        let builtin = |operation: &str| Builtin::plain(queries.context, &format!("{operation}_Int{width}"));
        let operations = Operations {
            and: builtin("and"),
            or: builtin("or"),
            shift: builtin("lshr"),
            truncate: Builtin::plain(queries.context, &format!("trunc_Int{width}_Int1")),
            equal: builtin("cmp_eq"),
        };
        let variable = Self { address, width, number, bit: SilType::object(integer(1)), operations };
        let mut builder = InstructionBuilder::new(body, Place::After(mark), mark);
        let none = variable.literal(&mut builder, 0);
        variable.store(&mut builder, none);
        variable
    }

    /// Returns whether an element has a bit.
    pub(super) fn notes(&self, element: Elements) -> bool {
        element & self.all() == element
    }

    /// Returns all bits.
    fn all(&self) -> Elements {
        Elements::MAX >> (Elements::BITS - self.width)
    }

    /// Records that elements are initialised, or that they are not. Elements without a bit are ignored.
    pub(super) fn write(&self, body: &mut Body, place: Place, like: InstructionId, elements: Elements, known: Known) {
        let elements = elements & self.all();
        if elements == 0 {
            return;
        }
        let mut builder = InstructionBuilder::new(body, place, like);
        let (mask, operation) = match known {
            Known::Yes => (elements, &self.operations.or),
            Known::No => (self.all() & !elements, &self.operations.and),
        };
        let mask = self.literal(&mut builder, mask);
        let value = match elements == self.all() {
            true => mask,
            false => {
                let before = self.load(&mut builder);
                self.computed(&mut builder, operation, [before, mask], self.number)
            }
        };
        self.store(&mut builder, value);
    }

    /// Splits the block in front of `id`. Returns a block for an initialised element, and one for an uninitialised one;
    /// both branch to `id`.
    pub(super) fn guard(&self, body: &mut Body, id: InstructionId, element: Elements) -> [BlockId; 2] {
        self.split(body, id, |builder| {
            let number = self.load(builder);
            if self.width == 1 {
                return number;
            }
            let index = element.trailing_zeros();
            let shifted = match index {
                0 => number,
                _ => {
                    let index = self.literal(builder, index.into());
                    self.computed(builder, &self.operations.shift, [number, index], self.number)
                }
            };
            builder.builtin(self.operations.truncate.clone(), &[shifted], self.bit)
        })
    }

    /// Splits the block in front of `id` for all elements: the first block is for all of them initialised.
    pub(super) fn guard_all(&self, body: &mut Body, id: InstructionId) -> [BlockId; 2] {
        self.split(body, id, |builder| {
            let number = self.load(builder);
            if self.width == 1 {
                return number;
            }
            let all = self.literal(builder, self.all());
            self.computed(builder, &self.operations.equal, [number, all], self.bit)
        })
    }

    fn split(
        &self,
        body: &mut Body,
        id: InstructionId,
        condition: impl FnOnce(&mut InstructionBuilder<'_>) -> Value,
    ) -> [BlockId; 2] {
        let block = body.instructions[id].block;
        let rest = body.split_block(id);
        let (initialized, other) = (body.add_block(), body.add_block());
        let mut builder = InstructionBuilder::new(body, Place::End(block), id).automatic();
        let known = condition(&mut builder);
        builder.cond_br(known, [(initialized, &[]), (other, &[])], [None; 2]);
        for from in [initialized, other] {
            InstructionBuilder::new(body, Place::End(from), id).automatic().branch(rest, &[]);
        }
        [initialized, other]
    }

    fn literal(&self, builder: &mut InstructionBuilder<'_>, bits: Elements) -> Value {
        builder.integer_literal(truncated(bits as i128, self.width), self.number)
    }

    fn load(&self, builder: &mut InstructionBuilder<'_>) -> Value {
        builder.with(trivial()).load(self.address)
    }

    fn store(&self, builder: &mut InstructionBuilder<'_>, value: Value) {
        builder.with(trivial()).store(value, self.address);
    }

    fn computed(
        &self,
        builder: &mut InstructionBuilder<'_>,
        operation: &Builtin,
        of: [Value; 2],
        ty: SilType,
    ) -> Value {
        builder.builtin(operation.clone(), &of, ty)
    }
}

fn trivial() -> AttributeSet {
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::Trivial);
    attributes
}

/// Whether an element is initialised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
}

/// Returns the instructions that leave the function.
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
