//! Reads `sil_coverage_map`: the regions of a file that the profile counters of a function count.

use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{CoverageCounter, CoverageMap, CoverageRegion};

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::names::string_text;
use super::super::reader::Reader;

/// The greatest nesting depth of counter expressions.
const DEPTH_LIMIT: u32 = 256;

impl Reader<'_> {
    /// Reads `sil_coverage_map "file" "function" "profile name" 0 { 4:19 -> 31:1 : 0 … }`.
    pub(in super::super) fn coverage_map(&mut self) -> Parsed<CoverageMap> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_coverage_map")?;
        let file = self.quoted_name()?;
        let function = self.quoted_name()?;
        let profile_name = self.quoted_name()?;
        let hash = self.cursor.expect_number()?;
        self.cursor.expect(Token::LeftBrace)?;
        let mut regions = Vec::new();
        while !self.cursor.eat(Token::RightBrace) {
            regions.push(self.coverage_region()?);
        }
        Ok(CoverageMap { file, function, profile_name, hash, regions, span: self.cursor.span_from(start) })
    }

    fn quoted_name(&mut self) -> Parsed<Name> {
        let span = self.cursor.span();
        let literal = self.cursor.expect(Token::String)?;
        let escape = || Box::new(Diagnostic::error("string", "the string has an unknown escape", span));
        Ok(self.context.name(&string_text(literal).ok_or_else(escape)?))
    }

    /// Reads `4:19 -> 31:1 : (0 + 1)`, or `skipped` in the place of the counter.
    fn coverage_region(&mut self) -> Parsed<CoverageRegion> {
        let start = self.line_and_column()?;
        self.cursor.expect(Token::Arrow)?;
        let end = self.line_and_column()?;
        self.cursor.expect(Token::Colon)?;
        let counter = match self.cursor.eat_word("skipped") {
            true => None,
            false => Some(self.coverage_counter(0)?.simplified()),
        };
        Ok(CoverageRegion { start, end, counter })
    }

    fn line_and_column(&mut self) -> Parsed<(u32, u32)> {
        let line = self.cursor.expect_number()?;
        self.cursor.expect(Token::Colon)?;
        Ok((line, self.cursor.expect_number()?))
    }

    fn coverage_counter(&mut self, depth: u32) -> Parsed<CoverageCounter> {
        if depth > DEPTH_LIMIT {
            return Err(self.cursor.error("nesting", "the counter is nested too deeply"));
        }
        if self.cursor.eat_word("zero") {
            return Ok(CoverageCounter::Zero);
        }
        if self.cursor.at(Token::Integer) {
            return Ok(CoverageCounter::Counter(self.cursor.expect_number()?));
        }
        self.cursor.expect(Token::LeftParen)?;
        let first = Box::new(self.coverage_counter(depth + 1)?);
        let make = match self.cursor.peek() {
            Token::Plus => CoverageCounter::Sum,
            Token::Minus => CoverageCounter::Difference,
            _ => return Err(self.cursor.expected("'+' or '-'")),
        };
        self.cursor.bump();
        let second = Box::new(self.coverage_counter(depth + 1)?);
        self.cursor.expect(Token::RightParen)?;
        Ok(make(first, second))
    }
}
