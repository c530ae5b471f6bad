//! Accessors that initialise stored properties: `@storageRestrictions(initializes: _x, accesses: y) init` among the
//! accessors of a property.

use sil_ir::context::{Context, Name};
use sil_ir::declarations::InitAccessor;

use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::types::Piece;

/// Returns the `init` accessor in the braces of `property`, if there is one.
pub(super) fn init_accessor(context: &Context, property: Name, braces: &Piece<'_>) -> Option<InitAccessor> {
    let mut cursor = Cursor::within(braces.text, braces.file, braces.start + 1, braces.end - 1);
    let mut accessor = InitAccessor { property, initializes: Vec::new(), accesses: Vec::new() };
    while !cursor.at(Token::End) {
        if cursor.peek().closing().is_some() && cursor.skip_balanced() {
            continue;
        }
        match cursor.bump() {
            "@storageRestrictions" if cursor.at(Token::LeftParen) => restrictions(context, &mut cursor, &mut accessor),
            "init" => return Some(accessor),
            _ => {}
        }
    }
    None
}

/// `(initializes: a, b, accesses: c)`
fn restrictions(context: &Context, cursor: &mut Cursor<'_>, accessor: &mut InitAccessor) {
    cursor.bump();
    let mut list = &mut accessor.initializes;
    while !matches!(cursor.peek(), Token::RightParen | Token::End) {
        let word = cursor.bump();
        match (word, cursor.at(Token::Colon)) {
            ("initializes", true) => list = &mut accessor.initializes,
            ("accesses", true) => list = &mut accessor.accesses,
            (",", _) | (":", _) => {}
            _ => list.push(context.name(word.trim_matches('`'))),
        }
    }
    cursor.bump();
}
