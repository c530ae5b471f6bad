//! Reads assignments with accessors, and ownership conversions.

use sil_ir::instructions::Attribute;
use sil_ir::model::{AssignByWrapper, Details};

use super::super::Parsed;
use super::super::body::{BodyReader, ownership_kind};
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `[init] [assign=0] #T.x, self %0, value %1, init %2, set %3`.
    pub(super) fn assign_or_init(&mut self) -> Parsed<()> {
        let mut assigned = Vec::new();
        let mut mode = None;
        while self.reader.cursor.at(Token::LeftBracket) {
            match self.text_after_bracket() {
                "init" => self.attributes(&[Attribute::Init])?,
                "set" => {
                    self.reader.cursor.bump();
                    mode = Some(self.reader.context.name(self.reader.cursor.bump()));
                    self.reader.cursor.expect(Token::RightBracket)?;
                }
                "assign" => {
                    self.reader.cursor.bump();
                    self.reader.cursor.bump();
                    self.reader.cursor.expect(Token::Equal)?;
                    assigned.push(self.reader.cursor.expect_number()?);
                    self.reader.cursor.expect(Token::RightBracket)?;
                }
                _ => return Err(self.reader.cursor.expected("'[init]', '[set]' or '[assign=0]'")),
            }
        }
        let property = Some(self.reader.member()?);
        for word in ["self", "value", "init", "set"] {
            self.reader.cursor.expect(Token::Comma)?;
            self.reader.cursor.expect_word(word)?;
            self.operand()?;
        }
        self.draft.details = Details::Assign(Box::new(AssignByWrapper {
            property,
            mode,
            assigned: assigned.into(),
            words: Box::default(),
        }));
        Ok(())
    }

    /// Reads `%0, @unowned to @guaranteed`.
    pub(super) fn unchecked_ownership_conversion(&mut self) -> Parsed<()> {
        self.operand()?;
        self.reader.cursor.expect(Token::Comma)?;
        let from = self.ownership_word()?;
        self.reader.cursor.expect_word("to")?;
        let to = self.ownership_word()?;
        self.draft.details = Details::Words(Box::new([from, to]));
        Ok(())
    }

    fn ownership_word(&mut self) -> Parsed<sil_ir::context::Name> {
        let text = self.reader.cursor.peek_text();
        if ownership_kind(text).is_none() {
            return Err(self.reader.cursor.expected("an ownership such as '@owned'"));
        }
        self.reader.cursor.bump();
        Ok(self.reader.context.name(text))
    }
}
