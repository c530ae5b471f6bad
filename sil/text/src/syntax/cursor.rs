//! A position in a source text with one token of lookahead, and the errors that all readers share.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::{FileId, Span};

use super::Parsed;
use super::lexer::{Lexeme, Lexer, Token};

/// Iterates over the tokens of a text.
#[derive(Clone)]
pub struct Cursor<'a> {
    text: &'a str,
    file: FileId,
    lexer: Lexer<'a>,
    ahead: Lexeme,
    previous_end: u32,
}

/// A saved position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CursorPosition(u32);

impl<'a> Cursor<'a> {
    /// Creates a cursor in front of the first token of `text`, the whole text of `file`.
    pub fn new(text: &'a str, file: FileId) -> Self {
        Self::within(text, file, 0, text.len() as u32)
    }

    /// Creates a cursor over the bytes from `start` to `end`, which are character boundaries. Spans are relative to the
    /// file.
    pub fn within(text: &'a str, file: FileId, start: u32, end: u32) -> Self {
        let text = &text[..end as usize];
        let mut lexer = Lexer::new(text, start);
        let ahead = lexer.lexeme();
        Self { text, file, lexer, ahead, previous_end: start }
    }

    /// Returns the text up to the cursor's end, from the beginning of the file.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the text from the next token on.
    pub fn rest(&self) -> &'a str {
        &self.text[self.ahead.start as usize..]
    }

    /// Returns the file.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the next token.
    pub fn peek(&self) -> Token {
        self.ahead.token
    }

    /// Returns the text of the next token.
    pub fn peek_text(&self) -> &'a str {
        &self.text[self.ahead.start as usize..self.ahead.end as usize]
    }

    /// Returns the token after the next one.
    pub fn peek_second(&self) -> Token {
        self.lexer.clone().lexeme().token
    }

    /// Returns whether the next token is the first one of its line.
    pub fn at_line_start(&self) -> bool {
        self.ahead.first_in_line
    }

    /// Returns whether no space precedes the next token.
    pub fn is_adjacent(&self) -> bool {
        self.ahead.start == self.previous_end
    }

    /// Consumes the next token and returns its text. At the end of the text, the cursor does not move.
    pub fn bump(&mut self) -> &'a str {
        let text = self.peek_text();
        self.previous_end = self.ahead.end;
        self.ahead = self.lexer.lexeme();
        text
    }

    /// Returns the span of the next token.
    pub fn span(&self) -> Span {
        Span { file: self.file, start: self.ahead.start, end: self.ahead.end }
    }

    /// Returns the end of the previous token.
    pub fn previous_end(&self) -> u32 {
        self.previous_end
    }

    /// Returns the span from the byte `start` to the end of the previous token.
    pub fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    /// Returns whether the next token is `token`.
    pub fn at(&self, token: Token) -> bool {
        self.ahead.token == token
    }

    /// Returns whether the next token is the word `word`.
    pub fn at_word(&self, word: &str) -> bool {
        self.ahead.token == Token::Identifier && self.peek_text() == word
    }

    /// Consumes the next token if it is `token`.
    pub fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes the next token if it is the word `word`.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes `token` and returns its text; reports an error for another token.
    pub fn expect(&mut self, token: Token) -> Parsed<&'a str> {
        if self.at(token) { Ok(self.bump()) } else { Err(self.expected(token)) }
    }

    /// Consumes the word `word`; reports an error for another token.
    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(format_args!("'{word}'"))) }
    }

    /// Consumes a number and returns it; reports an error if the token is no number or the number is too large.
    pub fn expect_number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        let span = self.span();
        let text = self.expect(Token::Integer)?;
        text.parse()
            .map_err(|_| Box::new(Diagnostic::error("number", format!("the number {text} is out of range"), span)))
    }

    /// Returns the error that `what` was expected at the next token.
    pub fn expected(&self, what: impl std::fmt::Display) -> Box<Diagnostic> {
        let found = match self.peek() {
            Token::End => "the end of the text".to_owned(),
            Token::Unterminated => "text whose closing mark is missing".to_owned(),
            _ => format!("'{}'", excerpt(self.peek_text())),
        };
        self.error("syntax", format!("expected {what}, found {found}"))
    }

    /// Returns an error at the next token.
    pub fn error(&self, code: &'static str, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code, message, self.span()))
    }

    /// Returns the position of the next token, for [`seek`](Self::seek).
    pub fn position(&self) -> CursorPosition {
        CursorPosition(self.ahead.start)
    }

    /// Moves back or forward to a position.
    pub fn seek(&mut self, position: CursorPosition) {
        self.seek_byte(position.0);
    }

    /// Moves to the first token at or after the byte `at`, which is a character boundary.
    pub fn seek_byte(&mut self, at: u32) {
        self.lexer = Lexer::new(self.text, at);
        self.ahead = self.lexer.lexeme();
        self.previous_end = at;
    }

    /// Moves to the first token of the next line that has any.
    pub fn skip_to_next_line(&mut self) {
        let at = self.ahead.start as usize;
        let rest = &self.text.as_bytes()[at..];
        let next = memchr::memchr(b'\n', rest).map_or(self.text.len(), |found| at + found + 1);
        self.seek_byte(next as u32);
    }

    /// Consumes a bracketed range: the bracket ahead, its contents and the closing bracket. Returns false if the
    /// closing one is missing.
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

/// Returns the beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain("…".chars()).collect()
}
