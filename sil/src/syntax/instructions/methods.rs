//! Reads method lookups and references to Objective-C protocols.

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use crate::context::{MemberId, Sugar, TypeId};
use crate::model::{Details, Method};

impl BodyReader<'_, '_> {
    /// Reads `%0, #C.f : (C) -> () -> (), $@convention(method) (@guaranteed C) -> ()`.
    pub(super) fn class_method(&mut self) -> Parsed<()> {
        self.operand()?;
        self.reader.cursor.expect(Token::Comma)?;
        let (member, formal_type, sugar) = self.method_reference()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.written_type()?;
        self.draft.details = Details::Method(Box::new(Method { member, formal_type, sugar, lookup: None }));
        Ok(())
    }

    /// Reads `$T, #P.f : <Self where Self : P> (Self) -> () -> (), %0 : $T : $@convention(witness_method: P) …`.
    pub(super) fn witness_method(&mut self) -> Parsed<()> {
        let lookup = Some(self.reader.formal_type_with_dollar()?);
        self.reader.cursor.expect(Token::Comma)?;
        let (member, formal_type, sugar) = self.method_reference()?;
        if self.reader.cursor.eat(Token::Comma) {
            self.operand()?;
        }
        self.reader.cursor.expect(Token::Colon)?;
        self.written_type()?;
        self.draft.details = Details::Method(Box::new(Method { member, formal_type, sugar, lookup }));
        Ok(())
    }

    /// Reads `#C.f : (C) -> () -> ()`; the type may be missing.
    fn method_reference(&mut self) -> Parsed<(MemberId, Option<TypeId>, Sugar)> {
        let member = self.reader.member()?;
        if !self.reader.cursor.at(Token::Colon) || self.reader.cursor.peek_second() == Token::Dollar {
            return Ok((member, None, Sugar::default()));
        }
        self.reader.cursor.bump();
        let (ty, sugar) = self.reader.spelled_formal_type()?;
        Ok((member, Some(ty), sugar))
    }

    /// Reads `#P : $Protocol`.
    pub(super) fn objc_protocol(&mut self) -> Parsed<()> {
        self.reader.cursor.expect(Token::Hash)?;
        let name = self.reader.cursor.expect(Token::Identifier)?;
        self.draft.details = Details::Words(Box::new([self.reader.context.name(name)]));
        self.reader.cursor.expect(Token::Colon)?;
        self.written_type()?;
        Ok(())
    }
}
