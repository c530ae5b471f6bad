//! Reads key path patterns (docs/SIL/Instructions.md, "keypath").

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::reader::GenericScope;
use crate::context::{Name, TypeId};
use crate::model::{Details, KeyPath, KeyPathComponent, KeyPathComponentKind, KeyPathComputed, KeyPathIdentifier};

impl BodyReader<'_, '_> {
    /// Reads `$KeyPath<A, B>, <T> (root $A; stored_property #A.b : $B) <Int> (%0)`.
    pub(super) fn key_path(&mut self) -> Parsed<()> {
        self.written_type()?;
        self.reader.cursor.expect(Token::Comma)?;
        let signature = match self.reader.cursor.at(Token::Less) {
            true => Some(self.reader.generic_signature()?),
            false => None,
        };
        let outer = signature.map(|signature| {
            let inner = GenericScope::of(self.reader.context, signature);
            self.reader.set_generics(inner)
        });
        let pattern = self.pattern();
        if let Some(outer) = outer {
            self.reader.set_generics(outer);
        }
        let mut pattern = pattern?;
        pattern.signature = signature;
        pattern.substitutions = self.optional_substitutions()?;
        if self.reader.cursor.at(Token::LeftParen) {
            self.untyped_operands()?;
        }
        self.suppose_indices(&pattern);
        self.draft.details = Details::KeyPath(Box::new(pattern));
        Ok(())
    }

    fn suppose_indices(&mut self, pattern: &KeyPath) {
        if pattern.signature.is_some() {
            return;
        }
        for component in &pattern.components {
            let (KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed)) = &component.kind
            else {
                continue;
            };
            for (operand, _, lowered) in &computed.indices {
                if let Some(value) = self.draft.operands.get(*operand as usize) {
                    self.suppose(*value, *lowered);
                }
            }
        }
    }

    /// Reads `(root $A; …)`.
    fn pattern(&mut self) -> Parsed<KeyPath> {
        self.reader.cursor.expect(Token::LeftParen)?;
        let mut root = None;
        let mut objc = None;
        let mut components = Vec::new();
        loop {
            if self.reader.cursor.eat_word("root") {
                root = Some(self.formal_type_with_dollar()?);
            } else if self.reader.cursor.eat_word("objc") {
                let path = self.string()?;
                objc = Some(self.reader.context.name(&path));
            } else {
                components.push(self.component()?);
            }
            if !self.reader.cursor.eat(Token::Semicolon) {
                break;
            }
        }
        let Some(root) = root else { return Err(self.reader.cursor.expected("'root' and a type")) };
        self.reader.cursor.expect(Token::RightParen)?;
        Ok(KeyPath { signature: None, objc, root, components, substitutions: Box::default() })
    }

    fn component(&mut self) -> Parsed<KeyPathComponent> {
        let error = self.reader.cursor.expected("a component of a key path such as 'stored_property'");
        let kind = match self.reader.cursor.bump() {
            "stored_property" => KeyPathComponentKind::StoredProperty(self.reader.member()?),
            "tuple_element" => {
                self.reader.cursor.expect(Token::Hash)?;
                KeyPathComponentKind::TupleElement(self.reader.cursor.expect_number()?)
            }
            "optional_chain" => KeyPathComponentKind::OptionalChain,
            "optional_force" => KeyPathComponentKind::OptionalForce,
            "optional_wrap" => KeyPathComponentKind::OptionalWrap,
            "gettable_property" | "settable_property" => {
                let ty = self.formal_type_with_dollar()?;
                let kind = KeyPathComponentKind::Computed(Box::new(self.computed()?));
                return Ok(KeyPathComponent { kind, ty });
            }
            "method" => {
                let ty = self.formal_type_with_dollar()?;
                let kind = KeyPathComponentKind::Method(Box::new(self.computed()?));
                return Ok(KeyPathComponent { kind, ty });
            }
            _ => return Err(error),
        };
        self.reader.cursor.expect(Token::Colon)?;
        Ok(KeyPathComponent { kind, ty: self.formal_type_with_dollar()? })
    }

    /// Reads `, id #T.x!getter : …, getter @f : $…, setter @g : $…, indices […]` and so on.
    fn computed(&mut self) -> Parsed<KeyPathComputed> {
        let mut identifier = None;
        let mut getter = None;
        let mut computed = KeyPathComputed {
            identifier: KeyPathIdentifier::Function(self.reader.context.name(""), self.queries.void()),
            getter: (self.reader.context.name(""), self.queries.void()),
            setter: None,
            indices: Box::default(),
            equals: None,
            hash: None,
            external: None,
        };
        while self.reader.cursor.eat(Token::Comma) {
            let error = self.reader.cursor.expected("'id', 'getter', 'setter', 'indices' or 'external'");
            match self.reader.cursor.bump() {
                "id" => identifier = Some(self.identifier()?),
                "getter" => getter = Some(self.symbol_and_type()?),
                "setter" => computed.setter = Some(self.symbol_and_type()?),
                "indices" => computed.indices = self.indices()?,
                "indices_equals" => computed.equals = Some(self.symbol_and_type()?),
                "indices_hash" => computed.hash = Some(self.symbol_and_type()?),
                "external" => {
                    let member = self.reader.member()?;
                    computed.external = Some((member, self.optional_substitutions()?));
                }
                _ => return Err(error),
            }
        }
        let (Some(identifier), Some(getter)) = (identifier, getter) else {
            return Err(self.reader.cursor.expected("', id' and ', getter'"));
        };
        Ok(KeyPathComputed { identifier, getter, ..computed })
    }

    fn identifier(&mut self) -> Parsed<KeyPathIdentifier> {
        if self.reader.cursor.at(Token::AtName) {
            let (name, ty) = self.symbol_and_type()?;
            return Ok(KeyPathIdentifier::Function(name, ty));
        }
        if self.reader.cursor.at(Token::Hash) && self.reader.cursor.peek_second() == Token::Hash {
            self.reader.cursor.bump();
            return Ok(KeyPathIdentifier::Property(self.reader.member()?));
        }
        let member = self.reader.member()?;
        let formal = match self.reader.cursor.eat(Token::Colon) {
            true => Some(self.reader.formal_type()?),
            false => None,
        };
        Ok(KeyPathIdentifier::Member(member, formal))
    }

    fn symbol_and_type(&mut self) -> Parsed<(Name, TypeId)> {
        let name = self.symbol()?;
        self.reader.cursor.expect(Token::Colon)?;
        Ok((name, self.reader.sil_type()?.ty))
    }

    /// Reads `[%$0 : $T : $U, …]`.
    fn indices(&mut self) -> Parsed<Box<[(u32, TypeId, crate::types::SilType)]>> {
        self.reader.cursor.expect(Token::LeftBracket)?;
        let mut indices = Vec::new();
        loop {
            let error = self.reader.cursor.expected("an operand of a pattern such as '%$0'");
            let number = self.reader.cursor.expect(Token::LocalValue)?.strip_prefix("%$");
            let Some(number) = number.and_then(|number| number.parse().ok()) else { return Err(error) };
            self.reader.cursor.expect(Token::Colon)?;
            let formal = self.formal_type_with_dollar()?;
            self.reader.cursor.expect(Token::Colon)?;
            indices.push((number, formal, self.reader.sil_type()?));
            if !self.reader.cursor.eat(Token::Comma) {
                break;
            }
        }
        self.reader.cursor.expect(Token::RightBracket)?;
        Ok(indices.into())
    }
}
