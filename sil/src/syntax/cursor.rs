//! A place in a source text with one token ahead, and the errors that readers of any part share.

use super::Parsed;
use super::lexer::{Lexeme, Lexer, Token};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// Walks over the tokens of a text.
#[derive(Clone)]
pub struct Cursor<'a> {
    text: &'a str,
    file: FileId,
    lexer: Lexer<'a>,
    ahead: Lexeme,
    previous_end: u32,
}

/// A place to return to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CursorPosition(u32);

impl<'a> Cursor<'a> {
    /// Stands before the first token of `text`, the whole text of `file`.
    pub fn new(text: &'a str, file: FileId) -> Self {
        Self::within(text, file, 0, text.len() as u32)
    }

    /// Walks over the bytes from `start` to `end` only; both are at character boundaries. Spans stay those of the file.
    pub fn within(text: &'a str, file: FileId, start: u32, end: u32) -> Self {
        let text = &text[..end as usize];
        let mut lexer = Lexer::new(text, start);
        let ahead = lexer.lexeme();
        Self { text, file, lexer, ahead, previous_end: start }
    }

    /// The text that the cursor walks over, from the beginning of the file on.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The text from the token ahead on.
    pub fn rest(&self) -> &'a str {
        &self.text[self.ahead.start as usize..]
    }

    /// The file.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The token ahead.
    pub fn peek(&self) -> Token {
        self.ahead.token
    }

    /// The text of the token ahead.
    pub fn peek_text(&self) -> &'a str {
        &self.text[self.ahead.start as usize..self.ahead.end as usize]
    }

    /// The token behind the one ahead.
    pub fn peek_second(&self) -> Token {
        self.lexer.clone().lexeme().token
    }

    /// Whether the token ahead is the first one in its line.
    pub fn at_line_start(&self) -> bool {
        self.ahead.first_in_line
    }

    /// Whether no space stands before the token ahead.
    pub fn is_adjacent(&self) -> bool {
        self.ahead.start == self.previous_end
    }

    /// Goes past the token ahead and gives its text. At the end of the text it stays.
    pub fn bump(&mut self) -> &'a str {
        let text = self.peek_text();
        self.previous_end = self.ahead.end;
        self.ahead = self.lexer.lexeme();
        text
    }

    /// The place of the token ahead.
    pub fn span(&self) -> Span {
        Span { file: self.file, start: self.ahead.start, end: self.ahead.end }
    }

    /// Where the token before the one ahead ends.
    pub fn previous_end(&self) -> u32 {
        self.previous_end
    }

    /// From the byte `start` to the end of the token before the one ahead.
    pub fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    /// Whether the token ahead is `token`.
    pub fn at(&self, token: Token) -> bool {
        self.ahead.token == token
    }

    /// Whether the token ahead is the word `word`.
    pub fn at_word(&self, word: &str) -> bool {
        self.ahead.token == Token::Identifier && self.peek_text() == word
    }

    /// Goes past the token ahead if it is `token`.
    pub fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    /// Goes past the token ahead if it is the word `word`.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Goes past `token` and gives its text; an error if something else is ahead.
    pub fn expect(&mut self, token: Token) -> Parsed<&'a str> {
        if self.at(token) { Ok(self.bump()) } else { Err(self.expected(token)) }
    }

    /// Goes past the word `word`; an error if something else is ahead.
    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(format_args!("'{word}'"))) }
    }

    /// Goes past a number and gives it; an error if it is none or too large.
    pub fn expect_number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        let span = self.span();
        let text = self.expect(Token::Integer)?;
        text.parse()
            .map_err(|_| Box::new(Diagnostic::error("number", format!("the number {text} is out of range"), span)))
    }

    /// The error that `what` should stand where the token ahead is.
    pub fn expected(&self, what: impl std::fmt::Display) -> Box<Diagnostic> {
        let found = match self.peek() {
            Token::End => "the end of the text".to_owned(),
            Token::Unterminated => "text whose closing mark is missing".to_owned(),
            _ => format!("'{}'", excerpt(self.peek_text())),
        };
        self.error("syntax", format!("expected {what}, found {found}"))
    }

    /// An error at the token ahead.
    pub fn error(&self, code: &'static str, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code, message, self.span()))
    }

    /// The place of the token ahead, to [`seek`](Self::seek) later.
    pub fn position(&self) -> CursorPosition {
        CursorPosition(self.ahead.start)
    }

    /// Goes back, or on, to a place.
    pub fn seek(&mut self, position: CursorPosition) {
        self.seek_byte(position.0);
    }

    /// Goes to the first token at or behind the byte `at`, which is at a character boundary.
    pub fn seek_byte(&mut self, at: u32) {
        self.lexer = Lexer::new(self.text, at);
        self.ahead = self.lexer.lexeme();
        self.previous_end = at;
    }

    /// Goes to the first token of a following line: of the next line that has any.
    pub fn skip_to_next_line(&mut self) {
        let at = self.ahead.start as usize;
        let rest = &self.text.as_bytes()[at..];
        let next = memchr::memchr(b'\n', rest).map_or(self.text.len(), |found| at + found + 1);
        self.seek_byte(next as u32);
    }

    /// Goes past the bracket ahead, what it encloses, and its closing bracket. False if the closing one is missing.
    pub fn skip_balanced(&mut self) -> bool {
        let mut open = Vec::new();
        loop {
            let token = self.peek();
            if let Some(closing) = token.closing() {
                open.push(closing);
            } else if open.last() == Some(&token) {
                open.pop();
            } else if token == Token::End {
                return false;
            }
            self.bump();
            if open.is_empty() {
                return true;
            }
        }
    }
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain("…".chars()).collect()
}
