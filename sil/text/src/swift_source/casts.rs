//! The type that a cast names at a place in Swift's source text: `x is any M.P`, `x as? M.T<U>`. Swift's code has the
//! place of a cast where its keyword stands (lib/SILGen/SILGenExpr.cpp).
//!
//! Does not own: which declaration is meant.

use super::text::SwiftText;
use super::token::{Token, TokenKind};

/// The names of the path to the type after the `is` or `as` at `offset`, the outermost first, without generic
/// arguments. None without a cast, or for one to a type without a name.
pub(super) fn cast_type(text: &SwiftText, offset: u32) -> Option<Vec<String>> {
    let mut rest = text.tokens.get(text.token_at(offset)?..)?.iter().peekable();
    let word = |token: &Token| text.word(token);
    rest.next().filter(|token| matches!(word(token), "is" | "as"))?;
    rest.next_if(|token| matches!(word(token), "?" | "!"));
    rest.next_if(|token| matches!(word(token), "any" | "some"));
    let mut path = Vec::new();
    loop {
        let name = word(rest.next().filter(|token| token.kind == TokenKind::Identifier)?);
        path.push(name.trim_matches('`').to_owned());
        if rest.next_if(|token| word(token) == ".").is_none() {
            break;
        }
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == METATYPE) {
        path.pop();
    }
    Some(path)
}

/// `T.Type`
const METATYPE: &str = "Type";
