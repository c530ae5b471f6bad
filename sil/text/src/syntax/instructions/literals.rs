//! Reads literals.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Details, StringEncoding, StringLiteral};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::names::string_bytes;

impl BodyReader<'_, '_> {
    /// Reads `$Builtin.Int64, -1`.
    pub(super) fn integer_literal(&mut self) -> Parsed<()> {
        let span = self.reader.cursor.span();
        let ty = self.written_type()?;
        let width = match self.reader.context.get(ty.ty) {
            Type::Builtin(BuiltinType::Integer(width)) if !ty.is_address() => Some(*width),
            Type::Builtin(BuiltinType::Word) if !ty.is_address() => Some(64),
            Type::Builtin(BuiltinType::IntegerLiteral) if !ty.is_address() => None,
            _ => {
                let message = "an integer_literal has a builtin integer type such as '$Builtin.Int64'";
                return Err(Box::new(Diagnostic::error("literal-type", message, span)));
            }
        };
        self.reader.cursor.expect(Token::Comma)?;
        let span = self.reader.cursor.span();
        let negative = self.reader.cursor.eat(Token::Minus);
        let words = magnitude(self.reader.cursor.expect(Token::Integer)?);
        let value = words.and_then(|words| integer(words, negative, width));
        let Some(value) = value else {
            let message = "the integer does not fit its type";
            return Err(Box::new(Diagnostic::error("integer-range", message, span)));
        };
        self.draft.details = value;
        Ok(())
    }

    /// Reads `$Builtin.FPIEEE64, 0x3FF0000000000000`: the bits.
    pub(super) fn float_literal(&mut self) -> Parsed<()> {
        let span = self.reader.cursor.span();
        let SilType { ty, .. } = self.written_type()?;
        let Type::Builtin(BuiltinType::Float(width)) = *self.reader.context.get(ty) else {
            let message = "a float_literal has a builtin float type such as '$Builtin.FPIEEE64'";
            return Err(Box::new(Diagnostic::error("literal-type", message, span)));
        };
        self.reader.cursor.expect(Token::Comma)?;
        let span = self.reader.cursor.span();
        let words = magnitude(self.reader.cursor.expect(Token::Integer)?);
        let bits = words.and_then(|words| unsigned(&words)).filter(|bits| width >= 128 || bits >> width == 0);
        let Some(bits) = bits else {
            let message = "the bits do not fit the type of the float";
            return Err(Box::new(Diagnostic::error("float-range", message, span)));
        };
        self.draft.details = Details::Float(bits);
        Ok(())
    }

    /// Reads `utf8 "text"`, `bytes "00FF"`.
    pub(super) fn string_literal(&mut self) -> Parsed<()> {
        let encoding = match self.reader.cursor.peek_text() {
            "utf8" => StringEncoding::Utf8,
            "utf16" => StringEncoding::Utf16,
            "bytes" => StringEncoding::Bytes,
            "objc_selector" => StringEncoding::ObjCSelector,
            "oslog" => StringEncoding::OsLog,
            _ => return Err(self.reader.cursor.expected("an encoding such as 'utf8'")),
        };
        self.reader.cursor.bump();
        let span = self.reader.cursor.span();
        let literal = self.reader.cursor.expect(Token::String)?;
        let bytes = string_bytes(literal).and_then(|bytes| match encoding {
            StringEncoding::Bytes => decode_hexadecimal(&bytes),
            _ => Some(bytes),
        });
        let Some(bytes) = bytes else {
            let message = "the string has an unknown escape, or a digit that is not hexadecimal";
            return Err(Box::new(Diagnostic::error("string", message, span)));
        };
        self.draft.details = Details::String(Box::new(StringLiteral { encoding, bytes: bytes.into() }));
        Ok(())
    }
}

/// Returns the words, least significant first, of a number in decimal or with the prefix `0x`, `0o` or `0b`. `None` if
/// a digit is invalid.
fn magnitude(text: &str) -> Option<Vec<u64>> {
    let (radix, digits) = match text.get(..2) {
        Some("0x" | "0X") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let values: Option<Vec<u32>> = digits
        .chars()
        .filter(|character| *character != '_')
        .map(|character| character.to_digit(radix))
        .take(MOST_DIGITS + 1)
        .collect();
    let values = values.filter(|values| (1..=MOST_DIGITS).contains(&values.len()))?;
    let mut words = vec![0u64];
    for values in values.chunks(DIGITS_PER_STEP) {
        let mut carry = values.iter().fold(0, |value, digit| value * u128::from(radix) + u128::from(*digit));
        let factor = u128::from(radix).pow(values.len() as u32);
        for word in &mut words {
            carry += u128::from(*word) * factor;
            *word = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            words.push(carry as u64);
        }
    }
    Some(words)
}

/// The greatest length of a number in digits. The time to read a number is quadratic in its length.
const MOST_DIGITS: usize = 1 << 16;

/// This many digits fit into 64 bits in each radix.
const DIGITS_PER_STEP: usize = 15;

fn unsigned(words: &[u64]) -> Option<u128> {
    let significant = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
    (significant <= 2).then(|| {
        let high = words.get(1).copied().unwrap_or(0);
        u128::from(high) << 64 | u128::from(words[0])
    })
}

/// Returns the value of an integer of `width` bits, which may be written as a signed or an unsigned number.
fn integer(words: Vec<u64>, negative: bool, width: Option<u32>) -> Option<Details> {
    let bits =
        words.iter().rposition(|word| *word != 0).map_or(0, |last| last as u32 * 64 + 64 - words[last].leading_zeros());
    if width.is_some_and(|width| bits > width) {
        return None;
    }
    match unsigned(&words) {
        Some(magnitude) if bits <= 127 || width.is_some_and(|width| width <= 128) => {
            let value = if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 };
            let shift = 128 - width.unwrap_or(128).clamp(1, 128);
            Some(Details::Integer(value << shift >> shift))
        }
        _ => Some(Details::WideInteger(two_complement(words, negative, width))),
    }
}

fn two_complement(mut words: Vec<u64>, negative: bool, width: Option<u32>) -> Box<[u64]> {
    // An additional word holds the sign, if the type is that wide.
    let length = width.map_or(usize::MAX, |width| width.div_ceil(64) as usize).min(words.len() + 1);
    words.resize(length, 0);
    if negative {
        let mut carry = true;
        for word in &mut words {
            let (next, overflow) = (!*word).overflowing_add(u64::from(carry));
            *word = next;
            carry = overflow;
        }
    }
    words.into()
}

fn decode_hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8)).collect()
}
