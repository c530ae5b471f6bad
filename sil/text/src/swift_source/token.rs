//! Tokens of Swift's source text.

/// A token. Comments and the text of string literals are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Whether nothing but white space and comments stands before it on its line.
    pub begins_line: bool,
    /// The number of the bracket or the quote that belongs to this one.
    pub partner: Option<u32>,
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A name, a keyword, `$0`, or a name in backticks.
    Identifier,
    /// A number.
    Number,
    /// Operator characters that stand together: `+=`, `=`, `->`, `<`.
    Operator,
    /// A single character: `,`, `:`, `;`, `.`, `@`, `\`, and `?` and `!` directly after an operand.
    Punctuation,
    /// `(`, `[` or `{`; also the parenthesis of an interpolation.
    Open,
    /// `)`, `]` or `}`
    Close,
    /// The beginning of a string literal.
    OpenQuote,
    /// The end of a string literal; empty if a line ends before the literal does.
    CloseQuote,
    /// `#if`, `#sourceLocation`, `#selector`
    Directive,
    /// A regular expression.
    Regex,
}
