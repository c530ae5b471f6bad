//! The lexer of SIL and of the Swift declarations around it: bytes to tokens, one at a time, on demand.
//!
//! Owns the extent of tokens, comments, and the ends of strings. It has no keywords: they are identifiers whose text
//! the readers examine. Operators are lexed as single characters, so that `>>` closes two brackets; only `->` is one
//! token.

use std::fmt;

/// The kind of a token. Its text is the slice of the source that it covers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Token {
    /// A word: `alloc_stack`, `Int`, `τ_0_0`, `bb0`, `` `init` `` (backticks included), `_`.
    Identifier,
    /// `%0`, `%self`, `%$0`
    LocalValue,
    /// `@name`, `@"any text"`: a symbol or an attribute, the sign included.
    AtName,
    /// Digits and the word characters after them: `12`, `0x1F`, `1_000`.
    Integer,
    /// A string literal, quotes included.
    String,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `;`
    Semicolon,
    /// `.`
    Period,
    /// `=`
    Equal,
    /// `->`
    Arrow,
    /// `$`
    Dollar,
    /// `#`
    Hash,
    /// `*`
    Star,
    /// `!`
    Exclamation,
    /// `?`
    Question,
    /// `&`
    Ampersand,
    /// `|`
    Pipe,
    /// `~`
    Tilde,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `/`
    Slash,
    /// `%` without a name after it
    Percent,
    /// `^`
    Caret,
    /// `@` without a name after it
    At,
    /// `\`
    Backslash,
    /// A string or a backticked name whose end is missing.
    Unterminated,
    /// A byte that begins no token.
    Unknown,
    /// The end of the text.
    End,
}

impl Token {
    /// Returns whether the token is a character of operators.
    pub fn is_operator(self) -> bool {
        use Token::*;
        matches!(
            self,
            Less | Greater
                | Equal
                | Arrow
                | Star
                | Exclamation
                | Question
                | Ampersand
                | Pipe
                | Tilde
                | Minus
                | Plus
                | Slash
                | Percent
                | Caret
                | Period
        )
    }

    /// Returns the closing bracket for this bracket.
    pub fn closing(self) -> Option<Token> {
        match self {
            Token::LeftParen => Some(Token::RightParen),
            Token::LeftBracket => Some(Token::RightBracket),
            Token::LeftBrace => Some(Token::RightBrace),
            _ => None,
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Token::*;
        out.write_str(match self {
            Identifier => "a name",
            LocalValue => "a value such as '%0'",
            AtName => "a name with '@'",
            Integer => "a number",
            String => "a string",
            LeftParen => "'('",
            RightParen => "')'",
            LeftBracket => "'['",
            RightBracket => "']'",
            LeftBrace => "'{'",
            RightBrace => "'}'",
            Less => "'<'",
            Greater => "'>'",
            Comma => "','",
            Colon => "':'",
            Semicolon => "';'",
            Period => "'.'",
            Equal => "'='",
            Arrow => "'->'",
            Dollar => "'$'",
            Hash => "'#'",
            Star => "'*'",
            Exclamation => "'!'",
            Question => "'?'",
            Ampersand => "'&'",
            Pipe => "'|'",
            Tilde => "'~'",
            Minus => "'-'",
            Plus => "'+'",
            Slash => "'/'",
            Percent => "'%'",
            Caret => "'^'",
            At => "'@'",
            Backslash => "'\\'",
            Unterminated => "text without an end",
            Unknown => "a character that SIL does not have",
            End => "the end of the text",
        })
    }
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme {
    /// The kind.
    pub token: Token,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Whether only space and comments precede it in its line.
    pub first_in_line: bool,
}

/// The class of a token's first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Newline,
    Word,
    LatinLead,
    Digit,
    Single(Token),
    Minus,
    Slash,
    Percent,
    At,
    Quote,
    Backtick,
    Hash,
    Unknown,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Unknown; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = classify(byte as u8);
        byte += 1;
    }
    classes
};

const fn classify(byte: u8) -> Class {
    match byte {
        // A zero byte is read as a space (lib/Parse/Lexer.cpp, `lexTrivia`).
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => Class::Space,
        b'\n' => Class::Newline,
        NON_BREAKING_SPACE_LEAD => Class::LatinLead,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xff => Class::Word,
        b'0'..=b'9' => Class::Digit,
        b'(' => Class::Single(Token::LeftParen),
        b')' => Class::Single(Token::RightParen),
        b'[' => Class::Single(Token::LeftBracket),
        b']' => Class::Single(Token::RightBracket),
        b'{' => Class::Single(Token::LeftBrace),
        b'}' => Class::Single(Token::RightBrace),
        b'<' => Class::Single(Token::Less),
        b'>' => Class::Single(Token::Greater),
        b',' => Class::Single(Token::Comma),
        b':' => Class::Single(Token::Colon),
        b';' => Class::Single(Token::Semicolon),
        b'.' => Class::Single(Token::Period),
        b'=' => Class::Single(Token::Equal),
        b'$' => Class::Single(Token::Dollar),
        b'*' => Class::Single(Token::Star),
        b'!' => Class::Single(Token::Exclamation),
        b'?' => Class::Single(Token::Question),
        b'&' => Class::Single(Token::Ampersand),
        b'|' => Class::Single(Token::Pipe),
        b'~' => Class::Single(Token::Tilde),
        b'+' => Class::Single(Token::Plus),
        b'^' => Class::Single(Token::Caret),
        b'\\' => Class::Single(Token::Backslash),
        b'-' => Class::Minus,
        b'/' => Class::Slash,
        b'%' => Class::Percent,
        b'@' => Class::At,
        b'"' => Class::Quote,
        b'`' => Class::Backtick,
        b'#' => Class::Hash,
        _ => Class::Unknown,
    }
}

/// The two bytes of U+00A0, which is read as a space. The first one begins letters as well.
const NON_BREAKING_SPACE_LEAD: u8 = 0xc2;
const NON_BREAKING_SPACE_END: u8 = 0xa0;

/// The prefix of a symbol that is emitted verbatim, without the prefix of the platform (include/llvm/IR/Mangler.h).
const VERBATIM: u8 = 1;

fn continues_word(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Word | Class::Digit) || byte == b'$'
}

/// Reads tokens of `text`, from any place on.
#[derive(Clone)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer from the byte `at` on, which is a character boundary.
    pub fn new(text: &'a str, at: u32) -> Self {
        let mut lexer = Self { bytes: text.as_bytes(), at: (at as usize).min(text.len()) };
        if at == 0 && lexer.bytes.starts_with("\u{feff}".as_bytes()) {
            lexer.at = 3;
        }
        lexer
    }

    /// Returns the next token. At the end of the text, returns [`Token::End`] repeatedly.
    pub fn lexeme(&mut self) -> Lexeme {
        let mut first_in_line = self.at == 0 || self.bytes[self.at - 1] == b'\n';
        loop {
            let start = self.at;
            let Some(byte) = self.bytes.get(start) else {
                return self.finish(Token::End, start, first_in_line);
            };
            self.at += 1;
            let token = match CLASSES[*byte as usize] {
                Class::Space => continue,
                Class::Newline => {
                    first_in_line = true;
                    continue;
                }
                Class::Word => self.word(Token::Identifier),
                Class::LatinLead if self.peek() == NON_BREAKING_SPACE_END => {
                    self.at += 1;
                    continue;
                }
                Class::LatinLead => self.word(Token::Identifier),
                Class::Digit => self.word(Token::Integer),
                Class::Single(token) => token,
                Class::Minus if self.peek() == b'>' => self.take(Token::Arrow),
                Class::Minus => Token::Minus,
                Class::Slash if self.peek() == b'/' => {
                    self.skip_line();
                    continue;
                }
                Class::Slash if self.peek() == b'*' => {
                    // An unterminated comment ends the text. It is reported where the whole text is checked.
                    self.skip_block_comment();
                    continue;
                }
                Class::Slash => Token::Slash,
                Class::Percent if self.is_at_word() => self.word(Token::LocalValue),
                Class::Percent => Token::Percent,
                Class::At => self.at_name(),
                Class::Quote => self.string(0),
                Class::Backtick => self.backticked(),
                Class::Hash => self.hash(),
                Class::Unknown => Token::Unknown,
            };
            return self.finish(token, start, first_in_line);
        }
    }

    fn finish(&self, token: Token, start: usize, first_in_line: bool) -> Lexeme {
        Lexeme { token, start: start as u32, end: self.at as u32, first_in_line }
    }

    /// Returns the next byte; zero at the end.
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    fn word(&mut self, token: Token) -> Token {
        while self.is_at_word() {
            self.at += 1;
        }
        token
    }

    /// Returns whether the next byte can be part of a word.
    fn is_at_word(&self) -> bool {
        let byte = self.peek();
        let is_space = || self.bytes.get(self.at + 1) == Some(&NON_BREAKING_SPACE_END);
        continues_word(byte) || byte == NON_BREAKING_SPACE_LEAD && !is_space()
    }

    fn at_name(&mut self) -> Token {
        match self.peek() {
            b'"' => {
                self.at += 1;
                match self.string(0) {
                    Token::String => Token::AtName,
                    other => other,
                }
            }
            _ if self.is_at_word() => self.word(Token::AtName),
            VERBATIM => {
                self.at += 1;
                self.word(Token::AtName)
            }
            byte if byte.is_ascii_whitespace() => self.name_after_space(),
            _ => Token::At,
        }
    }

    /// Reads `@ name`: space may follow the sign.
    fn name_after_space(&mut self) -> Token {
        let space = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match self.bytes.get(self.at + space) {
            Some(byte) if continues_word(*byte) => {
                self.at += space;
                self.word(Token::AtName)
            }
            _ => Token::At,
        }
    }

    fn backticked(&mut self) -> Token {
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'`' => return Token::Identifier,
                b'\n' => break,
                _ => {}
            }
        }
        Token::Unterminated
    }

    /// Reads `#`, or a raw string such as `#"…"#`.
    fn hash(&mut self) -> Token {
        let hashes = 1 + self.bytes[self.at..].iter().take_while(|byte| **byte == b'#').count();
        if self.bytes.get(self.at + hashes - 1) != Some(&b'"') {
            return Token::Hash;
        }
        self.at += hashes;
        self.string(hashes)
    }

    /// Reads the rest of a string after its opening quote. `hashes` is the number of `#` in front of the quote.
    fn string(&mut self, hashes: usize) -> Token {
        let multiline = self.bytes[self.at..].starts_with(b"\"\"");
        if multiline && self.bytes.get(self.at + 2).is_none_or(|byte| *byte != b'\n') {
            // An empty string. Three quotes open a multi-line string only at the end of a line.
            return self.close_empty(hashes);
        }
        let quotes: &[u8] = if multiline { b"\"\"\"" } else { b"\"" };
        self.at += quotes.len() - 1;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'"' if self.closes(quotes, hashes) => {
                    self.at += quotes.len() + hashes;
                    return Token::String;
                }
                b'\\' if self.hashes_follow(1, hashes) => self.escape(hashes),
                b'\n' if !multiline => break,
                _ => self.at += 1,
            }
        }
        Token::Unterminated
    }

    fn close_empty(&mut self, hashes: usize) -> Token {
        self.at += 1;
        if self.hashes_follow(0, hashes) {
            self.at += hashes;
            return Token::String;
        }
        Token::Unterminated
    }

    fn closes(&self, quotes: &[u8], hashes: usize) -> bool {
        self.bytes[self.at..].starts_with(quotes) && self.hashes_follow(quotes.len(), hashes)
    }

    fn hashes_follow(&self, offset: usize, hashes: usize) -> bool {
        let rest = self.bytes.get(self.at + offset..).unwrap_or(&[]);
        rest.len() >= hashes && rest[..hashes].iter().all(|byte| *byte == b'#')
    }

    /// Skips `\n`, `\"`, or an interpolation `\(…)` with its own strings.
    fn escape(&mut self, hashes: usize) {
        self.at += 1 + hashes;
        if self.peek() != b'(' {
            self.at = (self.at + 1).min(self.bytes.len());
            return;
        }
        // Strings in interpolations can nest. Counting brackets suffices to find the end.
        let mut depth = 0usize;
        let mut quoted = false;
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'"' => quoted = !quoted,
                b'(' if !quoted => depth += 1,
                b')' if !quoted => depth -= 1,
                b'\\' if quoted => self.at = (self.at + 1).min(self.bytes.len()),
                b'\n' => return,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Returns the end of the comment that begins at the byte `at` of `text` with `/*`; `None` if it is unterminated.
    pub(super) fn end_of_block_comment(text: &'a str, at: u32) -> Option<u32> {
        let mut lexer = Self { bytes: text.as_bytes(), at: at as usize + 1 };
        lexer.skip_block_comment().then_some(lexer.at as u32)
    }

    /// Skips a comment that may contain others. Returns whether it is terminated.
    fn skip_block_comment(&mut self) -> bool {
        let mut depth = 1;
        self.at += 1;
        while depth > 0 {
            let rest = &self.bytes[self.at..];
            let Some(next) = memchr::memchr2(b'*', b'/', rest) else {
                self.at = self.bytes.len();
                return false;
            };
            self.at += next + 1;
            match (rest[next], self.peek()) {
                (b'*', b'/') => depth -= 1,
                (b'/', b'*') => depth += 1,
                _ => continue,
            }
            self.at += 1;
        }
        true
    }
}
