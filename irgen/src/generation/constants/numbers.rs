//! The results of builtins on constants: arithmetic on numbers, and the addition of a number to an address, the only
//! operation of the linker.

use sil_ir::instructions::builtins::{BinaryOperation, BuiltinCast, BuiltinKind, NamedBuiltin, OverflowOperation};

use super::image::Image;
use crate::layout::{Bits, TypeInfo};

/// An operand: a scalar of `width` bits.
pub(super) struct Operand {
    pub image: Image,
    pub width: u32,
}

impl Operand {
    fn number(&self) -> Option<u128> {
        self.image.number(self.width)
    }

    fn signed(&self) -> Option<i128> {
        self.number().map(|number| sign_extended(number, self.width))
    }
}

/// The reason why a builtin has no constant result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// Swift does not use it in initialisers.
    Unknown,
    /// The operation is more than adding a number to an address.
    NotLinkable,
}

/// Returns the result of a builtin, whose type is that of `info`.
pub(super) fn apply(kind: BuiltinKind, operands: &[Operand], info: &TypeInfo) -> Result<Image, Failure> {
    match (kind, operands) {
        (BuiltinKind::Named(NamedBuiltin::ZeroInitializer), []) => Ok(Image::zero(info.size)),
        (BuiltinKind::Named(NamedBuiltin::StringObjectOr), [left, right]) => add_tag(left, right),
        (BuiltinKind::Named(NamedBuiltin::OnFastPath), [operand]) => Ok(operand.image.clone()),
        (BuiltinKind::Cast(cast), [operand]) => convert(cast, operand, info),
        (BuiltinKind::Binary(operation), [left, right]) => binary(operation, left, right, info),
        (BuiltinKind::WithOverflow(operation), [left, right, ..]) => with_overflow(operation, left, right, info),
        _ => Err(Failure::Unknown),
    }
}

/// The left operand has none of the right one's bits set, so that they can be added.
fn add_tag(left: &Operand, right: &Operand) -> Result<Image, Failure> {
    let tag = right.number().ok_or(Failure::NotLinkable)?;
    let mut image = left.image.clone();
    image.set_spare_bits(&Bits::from_words(image.size() * 8, &words(tag)));
    Ok(image)
}

fn convert(cast: BuiltinCast, operand: &Operand, info: &TypeInfo) -> Result<Image, Failure> {
    let width = width_of(info)?;
    match cast {
        BuiltinCast::SExt | BuiltinCast::SExtOrBitCast => match operand.signed() {
            Some(number) => Ok(number_of(info, width, number as u128)),
            None if width == operand.width => Ok(operand.image.clone()),
            None => Err(Failure::NotLinkable),
        },
        BuiltinCast::Trunc
        | BuiltinCast::TruncOrBitCast
        | BuiltinCast::ZExt
        | BuiltinCast::ZExtOrBitCast
        | BuiltinCast::PtrToInt
        | BuiltinCast::IntToPtr
        | BuiltinCast::BitCast => match operand.number() {
            Some(number) => Ok(number_of(info, width, number)),
            None => operand.image.slice(0, info.size).ok_or(Failure::NotLinkable),
        },
        BuiltinCast::FPToUI
        | BuiltinCast::FPToSI
        | BuiltinCast::UIToFP
        | BuiltinCast::SIToFP
        | BuiltinCast::FPTrunc
        | BuiltinCast::FPExt => Err(Failure::Unknown),
    }
}

fn binary(operation: BinaryOperation, left: &Operand, right: &Operand, info: &TypeInfo) -> Result<Image, Failure> {
    let width = width_of(info)?;
    let (Some(first), Some(second)) = (left.number(), right.number()) else {
        return match operation {
            BinaryOperation::Add => add(left, right),
            BinaryOperation::Sub => subtract(left, right),
            _ => Err(Failure::NotLinkable),
        };
    };
    let shift = |shifted: &dyn Fn(u32) -> u128| match u32::try_from(second) {
        Ok(amount) if amount < width => Ok(shifted(amount)),
        _ => Ok(0),
    };
    let number = match operation {
        BinaryOperation::Add => Ok(first.wrapping_add(second)),
        BinaryOperation::Sub => Ok(first.wrapping_sub(second)),
        BinaryOperation::Mul => Ok(first.wrapping_mul(second)),
        BinaryOperation::And => Ok(first & second),
        BinaryOperation::Or => Ok(first | second),
        BinaryOperation::Xor => Ok(first ^ second),
        BinaryOperation::Shl => shift(&|amount| first << amount),
        BinaryOperation::LShr => shift(&|amount| first >> amount),
        BinaryOperation::AShr => shift(&|amount| (sign_extended(first, width) >> amount) as u128),
        _ => Err(Failure::Unknown),
    };
    Ok(number_of(info, width, number?))
}

fn with_overflow(
    operation: OverflowOperation,
    left: &Operand,
    right: &Operand,
    info: &TypeInfo,
) -> Result<Image, Failure> {
    let [value_field, overflow_field] = info.fields() else { return Err(Failure::Unknown) };
    let (value, overflows) = match (left.number(), right.number()) {
        (Some(_), Some(_)) => overflowing(operation, left, right, &value_field.info)?,
        _ => match operation {
            OverflowOperation::SAdd | OverflowOperation::UAdd => (add(left, right)?, false),
            OverflowOperation::SSub | OverflowOperation::USub => (subtract(left, right)?, false),
            OverflowOperation::SMul | OverflowOperation::UMul => return Err(Failure::NotLinkable),
        },
    };
    let mut result = Image::zero(info.size);
    result.put(value_field.offset, &value);
    result.put(overflow_field.offset, &number_of(&overflow_field.info, 1, u128::from(overflows)));
    Ok(result)
}

fn overflowing(
    operation: OverflowOperation,
    left: &Operand,
    right: &Operand,
    info: &TypeInfo,
) -> Result<(Image, bool), Failure> {
    let width = width_of(info)?;
    // Operands of twice the width have room for every result.
    if width > 64 {
        return Err(Failure::Unknown);
    }
    let unsigned = || left.number().zip(right.number()).ok_or(Failure::NotLinkable);
    let signed = || left.signed().zip(right.signed()).ok_or(Failure::NotLinkable);
    let (exact, is_signed) = match operation {
        OverflowOperation::SAdd => (signed().map(|(left, right)| left + right)?, true),
        OverflowOperation::SSub => (signed().map(|(left, right)| left - right)?, true),
        OverflowOperation::SMul => (signed().map(|(left, right)| left * right)?, true),
        OverflowOperation::UAdd => (unsigned().map(|(left, right)| left as i128 + right as i128)?, false),
        OverflowOperation::USub => (unsigned().map(|(left, right)| left as i128 - right as i128)?, false),
        OverflowOperation::UMul => (unsigned().map(|(left, right)| left.wrapping_mul(right) as i128)?, false),
    };
    let wrapped = exact as u128 & mask(width);
    let fits = if is_signed { sign_extended(wrapped, width) == exact } else { wrapped as i128 == exact };
    Ok((number_of(info, width, wrapped), !fits))
}

fn add(left: &Operand, right: &Operand) -> Result<Image, Failure> {
    match (left.number(), right.number()) {
        (_, Some(number)) => add_to_address(left, number),
        (Some(number), _) => add_to_address(right, number),
        (None, None) => Err(Failure::NotLinkable),
    }
}

fn subtract(left: &Operand, right: &Operand) -> Result<Image, Failure> {
    let number = right.number().ok_or(Failure::NotLinkable)?;
    add_to_address(left, number.wrapping_neg())
}

fn add_to_address(operand: &Operand, addend: u128) -> Result<Image, Failure> {
    let mut image = operand.image.clone();
    if !image.is_address() {
        return Err(Failure::NotLinkable);
    }
    image.add_to_word(0, image.size(), addend as u64);
    Ok(image)
}

fn width_of(info: &TypeInfo) -> Result<u32, Failure> {
    match info.elements.as_slice() {
        [element] => Ok(element.bits),
        _ => Err(Failure::Unknown),
    }
}

fn number_of(info: &TypeInfo, width: u32, number: u128) -> Image {
    Image::of_bits(info.size, &Bits::from_words(u64::from(width), &words(number)))
}

fn words(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

fn sign_extended(number: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    (number << unused) as i128 >> unused
}
