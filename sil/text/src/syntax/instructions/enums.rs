//! Reads enums: their values, switches and selects.

use sil_ir::model::{DefaultCase, Details, EnumCases};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `$Optional<Int>, #Optional.some!enumelt, %0`.
    pub(super) fn enumeration(&mut self) -> Parsed<()> {
        self.written_type()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.draft.details = Details::Member(self.reader.member()?);
        if self.reader.cursor.at(Token::Comma) && !self.at_location() && !self.at_comma_and("forwarding") {
            self.reader.cursor.bump();
            self.operand()?;
        }
        self.forwarding()
    }

    /// Reads `%0, case #E.a!enumelt: bb1, default bb2`.
    pub(super) fn switch_enum(&mut self) -> Parsed<()> {
        self.operand()?;
        let mut cases = Cases::default();
        while self.at_case() {
            self.reader.cursor.bump();
            let word = self.case_start(&mut cases)?;
            self.target()?;
            let count = self.count(word)?;
            cases.counts.push(count);
        }
        self.finish_cases(cases)?;
        self.forwarding()
    }

    /// Reads `%0, case #E.a!enumelt: %1, default %2 : $T`.
    pub(super) fn select_enum(&mut self) -> Parsed<()> {
        self.operand()?;
        let mut cases = Cases::default();
        while self.at_case() {
            self.reader.cursor.bump();
            self.case_start(&mut cases)?;
            self.untyped_operand()?;
        }
        self.finish_cases(cases)?;
        self.reader.cursor.expect(Token::Colon)?;
        let ty = self.written_type()?;
        let values = self.draft.operands[1..].to_vec();
        for value in values {
            self.suppose(value, ty);
        }
        self.forwarding()
    }

    fn at_case(&self) -> bool {
        self.at_comma_and("case") || self.at_comma_and("default")
    }

    /// Reads `case #E.a!enumelt:` or `default`; returns the keyword of the profile count after it.
    fn case_start(&mut self, cases: &mut Cases) -> Parsed<&'static str> {
        if cases.default == Some(DefaultCase::Present) {
            return Err(self.reader.cursor.error("case-after-default", "no case can follow the default"));
        }
        if self.reader.cursor.eat_word("default") {
            cases.default = Some(DefaultCase::Present);
            return Ok("default_count");
        }
        self.reader.cursor.expect_word("case")?;
        cases.members.push(self.reader.member()?);
        self.reader.cursor.expect(Token::Colon)?;
        Ok("case_count")
    }

    fn finish_cases(&mut self, cases: Cases) -> Parsed<()> {
        let default = cases.default.unwrap_or(DefaultCase::Absent);
        if cases.members.is_empty() && default == DefaultCase::Absent {
            return Err(self.reader.cursor.expected("', case' or ', default'"));
        }
        let counted = cases.counts.iter().any(Option::is_some);
        let counts = if counted { cases.counts.into() } else { Box::default() };
        self.draft.details = Details::EnumCases(Box::new(EnumCases { members: cases.members.into(), default, counts }));
        Ok(())
    }
}

/// The cases read so far.
#[derive(Default)]
struct Cases {
    members: Vec<sil_ir::context::MemberId>,
    default: Option<DefaultCase>,
    counts: Vec<Option<u64>>,
}
