//! Builtins on integer literals without a fixed width, `Builtin.IntLiteral`: the address of their words, least
//! significant first, and flags with the width in bits above the sign (include/swift/ABI/MetadataValues.h,
//! `IntegerLiteralFlags`; lib/IRGen/GenIntegerLiteral.cpp).

use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::BuiltinType;
use sil_ir::instructions::builtins::NamedBuiltin;

use super::Call;
use crate::generation::Explosion;
use crate::refusal::Generated;

/// The bit position of the width in a literal's flags. The sign is bit 0.
const WIDTH_SHIFT: u64 = 8;

/// An integer literal at run time.
struct UnboundedInteger<'ctx> {
    words: PointerValue<'ctx>,
    /// The number of bits in two's complement, including the sign.
    width: IntValue<'ctx>,
    is_negative: IntValue<'ctx>,
}

impl<'ctx> Call<'_, '_, 'ctx> {
    /// `isNegative`, `bitWidth` and `wordAtIndex`.
    pub(super) fn emit_literal_part(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let literal = self.unbounded_integer()?;
        let part: BasicValueEnum<'ctx> = match named {
            NamedBuiltin::IsNegative => literal.is_negative.into(),
            NamedBuiltin::BitWidth => literal.width.into(),
            NamedBuiltin::WordAtIndex => self.load_literal_word(&literal, self.int(2)?).into(),
            _ => return Err(self.unsupported()),
        };
        Ok(vec![part])
    }

    /// Returns whether the operand of the builtin is an integer literal.
    pub(super) fn takes_literal(&self) -> bool {
        self.operation.types.first() == Some(&BuiltinType::IntegerLiteral)
    }

    /// `s_to_s_checked_trunc` and `s_to_u_checked_trunc`: returns the literal's lowest bits, and whether those do not
    /// represent its value.
    pub(super) fn emit_literal_truncation(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let BasicTypeEnum::IntType(to) = self.ty(1)? else { return Err(self.unsupported()) };
        let to = to.get_bit_width();
        let literal = self.unbounded_integer()?;
        let builder = &self.function.builder;
        let wider_than = |bits: u32| {
            let limit = builder.int(self.function.module.pointer_bits(), u64::from(bits));
            builder.compare(IntPredicate::UGT, literal.width, limit)
        };
        let overflows = match named {
            NamedBuiltin::SToUCheckedTrunc => builder.or(literal.is_negative, wider_than(to + 1)),
            NamedBuiltin::SToSCheckedTrunc => wider_than(to),
            _ => return Err(self.unsupported()),
        };
        Ok(vec![self.lowest_bits(&literal, to).into(), overflows.into()])
    }

    fn unbounded_integer(&self) -> Generated<UnboundedInteger<'ctx>> {
        let (words, flags) = (self.pointer(0)?, self.int(1)?);
        let builder = &self.function.builder;
        let shift = builder.int(self.function.module.pointer_bits(), WIDTH_SHIFT);
        let width = builder.logical_shift_right(flags, shift);
        Ok(UnboundedInteger { words, width, is_negative: builder.resize(flags, 1) })
    }

    fn load_literal_word(&self, literal: &UnboundedInteger<'ctx>, index: IntValue<'ctx>) -> IntValue<'ctx> {
        let (builder, module) = (&self.function.builder, self.function.module);
        let distance = builder.mul(index, builder.int(module.pointer_bits(), module.pointer_size()));
        let place = builder.raw_index_bytes(literal.words, distance);
        builder.load(module.word_type().into(), place, module.pointer_size()).into_int_value()
    }

    /// Returns the lowest `bits` bits. A literal is sign-extended beyond its last word.
    fn lowest_bits(&self, literal: &UnboundedInteger<'ctx>, bits: u32) -> IntValue<'ctx> {
        let builder = &self.function.builder;
        let word_bits = self.function.module.pointer_bits();
        let number = |value: u64| builder.int(word_bits, value);
        let mut whole = builder.resize(self.load_literal_word(literal, number(0)), bits);
        let sign = builder.resize_signed(literal.is_negative, word_bits);
        for index in 1..bits.div_ceil(word_bits) {
            let begin = u64::from(index * word_bits);
            let is_there = builder.compare(IntPredicate::UGT, literal.width, number(begin));
            let choose = |word: IntValue<'ctx>, other: IntValue<'ctx>| {
                builder.select(is_there, word.into(), other.into()).into_int_value()
            };
            let at = choose(number(u64::from(index)), number(0));
            let word = choose(self.load_literal_word(literal, at), sign);
            whole = builder.or(whole, builder.shl(builder.resize(word, bits), index * word_bits));
        }
        whole
    }
}
