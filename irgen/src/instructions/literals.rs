//! Literals: integers, floats, strings.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::families::Literals;
use sil_ir::model::views::{FloatLiteral, IntegerLiteral, IntegerValue, StringLiteral};
use sil_ir::model::{InstructionId, StringEncoding};

use super::{Emit, Lowering};
use crate::generation::IRGenFunction;
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Literals) -> Lowering {
    use Literals::*;
    let emit: Emit = match opcode {
        FunctionRef | DynamicFunctionRef => super::calls::function_ref,
        PrevDynamicFunctionRef => super::calls::previous_function_ref,
        IntegerLiteral => integer,
        FloatLiteral => float,
        StringLiteral => string,
        HasSymbol => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// `integer_literal`
pub(super) fn integer<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let IntegerLiteral { ty, value } = IntegerLiteral::of(function.body, instruction);
    let narrow;
    let words = match value {
        IntegerValue::Narrow(value) => {
            narrow = [value as u64, (value >> 64) as u64];
            narrow.as_slice()
        }
        IntegerValue::Wide(words) => words,
    };
    match function.module.sil.context.get(ty.ty) {
        Type::Builtin(BuiltinType::IntegerLiteral) => emit_unbounded_integer(function, instruction, words),
        _ => emit_integer(function, instruction, ty, words),
    }
}

/// `float_literal`
pub(super) fn float<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let FloatLiteral { bits } = FloatLiteral::of(function.body, instruction);
    let result = function.body.result(instruction);
    let Some(result) = result else { return Ok(()) };
    let info = function.info_of(result)?;
    let [element] = info.elements.as_slice() else {
        return Err(function.unsupported(instruction, "a float literal of this type"));
    };
    let words = [bits as u64, (bits >> 64) as u64];
    let pattern = function.builder.wide_int(element.bits, &words[..(element.bits as usize).div_ceil(64)]);
    let value = function.builder.scalar_of_bits(pattern, function.builder.scalar_type(element.scalar));
    function.bind_result(instruction, vec![value]);
    Ok(())
}

/// `string_literal`
pub(super) fn string<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let StringLiteral { literal } = StringLiteral::of(function.body, instruction);
    match literal.encoding {
        StringEncoding::Utf8 | StringEncoding::Bytes | StringEncoding::OsLog => {
            let address = function.module.string_constant(&literal.bytes);
            function.bind_result(instruction, vec![address.into()]);
            Ok(())
        }
        StringEncoding::Utf16 => Err(function.unsupported(instruction, "UTF-16 string literals")),
        StringEncoding::ObjCSelector => Err(function.unsupported(instruction, "Objective-C selectors")),
    }
}

/// Emits an integer from words in two's complement, least significant first, which is sign-extended.
fn emit_integer<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    ty: SilType,
    words: &[u64],
) -> Generated<()> {
    let info = function.info(ty)?;
    let [element] = info.elements.as_slice() else {
        return Err(function.unsupported(instruction, "an integer literal of this type"));
    };
    let is_negative = words.last().is_some_and(|word| *word >> 63 != 0);
    let mut extended = words.to_vec();
    extended.resize((element.bits as usize).div_ceil(64).max(words.len()), if is_negative { u64::MAX } else { 0 });
    extended.truncate((element.bits as usize).div_ceil(64));
    let value = function.builder.wide_int(element.bits, &extended);
    function.bind_result(instruction, vec![value.into()]);
    Ok(())
}

/// Emits an integer without a fixed width: the address of its pointer-sized words, and a word with its number of bits,
/// including the sign, above a byte for its sign.
fn emit_unbounded_integer<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    words: &[u64],
) -> Generated<()> {
    let word_bits = u64::from(function.module.pointer_bits());
    let width = significant_bits(words);
    let count = width.div_ceil(word_bits) as usize;
    let words: Vec<u64> = match word_bits {
        64 => words.to_vec(),
        _ => words.iter().flat_map(|word| [word & u64::from(u32::MAX), word >> 32]).collect(),
    };
    let is_negative = words.get(count - 1).is_some_and(|word| word >> (word_bits - 1) & 1 != 0);
    let address = function.module.integer_literal_words(&words[..count]);
    let flags = function.module.word_type().const_int(width << 8 | u64::from(is_negative), false);
    function.bind_result(instruction, vec![address.into(), flags.into()]);
    Ok(())
}

/// Returns the minimum number of bits in two's complement for the number in `words`, which is not empty.
fn significant_bits(words: &[u64]) -> u64 {
    let is_negative = words.last().is_some_and(|word| word >> 63 != 0);
    let magnitude = |word: u64| if is_negative { !word } else { word };
    let highest = words.iter().enumerate().rev().find(|(_, word)| magnitude(**word) != 0);
    1 + highest.map_or(0, |(index, word)| index as u64 * 64 + 64 - u64::from(magnitude(*word).leading_zeros()))
}
