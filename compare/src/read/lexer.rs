//! The tokens of LLVM IR text, as LLVM's own printer writes it (LangRef, "Identifiers"). Owns the bounds of tokens.
//! Does not own their meaning.

use crate::model::Span;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A keyword, a number, a primitive type: `add`, `i64`, `-5`, `0x3FF0`, `...`.
    Word,
    /// One of `( ) [ ] { } < > = , * : | ^`.
    Punctuation,
    /// `%name`: a value, a block or a type.
    Local,
    /// `@name`.
    Global,
    /// `$name`.
    Comdat,
    /// `"text"` or `c"text"`.
    String,
    /// `!12`.
    MetadataNumber,
    /// `!name`, with or without an operand list.
    MetadataName,
    /// `!"text"`.
    MetadataString,
    /// `!` before a bracket.
    MetadataMark,
    /// `#3`.
    AttributeGroup,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// The tokens of `span` in `text`. A comment ends the line that it is in.
pub fn tokens(text: &str, span: Span) -> Vec<Token> {
    let mut lexer = Lexer { bytes: &text.as_bytes()[..span.end as usize], at: span.start as usize };
    std::iter::from_fn(|| lexer.next()).collect()
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$' | b'-' | b'+') || byte >= 0x80
}

impl Lexer<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let byte = self.peek()?;
        self.at += 1;
        let kind = match byte {
            b'%' => self.named(TokenKind::Local),
            b'@' => self.named(TokenKind::Global),
            b'$' => self.named(TokenKind::Comdat),
            b'"' => self.string(),
            b'c' if self.peek() == Some(b'"') => {
                self.at += 1;
                self.string()
            }
            b'!' => self.metadata(),
            b'#' => self.group_or_record(),
            byte if is_word(byte) => {
                self.word();
                TokenKind::Word
            }
            _ => TokenKind::Punctuation,
        };
        Some(Token { kind, span: Span { start: start as u32, end: self.at as u32 } })
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b';' => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => break,
            }
        }
    }

    fn word(&mut self) {
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
    }

    fn string(&mut self) -> TokenKind {
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'"' {
                break;
            }
        }
        TokenKind::String
    }

    fn named(&mut self, kind: TokenKind) -> TokenKind {
        if self.peek() == Some(b'"') {
            self.at += 1;
            self.string();
        } else {
            self.word();
        }
        kind
    }

    fn metadata(&mut self) -> TokenKind {
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.string();
                TokenKind::MetadataString
            }
            Some(byte) if byte.is_ascii_digit() => {
                self.word();
                TokenKind::MetadataNumber
            }
            // Odd characters of names of named metadata are escaped: `!\23pragma`.
            Some(byte) if is_word(byte) || byte == b'\\' => {
                while self.peek().is_some_and(|byte| is_word(byte) || byte == b'\\') {
                    self.at += 1;
                }
                TokenKind::MetadataName
            }
            _ => TokenKind::MetadataMark,
        }
    }

    fn group_or_record(&mut self) -> TokenKind {
        let is_group = self.peek().is_some_and(|byte| byte.is_ascii_digit());
        self.word();
        if is_group { TokenKind::AttributeGroup } else { TokenKind::Word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let span = Span { start: 0, end: text.len() as u32 };
        tokens(text, span).into_iter().map(|token| (token.kind, &text[token.span.range()])).collect()
    }

    #[test]
    fn names_may_be_quoted_and_comments_end_lines() {
        use TokenKind::*;
        assert_eq!(
            kinds("%\"a b\" = load ptr, ptr @\"$s1;x\", !tbaa !3 ; c\n#2"),
            [
                (Local, "%\"a b\""),
                (Punctuation, "="),
                (Word, "load"),
                (Word, "ptr"),
                (Punctuation, ","),
                (Word, "ptr"),
                (Global, "@\"$s1;x\""),
                (Punctuation, ","),
                (MetadataName, "!tbaa"),
                (MetadataNumber, "!3"),
                (AttributeGroup, "#2"),
            ]
        );
    }

    #[test]
    fn strings_metadata_and_records_are_told_apart() {
        use TokenKind::*;
        assert_eq!(
            kinds("c\"a\\22\" !\"b\" !{ #dbg_value(i32 -5, !DIExpression())"),
            [
                (String, "c\"a\\22\""),
                (MetadataString, "!\"b\""),
                (MetadataMark, "!"),
                (Punctuation, "{"),
                (Word, "#dbg_value"),
                (Punctuation, "("),
                (Word, "i32"),
                (Word, "-5"),
                (Punctuation, ","),
                (MetadataName, "!DIExpression"),
                (Punctuation, "("),
                (Punctuation, ")"),
                (Punctuation, ")"),
            ]
        );
    }
}
