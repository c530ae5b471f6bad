//! Reads run-time checks and profiling.

use sil_ir::model::Details;

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `%0, "message"`; older SIL has no message.
    pub(super) fn cond_fail(&mut self) -> Parsed<()> {
        self.operand()?;
        let mut message = String::new();
        if self.reader.cursor.at(Token::Comma) && self.reader.cursor.peek_second() == Token::String {
            self.reader.cursor.bump();
            message = self.string()?;
        }
        self.draft.details = Details::Message(message.into());
        Ok(())
    }

    /// Reads `0, "name", num_counters 1, hash 2`.
    pub(super) fn increment_profiler_counter(&mut self) -> Parsed<()> {
        let index = self.reader.cursor.expect_number()?;
        self.reader.cursor.expect(Token::Comma)?;
        let name = self.string()?;
        let name = self.reader.context.name(&name);
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("num_counters")?;
        let count = self.reader.cursor.expect_number()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("hash")?;
        let hash = self.reader.cursor.expect_number()?;
        self.draft.details = Details::ProfilerCounter { index, name, count, hash };
        Ok(())
    }
}
