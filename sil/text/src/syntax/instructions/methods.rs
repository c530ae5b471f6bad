//! Reads method lookups and references to Objective-C protocols.

use sil_ir::context::{MemberId, MemberRef, Sugar, TypeId};
use sil_ir::model::{Details, Method};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::types::{class_called_like, with_self};

impl BodyReader<'_, '_> {
    /// Reads `%0, #C.f : (C) -> () -> (), $@convention(method) (@guaranteed C) -> ()`.
    pub(super) fn class_method(&mut self) -> Parsed<()> {
        self.operand()?;
        self.reader.cursor.expect(Token::Comma)?;
        let (member, formal_type, sugar) = self.method_reference()?;
        let (member, formal_type) = self.of_class(member, formal_type);
        self.reader.cursor.expect(Token::Comma)?;
        self.written_type()?;
        self.draft.details = Details::Method(Box::new(Method { member, formal_type, sugar, lookup: None }));
        Ok(())
    }

    /// Resolves a looked-up method to a class, even if the module has a struct or enum of the same name.
    fn of_class(&self, member: MemberId, formal_type: Option<TypeId>) -> (MemberId, Option<TypeId>) {
        let (context, declarations) = (self.reader.context, self.reader.declarations);
        let written = context.get_member(member);
        let Some(class) = written.parent.and_then(|parent| class_called_like(declarations, parent)) else {
            return (member, formal_type);
        };
        let (parent, target) = self.reader.find_target(class, written.name, written.kind);
        let meant = MemberRef { parent: Some(parent), target, ..written.clone() };
        (context.member(meant), formal_type.map(|ty| with_self(context, ty, class)))
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

    /// Reads `#C.f : (C) -> () -> ()`; the type is optional.
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
