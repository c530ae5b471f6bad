//! String literals and regular expressions in Swift's source text: where they begin and end (lib/Parse/Lexer.cpp).

/// The delimiter of a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StringDelimiter {
    /// How many `#` stand around it.
    hashes: usize,
    /// How many quotes: three where it has several lines.
    quotes: usize,
}

/// How the string literal begins that `text` begins with, if it does.
pub(super) fn string_delimiter(text: &[u8]) -> Option<StringDelimiter> {
    let hashes = count(text, b'#');
    let quotes = match count(&text[hashes..], b'"') {
        0 => return None,
        1 | 2 => 1,
        _ => 3,
    };
    let one_line = StringDelimiter { hashes, quotes: 1 };
    // `#"""#` has one line: its end stands there.
    if quotes == 3
        && hashes > 0
        && line_of(&text[hashes + 2..])
            .iter()
            .enumerate()
            .any(|(at, _)| one_line.end_at(&text[hashes + 2 + at..]).is_some_and(|length| length > 0))
    {
        return Some(one_line);
    }
    Some(StringDelimiter { hashes, quotes })
}

impl StringDelimiter {
    /// How many bytes it has.
    pub(super) fn length(self) -> usize {
        self.hashes + self.quotes
    }

    /// How many bytes of `text` end the literal, if it ends there: none where a line ends that must not.
    pub(super) fn end_at(self, text: &[u8]) -> Option<usize> {
        if self.quotes == 1 && matches!(text.first(), Some(b'\n') | None) {
            return Some(0);
        }
        let is_end = count(text, b'"') >= self.quotes && count(&text[self.quotes..], b'#') >= self.hashes;
        is_end.then(|| self.length())
    }

    /// How many bytes the beginning of an escape has, if `text` begins with one.
    pub(super) fn escape_at(self, text: &[u8]) -> Option<usize> {
        let (first, rest) = text.split_first()?;
        (*first == b'\\' && count(rest, b'#') == self.hashes).then_some(1 + self.hashes)
    }
}

/// How many bytes the regular expression has that `text` begins with, if it does. One without `#` begins only where an
/// operand is expected.
pub(super) fn regex_end(text: &[u8], is_operand_expected: bool) -> Option<usize> {
    let hashes = count(text, b'#');
    if text.get(hashes) != Some(&b'/') || hashes == 0 && !is_operand_expected {
        return None;
    }
    let begin = hashes + 1;
    let body = &text[begin..];
    let has_lines = hashes > 0 && line_of(body).iter().all(u8::is_ascii_whitespace);
    let searched = if has_lines { body } else { line_of(body) };
    if hashes == 0 && matches!(searched.first(), None | Some(b' ' | b'\t' | b'/' | b'*')) {
        return None;
    }
    let mut at = 0;
    while at < searched.len() {
        match searched[at] {
            b'\\' => at += 1,
            b'/' if count(&searched[at + 1..], b'#') >= hashes => {
                let is_spaced = hashes == 0 && matches!(searched[..at].last(), Some(b' ' | b'\t'));
                let is_balanced = hashes > 0 || is_balanced(&searched[..at]);
                return (!is_spaced && is_balanced).then_some(begin + at + 1 + hashes);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether no parenthesis ends that has not begun: such a thing is two operators.
fn is_balanced(regex: &[u8]) -> bool {
    let mut depth = 0usize;
    let mut bytes = regex.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    true
}

fn count(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|found| **found == byte).count()
}

fn line_of(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())]
}
