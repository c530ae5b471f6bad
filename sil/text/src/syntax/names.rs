//! The values of names in text: removes backticks, and the escapes of quoted symbols and strings.

use std::borrow::Cow;

/// Returns the name of a word, without backticks.
pub fn plain_name(text: &str) -> &str {
    text.strip_prefix('`').and_then(|text| text.strip_suffix('`')).unwrap_or(text)
}

/// Returns the symbol of `@name` or `@"name"`. `None` if its escapes are invalid.
pub fn symbol_name(text: &str) -> Option<Cow<'_, str>> {
    let name = text.strip_prefix('@')?.trim_start();
    if name.starts_with('"') { string_text(name) } else { Some(Cow::Borrowed(name)) }
}

/// Returns the value of a string literal. For a multi-line literal, surrounding white space is trimmed. `None` if its
/// escapes are invalid or the text is not Unicode.
pub fn string_text(literal: &str) -> Option<Cow<'_, str>> {
    if let Some(lines) = literal.strip_prefix("\"\"\"\n") {
        return Some(Cow::Borrowed(lines.strip_suffix("\"\"\"")?.trim()));
    }
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(Cow::Borrowed(inner));
    }
    String::from_utf8(string_bytes(literal)?).ok().map(Cow::Owned)
}

/// Returns the bytes of a string literal: `\n \r \t \0 \" \' \\`, `\u{1F600}`, `\xFF`. `None` if its escapes are
/// invalid.
pub fn string_bytes(literal: &str) -> Option<Vec<u8>> {
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = escape(&rest[at + 1..], &mut bytes)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

/// Reads the escape after a backslash and returns the text after it.
fn escape<'a>(text: &'a str, bytes: &mut Vec<u8>) -> Option<&'a str> {
    let mut characters = text.chars();
    match characters.next()? {
        'n' => bytes.push(b'\n'),
        'r' => bytes.push(b'\r'),
        't' => bytes.push(b'\t'),
        '0' => bytes.push(0),
        character @ ('"' | '\'' | '\\') => bytes.push(character as u8),
        'x' => {
            let digits = text.get(1..3)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            return text.get(3..);
        }
        'u' => {
            let (digits, rest) = text.get(1..)?.strip_prefix('{')?.split_once('}')?;
            let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(rest);
        }
        _ => return None,
    }
    Some(characters.as_str())
}
