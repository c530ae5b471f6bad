//! Finds the argument lists of the callee at a place in Swift's source text. Swift's code has the place of a call where
//! the name of the callee stands, of a subscript where its bracket does; of a place in memory that is written or lent
//! where the assignment or the whole place begins (lib/SILGen/SILGenApply.cpp, SILGenLValue.cpp).
//!
//! Does not own: which declaration is meant.

use super::arguments::{Argument, ArgumentForm, ArgumentList};
use super::text::SwiftText;
use super::token::{Token, TokenKind};

/// The callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee<'n> {
    /// A function of this name.
    Function(&'n str),
    /// An initialiser, by the name of its type or as `init`.
    Initializer,
    /// The getter of a subscript, or another accessor that reads.
    SubscriptRead,
    /// The setter of a subscript, or another accessor that writes.
    SubscriptWrite,
}

impl Callee<'_> {
    /// Whether it is an accessor of a subscript.
    pub fn is_subscript(self) -> bool {
        matches!(self, Self::SubscriptRead | Self::SubscriptWrite)
    }
}

/// The argument lists that may be of the call of `callee` at `offset`: several if the end of the call is ambiguous.
pub(super) fn argument_lists(text: &SwiftText, offset: u32, callee: Callee<'_>) -> Vec<ArgumentList> {
    let reader = Reader { text };
    let Some(at) = text.token_at(offset) else { return Vec::new() };
    match callee {
        Callee::Function(name) => reader.calls(at, |word| word == name, IMPLICIT_CALLS.contains(&name)),
        Callee::Initializer => reader.calls(at, |_| true, false),
        Callee::SubscriptRead | Callee::SubscriptWrite => reader.subscripts(at, callee == Callee::SubscriptWrite),
    }
}

/// Members that are called without their names: `value(1)`, `"\(value: 1)"`.
const IMPLICIT_CALLS: &[&str] = &["callAsFunction", "appendInterpolation"];

/// The label of the subscript that `value.member` calls if its type has no such member.
const DYNAMIC_MEMBER: &str = "dynamicMember";

struct Reader<'t> {
    text: &'t SwiftText,
}

impl Reader<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.text.tokens.get(at)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.token(at).is_some_and(|token| self.text.word(token) == word)
    }

    fn is_kind(&self, at: usize, kind: TokenKind) -> bool {
        self.token(at).is_some_and(|token| token.kind == kind)
    }

    /// The token after the bracket or literal that begins at `at`, or after the token.
    fn after(&self, at: usize) -> usize {
        let opens = |token: &&Token| matches!(token.kind, TokenKind::Open | TokenKind::OpenQuote);
        let partner = self.token(at).filter(opens).and_then(|token| token.partner);
        partner.map_or(at, |partner| partner as usize) + 1
    }

    /// The calls of the name at `at`.
    fn calls(&self, at: usize, is_callee: impl Fn(&str) -> bool, is_implicit: bool) -> Vec<ArgumentList> {
        if is_implicit && (self.is(at, "(") || self.is(at, "{")) {
            return self.lists(at);
        }
        let Some(name) = self.token(at).filter(|token| token.kind == TokenKind::Identifier) else { return Vec::new() };
        if !is_callee(self.text.word(name).trim_matches('`')) {
            return Vec::new();
        }
        self.lists(self.after_generic_arguments(at + 1).unwrap_or(at + 1))
    }

    /// The token after `<Int, [T]>`, if that stands at `at` and not a comparison (lib/Parse/ParseExpr.cpp,
    /// `canParseAsGenericArgumentList`).
    fn after_generic_arguments(&self, mut at: usize) -> Option<usize> {
        let before = self.token(at.checked_sub(1)?)?;
        let mut depth = 0usize;
        if self.token(at)?.start != before.end || !self.text.word(self.token(at)?).starts_with('<') {
            return None;
        }
        loop {
            let token = self.token(at)?;
            match (token.kind, self.text.word(token)) {
                (TokenKind::Operator, "->" | "&") => {}
                (TokenKind::Operator, operator) => {
                    for character in operator.chars() {
                        match character {
                            '<' => depth += 1,
                            '>' => depth = depth.checked_sub(1)?,
                            '?' | '!' => {}
                            _ => return None,
                        }
                    }
                    if depth == 0 {
                        let next = self.token(at + 1).map(|token| self.text.word(token));
                        return next.is_none_or(|next| BEHIND_GENERIC_ARGUMENTS.contains(&next)).then_some(at + 1);
                    }
                }
                (TokenKind::Identifier | TokenKind::Number, _) | (TokenKind::Open, "(" | "[") => {}
                (TokenKind::Punctuation, "." | "," | ":" | "?" | "!" | "@") => {}
                _ => return None,
            }
            at = self.after(at);
        }
    }

    /// The argument lists that begin at `at`, at a parenthesis or a trailing closure. Braces may be a closure or the
    /// body of a statement: the text is ambiguous.
    fn lists(&self, at: usize) -> Vec<ArgumentList> {
        let parenthesis = self.token(at).filter(|token| self.text.word(token) == "(" && !token.begins_line);
        let mut lists = Vec::new();
        let (arguments, end) = match parenthesis {
            Some(_) => {
                if let Some(name) = self.compound_name(at) {
                    return vec![name];
                }
                let Some(arguments) = self.arguments(at) else { return Vec::new() };
                lists.push(ArgumentList { arguments: arguments.clone(), form: ArgumentForm::Call });
                (arguments, self.after(at))
            }
            None => (Vec::new(), at),
        };
        if self.is(end, "{") {
            let arguments = arguments.into_iter().chain(self.trailing_closures(end)).collect();
            lists.push(ArgumentList { arguments, form: ArgumentForm::Call });
        }
        lists
    }

    /// `(a:b:)`
    fn compound_name(&self, open: usize) -> Option<ArgumentList> {
        let end = self.token(open)?.partner? as usize;
        let parts = self.text.tokens.get(open + 1..end)?;
        let is_label = |pair: &[Token]| match pair {
            [name, colon] => name.kind == TokenKind::Identifier && self.text.word(colon) == ":",
            _ => false,
        };
        if parts.is_empty() || !parts.chunks(2).all(is_label) {
            return None;
        }
        let arguments = parts.chunks(2).map(|pair| self.labelled(&pair[0])).collect();
        Some(ArgumentList { arguments, form: ArgumentForm::Name })
    }

    fn labelled(&self, name: &Token) -> Argument {
        match self.text.word(name).trim_matches('`') {
            "_" => Argument::Unlabelled,
            label => Argument::Labelled(label.to_owned()),
        }
    }

    /// The arguments in the brackets that open at `open`. None where the brackets do not end.
    fn arguments(&self, open: usize) -> Option<Vec<Argument>> {
        let end = self.token(open)?.partner? as usize;
        let mut arguments = Vec::new();
        let mut at = open + 1;
        while at < end {
            let is_label = self.is_kind(at, TokenKind::Identifier) && self.is(at + 1, ":");
            arguments.push(if is_label { self.labelled(self.token(at)?) } else { Argument::Unlabelled });
            while at < end && !self.is(at, ",") {
                let is_name = self.is_kind(at, TokenKind::Identifier);
                let generic = if is_name { self.after_generic_arguments(at + 1) } else { None };
                at = generic.unwrap_or_else(|| self.after(at));
            }
            at += 1;
        }
        Some(arguments)
    }

    /// `{ … } label: { … }`, from the first brace.
    fn trailing_closures(&self, brace: usize) -> Vec<Argument> {
        let mut closures = vec![Argument::TrailingClosure];
        let mut at = self.after(brace);
        while let Some(name) = self.token(at)
            && name.kind == TokenKind::Identifier
            && self.is(at + 1, ":")
            && self.is(at + 2, "{")
        {
            closures.push(self.labelled(name));
            at = self.after(at + 2);
        }
        closures
    }

    /// The argument lists of subscripts that code at `at` may be of.
    fn subscripts(&self, at: usize, is_write: bool) -> Vec<ArgumentList> {
        if self.is(at, "[") {
            return self.subscript(at);
        }
        if self.is(at, "=") {
            let assigned = self.chain_before(at);
            // The assigned place is not read, only its base.
            let known = if is_write { &assigned[..] } else { assigned.get(1..).unwrap_or_default() };
            let mut lists: Vec<ArgumentList> = known.iter().flat_map(|open| self.subscript(*open)).collect();
            if !is_write {
                lists.extend(self.chain_from(at + 1));
            }
            return lists;
        }
        let mut lists = self.chain_from(at);
        if at > 0 && self.is(at - 1, ".") && self.is_kind(at, TokenKind::Identifier) {
            let arguments = vec![Argument::Labelled(DYNAMIC_MEMBER.to_owned())];
            lists.push(ArgumentList { arguments, form: ArgumentForm::Name });
        }
        lists
    }

    /// The arguments in the bracket at `open`, with closures after it or without.
    fn subscript(&self, open: usize) -> Vec<ArgumentList> {
        let Some(arguments) = self.arguments(open) else { return Vec::new() };
        let mut lists = vec![ArgumentList { arguments: arguments.clone(), form: ArgumentForm::Call }];
        let end = self.after(open);
        if self.is(end, "{") {
            let arguments = arguments.into_iter().chain(self.trailing_closures(end)).collect();
            lists.push(ArgumentList { arguments, form: ArgumentForm::Call });
        }
        lists
    }

    /// The subscripts of the expression that begins at `at`, those of its operand and of its postfix parts.
    fn chain_from(&self, mut at: usize) -> Vec<ArgumentList> {
        let mut lists = Vec::new();
        while PREFIXES.iter().any(|prefix| self.is(at, prefix)) {
            at += 1;
        }
        if !self.is(at, ".") {
            at = self.after(at);
        }
        while let Some(token) = self.token(at) {
            match (token.kind, self.text.word(token)) {
                (TokenKind::Open, "[") if !token.begins_line => lists.extend(self.subscript(at)),
                (TokenKind::Open, "(") if !token.begins_line => {}
                (TokenKind::Punctuation, "?" | "!") => {}
                (TokenKind::Punctuation, ".") if !self.is(at + 1, "[") => at += 1,
                (TokenKind::Punctuation, ".") => {}
                _ => break,
            }
            at = self.after(at);
        }
        lists
    }

    /// The brackets of the subscripts of the expression that ends before `at`, the last one first.
    fn chain_before(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let Some(mut at) = at.checked_sub(1) else { return found };
        while let Some(token) = self.token(at) {
            let begin = match token.kind {
                TokenKind::Close => token.partner.map(|partner| partner as usize),
                TokenKind::Identifier | TokenKind::Number => Some(at),
                TokenKind::Punctuation if ["?", "!"].contains(&self.text.word(token)) => Some(at),
                _ => None,
            };
            let Some(begin) = begin else { break };
            if self.is(begin, "[") {
                found.push(begin);
            }
            let Some(before) = begin.checked_sub(1) else { break };
            let is_operand = matches!(token.kind, TokenKind::Identifier | TokenKind::Number);
            at = match self.is(before, ".") {
                true => match before.checked_sub(1) {
                    Some(at) => at,
                    None => break,
                },
                false if is_operand => break,
                false => before,
            };
        }
        found
    }
}

/// The tokens before an operand that do not change its place.
const PREFIXES: &[&str] = &["(", "&", "\\", "try", "await", "inout", "unsafe", "consume", "copy"];

/// The tokens that can follow generic arguments in an expression.
const BEHIND_GENERIC_ARGUMENTS: &[&str] =
    &["(", ")", "[", "]", "{", "}", ".", ",", ";", ":", "!", "?", "=", "...", "&"];
