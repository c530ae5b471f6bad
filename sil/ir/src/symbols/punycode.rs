//! Names that are not ASCII, in Swift's variant of Punycode (RFC 3492): the digits are `a`–`z` and `A`–`J`, and bytes
//! that cannot stand in symbols are code points from U+D800 on.

const BASE: u32 = 36;
const MINIMUM: u32 = 1;
const MAXIMUM: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;

/// The first code point that stands for no character.
const SURROGATES: u32 = 0xD800;

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
        SURROGATES..=0xD87F => char::from_u32(code - SURROGATES),
        _ => char::from_u32(code),
    }
}

/// The text for which [`decode`] gives `text`.
pub(super) fn encode(text: &str) -> String {
    let points: Vec<u32> = text.chars().map(code_point).collect();
    let mut encoded: String = text.chars().filter(|character| is_symbol_character(*character)).collect();
    let basic = encoded.len() as u32;
    if basic > 0 {
        encoded.push('_');
    }
    let (mut code, mut delta, mut bias, mut handled) = (128u32, 0u32, 72u32, basic);
    while let Some(next) = points.iter().copied().filter(|point| *point >= code).min() {
        delta = delta.saturating_add((next - code).saturating_mul(handled + 1));
        code = next;
        for point in &points {
            if *point < code {
                delta = delta.saturating_add(1);
            }
            if *point == code {
                encode_number(delta, bias, &mut encoded);
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.saturating_add(1);
        code += 1;
    }
    encoded
}

/// Writes a number with digits whose weights depend on `bias`.
fn encode_number(number: u32, bias: u32, encoded: &mut String) {
    let mut rest = number;
    let mut position = BASE;
    loop {
        let threshold = position.saturating_sub(bias).clamp(MINIMUM, MAXIMUM);
        if rest < threshold {
            encoded.push(digit_of(rest));
            return;
        }
        encoded.push(digit_of(threshold + (rest - threshold) % (BASE - threshold)));
        rest = (rest - threshold) / (BASE - threshold);
        position += BASE;
    }
}

/// The digit with this value, which is less than [`BASE`].
fn digit_of(value: u32) -> char {
    char::from(if value < 26 { b'a' + value as u8 } else { b'A' + (value - 26) as u8 })
}

/// Whether `text` cannot stand in symbols as it is.
pub(super) fn is_needed(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit()) || !text.chars().all(is_symbol_character)
}

fn is_symbol_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$')
}

/// The opposite of [`character`].
fn code_point(character: char) -> u32 {
    match character {
        _ if is_symbol_character(character) || !character.is_ascii() => character.into(),
        _ => u32::from(character) + SURROGATES,
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
