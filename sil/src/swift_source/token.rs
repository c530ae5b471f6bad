//! Tokens of Swift's source text.

/// A token. Comments and what string literals say are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// What it is.
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

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A name, a keyword, `$0`, or a name in backticks.
    Identifier,
    /// A number.
    Number,
    /// Operator characters that stand together: `+=`, `=`, `->`, `<`.
    Operator,
    /// A single character: `,`, `:`, `;`, `.`, `@`, `\`, and `?` and `!` right behind an operand.
    Punctuation,
    /// `(`, `[` or `{`; also the parenthesis of an interpolation.
    Open,
    /// `)`, `]` or `}`
    Close,
    /// What a string literal begins with.
    OpenQuote,
    /// What a string literal ends with; empty where a line ends before the literal does.
    CloseQuote,
    /// `#if`, `#sourceLocation`, `#selector`
    Directive,
    /// A regular expression.
    Regex,
}
