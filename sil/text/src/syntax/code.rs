//! The code of a text: its characters outside of comments and string literals. Facts about a module are inferred from
//! its code only. This module is the one place that separates code from comments and literals for searches of marks.
//!
//! Owns the marks, which are sequences of words, and the unusual characters of a text. Does not own the meaning of the
//! marks.

use memchr::{memchr, memchr_iter, memchr3, memmem};
use sil_ir::diagnostic::{Diagnostic, Level};
use sil_ir::source::{FileId, Span};

use super::lexer::{Lexer, Token};

/// A text reduced to its code. Blanks replace comments and the contents of string literals, so that each byte of the
/// code keeps its offset. Quotes of literals are kept if both are in one line. Quoted names, `@"…"` and `#P."=="`, are
/// code; their escape sequences are blanked.
pub(super) struct Code {
    code: String,
    oddities: Vec<Oddity>,
}

/// A property of a text that its code does not show.
struct Oddity {
    kind: OddityKind,
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OddityKind {
    /// A comment that the end of the text terminates.
    OpenComment,
    /// A no-break space, U+00A0.
    NonBreakingSpace,
    /// A zero byte.
    Nul,
}

/// A sequence of words and punctuation with any space between them. The search looks for the middle word: `= struct
/// $Int (`.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    /// The words in front of the searched word.
    pub(super) before: &'static [&'static str],
    /// The searched word. At an end that is a word character, it matches whole words only.
    pub(super) word: &'static str,
    /// The words after the searched word.
    pub(super) after: &'static [&'static str],
}

/// The place of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// The start of the first part.
    pub(super) start: usize,
    /// The end of the last part.
    pub(super) end: usize,
}

const NON_BREAKING_SPACE: &str = "\u{a0}";

/// A source of blanks for copying.
const BLANKS: &str = match std::str::from_utf8(&[b' '; 256]) {
    Ok(blanks) => blanks,
    Err(_) => "",
};

impl Code {
    /// Returns the code of `text`.
    pub(super) fn of(text: &str) -> Self {
        let mut masker = Masker { text, code: String::with_capacity(text.len()), oddities: Vec::new() };
        masker.mask();
        masker.note_characters();
        Self { code: masker.code, oddities: masker.oddities }
    }

    /// Returns the code, at the offsets of the text.
    pub(super) fn as_str(&self) -> &str {
        &self.code
    }

    /// Returns diagnostics for unusual characters of the text of `file`: errors where the text is not read as it looks,
    /// warnings elsewhere (lib/Parse/Lexer.cpp, `lexImpl`, `skipSlashStarComment`).
    pub(super) fn oddities(&self, file: FileId) -> impl Iterator<Item = Diagnostic> {
        self.oddities.iter().map(move |oddity| {
            let span = Span { file, start: oddity.start, end: oddity.end };
            match oddity.kind {
                OddityKind::OpenComment => Diagnostic::error("syntax", "unterminated '/*' comment", span),
                OddityKind::NonBreakingSpace => {
                    let message = "non-breaking space (U+00A0) used instead of regular space";
                    Diagnostic::error("non-breaking-space", message, span).at_level(Level::Warning)
                }
                OddityKind::Nul => {
                    let message = "nul character embedded in the file";
                    Diagnostic::error("nul-character", message, span).at_level(Level::Warning)
                }
            }
        })
    }

    /// Returns the start of an unterminated comment, which ends the text for its reader.
    pub(super) fn open_comment(&self) -> Option<u32> {
        let open = self.oddities.iter().find(|oddity| oddity.kind == OddityKind::OpenComment);
        open.map(|oddity| oddity.start)
    }

    /// Returns whether a symbol begins with `prefix`, quoted or not.
    pub(super) fn has_symbol(&self, prefix: &str) -> bool {
        let has = |mark: String| memmem::find(self.code.as_bytes(), mark.as_bytes()).is_some();
        has(format!("@{prefix}")) || has(format!("@\"{prefix}"))
    }

    /// Returns whether `mark` occurs in the code.
    pub(super) fn has(&self, mark: Mark) -> bool {
        self.find(mark).next().is_some()
    }

    /// Returns the occurrences of `mark` in the code.
    pub(super) fn find(&self, mark: Mark) -> impl Iterator<Item = Found> {
        let code = self.as_str();
        memmem::find_iter(code.as_bytes(), mark.word).filter_map(move |at| mark.around(code, at))
    }

    /// Returns whether the string literal `word` occurs in the code of `text` after the words `before`, as in `builtin
    /// "add_Int64"`.
    pub(super) fn has_literal(&self, text: &str, before: &[&str], word: &str) -> bool {
        let quoted = format!("\"{word}\"");
        memmem::find_iter(text.as_bytes(), &quoted).any(|at| {
            let inner = at + 1..at + 1 + word.len();
            let is_literal = self.code.as_bytes()[at] == b'"' && self.code[inner].bytes().all(|byte| byte == b' ');
            is_literal && words_end(&self.code[..at], before).is_some()
        })
    }
}

impl Mark {
    /// Returns the extent of the mark whose word is at the byte `at`, if all its parts match.
    fn around(self, code: &str, at: usize) -> Option<Found> {
        let end = at + self.word.len();
        if !is_whole(code, at, end) {
            return None;
        }
        let start = words_end(&code[..at], self.before)?;
        let mut end = end;
        for part in self.after {
            let rest = &code[end..];
            let space = rest.len() - rest.trim_ascii_start().len();
            let stop = end + space + part.len();
            if !rest[space..].starts_with(part) || !is_whole(code, end + space, stop) {
                return None;
            }
            end = stop;
        }
        Some(Found { start, end })
    }
}

/// Returns the start of the first of `words`, if `before` ends with all of them.
fn words_end(before: &str, words: &[&str]) -> Option<usize> {
    let mut start = before.len();
    for word in words.iter().rev() {
        let rest = before[..start].trim_ascii_end();
        if !rest.ends_with(word) || !is_whole(before, rest.len() - word.len(), rest.len()) {
            return None;
        }
        start = rest.len() - word.len();
    }
    Some(start)
}

/// Returns whether the range from `start` to `end` is not part of a longer word.
fn is_whole(code: &str, start: usize, end: usize) -> bool {
    let bytes = code.as_bytes();
    let is_word =
        |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    let goes_on = |inner: usize, outer: usize| is_word(inner) && is_word(outer);
    !(start > 0 && goes_on(start, start - 1) || goes_on(end - 1, end))
}

/// Returns the code of `text`: as many bytes, with blanks in place of comments and of the contents of string literals.
pub fn code_of(text: &str) -> String {
    Code::of(text).code
}

/// Builds the code of a text.
struct Masker<'t> {
    text: &'t str,
    /// The code built so far.
    code: String,
    oddities: Vec<Oddity>,
}

impl Masker<'_> {
    fn mask(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(next) = memchr3(b'/', b'"', b'`', &bytes[at..]) {
            let start = at + next;
            at = match (bytes[start], bytes.get(start + 1)) {
                (b'/', Some(b'/')) => self.line_comment(start),
                (b'/', Some(b'*')) => self.block_comment(start),
                (b'/', _) => start + 1,
                (b'"', _) => self.quoted(start),
                _ => self.end_of_lexeme(start).0,
            };
        }
        self.keep(bytes.len());
    }

    /// Returns the end of the lexeme at the byte `start`, and its token.
    fn end_of_lexeme(&self, start: usize) -> (usize, Token) {
        // A file too large for spans is not read.
        let lexeme = Lexer::new(self.text, start as u32).lexeme();
        (lexeme.end as usize, lexeme.token)
    }

    fn line_comment(&mut self, start: usize) -> usize {
        self.keep(start);
        let length = memchr(b'\n', &self.text.as_bytes()[start..]);
        self.blank(length.map_or(self.text.len(), |length| start + length));
        self.code.len()
    }

    fn block_comment(&mut self, start: usize) -> usize {
        self.keep(start);
        match Lexer::end_of_block_comment(self.text, start as u32) {
            Some(end) => self.blank(end as usize),
            None => {
                let end = self.text.len() as u32;
                self.oddities.push(Oddity {
                    kind: OddityKind::OpenComment,
                    start: start as u32,
                    end: start as u32 + 2,
                });
                self.blank(end as usize);
            }
        }
        self.code.len()
    }

    /// Handles a string literal or a quoted name whose quote is at the byte `quote`.
    fn quoted(&mut self, quote: usize) -> usize {
        let bytes = self.text.as_bytes();
        let hashes = bytes[..quote].iter().rev().take_while(|byte| **byte == b'#').count();
        let (end, token) = self.end_of_lexeme(quote - hashes);
        if token == Token::Unterminated || self.text[quote..end].contains('\n') {
            self.keep(quote);
            self.blank(end);
        } else if hashes == 0 && self.is_name(quote) {
            self.blank_escapes(quote, end);
        } else {
            self.keep(quote + 1);
            self.blank(end - 1 - hashes);
            self.keep(end);
        }
        end
    }

    /// Returns whether the quote at the byte `quote` begins a name: `@"a b"`, `#P."=="`.
    fn is_name(&self, quote: usize) -> bool {
        let before = &self.text[..quote];
        let line = &before[before.rfind('\n').unwrap_or(0)..];
        line.ends_with('@')
            || line.ends_with('.') && line.rfind(['#', '"']).is_some_and(|at| line[at..].starts_with('#'))
    }

    /// Blanks the escape sequences of the quoted name between the two offsets.
    fn blank_escapes(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let mut at = start;
        while let Some(next) = memchr(b'\\', &bytes[at..end]) {
            self.keep(at + next);
            let escaped = self.text[at + next + 1..].chars().next().map_or(0, char::len_utf8);
            at = (at + next + 1 + escaped).min(end);
            self.blank(at);
        }
    }

    /// Copies the text up to `end`.
    fn keep(&mut self, end: usize) {
        self.code.push_str(&self.text[self.code.len()..end]);
    }

    /// Adds blanks up to `end` and keeps line ends.
    fn blank(&mut self, end: usize) {
        let start = self.code.len();
        for line_end in memchr_iter(b'\n', &self.text.as_bytes()[start..end]) {
            self.push_blanks(start + line_end);
            self.keep(start + line_end + 1);
        }
        self.push_blanks(end);
    }

    fn push_blanks(&mut self, end: usize) {
        while self.code.len() < end {
            let length = (end - self.code.len()).min(BLANKS.len());
            self.code.push_str(&BLANKS[..length]);
        }
    }

    /// Records no-break spaces and zero bytes, and blanks them.
    fn note_characters(&mut self) {
        for (character, kind) in [(NON_BREAKING_SPACE, OddityKind::NonBreakingSpace), ("\0", OddityKind::Nul)] {
            let found: Vec<usize> = memmem::find_iter(self.code.as_bytes(), character).collect();
            if found.is_empty() {
                continue;
            }
            self.code = self.code.replace(character, &BLANKS[..character.len()]);
            // A run of adjacent characters is reported once.
            let first = |at: &usize| !found.contains(&at.wrapping_sub(character.len()));
            let noted = found.iter().filter(|at| first(at)).map(|at| Oddity {
                kind,
                start: *at as u32,
                end: (at + character.len()) as u32,
            });
            self.oddities.extend(noted);
        }
        self.oddities.sort_by_key(|oddity| oddity.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        Code::of(text).as_str().to_owned()
    }

    #[test]
    fn comments_and_literals_are_blank_and_lines_stay() {
        assert_eq!(code("a // b\nc"), "a     \nc");
        assert_eq!(code("a /* b\n/* c */ */ d"), "a     \n           d");
        assert_eq!(code("builtin \"add\"(x)"), "builtin \"   \"(x)");
        assert_eq!(code("let a = \"// \\\" ü\" // x"), "let a = \"        \"     ");
        assert_eq!(code("#\"a\"b\"# c"), "#\"   \"# c");
        assert_eq!(code("\"\"\"\n{ x\n\"\"\" y"), "   \n   \n    y");
        assert_eq!(code("\"open\nnext"), "     \nnext");
    }

    #[test]
    fn quoted_names_are_code() {
        assert_eq!(code("@\"$s4main\" #P.\"==\""), "@\"$s4main\" #P.\"==\"");
        assert_eq!(code("@\"a\\\"b // c\" d"), "@\"a  b // c\" d");
        assert_eq!(code("`a // b` \"`\" c"), "`a // b` \" \" c");
    }

    #[test]
    fn marks_are_whole_words() {
        const MARK: Mark = Mark { before: &["=", "struct"], word: "$Int", after: &["("] };
        let found = |text: &str| Code::of(text).find(MARK).map(|found| (found.start, found.end)).collect::<Vec<_>>();
        assert_eq!(found("%1 = struct  $Int(%0)"), [(3, 18)]);
        assert_eq!(found("%1 = struct $Int32 (%0)"), []);
        assert_eq!(found("%1 = construct $Int (%0)"), []);
        assert_eq!(found("// %1 = struct $Int (%0)"), []);
        assert_eq!(found("f(\"a = struct $Int (\")"), []);
    }

    #[test]
    fn literals_are_found_after_words() {
        let has = |text: &str| Code::of(text).has_literal(text, &["builtin"], "add");
        assert!(has("%1 = builtin \"add\"(%0)"));
        assert!(!has("%1 = builtin \"added\"(%0)"));
        assert!(!has("// builtin \"add\"(%0)"));
        assert!(!has("%1 = string_literal utf8 \"builtin \\\"add\\\"\""));
    }

    #[test]
    fn odd_characters_are_spaces() {
        let code = Code::of("a\u{a0}\u{a0}b\0");
        assert_eq!(code.as_str(), "a    b ");
        assert_eq!(code.oddities.len(), 2);
        assert_eq!(Code::of("\"\u{a0}\" // \u{a0}").oddities.len(), 0);
        assert_eq!(Code::of("a /* /* */").open_comment(), Some(2));
    }
}
