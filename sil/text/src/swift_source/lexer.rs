//! From Swift's source text to tokens (lib/Parse/Lexer.cpp), as far as it takes to find calls: comments, string
//! literals, pairs of brackets. Text that is no Swift gives tokens too, and never an error.
//!
//! Does not own: string literals and regular expressions (`literals.rs`).

use super::literals::{StringDelimiter, regex_end, string_delimiter};
use super::token::{Token, TokenKind};

/// The tokens of `text`, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut lexer = Lexer { source: text, text: bytes, at: 0, tokens: Vec::new(), open: Vec::new(), begins_line: true };
    lexer.skip_beginning();
    while lexer.at < bytes.len() {
        match lexer.open.last() {
            Some(Open { kind: OpenKind::String(delimiter), .. }) => lexer.string_part(*delimiter),
            _ => lexer.code(),
        }
    }
    lexer.tokens
}

struct Lexer<'t> {
    source: &'t str,
    /// The bytes of it.
    text: &'t [u8],
    at: usize,
    tokens: Vec<Token>,
    /// Brackets and string literals that have not ended.
    open: Vec<Open>,
    begins_line: bool,
}

/// The number of an opening token, and its end.
struct Open {
    token: u32,
    kind: OpenKind,
}

#[derive(Clone, Copy)]
enum OpenKind {
    /// The byte of the closing bracket.
    Bracket(u8),
    String(StringDelimiter),
}

impl Lexer<'_> {
    /// A byte order mark, and the line that names an interpreter.
    fn skip_beginning(&mut self) {
        if self.text.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        if self.text[self.at..].starts_with(b"#!") {
            self.skip_line();
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or_default()
    }

    fn code(&mut self) {
        match self.byte(0) {
            b'\n' => {
                self.begins_line = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0 | 0x0B | 0x0C => self.at += 1,
            b'/' if self.byte(1) == b'/' => self.skip_line(),
            b'/' if self.byte(1) == b'*' => self.skip_comment(),
            b'"' | b'#' if self.begin_string() => {}
            b'#' => self.hash(),
            b'`' => self.backticks(),
            b'(' => self.open(b')'),
            b'[' => self.open(b']'),
            b'{' => self.open(b'}'),
            closing @ (b')' | b']' | b'}') => self.close(closing),
            b',' | b':' | b';' | b'@' | b'\\' => self.push(TokenKind::Punctuation, 1),
            b'.' if self.byte(1) != b'.' => self.push(TokenKind::Punctuation, 1),
            b'?' | b'!' if self.is_behind_operand() => self.push(TokenKind::Punctuation, 1),
            b'0'..=b'9' => self.number(),
            b'/' if self.regex() => {}
            _ => self.word(),
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        let begins_line = std::mem::take(&mut self.begins_line);
        self.tokens.push(Token { kind, start, end, begins_line, partner: None });
        self.at += length;
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Comments stand in comments.
    fn skip_comment(&mut self) {
        let mut depth = 0usize;
        while self.at < self.text.len() {
            let (step, change) = match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => (2, 1),
                (b'*', b'/') => (2, -1),
                (b'\n', _) => {
                    self.begins_line = true;
                    (1, 0)
                }
                _ => (1, 0),
            };
            self.at += step;
            depth = depth.saturating_add_signed(change);
            if depth == 0 {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
    }

    fn open(&mut self, closing: u8) {
        self.open.push(Open { token: self.tokens.len() as u32, kind: OpenKind::Bracket(closing) });
        self.push(TokenKind::Open, 1);
    }

    /// A bracket ends the nearest one of its kind, but none outside of the string literal that it stands in.
    fn close(&mut self, closing: u8) {
        let inner = self.open.iter().rev().take_while(|open| matches!(open.kind, OpenKind::Bracket(_)));
        let found = inner.enumerate().find(|(_, open)| matches!(open.kind, OpenKind::Bracket(own) if own == closing));
        let unclosed = found.map(|(unclosed, _)| unclosed);
        self.push(TokenKind::Close, 1);
        if let Some(unclosed) = unclosed {
            self.open.truncate(self.open.len() - unclosed);
            self.end_innermost();
        }
    }

    /// Ties the innermost open token to the last one.
    fn end_innermost(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let closing = self.tokens.len() - 1;
        self.tokens[open.token as usize].partner = Some(closing as u32);
        self.tokens[closing].partner = Some(open.token);
    }

    /// Whether a string literal begins here; then its beginning is read.
    fn begin_string(&mut self) -> bool {
        let Some(delimiter) = string_delimiter(&self.text[self.at..]) else { return false };
        self.open.push(Open { token: self.tokens.len() as u32, kind: OpenKind::String(delimiter) });
        self.push(TokenKind::OpenQuote, delimiter.length());
        true
    }

    /// The text of a string literal, up to the next interpolation or its end.
    fn string_part(&mut self, delimiter: StringDelimiter) {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            if let Some(length) = delimiter.end_at(rest) {
                self.push(TokenKind::CloseQuote, length);
                return self.end_innermost();
            }
            if let Some(length) = delimiter.escape_at(rest) {
                self.at += length;
                if self.byte(0) == b'(' {
                    return self.open(b')');
                }
                if self.byte(0) != b'\n' {
                    self.at = (self.at + 1).min(self.text.len());
                }
                continue;
            }
            self.at += 1;
        }
    }

    /// `#if`, `#/…/#`, or a character that is nothing.
    fn hash(&mut self) {
        if self.regex() {
            return;
        }
        let name = self.text[self.at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        match name.count() {
            0 => self.push(TokenKind::Punctuation, 1),
            length => self.push(TokenKind::Directive, length + 1),
        }
    }

    fn backticks(&mut self) {
        let rest = &self.text[self.at + 1..];
        match memchr::memchr2(b'`', b'\n', rest).filter(|end| rest[*end] == b'`') {
            Some(length) => self.push(TokenKind::Identifier, length + 2),
            None => self.push(TokenKind::Punctuation, 1),
        }
    }

    /// A sign of an exponent counts as an operator, which makes no difference.
    fn number(&mut self) {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let mut length = 1;
        while is_part(self.byte(length)) || self.byte(length) == b'.' && self.byte(length + 1).is_ascii_digit() {
            length += 1;
        }
        self.push(TokenKind::Number, length);
    }

    /// Whether a regular expression begins here; then it is read. A bare one begins where an operand is expected.
    fn regex(&mut self) -> bool {
        let is_operand_expected =
            !self.is_behind_operand() && self.tokens.last().is_none_or(|last| self.asks_for_operand(*last));
        let Some(length) = regex_end(&self.text[self.at..], is_operand_expected) else { return false };
        self.push(TokenKind::Regex, length);
        true
    }

    fn asks_for_operand(&self, last: Token) -> bool {
        match last.kind {
            TokenKind::Operator | TokenKind::Open => true,
            TokenKind::Punctuation => !matches!(self.text[last.start as usize], b'.' | b'?' | b'!'),
            TokenKind::Identifier => {
                let word = &self.text[last.start as usize..last.end as usize];
                KEYWORDS_BEFORE_OPERANDS.iter().any(|keyword| keyword.as_bytes() == word)
            }
            _ => self.begins_line,
        }
    }

    /// Whether an operand or its end stands right before: nothing between.
    fn is_behind_operand(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.text[at]);
        !matches!(before, None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'(' | b'[' | b'{' | b',' | b';' | b':' | 0))
    }

    /// A name or an operator.
    fn word(&mut self) {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let length = |accepts: &dyn Fn(char) -> bool| rest.find(|character| !accepts(character)).unwrap_or(rest.len());
        match length(&is_in_name) {
            0 => {}
            name => return self.push(TokenKind::Identifier, name),
        }
        let may_have_dots = rest.starts_with('.');
        let run = &rest[..length(&|character| is_operator(character) || may_have_dots && character == '.')];
        // A comment ends an operator.
        let comment = [run.find("//"), run.find("/*")].into_iter().flatten().min().filter(|at| *at > 0);
        match comment.unwrap_or(run.len()) {
            0 => self.push(TokenKind::Punctuation, rest.chars().next().map_or(1, char::len_utf8)),
            length => self.push(TokenKind::Operator, length),
        }
    }
}

/// Keywords that an operand follows.
const KEYWORDS_BEFORE_OPERANDS: &[&str] =
    &["return", "in", "case", "where", "if", "guard", "while", "switch", "try", "await", "throw", "else", "is", "as"];

fn is_in_name(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '$')
        || !character.is_ascii() && !is_operator(character)
}

/// Whether operators have `character` (`isOperatorStartCodePoint` in lib/Parse/Lexer.cpp).
fn is_operator(character: char) -> bool {
    matches!(
        character,
        '/' | '=' | '-' | '+' | '*' | '%' | '<' | '>' | '!' | '&' | '|' | '^' | '~' | '?'
            | '\u{A1}'..='\u{A7}' | '\u{A9}' | '\u{AB}' | '\u{AC}' | '\u{AE}' | '\u{B0}' | '\u{B1}' | '\u{B6}'
            | '\u{BB}' | '\u{BF}' | '\u{D7}' | '\u{F7}' | '\u{2016}' | '\u{2017}' | '\u{2020}'..='\u{2027}'
            | '\u{2030}'..='\u{203E}' | '\u{2041}'..='\u{2053}' | '\u{2055}'..='\u{205E}' | '\u{2190}'..='\u{23FF}'
            | '\u{2500}'..='\u{2775}' | '\u{2794}'..='\u{2BFF}' | '\u{2E00}'..='\u{2E7F}' | '\u{3001}'..='\u{3003}'
            | '\u{3008}'..='\u{3030}'
    )
}
