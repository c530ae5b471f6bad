//! Reads `sil_property`: the descriptor by which key paths of other modules access a property.

use sil_ir::model::Property;
use sil_ir::types::nameless;

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::reader::{GenericScope, Reader};

impl Reader<'_> {
    /// Reads `sil_property [serialized] #T.x <T> (stored_property #T.x : $U)`; the brackets may be empty.
    pub(in super::super) fn property(&mut self) -> Parsed<Property> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_property")?;
        let serialization = self.serialization()?;
        let member = self.member()?;
        let signature = if self.cursor.at(Token::Less) { Some(self.generic_signature()?) } else { None };
        self.cursor.expect(Token::LeftParen)?;
        let mut component = None;
        if !self.cursor.at(Token::RightParen) {
            let scope =
                signature.map_or_else(GenericScope::default, |own| GenericScope::positional_of(self.context, own));
            let outer = self.set_generics(scope);
            let read = self.key_path_component(None);
            self.set_generics(outer);
            component = Some(read?);
        }
        self.cursor.expect(Token::RightParen)?;
        let span = self.cursor.span_from(start);
        // As in key paths, the parameters have no names.
        let signature = signature.map(|signature| nameless(self.context, signature));
        Ok(Property { serialization, member, signature, component, span })
    }
}
