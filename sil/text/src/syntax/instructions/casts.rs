//! Reads checked casts.

use sil_ir::context::TypeId;
use sil_ir::instructions::Attribute;
use sil_ir::model::{Cast, CastConsumption, Details};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

const ATTRIBUTES: &[Attribute] = &[Attribute::Exact, Attribute::ProhibitIsolatedConformances];

impl BodyReader<'_, '_> {
    fn cast_type(&mut self) -> Parsed<TypeId> {
        self.reader.eat_older_dollar();
        self.reader.formal_type()
    }

    /// Reads `T in %0 to U in %1`.
    pub(super) fn cast_addr(&mut self) -> Parsed<()> {
        self.attributes(ATTRIBUTES)?;
        let cast = self.source_and_target(None)?;
        self.draft.details = Details::Cast(Box::new(cast));
        Ok(())
    }

    fn source_and_target(&mut self, consumption: Option<CastConsumption>) -> Parsed<Cast> {
        let source = self.cast_type()?;
        self.reader.cursor.expect_word("in")?;
        self.operand()?;
        self.reader.cursor.expect_word("to")?;
        let target = self.cast_type()?;
        self.reader.cursor.expect_word("in")?;
        self.operand()?;
        Ok(Cast { source: Some(source), target, consumption, counts: [None; 2] })
    }

    /// Reads `take_always T in %0 to U in %1, bb1, bb2`.
    pub(super) fn checked_cast_addr_br(&mut self) -> Parsed<()> {
        self.attributes(ATTRIBUTES)?;
        let consumption = match self.reader.cursor.peek_text() {
            "take_always" => CastConsumption::TakeAlways,
            "take_on_success" => CastConsumption::TakeOnSuccess,
            "copy_on_success" => CastConsumption::CopyOnSuccess,
            _ => return Err(self.reader.cursor.expected("'take_always', 'take_on_success' or 'copy_on_success'")),
        };
        self.reader.cursor.bump();
        let mut cast = self.source_and_target(Some(consumption))?;
        cast.counts = self.success_and_failure()?;
        self.draft.details = Details::Cast(Box::new(cast));
        Ok(())
    }

    /// Reads `[exact] T in %0 to U, bb1, bb2`. SIL before 5.10 has no source type.
    pub(super) fn checked_cast_br(&mut self) -> Parsed<()> {
        self.attributes(ATTRIBUTES)?;
        let mut source = None;
        if !self.reader.cursor.at(Token::LocalValue) && !self.reader.cursor.at_word("undef") {
            source = Some(self.cast_type()?);
            self.reader.cursor.expect_word("in")?;
        }
        self.operand()?;
        self.reader.cursor.expect_word("to")?;
        let target = self.cast_type()?;
        let counts = self.success_and_failure()?;
        self.draft.details = Details::Cast(Box::new(Cast { source, target, consumption: None, counts }));
        self.forwarding()
    }

    fn success_and_failure(&mut self) -> Parsed<[Option<u64>; 2]> {
        self.reader.cursor.expect(Token::Comma)?;
        self.target()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.target()?;
        Ok([self.count("true_count")?, self.count("false_count")?])
    }
}
