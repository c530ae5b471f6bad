//! Shifts of 64-bit integers as shifts of their halves, for 32-bit Arm.
//!
//! LLVM expands them for Arm with a shift by 32 minus the distance, which is 32 where the distance is 0. The processor gives 0 for that, but
//! LLVM takes it for undefined, and simplifies what depends on it wrongly where it knows bits of the number and of the distance. Here no half
//! is shifted by as many bits as it has.

use inkwell::IntPredicate;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::values::{AnyValue, InstructionOpcode, InstructionValue, IntValue};

use super::builder::Builder;

/// Replaces all shifts of 64-bit integers by distances that are not constant.
pub fn expand_wide<'ctx>(context: &'ctx Context, module: &Module<'ctx>) {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let instructions: Vec<InstructionValue<'ctx>> = blocks.flat_map(|block| block.get_instructions()).collect();
    let builder = Builder::new(context);
    // Operands are read one shift after the other: one may be the result of a shift that was just replaced.
    for instruction in instructions {
        if let Some(shift) = WideShift::of(instruction) {
            let expanded = shift.expand(&builder);
            shift.result.replace_all_uses_with(expanded);
            instruction.erase_from_basic_block();
        }
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Left,
    Right,
    /// The sign comes in from above.
    RightSigned,
}

struct WideShift<'ctx> {
    instruction: InstructionValue<'ctx>,
    direction: Direction,
    result: IntValue<'ctx>,
    number: IntValue<'ctx>,
    distance: IntValue<'ctx>,
}

/// The width of a half in bits.
const HALF: u32 = 32;

impl<'ctx> WideShift<'ctx> {
    fn of(instruction: InstructionValue<'ctx>) -> Option<Self> {
        let direction = match instruction.get_opcode() {
            InstructionOpcode::Shl => Direction::Left,
            InstructionOpcode::LShr => Direction::Right,
            InstructionOpcode::AShr => Direction::RightSigned,
            _ => return None,
        };
        let operand = |index| IntValue::try_from(instruction.get_operand(index)?.value()?).ok();
        let result = IntValue::try_from(instruction.as_any_value_enum()).ok()?;
        let (number, distance) = (operand(0)?, operand(1)?);
        let is_wide = result.get_type().get_bit_width() == 2 * HALF && !distance.is_const();
        is_wide.then_some(Self { instruction, direction, result, number, distance })
    }

    fn expand(&self, builder: &Builder<'ctx>) -> IntValue<'ctx> {
        // Where the shift is, in the program and in the source.
        builder.inkwell().position_before(&self.instruction);
        let distance = builder.resize(self.distance, HALF);
        let constant = |bits: u32| distance.get_type().const_int(u64::from(bits), false);
        // Within a half, and what that leaves of one but for a bit.
        let near = builder.and(distance, constant(HALF - 1));
        let rest = builder.xor(near, constant(HALF - 1));
        let crosses = builder.compare(IntPredicate::NE, builder.and(distance, constant(HALF)), constant(0));
        let choose =
            |yes: IntValue<'ctx>, no: IntValue<'ctx>| builder.select(crosses, yes.into(), no.into()).into_int_value();
        let (low, high) = (builder.resize(self.number, HALF), builder.resize(builder.lshr(self.number, HALF), HALF));
        let (low, high) = match self.direction {
            Direction::Left => {
                let carried = builder.logical_shift_right(builder.lshr(low, 1), rest);
                let shifted = builder.shift_left(low, near);
                (choose(constant(0), shifted), choose(shifted, builder.or(builder.shift_left(high, near), carried)))
            }
            Direction::Right | Direction::RightSigned => {
                let carried = builder.shift_left(builder.shl(high, 1), rest);
                let joined = builder.or(builder.logical_shift_right(low, near), carried);
                let (shifted, above) = match self.direction {
                    Direction::RightSigned => (
                        builder.arithmetic_shift_right(high, near),
                        builder.arithmetic_shift_right(high, constant(HALF - 1)),
                    ),
                    Direction::Left | Direction::Right => (builder.logical_shift_right(high, near), constant(0)),
                };
                (choose(shifted, joined), choose(above, shifted))
            }
        };
        builder.or(builder.resize(low, 2 * HALF), builder.shl(builder.resize(high, 2 * HALF), HALF))
    }
}
