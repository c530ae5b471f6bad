//! Reads `sil_differentiability_witness`, and the configuration that identifies a witness.

use sil_ir::context::{Differentiability, DifferentiabilityIndices, Name, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{DerivativeConfiguration, Derivatives, DifferentiabilityWitness, Linkage, Serialization};
use sil_ir::source::Span;
use sil_ir::types::nameless;

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::reader::Reader;

/// Returns the error that a function lacks a parameter or result of a differentiability index.
pub(in super::super) fn no_such_indices(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("differentiability", "the function has no parameter or result of this number", span))
}

impl Reader<'_> {
    /// Reads `sil_differentiability_witness hidden [serialized] [reverse] [parameters 0] [results 0] @f : $… { … }`.
    pub(in super::super) fn differentiability_witness(&mut self) -> Parsed<DifferentiabilityWitness> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_differentiability_witness")?;
        let linkage = self.linkage();
        let serialization = match self.at_bracketed("serialized") {
            true => self.serialization()?,
            false => Serialization::None,
        };
        let configuration = self.witness_configuration()?;
        let derivatives = if self.cursor.eat(Token::LeftBrace) { Some(self.derivatives()?) } else { None };
        let default = if derivatives.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        Ok(DifferentiabilityWitness {
            linkage: linkage.unwrap_or(default),
            serialization,
            configuration,
            derivatives,
            span: self.cursor.span_from(start),
        })
    }

    /// Reads `[reverse] [parameters 0 1] [results 0] <T where …> @f : $…`.
    pub(in super::super) fn witness_configuration(&mut self) -> Parsed<DerivativeConfiguration> {
        let start = self.cursor.span().start;
        let kind = self.differentiability_kind()?;
        let parameters = self.differentiability_indices("parameters")?;
        let results = self.differentiability_indices("results")?;
        let signature = if self.cursor.at(Token::Less) { Some(self.generic_signature()?) } else { None };
        let signature = signature.map(|signature| nameless(self.context, signature));
        let (original, ty) = self.symbol_and_type()?;
        let indices = DifferentiabilityIndices { parameters, results };
        if let Type::Function(function) = self.context.get(ty)
            && !function.has_indices(&indices)
        {
            return Err(no_such_indices(self.cursor.span_from(start)));
        }
        Ok(DerivativeConfiguration { kind, indices, signature, original, ty })
    }

    /// Reads `[reverse]`, `[forward]`, `[normal]` or `[linear]`.
    fn differentiability_kind(&mut self) -> Parsed<Differentiability> {
        self.cursor.expect(Token::LeftBracket)?;
        let kind = match self.cursor.peek_text() {
            "reverse" => Differentiability::Reverse,
            "forward" => Differentiability::Forward,
            "normal" => Differentiability::Normal,
            "linear" => Differentiability::Linear,
            _ => return Err(self.cursor.expected("'reverse', 'forward', 'normal' or 'linear'")),
        };
        self.cursor.bump();
        self.cursor.expect(Token::RightBracket)?;
        Ok(kind)
    }

    /// Reads `[parameters 0 1]`, with `word` as its keyword.
    pub(in super::super) fn differentiability_indices(&mut self, word: &str) -> Parsed<Box<[u32]>> {
        self.cursor.expect(Token::LeftBracket)?;
        self.cursor.expect_word(word)?;
        let mut indices: Vec<u32> = Vec::new();
        while !self.cursor.at(Token::RightBracket) {
            let number = self.cursor.error("number", "the numbers must ascend");
            let index = self.cursor.expect_number()?;
            if indices.last().is_some_and(|last| *last >= index) {
                return Err(number);
            }
            indices.push(index);
        }
        self.cursor.expect(Token::RightBracket)?;
        Ok(indices.into())
    }

    /// Returns whether `[word` is ahead.
    pub(in super::super) fn at_bracketed(&self, word: &str) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.eat(Token::LeftBracket) && ahead.at_word(word)
    }

    /// Reads `jvp: @f : $… vjp: @g : $… }`.
    fn derivatives(&mut self) -> Parsed<Derivatives> {
        let jvp = self.derivative("jvp")?;
        let vjp = self.derivative("vjp")?;
        self.cursor.expect(Token::RightBrace)?;
        Ok(Derivatives { jvp, vjp })
    }

    fn derivative(&mut self, word: &str) -> Parsed<Option<(Name, TypeId)>> {
        if !self.cursor.eat_word(word) {
            return Ok(None);
        }
        self.cursor.expect(Token::Colon)?;
        Ok(Some(self.symbol_and_type()?))
    }
}
