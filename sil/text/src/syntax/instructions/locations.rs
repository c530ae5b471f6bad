//! Debug locations after instructions: `, loc "f.swift":1:2, scope 3`.

use sil_ir::model::{DebugLocation, SourcePlace};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::reader::Reader;

impl BodyReader<'_, '_> {
    /// Returns whether a comma and a location are ahead.
    pub(super) fn at_location(&self) -> bool {
        self.reader.cursor.at(Token::Comma) && matches!(self.text_after_bracket(), "loc" | "scope")
    }

    /// Reads `, loc … , scope …`, in either order, if it is ahead.
    pub(in super::super) fn location(&mut self) -> Parsed<Option<DebugLocation>> {
        let mut location = DebugLocation::default();
        let mut found = false;
        while self.at_location() {
            self.reader.cursor.bump();
            self.location_part(&mut location)?;
            found = true;
        }
        Ok(found.then_some(location))
    }

    /// Reads `loc …` or `scope …`.
    pub(super) fn location_part(&mut self, location: &mut DebugLocation) -> Parsed<()> {
        if self.reader.cursor.eat_word("loc") {
            location.automatic = self.reader.cursor.eat(Token::Star);
            location.place = Some(self.reader.source_place()?);
            return Ok(());
        }
        self.reader.cursor.expect_word("scope")?;
        let span = self.reader.cursor.span();
        let number: u32 = self.reader.cursor.expect_number()?;
        let Some(scope) = self.symbols.scopes.get(&number) else {
            // swiftc numbers scopes from 1, and prints 0 for a variable without a scope.
            if number == 0 {
                return Ok(());
            }
            let message = format!("no sil_scope has the number {number}");
            return Err(Box::new(sil_ir::diagnostic::Diagnostic::error("unknown-scope", message, span)));
        };
        location.scope = Some(*scope);
        Ok(())
    }
}

impl Reader<'_> {
    /// Reads `"file.swift":1:2`.
    pub(in super::super) fn source_place(&mut self) -> Parsed<SourcePlace> {
        let literal = self.cursor.expect(Token::String)?;
        let file = super::super::names::string_text(literal).unwrap_or(literal.into());
        let file = self.context.name(&file);
        self.cursor.expect(Token::Colon)?;
        let line = self.cursor.expect_number()?;
        self.cursor.expect(Token::Colon)?;
        let column = self.cursor.expect_number()?;
        Ok(SourcePlace { file, line, column })
    }
}
