//! Expands shifts of integers of more than 32 bits to shifts of their words, for 32-bit Arm.
//!
//! LLVM expands them for Arm with a shift by 32 minus the distance, which is 32 if the distance is 0. The processor
//! returns 0 for that, but LLVM treats it as undefined, and simplifies dependent code wrongly if it knows bits of the
//! number and of the distance. Here no half is shifted by its full width.
//!
//! The build script of this crate includes this file too, for the C library of the embedded runtime: it only uses
//! inkwell.

use std::num::NonZeroU32;

use inkwell::IntPredicate;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::IntType;
use inkwell::values::{AnyValue, InstructionOpcode, InstructionValue, IntValue};

/// Replaces all shifts of integers wider than a register by distances that are not constant.
///
/// # Errors
/// Errors of LLVM's builder, which do not occur for a module that LLVM's verifier accepts.
pub fn expand_wide<'ctx>(context: &'ctx Context, module: &Module<'ctx>) -> Result<(), BuilderError> {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let instructions: Vec<InstructionValue<'ctx>> = blocks.flat_map(|block| block.get_instructions()).collect();
    let builder = context.create_builder();
    // Operands are read one shift after the other: one may be the result of a shift that was just replaced.
    for instruction in instructions {
        if let Some(shift) = WideShift::of(instruction) {
            // At the shift's position, with its debug location.
            builder.position_before(&instruction);
            let expanded = shift.expand(&Expansion { context, builder: &builder, direction: shift.direction })?;
            shift.result.replace_all_uses_with(expanded);
            instruction.erase_from_basic_block();
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Direction {
    Left,
    Right,
    /// Arithmetic: the sign is shifted in from above.
    RightSigned,
}

struct WideShift<'ctx> {
    direction: Direction,
    result: IntValue<'ctx>,
    number: IntValue<'ctx>,
    distance: IntValue<'ctx>,
}

/// The width of a register in bits.
const WORD: u32 = 32;

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
        let is_wide = result.get_type().get_bit_width() > WORD && !distance.is_const();
        is_wide.then_some(Self { direction, result, number, distance })
    }

    /// Expands the shift. Widths that cannot be halved evenly are extended to the next larger ones that can.
    fn expand(&self, expansion: &Expansion<'ctx, '_>) -> Result<IntValue<'ctx>, BuilderError> {
        let width = self.result.get_type().get_bit_width();
        let number = match self.direction {
            Direction::RightSigned => expansion.extend_sign(self.number, width.next_power_of_two())?,
            Direction::Left | Direction::Right => expansion.resize(self.number, width.next_power_of_two())?,
        };
        let distance = expansion.resize(self.distance, WORD)?;
        expansion.resize(expansion.shift(number, distance)?, width)
    }
}

/// Emits the instructions of one shift.
struct Expansion<'ctx, 'a> {
    context: &'ctx Context,
    builder: &'a Builder<'ctx>,
    direction: Direction,
}

impl<'ctx> Expansion<'ctx, '_> {
    /// Shifts a number whose width is `WORD` times a power of two.
    fn shift(&self, number: IntValue<'ctx>, distance: IntValue<'ctx>) -> Result<IntValue<'ctx>, BuilderError> {
        let width = number.get_type().get_bit_width();
        if width == WORD {
            return match self.direction {
                Direction::Left => self.builder.build_left_shift(number, distance, ""),
                Direction::Right => self.builder.build_right_shift(number, distance, false, ""),
                Direction::RightSigned => self.builder.build_right_shift(number, distance, true, ""),
            };
        }
        let half = width / 2;
        // The distance within a half, and the remaining distance minus one.
        let near = self.builder.build_and(distance, self.word(half - 1), "")?;
        let rest = self.builder.build_xor(near, self.word(half - 1), "")?;
        let crossing = self.builder.build_and(distance, self.word(half), "")?;
        let crosses = self.builder.build_int_compare(IntPredicate::NE, crossing, self.word(0), "")?;
        let choose = |yes: IntValue<'ctx>, no: IntValue<'ctx>| {
            self.builder.build_select(crosses, yes, no, "").map(|chosen| chosen.into_int_value())
        };
        let constant = |value: u32| self.int(half, value);
        let low = self.resize(number, half)?;
        let high = self.resize(self.builder.build_right_shift(number, self.int(width, half), false, "")?, half)?;
        let (low, high) = match self.direction {
            Direction::Left => {
                let upper = self.builder.build_right_shift(low, constant(1), false, "")?;
                let carried = self.toward(Direction::Right).shift(upper, rest)?;
                let shifted = self.shift(low, near)?;
                let joined = self.builder.build_or(self.shift(high, near)?, carried, "")?;
                (choose(constant(0), shifted)?, choose(shifted, joined)?)
            }
            Direction::Right | Direction::RightSigned => {
                let lower = self.builder.build_left_shift(high, constant(1), "")?;
                let carried = self.toward(Direction::Left).shift(lower, rest)?;
                let kept = self.toward(Direction::Right).shift(low, near)?;
                let joined = self.builder.build_or(kept, carried, "")?;
                let shifted = self.shift(high, near)?;
                let above = match self.direction {
                    Direction::RightSigned => self.builder.build_right_shift(high, constant(half - 1), true, "")?,
                    Direction::Left | Direction::Right => constant(0),
                };
                (choose(shifted, joined)?, choose(above, shifted)?)
            }
        };
        let upper = self.builder.build_left_shift(self.resize(high, width)?, self.int(width, half), "")?;
        self.builder.build_or(self.resize(low, width)?, upper, "")
    }

    fn toward(&self, direction: Direction) -> Expansion<'ctx, '_> {
        Expansion { direction, ..*self }
    }

    #[expect(
        clippy::expect_used,
        reason = "LLVM has the width: it is at most twice that of a shift that the module has"
    )]
    fn int_type(&self, width: u32) -> IntType<'ctx> {
        let width = NonZeroU32::new(width).expect("halves of a word are not made");
        self.context.custom_width_int_type(width).expect("LLVM has the width")
    }

    fn int(&self, width: u32, value: u32) -> IntValue<'ctx> {
        self.int_type(width).const_int(u64::from(value), false)
    }

    fn word(&self, value: u32) -> IntValue<'ctx> {
        self.int(WORD, value)
    }

    /// Zero-extends or truncates.
    fn resize(&self, number: IntValue<'ctx>, width: u32) -> Result<IntValue<'ctx>, BuilderError> {
        let ty = self.int_type(width);
        match number.get_type().get_bit_width() {
            from if from < width => self.builder.build_int_z_extend(number, ty, ""),
            from if from > width => self.builder.build_int_truncate(number, ty, ""),
            _ => Ok(number),
        }
    }

    fn extend_sign(&self, number: IntValue<'ctx>, width: u32) -> Result<IntValue<'ctx>, BuilderError> {
        if number.get_type().get_bit_width() == width {
            return Ok(number);
        }
        self.builder.build_int_s_extend(number, self.int_type(width), "")
    }
}
