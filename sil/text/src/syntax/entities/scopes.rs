//! Reads `sil_scope`.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Scope, ScopeId, ScopeParent};

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::reader::Reader;
use super::super::symbols::Symbols;

impl Reader<'_> {
    /// Reads `sil_scope 3 { loc "f":1:2 parent 2 inlined_at 1 }` and returns its number in the text and the scope.
    pub(in super::super) fn scope(&mut self, symbols: &Symbols) -> Parsed<(u32, Scope)> {
        self.cursor.expect_word("sil_scope")?;
        let number = self.cursor.expect_number()?;
        self.cursor.expect(Token::LeftBrace)?;
        let mut scope = Scope { place: None, parent: ScopeParent::None, inlined_at: None };
        if self.cursor.eat_word("loc") {
            self.cursor.eat(Token::Star);
            scope.place = Some(self.source_place()?);
        }
        if self.cursor.eat_word("parent") {
            scope.parent = self.scope_parent(symbols)?;
        }
        if self.cursor.eat_word("inlined_at") {
            scope.inlined_at = Some(self.scope_reference(symbols)?);
        }
        self.cursor.expect(Token::RightBrace)?;
        Ok((number, scope))
    }

    fn scope_parent(&mut self, symbols: &Symbols) -> Parsed<ScopeParent> {
        if self.cursor.at(Token::Integer) {
            return Ok(ScopeParent::Scope(self.scope_reference(symbols)?));
        }
        let name = self.symbol()?;
        self.cursor.expect(Token::Colon)?;
        self.cursor.expect(Token::Dollar)?;
        let (ty, _) = self.function_type()?;
        Ok(ScopeParent::Function { name, function: symbols.functions.get(&name).map(|(id, _)| *id), ty })
    }

    fn scope_reference(&mut self, symbols: &Symbols) -> Parsed<ScopeId> {
        let span = self.cursor.span();
        let number: u32 = self.cursor.expect_number()?;
        let missing = || {
            let message = format!("no sil_scope before has the number {number}");
            Box::new(Diagnostic::error("unknown-scope", message, span))
        };
        symbols.scopes.get(&number).copied().ok_or_else(missing)
    }
}
