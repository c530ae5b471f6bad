//! Names that are not ASCII, in Swift's variant of Punycode (RFC 3492): the digits are `a`–`z` and `A`–`J`, and bytes that
//! cannot stand in symbols are code points from U+D800 on.

const BASE: u32 = 36;
const MINIMUM: u32 = 1;
const MAXIMUM: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;

/// The text that `encoded` stands for.
pub(super) fn decode(encoded: &str) -> Option<String> {
    let (basic, extended) = encoded.rsplit_once('_').unwrap_or(("", encoded));
    let mut output: Vec<u32> = basic.bytes().map(u32::from).collect();
    if !basic.is_ascii() {
        return None;
    }
    let (mut code, mut at, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = extended.bytes().peekable();
    while digits.peek().is_some() {
        let former = at;
        let mut weight = 1u32;
        let mut position = BASE;
        loop {
            let digit = digit(digits.next()?)?;
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = position.saturating_sub(bias).clamp(MINIMUM, MAXIMUM);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            position += BASE;
        }
        let length = output.len() as u32 + 1;
        bias = adapt(at - former, length, former == 0);
        code = code.checked_add(at / length)?;
        at %= length;
        output.insert(at as usize, code);
        at += 1;
    }
    output.into_iter().map(character).collect()
}

fn digit(byte: u8) -> Option<u32> {
    match byte {
        b'a'..=b'z' => Some(u32::from(byte - b'a')),
        b'A'..=b'J' => Some(u32::from(byte - b'A') + 26),
        _ => None,
    }
}

/// Code points from U+D800 to U+D87F stand for the ASCII characters that symbols cannot have.
fn character(code: u32) -> Option<char> {
    match code {
        0xD800..=0xD87F => char::from_u32(code - 0xD800),
        _ => char::from_u32(code),
    }
}

fn adapt(delta: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / length;
    let mut bias = 0;
    while delta > ((BASE - MINIMUM) * MAXIMUM) / 2 {
        delta /= BASE - MINIMUM;
        bias += BASE;
    }
    bias + (BASE - MINIMUM + 1) * delta / (delta + SKEW)
}
