//! Reads `sil_property`, `sil_coverage_map` and `sil_differentiability_witness`, whose insides are kept as text.

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::reader::Reader;
use crate::context::Name;
use crate::model::{CoverageMap, DifferentiabilityWitness, Linkage, Property, Serialization};

impl Reader<'_> {
    /// Reads `sil_property [serialized] #T.x <T> (…)`.
    pub(in super::super) fn property(&mut self) -> Parsed<Property> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_property")?;
        let serialization = self.serialization()?;
        let member = self.member()?;
        let component = self.rest(Token::LeftParen)?;
        let span = self.cursor.span_from(start);
        Ok(Property { serialization, member, component, span })
    }

    /// Reads `sil_coverage_map "file" "name" "pgo" 0 { … }`.
    pub(in super::super) fn coverage_map(&mut self) -> Parsed<CoverageMap> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_coverage_map")?;
        let text = self.rest(Token::LeftBrace)?;
        Ok(CoverageMap { text, span: self.cursor.span_from(start) })
    }

    /// Reads `sil_differentiability_witness hidden [serialized] [reverse] [parameters 0] [results 0] @f : $… { … }`.
    pub(in super::super) fn differentiability_witness(&mut self) -> Parsed<DifferentiabilityWitness> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_differentiability_witness")?;
        let linkage = self.linkage();
        let serialized = self.cursor.at(Token::LeftBracket) && {
            let mut ahead = self.cursor.clone();
            ahead.bump();
            ahead.at_word("serialized")
        };
        let serialization = if serialized { self.serialization()? } else { Serialization::None };
        let rest = self.cursor.span().start;
        while !self.cursor.at(Token::AtName) {
            if !matches!(self.cursor.peek(), Token::LeftBracket | Token::Less | Token::Identifier) {
                return Err(self.cursor.expected("a function"));
            }
            self.skip_signature_or_bracket()?;
        }
        self.symbol()?;
        self.cursor.expect(Token::Colon)?;
        self.sil_type()?;
        let defined = self.cursor.at(Token::LeftBrace);
        if defined && !self.cursor.skip_balanced() {
            return Err(self.cursor.expected("'}'"));
        }
        let span = self.cursor.span_from(rest);
        let text = self.context.name(&self.cursor.text()[span.start as usize..span.end as usize]);
        let default = if defined { Linkage::Public } else { Linkage::PublicExternal };
        let linkage = linkage.unwrap_or(default);
        Ok(DifferentiabilityWitness { linkage, serialization, text, span: self.cursor.span_from(start) })
    }

    fn skip_signature_or_bracket(&mut self) -> Parsed<()> {
        if self.cursor.at(Token::Less) {
            self.generic_signature()?;
        } else if self.cursor.at(Token::LeftBracket) {
            self.bracketed_text()?;
        } else {
            self.cursor.bump();
        }
        Ok(())
    }

    /// The text from here to the end of the first brackets that open with `open`.
    fn rest(&mut self, open: Token) -> Parsed<Name> {
        let start = self.cursor.span().start;
        while !self.cursor.at(open) {
            if self.cursor.at(Token::End) {
                return Err(self.cursor.expected(open));
            }
            self.cursor.bump();
        }
        if !self.cursor.skip_balanced() {
            return Err(self.cursor.expected("the closing bracket"));
        }
        let span = self.cursor.span_from(start);
        Ok(self.context.name(&self.cursor.text()[span.start as usize..span.end as usize]))
    }
}
