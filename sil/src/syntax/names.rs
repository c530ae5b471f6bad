//! What names in text stand for: backticks and the escapes of quoted symbols and strings are taken away here.

use std::borrow::Cow;

/// The name that a word stands for: without backticks.
pub fn plain_name(text: &str) -> &str {
    text.strip_prefix('`').and_then(|text| text.strip_suffix('`')).unwrap_or(text)
}

/// The symbol that `@name` or `@"name"` stands for. None if its escapes are wrong.
pub fn symbol_name(text: &str) -> Option<Cow<'_, str>> {
    let name = text.strip_prefix('@')?.trim_start();
    if name.starts_with('"') { string_text(name) } else { Some(Cow::Borrowed(name)) }
}

/// The text that a string literal stands for; of one of several lines what stands between the white space around it. None if its escapes are wrong or the text is not Unicode.
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

/// The bytes that a string literal stands for: `\n \r \t \0 \" \' \\`, `\u{1F600}`, `\xFF`. None if its escapes are wrong.
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

/// Reads what follows a backslash; gives the text behind it.
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
