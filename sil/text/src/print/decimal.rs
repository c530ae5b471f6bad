//! Floating-point numbers in decimal, digit by digit as LLVM's `APFloat::toString` writes them.

/// How many decimal digits a format has.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    digits: usize,
}

impl Precision {
    /// Of `FPIEEE32`.
    pub(super) const SINGLE: Precision = Precision { digits: 9 };
    /// Of `FPIEEE64`.
    pub(super) const DOUBLE: Precision = Precision { digits: 17 };
}

/// A number in decimal; with an exponent where more than three zeros would be needed.
pub(super) fn decimal(value: f64, precision: Precision) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return if sign.is_empty() { "+Inf".to_owned() } else { "-Inf".to_owned() };
    }
    let (digits, last) = rounded(exact_digits(value.abs()), precision);
    if digits.is_empty() {
        return format!("{sign}0");
    }
    // The exponent of the first digit.
    let first = last + digits.len() as i32 - 1;
    let with_exponent = if last >= 0 { last > 3 || first + 1 > precision.digits as i32 } else { first < -3 };
    if with_exponent {
        let (leading, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        format!("{sign}{leading}.{rest}E{first:+}")
    } else if last >= 0 {
        format!("{sign}{digits}{}", "0".repeat(last as usize))
    } else if first >= 0 {
        let (whole, fraction) = digits.split_at(first as usize + 1);
        format!("{sign}{whole}.{fraction}")
    } else {
        format!("{sign}0.{}{digits}", "0".repeat((-first - 1) as usize))
    }
}

/// All digits of a number, and the exponent of the last one: 0 for a whole number, less for others.
fn exact_digits(value: f64) -> (String, i32) {
    // No number of this format has more digits.
    let scientific = format!("{value:.800e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let mut digits = all.trim_end_matches('0').to_owned();
    let mut last = exponent + 1 - digits.len() as i32;
    if last > 0 {
        digits.push_str(&"0".repeat(last as usize));
        last = 0;
    }
    (digits, last)
}

/// The first digits of a number, without zeros at the end. Most digits are cut off, only the last few are rounded.
fn rounded((digits, mut last): (String, i32), precision: Precision) -> (String, i32) {
    let bits = (digits.len() as f64 - 1.0 + leading(&digits).log10()) / std::f64::consts::LOG10_2;
    let bits = bits.floor() as usize + 1;
    let wanted = (precision.digits * 196).div_ceil(59);
    let cut = bits.saturating_sub(wanted) * 59 / 196;
    let mut digits: Vec<u8> = digits.into_bytes();
    digits.truncate(digits.len().saturating_sub(cut));
    last += cut as i32;
    if digits.len() > precision.digits {
        let dropped = digits.split_off(precision.digits);
        last += dropped.len() as i32;
        if dropped[0] >= b'5' {
            increment(&mut digits, &mut last);
        }
    }
    while digits.last() == Some(&b'0') {
        digits.pop();
        last += 1;
    }
    (digits.into_iter().map(char::from).collect(), last)
}

/// The number of the digits with a point after the first one.
fn leading(digits: &str) -> f64 {
    let start = &digits[..digits.len().min(18)];
    start.parse::<f64>().unwrap_or(1.0) / 10_f64.powi(start.len() as i32 - 1)
}

/// Adds one to the last digit.
fn increment(digits: &mut Vec<u8>, last: &mut i32) {
    while let Some(digit) = digits.pop() {
        if digit < b'9' {
            digits.push(digit + 1);
            return;
        }
        *last += 1;
    }
    digits.push(b'1');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_as_llvm_does() {
        let double = |value| decimal(value, Precision::DOUBLE);
        let single = |value: f32| decimal(f64::from(value), Precision::SINGLE);
        assert_eq!(double(0.0), "0");
        assert_eq!(double(-2.5), "-2.5");
        assert_eq!(double(100.0), "100");
        assert_eq!(double(0.001), "0.001");
        assert_eq!(double(0.0001), "1.0E-4");
        assert_eq!(double(-9_223_372_036_854_777_856.0), "-9.2233720368547778E+18");
        assert_eq!(double(-1e300), "-1.0000000000000001E+300");
        assert_eq!(single(9_223_372_036_854_775_808.0), "9.22337203E+18");
        assert_eq!(single(0.01), "0.00999999977");
        assert_eq!(double(f64::INFINITY), "+Inf");
        assert_eq!(double(f64::NAN), "NaN");
    }
}
