//! Reads automatic differentiation. Indices and kinds are kept as the words that are written.

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use crate::model::Details;

impl<'a> BodyReader<'_, 'a> {
    /// Reads `[parameters 0 1]` and gives its text, brackets included.
    fn bracketed_words(&mut self) -> Parsed<&'a str> {
        if !self.reader.cursor.at(Token::LeftBracket) {
            return Err(self.reader.cursor.expected("'['"));
        }
        let start = self.reader.cursor.span().start;
        if !self.reader.cursor.skip_balanced() {
            return Err(self.reader.cursor.expected("']'"));
        }
        let span = self.reader.cursor.span_from(start);
        Ok(&self.reader.cursor.text()[span.start as usize..span.end as usize])
    }

    fn bracketed_list(&mut self) -> Parsed<()> {
        let mut words = Vec::new();
        while self.reader.cursor.at(Token::LeftBracket) {
            let text = self.bracketed_words()?;
            words.push(self.reader.context.name(text));
        }
        self.draft.details = Details::Words(words.into());
        Ok(())
    }

    /// Reads `[parameters 0] [results 0] %0 with_derivative {%1, %2}`, or `[parameters 0] %0 with_transpose %1`.
    pub(super) fn differentiable_function(&mut self) -> Parsed<()> {
        self.bracketed_list()?;
        self.operand()?;
        if self.reader.cursor.eat_word("with_transpose") {
            self.operand()?;
        } else if self.reader.cursor.eat_word("with_derivative") {
            self.reader.cursor.expect(Token::LeftBrace)?;
            self.operand()?;
            self.reader.cursor.expect(Token::Comma)?;
            self.operand()?;
            self.reader.cursor.expect(Token::RightBrace)?;
        }
        self.forwarding()
    }

    /// Reads `[jvp] %0 as $T`.
    pub(super) fn differentiable_function_extract(&mut self) -> Parsed<()> {
        self.bracketed_list()?;
        self.operand()?;
        if self.reader.cursor.eat_word("as") {
            self.written_type()?;
        }
        self.forwarding()
    }

    /// Reads `[jvp] [reverse] [parameters 0] [results 0] <T> @f : $… as $…`.
    pub(super) fn differentiability_witness_function(&mut self) -> Parsed<()> {
        Err(self.reader.cursor.error("unsupported", "not supported yet: 'differentiability_witness_function'"))
    }
}
