//! Tokens for the grammar of types. Distinguishes keywords, labels and attributes from names by their context, so that
//! the grammar needs only one token of lookahead. Also finds the end of a type in a line of SIL.

use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::{Lexeme, Lexer, Token};

/// A token of the grammar of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeToken<'a> {
    Word(&'a str),
    /// A label with its colon, in parentheses.
    Label(&'a str),
    Integer(&'a str),
    String(&'a str),
    /// An attribute, with the text in its parentheses.
    Attribute(&'a str, Option<&'a str>),
    /// `inout`, `__owned`, `sending`…
    Specifier(&'a str),
    /// `_Trivial` or another layout in front of a parenthesis.
    Layout(&'a str),
    Opened,
    /// `@convention(witness_method:`
    WitnessMethod,
    Any,
    OpaqueSome,
    Each,
    Repeat,
    Where,
    Let,
    Var,
    Of,
    For,
    Async,
    Throws,
    ThrowsOpen,
    Rethrows,
    PackOpen,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Less,
    Greater,
    Comma,
    Colon,
    Period,
    Ellipsis,
    EqualEqual,
    Arrow,
    Question,
    Exclamation,
    Ampersand,
    Tilde,
}

/// An error of the grammar of types other than an unexpected token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unexpected {
    /// A token that types do not have.
    Token { start: u32, end: u32 },
    /// `for <…>` after a type without generic parameters.
    UnboundArguments { start: u32, end: u32 },
}

/// Attributes of types that take arguments in parentheses. After other attributes, a parenthesis begins the type.
const WITH_ARGUMENTS: [&str; 12] = [
    "@called",
    "@convention",
    "@opened",
    "@pack_element",
    "@_opaqueReturnTypeOf",
    "@differentiable",
    "@isolated",
    "@lifetime",
    "@_lifetime",
    "@execution",
    "@_addressableForDependencies",
    "@dependence",
];

const SPECIFIERS: [&str; 10] = [
    "inout",
    "borrowing",
    "consuming",
    "__owned",
    "__shared",
    "sending",
    "isolated",
    "nonisolated",
    "_const",
    "__owned_and_escaping",
];

/// A type token with its start and end.
pub(crate) type Spanned<'a> = (u32, TypeToken<'a>, u32);

/// Whether elements of tuples can have default values: `(a: Int = 1)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DefaultValues {
    /// Not allowed: `=` occurs in no type.
    None,
    /// Allowed, as in the payloads of enum cases. The values are not part of the type.
    LeftOut,
}

/// Returns the tokens of `text[start..end]`.
pub(crate) fn tokens(
    text: &str,
    start: u32,
    end: u32,
    defaults: DefaultValues,
) -> Result<Vec<Spanned<'_>>, Unexpected> {
    let text = &text[..end as usize];
    let mut lexer = Lexer::new(text, start);
    let mut lexemes = Vec::new();
    loop {
        let lexeme = lexer.lexeme();
        if lexeme.token == Token::End {
            break;
        }
        lexemes.push(lexeme);
    }
    if defaults == DefaultValues::LeftOut {
        leave_out_defaults(&mut lexemes);
    }
    let mut steering = Steering { text, lexemes: &lexemes, at: 0, open: Vec::new(), out: Vec::new() };
    while steering.at < lexemes.len() {
        steering.step()?;
    }
    Ok(steering.out)
}

/// Removes the tokens from `=` up to the next element.
fn leave_out_defaults(lexemes: &mut Vec<Lexeme>) {
    // The number of open brackets in the default value that is being removed.
    let mut value: Option<u32> = None;
    lexemes.retain(|lexeme| {
        value = match (value, lexeme.token) {
            (None, Token::Equal) => Some(0),
            (None, _) | (Some(0), Token::Comma | Token::RightParen) => None,
            (Some(depth), Token::LeftParen | Token::LeftBracket | Token::LeftBrace) => Some(depth + 1),
            (Some(depth), Token::RightParen | Token::RightBracket | Token::RightBrace) => Some(depth.saturating_sub(1)),
            (open, _) => open,
        };
        value.is_none()
    });
}

/// Classifies lexemes in order.
struct Steering<'a, 'l> {
    text: &'a str,
    lexemes: &'l [Lexeme],
    at: usize,
    /// The open brackets, including `<`.
    open: Vec<Token>,
    out: Vec<Spanned<'a>>,
}

impl<'a> Steering<'a, '_> {
    fn token(&self, ahead: usize) -> Token {
        self.lexemes.get(self.at + ahead).map_or(Token::End, |lexeme| lexeme.token)
    }

    fn text(&self, ahead: usize) -> &'a str {
        self.lexemes.get(self.at + ahead).map_or("", |lexeme| &self.text[lexeme.start as usize..lexeme.end as usize])
    }

    /// Returns whether the lexeme `ahead` touches the one before it.
    fn adjacent(&self, ahead: usize) -> bool {
        let (here, next) = (self.lexemes.get(self.at + ahead - 1), self.lexemes.get(self.at + ahead));
        matches!((here, next), (Some(here), Some(next)) if here.end == next.start)
    }

    fn previous(&self) -> Option<TypeToken<'a>> {
        self.out.last().map(|(_, token, _)| *token)
    }

    /// Emits `token` for the next `count` lexemes.
    fn emit(&mut self, token: TypeToken<'a>, count: usize) {
        let (first, last) = (self.lexemes[self.at], self.lexemes[(self.at + count - 1).min(self.lexemes.len() - 1)]);
        self.out.push((first.start, token, last.end));
        self.at += count;
    }

    fn unexpected(&self) -> Unexpected {
        let lexeme = self.lexemes[self.at];
        Unexpected::Token { start: lexeme.start, end: lexeme.end }
    }

    fn step(&mut self) -> Result<(), Unexpected> {
        match self.token(0) {
            Token::Identifier => self.word(),
            Token::AtName => self.attribute(),
            Token::LeftParen => self.bracket(TypeToken::LeftParen, Token::LeftParen),
            Token::LeftBracket => self.bracket(TypeToken::LeftBracket, Token::LeftBracket),
            Token::LeftBrace => self.bracket(TypeToken::LeftBrace, Token::LeftBrace),
            Token::Less => self.bracket(TypeToken::Less, Token::Less),
            Token::RightParen => self.closing(TypeToken::RightParen),
            Token::RightBracket => self.closing(TypeToken::RightBracket),
            Token::RightBrace => self.closing(TypeToken::RightBrace),
            Token::Greater => self.closing(TypeToken::Greater),
            Token::Integer => self.emit(TypeToken::Integer(self.text(0)), 1),
            Token::String => self.emit(TypeToken::String(self.text(0)), 1),
            // A name generated by a macro: `$s4main5ModelC3keyfMu_`.
            Token::Dollar if self.token(1) == Token::Identifier && self.adjacent(1) => {
                let (start, end) = (self.lexemes[self.at].start, self.lexemes[self.at + 1].end);
                self.emit(TypeToken::Word(&self.text[start as usize..end as usize]), 2);
            }
            Token::Minus if self.token(1) == Token::Integer => {
                let (start, end) = (self.lexemes[self.at].start, self.lexemes[self.at + 1].end);
                self.emit(TypeToken::Integer(&self.text[start as usize..end as usize]), 2);
            }
            Token::Period if self.token(1) == Token::Period && self.token(2) == Token::Period => {
                self.emit(TypeToken::Ellipsis, 3);
            }
            Token::Equal if self.token(1) == Token::Equal => self.emit(TypeToken::EqualEqual, 2),
            Token::Comma => self.emit(TypeToken::Comma, 1),
            Token::Colon => self.emit(TypeToken::Colon, 1),
            Token::Period => self.emit(TypeToken::Period, 1),
            Token::Arrow => self.emit(TypeToken::Arrow, 1),
            Token::Question => self.emit(TypeToken::Question, 1),
            Token::Exclamation => self.emit(TypeToken::Exclamation, 1),
            Token::Ampersand => self.emit(TypeToken::Ampersand, 1),
            Token::Tilde => self.emit(TypeToken::Tilde, 1),
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn bracket(&mut self, token: TypeToken<'a>, open: Token) {
        self.open.push(open);
        self.emit(token, 1);
    }

    fn closing(&mut self, token: TypeToken<'a>) {
        self.open.pop();
        self.emit(token, 1);
    }

    fn attribute(&mut self) {
        let name = self.text(0);
        let touches = self.adjacent(1) || name == "@convention";
        let has_arguments = self.token(1) == Token::LeftParen && touches && WITH_ARGUMENTS.contains(&name);
        if name == "@opened" {
            return self.emit(TypeToken::Opened, 1);
        }
        if name == "@convention" && has_arguments && self.text(2) == "witness_method" && self.token(3) == Token::Colon {
            self.open.push(Token::LeftParen);
            return self.emit(TypeToken::WitnessMethod, 4);
        }
        if !has_arguments {
            return self.emit(TypeToken::Attribute(name[1..].trim_start(), None), 1);
        }
        let (text, count) = self.parenthesized(1);
        self.emit(TypeToken::Attribute(&name[1..], Some(text)), 1 + count);
    }

    /// Returns the text between the parenthesis `ahead` and its closing one, and the number of lexemes including both.
    fn parenthesized(&self, ahead: usize) -> (&'a str, usize) {
        let mut depth = 0usize;
        let mut count = 0;
        while let Some(lexeme) = self.lexemes.get(self.at + ahead + count) {
            count += 1;
            match lexeme.token {
                Token::LeftParen => depth += 1,
                Token::RightParen => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        let first = self.lexemes[self.at + ahead];
        let last = self.lexemes[self.at + ahead + count - 1];
        let end = if depth == 0 { last.start } else { last.end };
        (self.text[first.end as usize..end as usize].trim(), count)
    }

    fn word(&mut self) {
        let text = self.text(0);
        if let Some(count) = self.label() {
            return self.emit(TypeToken::Label(text), count);
        }
        let (token, count) = self.keyword(text).unwrap_or((TypeToken::Word(text), 1));
        match token {
            TypeToken::PackOpen => self.open.push(Token::LeftBrace),
            TypeToken::ThrowsOpen => self.open.push(Token::LeftParen),
            _ => {}
        }
        self.emit(token, count);
    }

    /// Returns the number of lexemes of a label ahead: `x:`, or `outer inner:`.
    fn label(&self) -> Option<usize> {
        let in_parens = self.open.last() == Some(&Token::LeftParen);
        if !in_parens || !matches!(self.previous(), Some(TypeToken::LeftParen | TypeToken::Comma)) {
            return None;
        }
        match (self.token(1), self.token(2)) {
            (Token::Colon, _) => Some(2),
            (Token::Identifier, Token::Colon) => Some(3),
            _ => None,
        }
    }

    fn keyword(&self, text: &str) -> Option<(TypeToken<'a>, usize)> {
        if begins_type(self.token(1)) && !self.after_operand() {
            let prefix = match text {
                "any" => Some(TypeToken::Any),
                "some" => Some(TypeToken::OpaqueSome),
                "each" => Some(TypeToken::Each),
                "repeat" => Some(TypeToken::Repeat),
                "let" => Some(TypeToken::Let),
                "var" => Some(TypeToken::Var),
                "Pack" if self.token(1) == Token::LeftBrace => return Some((TypeToken::PackOpen, 2)),
                // `nonisolated(nonsending) () async -> ()`, `extension C: nonisolated P`
                "nonisolated" if self.token(1) == Token::LeftParen && self.adjacent(1) => {
                    return Some((TypeToken::Specifier(self.text(0)), self.parenthesized(1).1 + 1));
                }
                _ if SPECIFIERS.contains(&text) => Some(TypeToken::Specifier(self.text(0))),
                _ if text.starts_with("_Trivial") && self.token(1) == Token::LeftParen => {
                    Some(TypeToken::Layout(self.text(0)))
                }
                _ => None,
            };
            return prefix.map(|token| (token, 1));
        }
        if !self.after_operand() {
            // `<T where …>` may lack parameters: `<where …>`.
            return None;
        }
        match text {
            "where" if self.open.last() == Some(&Token::Less) => Some((TypeToken::Where, 1)),
            "for" if self.token(1) == Token::Less => Some((TypeToken::For, 1)),
            "async" | "reasync" => Some((TypeToken::Async, 1)),
            "throws" if self.token(1) == Token::LeftParen => Some((TypeToken::ThrowsOpen, 2)),
            "throws" => Some((TypeToken::Throws, 1)),
            "rethrows" => Some((TypeToken::Rethrows, 1)),
            "of" | "x" if self.open.last() == Some(&Token::LeftBracket) => Some((TypeToken::Of, 1)),
            _ => None,
        }
    }

    /// Returns whether the previous token ends a type, so that no type can begin here.
    fn after_operand(&self) -> bool {
        use TypeToken::*;
        matches!(
            self.previous(),
            Some(
                Word(_)
                    | Integer(_)
                    | RightParen
                    | RightBracket
                    | RightBrace
                    | Greater
                    | Question
                    | Exclamation
                    | Async
                    | Throws
                    | Rethrows
            )
        )
    }
}

/// Returns whether a type can begin with `token`, after a prefix such as `any`.
fn begins_type(token: Token) -> bool {
    matches!(
        token,
        Token::Identifier
            | Token::LeftParen
            | Token::LeftBracket
            | Token::LeftBrace
            | Token::AtName
            | Token::Tilde
            | Token::Less
    )
}

/// Skips the type ahead of `cursor`; does not move if there is none.
pub(crate) fn skip_type(cursor: &mut Cursor<'_>) {
    Skimmer { cursor }.ty();
}

/// Skips the list in angle brackets ahead of `cursor`.
pub(crate) fn skip_angles(cursor: &mut Cursor<'_>) {
    Skimmer { cursor }.angles();
}

/// Finds the end of a type by its brackets and by the tokens that can follow each other.
struct Skimmer<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
}

impl<'a> Skimmer<'_, 'a> {
    fn bump(&mut self) {
        self.cursor.bump();
    }

    fn token(&self) -> Token {
        self.cursor.peek()
    }

    fn word(&self) -> &'a str {
        self.cursor.peek_text()
    }

    fn second(&self) -> Token {
        self.cursor.peek_second()
    }

    fn ty(&mut self) {
        loop {
            if !self.operand() || !self.continuation() {
                return;
            }
        }
    }

    /// Skips prefixes and one primary type. Returns false if there is none.
    fn operand(&mut self) -> bool {
        loop {
            match self.token() {
                Token::AtName => self.attribute(),
                Token::Less => self.angles(),
                Token::Tilde | Token::Minus => self.bump(),
                Token::Dollar if self.second() == Token::Identifier => {
                    self.bump();
                    self.bump();
                    return true;
                }
                Token::Identifier => {
                    if !self.named() {
                        return true;
                    }
                }
                Token::Integer => {
                    self.bump();
                    return true;
                }
                Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                    self.brackets();
                    return true;
                }
                _ => return false,
            }
        }
    }

    fn attribute(&mut self) {
        let name = self.word();
        self.bump();
        let touches = self.cursor.is_adjacent() || name == "@convention";
        if self.token() == Token::LeftParen && touches && WITH_ARGUMENTS.contains(&name) {
            self.brackets();
        }
    }

    /// Skips a word. Returns true if a type must follow it.
    fn named(&mut self) -> bool {
        let word = self.word();
        self.bump();
        match self.token() {
            Token::LeftBrace if word == "Pack" => {
                self.brackets();
                false
            }
            Token::LeftParen if word.starts_with("_Trivial") => {
                self.brackets();
                false
            }
            Token::LeftParen if word == "nonisolated" && self.cursor.is_adjacent() => {
                self.brackets();
                true
            }
            token => {
                begins_type(token) && (matches!(word, "any" | "some" | "each" | "repeat") || SPECIFIERS.contains(&word))
            }
        }
    }

    /// Skips the tokens that can follow a type. Returns true if another type must follow.
    fn continuation(&mut self) -> bool {
        loop {
            match self.token() {
                Token::Less => self.angles(),
                // The exclamation mark of `!function_entry_count(1)` after the type is not adjacent.
                Token::Question | Token::Exclamation if self.cursor.is_adjacent() => self.bump(),
                Token::Period => self.period(),
                Token::Ampersand | Token::Arrow => {
                    self.bump();
                    return true;
                }
                Token::Identifier => match self.word() {
                    "for" if self.second() == Token::Less => self.bump(),
                    "async" | "reasync" | "rethrows" if self.second() != Token::Colon => self.bump(),
                    "throws" => {
                        self.bump();
                        if self.token() == Token::LeftParen {
                            self.brackets();
                        }
                    }
                    _ => return false,
                },
                _ => return false,
            }
            if self.token() == Token::End {
                return false;
            }
        }
    }

    fn period(&mut self) {
        self.bump();
        while matches!(self.token(), Token::Period) {
            self.bump();
        }
        if self.token() == Token::Dollar && self.cursor.is_adjacent() {
            self.bump();
        }
        if self.token() == Token::Identifier && self.cursor.is_adjacent() {
            self.bump();
        }
    }

    /// Skips a bracketed range, or the rest of the text if the bracket is not closed. The grammar reports that.
    fn brackets(&mut self) {
        self.cursor.skip_balanced();
    }

    /// Skips `<…>`.
    fn angles(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token() {
                Token::Less => depth += 1,
                Token::Greater => depth -= 1,
                Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                    self.brackets();
                    continue;
                }
                Token::End | Token::RightParen | Token::RightBracket | Token::RightBrace => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }
}
