//! Reads key path patterns (docs/SIL/Instructions.md, "keypath"). `syntax::key_path_components` reads their components.

use sil_ir::context::{SignatureId, SubstitutionMapId};
use sil_ir::model::{Details, KeyPath, KeyPathComponent, KeyPathComponentKind};
use sil_ir::types::nameless;

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::reader::GenericScope;

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
            let inner = GenericScope::positional_of(self.reader.context, signature);
            self.reader.set_generics(inner)
        });
        let pattern = self.pattern(signature);
        if let Some(outer) = outer {
            self.reader.set_generics(outer);
        }
        let mut pattern = pattern?;
        // A pattern is canonical: its parameters have no names.
        pattern.signature = signature.map(|signature| nameless(self.reader.context, signature));
        let arguments = self.reader.optional_generic_arguments()?;
        pattern.substitutions = self.reader.substitutions(pattern.signature.unwrap_or_default(), arguments);
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
    fn pattern(&mut self, signature: Option<SignatureId>) -> Parsed<KeyPath> {
        self.reader.cursor.expect(Token::LeftParen)?;
        let mut root = None;
        let mut objc = None;
        let mut components: Vec<KeyPathComponent> = Vec::new();
        loop {
            if self.reader.cursor.eat_word("root") {
                root = Some(self.reader.formal_type_with_dollar()?);
            } else if self.reader.cursor.eat_word("objc") {
                let path = self.string()?;
                objc = Some(self.reader.context.name(&path));
            } else {
                let base = components.last().map(|last| last.ty).or(root);
                components.push(self.reader.key_path_component(base.filter(|_| signature.is_some()))?);
            }
            if !self.reader.cursor.eat(Token::Semicolon) {
                break;
            }
        }
        let Some(root) = root else { return Err(self.reader.cursor.expected("'root' and a type")) };
        self.reader.cursor.expect(Token::RightParen)?;
        Ok(KeyPath { signature: None, objc, root, components, substitutions: SubstitutionMapId::EMPTY })
    }
}
