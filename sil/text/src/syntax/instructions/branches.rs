//! Reads branches, switches and other terminators with successors.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::model::{DefaultCase, Details};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `bb1(%0, %1)`.
    pub(super) fn br(&mut self) -> Parsed<()> {
        self.target()?;
        self.branch_arguments()
    }

    fn branch_arguments(&mut self) -> Parsed<()> {
        if self.reader.cursor.at(Token::LeftParen) { self.operands() } else { Ok(()) }
    }

    /// Reads `%0, bb1(%1), bb2 !true_count(3)`.
    pub(super) fn cond_br(&mut self) -> Parsed<()> {
        self.operand()?;
        let bit = self.reader.context.ty(Type::Builtin(BuiltinType::Integer(1)));
        self.suppose(self.draft.operands[0], SilType::object(bit));
        self.reader.cursor.expect(Token::Comma)?;
        self.br()?;
        let true_arguments = self.draft.operands.len() as u32 - 1;
        let taken = self.count("true_count")?;
        self.reader.cursor.expect(Token::Comma)?;
        self.br()?;
        let taken = self.count("true_count")?.or(taken);
        let counts = [taken, self.count("false_count")?];
        self.draft.details = Details::CondBranch { true_arguments, counts };
        Ok(())
    }

    /// Reads `(%0, %1), resume bb1, unwind bb2`.
    pub(super) fn yield_values(&mut self) -> Parsed<()> {
        if self.reader.cursor.at(Token::LeftParen) {
            self.operands()?;
        } else {
            self.operand()?;
        }
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("resume")?;
        self.target()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("unwind")?;
        self.target()
    }

    /// Reads `%0, case %1: bb1, default bb2`.
    pub(super) fn switch_value(&mut self) -> Parsed<()> {
        self.operand()?;
        let subject = self.draft.operands[0];
        let mut default = DefaultCase::Absent;
        while default == DefaultCase::Absent && self.reader.cursor.at(Token::Comma) && !self.at_location() {
            self.reader.cursor.bump();
            if self.reader.cursor.eat_word("default") {
                default = DefaultCase::Present;
            } else {
                self.reader.cursor.expect_word("case")?;
                self.untyped_operand()?;
                let case = self.draft.operands[self.draft.operands.len() - 1];
                self.suppose(case, self.body.values[subject].ty);
                self.reader.cursor.expect(Token::Colon)?;
            }
            self.target()?;
        }
        self.draft.details = Details::SwitchValue { default };
        Ok(())
    }

    /// Reads `%0, resume bb1, error bb2`.
    pub(super) fn await_async_continuation(&mut self) -> Parsed<()> {
        self.operand()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("resume")?;
        self.target()?;
        if self.at_comma_and("error") {
            self.reader.cursor.bump();
            self.reader.cursor.bump();
            self.target()?;
        }
        Ok(())
    }
}
