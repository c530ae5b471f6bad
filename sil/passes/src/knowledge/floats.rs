//! Floating-point numbers of builtin types in bits, with the arithmetic of LLVM's APFloat.

use std::fmt;

use sil_ir::instructions::builtins::{BinaryOperation, FloatPredicate};

/// The number of digits that distinguishes literals in diagnostics.
const LITERAL_DIGITS: usize = 17;

/// Numbers with at least this many trailing zeros are written with an exponent.
const MANY_ZEROS: usize = 7;

/// A number of `Builtin.FPIEEE16`, `FPIEEE32`, `FPIEEE64` or `FPIEEE80`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Float {
    pub(crate) bits: u128,
    format: Format,
}

/// The format of a floating-point type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Half,
    Single,
    Double,
    /// With an explicit integer bit.
    Extended,
}

/// The class of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Nan,
    Infinity,
    /// `significand * 2 ^ exponent`, zero included.
    Finite {
        significand: u128,
        exponent: i32,
    },
}

/// The precision of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precision {
    Exact,
    Rounded,
    /// The number is too small for the full precision of the type, and was rounded.
    Underflow,
    /// The number is greater than all numbers of the type.
    Overflow,
}

impl Format {
    fn of_width(width: u32) -> Option<Self> {
        Some(match width {
            16 => Self::Half,
            32 => Self::Single,
            64 => Self::Double,
            80 => Self::Extended,
            _ => return None,
        })
    }

    /// Returns the nearest number to one of 64 bits, for the formats that `f64` contains.
    fn of_double(self, number: f64) -> Option<Float> {
        let bits = match self {
            Self::Single => u128::from((number as f32).to_bits()),
            Self::Double => u128::from(number.to_bits()),
            Self::Half | Self::Extended => return None,
        };
        Some(Float { bits, format: self })
    }

    /// Returns the widths of the number, the exponent, and the fraction.
    fn widths(self) -> (u32, u32, u32) {
        match self {
            Self::Half => (16, 5, 10),
            Self::Single => (32, 8, 23),
            Self::Double => (64, 11, 52),
            Self::Extended => (80, 15, 63),
        }
    }

    fn bias(self) -> i32 {
        (1 << (self.widths().1 - 1)) - 1
    }

    /// Returns the bit position of the exponent.
    fn exponent_shift(self) -> u32 {
        self.widths().2 + u32::from(self == Self::Extended)
    }

    /// Assembles a number; `significand` is the stored field.
    fn assemble(self, is_negative: bool, exponent: u128, significand: u128) -> Float {
        let sign = u128::from(is_negative) << (self.widths().0 - 1);
        Float { bits: sign | exponent << self.exponent_shift() | significand, format: self }
    }

    fn infinity(self, is_negative: bool) -> Float {
        let integer = if self == Self::Extended { 1 << 63 } else { 0 };
        self.assemble(is_negative, (1 << self.widths().1) - 1, integer)
    }
}

impl Float {
    /// Returns the number with these bits, or `None` for an unsupported width.
    pub(crate) fn new(bits: u128, width: u32) -> Option<Self> {
        Some(Self { bits, format: Format::of_width(width)? })
    }

    /// Returns the number nearest to an integer, ties to even.
    pub(crate) fn of_integer(value: i128, width: u32) -> Option<(Self, Precision)> {
        Some(rounded(Format::of_width(width)?, value < 0, value.unsigned_abs(), 0))
    }

    pub(crate) fn is_negative(self) -> bool {
        self.bits >> (self.format.widths().0 - 1) & 1 != 0
    }

    pub(crate) fn is_nan(self) -> bool {
        self.class() == Class::Nan
    }

    pub(crate) fn is_zero(self) -> bool {
        matches!(self.class(), Class::Finite { significand: 0, .. })
    }

    /// Returns whether the number is subnormal: its exponent field is zero, but the number is not.
    pub(crate) fn is_subnormal(self) -> bool {
        self.exponent_field() == 0 && !self.is_zero()
    }

    fn exponent_field(self) -> u128 {
        self.bits >> self.format.exponent_shift() & ((1 << self.format.widths().1) - 1)
    }

    fn class(self) -> Class {
        let (_, exponent_width, digits) = self.format.widths();
        let field = self.bits & ((1 << self.format.exponent_shift()) - 1);
        let fraction = field & ((1 << digits) - 1);
        let exponent = self.exponent_field();
        if exponent == (1 << exponent_width) - 1 {
            return if fraction == 0 { Class::Infinity } else { Class::Nan };
        }
        let significand = match self.format {
            Format::Extended => field,
            _ if exponent == 0 => fraction,
            _ => fraction | 1 << digits,
        };
        // An exponent field fits an i32.
        let exponent = exponent.max(1) as i32 - self.format.bias() - digits as i32;
        Class::Finite { significand, exponent }
    }

    /// Converts the number to another type, rounding to the nearest.
    pub(crate) fn converted(self, width: u32) -> Option<(Self, Precision)> {
        let format = Format::of_width(width)?;
        Some(match self.class() {
            Class::Nan => return None,
            Class::Infinity => (format.infinity(self.is_negative()), Precision::Exact),
            Class::Finite { significand, exponent } => rounded(format, self.is_negative(), significand, exponent),
        })
    }

    /// Returns whether a smaller type has fewer digits for this number than for others, and a nonzero digit is lost
    /// (lib/SILOptimizer/Utils/ConstantFolding.cpp, `isLossyUnderflow`).
    pub(crate) fn loses_digits(self, width: u32) -> bool {
        let Some(target) = Format::of_width(width) else { return false };
        let (bits, _, digits) = self.format.widths();
        let (target_bits, _, target_digits) = target.widths();
        let Class::Finite { significand, exponent } = self.class() else { return false };
        if significand == 0 || bits <= target_bits {
            return false;
        }
        let magnitude = exponent + significand.ilog2() as i32;
        let least = 1 - target.bias();
        if self.is_subnormal() || magnitude < least - target_digits as i32 {
            return true;
        }
        if magnitude >= least {
            return false;
        }
        let kept = (significand & ((1 << digits) - 1)) >> (digits - target_digits);
        // Swift counts one lost digit too many.
        let lost = (least - magnitude + 1) as u32;
        kept & ((1 << lost) - 1) != 0
    }

    /// Returns the number truncated to an integer, or `None` if that has more than 126 bits.
    pub(crate) fn integer(self) -> Option<i128> {
        let Class::Finite { significand, exponent } = self.class() else { return None };
        let magnitude = match exponent {
            ..=-128 => 0,
            -127..=0 => significand >> -exponent,
            _ if significand == 0 => 0,
            _ if exponent <= 126 && significand.leading_zeros() >= exponent as u32 + 2 => significand << exponent,
            _ => return None,
        };
        // Not more than 126 bits.
        let magnitude = magnitude as i128;
        Some(if self.is_negative() { -magnitude } else { magnitude })
    }

    /// Returns the nearest number without a fraction, ties to even.
    pub(crate) fn rounded_to_even(self) -> Option<Self> {
        self.by_double(f64::round_ties_even)
    }

    /// Applies a function whose result is exact for this type if it is exact in 64 bits.
    fn by_double(self, function: impl Fn(f64) -> f64) -> Option<Self> {
        self.format.of_double(function(self.as_double()?))
    }

    /// Returns the number as an `f64`, for the formats that it contains.
    fn as_double(self) -> Option<f64> {
        match self.format {
            Format::Single => Some(f64::from(f32::from_bits(self.bits as u32))),
            Format::Double => Some(f64::from_bits(self.bits as u64)),
            Format::Half | Format::Extended => None,
        }
    }

    /// Returns the result of an operation on two numbers of one type.
    pub(crate) fn operated(self, operation: BinaryOperation, other: Self) -> Option<Self> {
        if self.format != other.format {
            return None;
        }
        // Double rounding is harmless here: 64 bits have more than twice the digits of 32.
        let result = match operation {
            BinaryOperation::FAdd => self.as_double()? + other.as_double()?,
            BinaryOperation::FSub => self.as_double()? - other.as_double()?,
            BinaryOperation::FMul => self.as_double()? * other.as_double()?,
            BinaryOperation::FDiv => self.as_double()? / other.as_double()?,
            _ => return None,
        };
        if result.is_nan() { None } else { self.format.of_double(result) }
    }

    /// Returns whether two numbers of one type satisfy a predicate.
    pub(crate) fn relates(self, predicate: FloatPredicate, other: Self) -> bool {
        use FloatPredicate::*;
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = self.order(other);
        match predicate {
            Oeq => order == Some(Equal),
            Ogt => order == Some(Greater),
            Oge => matches!(order, Some(Greater | Equal)),
            Olt => order == Some(Less),
            Ole => matches!(order, Some(Less | Equal)),
            One => matches!(order, Some(Less | Greater)),
            Ord => order.is_some(),
            Ueq => matches!(order, Some(Equal) | None),
            Ugt => matches!(order, Some(Greater) | None),
            Uge => order != Some(Less),
            Ult => matches!(order, Some(Less) | None),
            Ule => order != Some(Greater),
            Une => order != Some(Equal),
            Uno => order.is_none(),
        }
    }

    /// Returns the order of two numbers of one type, or `None` if one is NaN.
    fn order(self, other: Self) -> Option<std::cmp::Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        // Apart from the sign, greater numbers have greater bits.
        let key = |number: Self| {
            let magnitude = (number.bits & ((1 << (number.format.widths().0 - 1)) - 1)) as i128;
            if number.is_negative() { -magnitude } else { magnitude }
        };
        Some(key(self).cmp(&key(other)))
    }

    /// Returns the number as it would be written in a literal.
    pub(crate) fn literal_text(self) -> String {
        match self.format {
            Format::Single => shortest_text(f32::from_bits(self.bits as u32)),
            Format::Double => shortest_text(f64::from_bits(self.bits as u64)),
            Format::Half | Format::Extended => self.literal_text_of_few_digits(),
        }
    }

    /// The same for the formats that have no Rust type.
    fn literal_text_of_few_digits(self) -> String {
        let has_all_digits = |number: &Float| !number.is_subnormal() && number.is_zero() == self.is_zero();
        let short = self.converted(64).filter(|(_, precision)| *precision != Precision::Overflow);
        if let Some((number, _)) = short.filter(|(number, _)| has_all_digits(number)) {
            return number.literal_text();
        }
        let sign = if self.is_negative() { "-" } else { "" };
        let Class::Finite { significand, exponent } = self.class() else { return self.text() };
        let (digits, power) = decimal(significand, exponent, LITERAL_DIGITS);
        let power = power + digits.len() as i32 - 1;
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}e{power}")
    }

    /// Returns the number as APFloat prints it: with the digits that distinguish it in its type, and an exponent if it
    /// would end in more than three zeros.
    pub(crate) fn text(self) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        match self.class() {
            Class::Nan => "NaN".into(),
            Class::Infinity => format!("{sign}{}", if sign.is_empty() { "+Inf" } else { "Inf" }),
            Class::Finite { significand: 0, .. } => format!("{sign}0.0E+0"),
            Class::Finite { significand, exponent } => {
                // The number of decimal digits that the type's significand needs.
                let precision = 2 + (self.format.widths().2 + 1) as usize * 59 / 196;
                let (digits, exponent) = decimal(significand, exponent, precision);
                format!("{sign}{}", written(&digits, exponent, precision))
            }
        }
    }
}

/// Returns the shortest text that distinguishes a number from others of its type, with an exponent if it would end in
/// many zeros.
fn shortest_text(number: impl fmt::LowerExp + fmt::Debug) -> String {
    let short = format!("{number:e}");
    let (digits, exponent) = short.split_once('e').unwrap_or((&short, "0"));
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    match exponent.parse::<usize>() {
        Ok(exponent) if exponent >= fraction + MANY_ZEROS => short,
        _ => format!("{number:?}"),
    }
}

/// Returns the number of `format` nearest to `significand * 2 ^ exponent`, ties to even.
fn rounded(format: Format, is_negative: bool, significand: u128, exponent: i32) -> (Float, Precision) {
    let (_, exponent_width, digits) = format.widths();
    if significand == 0 {
        return (format.assemble(is_negative, 0, 0), Precision::Exact);
    }
    let bits = 128 - significand.leading_zeros() as i32;
    let least = 1 - format.bias() - digits as i32;
    // The exponent of the last digit that fits.
    let last = (exponent + bits - 1 - digits as i32).max(least);
    let is_small = last == least && exponent + bits - 1 < 1 - format.bias();
    let drop = last - exponent;
    let (mut kept, is_exact) = match drop {
        ..=0 => (significand << -drop, true),
        1..=127 => {
            let (kept, rest) = (significand >> drop, significand & ((1 << drop) - 1));
            let half = 1 << (drop - 1);
            let goes_up = rest > half || rest == half && kept & 1 == 1;
            (kept + u128::from(goes_up), rest == 0)
        }
        _ => (0, false),
    };
    let mut last = last;
    if kept >> (digits + 1) != 0 {
        kept >>= 1;
        last += 1;
    }
    let is_normal = kept >> digits != 0;
    let field = if is_normal { last + digits as i32 + format.bias() } else { 0 };
    if field >= (1 << exponent_width) - 1 {
        return (format.infinity(is_negative), Precision::Overflow);
    }
    let stored = if format == Format::Extended { kept } else { kept & ((1 << digits) - 1) };
    let precision = match (is_exact, is_small) {
        (true, _) => Precision::Exact,
        (false, true) => Precision::Underflow,
        (false, false) => Precision::Rounded,
    };
    // Not negative: the exponent of a normal number is at least one.
    (format.assemble(is_negative, field as u128, stored), precision)
}

/// Returns at most `precision` decimal digits of `significand * 2 ^ exponent`, and the power of ten of the last one.
fn decimal(significand: u128, exponent: i32, precision: usize) -> (String, i32) {
    let zeros = significand.trailing_zeros() as i32;
    let (odd, power) = (significand >> zeros, exponent + zeros);
    let bits = 128 - odd.leading_zeros() as i32;
    let (digits, exponent) = match power {
        0.. if power + bits <= 127 => ((odd << power).to_string(), 0),
        // Each factor of a half is one of five tenths.
        ..0 if bits - power * 7 / 3 <= 120 => ((odd * 5u128.pow(-power as u32)).to_string(), power),
        _ => scientific(odd, power, precision),
    };
    let (digits, exponent) = cut(digits, exponent, precision);
    let kept = digits.trim_end_matches('0').len().max(1);
    let dropped = (digits.len() - kept) as i32;
    (digits[..kept].into(), exponent + dropped)
}

/// The same for numbers with more digits than an integer type has.
fn scientific(odd: u128, power: i32, precision: usize) -> (String, i32) {
    // The last digit comes first. Each factor of a half is one of five tenths.
    let mut digits: Vec<u8> = odd.to_string().bytes().rev().map(|digit| digit - b'0').collect();
    let factor = if power < 0 { 5 } else { 2 };
    for _ in 0..power.unsigned_abs() {
        let mut carry = 0;
        for digit in &mut digits {
            let product = *digit * factor + carry;
            (*digit, carry) = (product % 10, product / 10);
        }
        digits.extend((carry != 0).then_some(carry));
    }
    // Only digits that affect the last one wanted are kept.
    let dropped = digits.len().saturating_sub(precision + 1);
    let text = digits[dropped..].iter().rev().map(|digit| char::from(b'0' + digit)).collect();
    (text, power.min(0) + dropped as i32)
}

/// Rounds digits to `precision`.
fn cut(digits: String, exponent: i32, precision: usize) -> (String, i32) {
    if digits.len() <= precision {
        return (digits, exponent);
    }
    let dropped = (digits.len() - precision) as i32;
    let goes_up = digits.as_bytes()[precision] >= b'5';
    // At most 39 digits fit.
    let kept: u128 = digits[..precision].parse().unwrap_or(0);
    ((kept + u128::from(goes_up)).to_string(), exponent + dropped)
}

/// Formats digits with a point or with an exponent.
fn written(digits: &str, exponent: i32, precision: usize) -> String {
    const PADDING: i32 = 3;
    let count = digits.len() as i32;
    let is_scientific = match exponent {
        0.. => exponent > PADDING || count + exponent > precision as i32,
        _ => {
            let leading = exponent + count - 1;
            leading < 0 && -leading > PADDING
        }
    };
    if is_scientific {
        let power = exponent + count - 1;
        let rest = if count > 1 { &digits[1..] } else { "0" };
        return format!("{}.{rest}E{}{}", &digits[..1], if power < 0 { '-' } else { '+' }, power.abs());
    }
    match exponent {
        0.. => format!("{digits}{}", "0".repeat(exponent as usize)),
        _ if count + exponent > 0 => {
            let (whole, fraction) = digits.split_at((count + exponent) as usize);
            format!("{whole}.{fraction}")
        }
        _ => format!("0.{}{digits}", "0".repeat((-exponent - count) as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Option<Float> {
        Float::new(value.to_bits().into(), 64)
    }

    #[test]
    fn writes_numbers_as_apfloat_does() {
        let text = |value| double(value).map(Float::text).unwrap_or_default();
        assert_eq!(text(-129.0), "-129");
        assert_eq!(text(-4.0e4), "-4.0E+4");
        assert_eq!(text(65536.0), "65536");
        assert_eq!(text(9223372036854775807.0), "9.2233720368547758E+18");
        assert_eq!(text(0.5), "0.5");
        assert_eq!(text(1234.25), "1234.25");
    }

    #[test]
    fn rounds_to_what_is_next() {
        let single = double(0.1).and_then(|number| number.converted(32));
        assert_eq!(single.map(|(number, _)| number.bits), Some(0.1f32.to_bits().into()));
        assert_eq!(
            double(1e300).and_then(|number| number.converted(32)).map(|found| found.1),
            Some(Precision::Overflow)
        );
        let small = double(1e-45).and_then(|number| number.converted(32));
        assert_eq!(small.map(|(number, precision)| (number.bits, precision)), Some((1, Precision::Underflow)));
        let extended = Float::of_integer(-3, 80).and_then(|(number, _)| number.converted(64));
        assert_eq!(extended.map(|(number, _)| number.bits), Some((-3.0f64).to_bits().into()));
        let great = Float::of_integer((1 << 53) + 1, 64);
        assert_eq!(
            great.map(|(number, precision)| (number.integer(), precision)),
            Some((Some(1 << 53), Precision::Rounded))
        );
    }

    #[test]
    fn compares_what_is_no_number_with_nothing() {
        let relates = |one, predicate, other| Some(double(one)?.relates(predicate, double(other)?));
        assert_eq!(relates(1.0, FloatPredicate::Oeq, f64::NAN), Some(false));
        assert_eq!(relates(1.0, FloatPredicate::Une, f64::NAN), Some(true));
        assert_eq!(relates(0.0, FloatPredicate::Oeq, -0.0), Some(true));
        assert_eq!(relates(-2.0, FloatPredicate::Ole, -1.0), Some(true));
    }
}
