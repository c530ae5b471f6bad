//! Reads the `sil` line of a function: linkage, attributes, symbol, type.

use sil_ir::context::{Name, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Function, FunctionAttribute, FunctionFlag, FunctionIsolation, Linkage, Serialization};

use super::Parsed;
use super::lexer::Token;
use super::names::symbol_name;
use super::reader::Reader;

/// A function's line, and the place of its body.
pub(super) struct FunctionHeader {
    pub(super) function: Function,
    /// The byte after the opening brace and the effects, if there is a body.
    pub(super) body: Option<u32>,
}

impl<'a> Reader<'a> {
    /// Reads the line of a function, `sil` included, and the effects at the start of its body.
    pub(super) fn function_header(&mut self) -> Parsed<FunctionHeader> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil")?;
        let linkage = self.linkage();
        let mut serialization = Serialization::None;
        let mut attributes = Vec::new();
        while self.cursor.at(Token::LeftBracket) {
            self.function_attribute(&mut attributes, &mut serialization)?;
        }
        let name = self.symbol()?;
        self.cursor.expect(Token::Colon)?;
        self.cursor.expect(Token::Dollar)?;
        let (ty, signature) = self.function_type()?;
        let span = self.cursor.span_from(start);
        let entry_count = self.entry_count()?;
        let body = self.body_start(&mut attributes)?;
        let default = if body.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        let function = Function {
            name,
            ty,
            signature,
            linkage: linkage.unwrap_or(default),
            serialization,
            attributes,
            body: None,
            entry_count,
            specialized_from: None,
            scope: None,
            span,
        };
        Ok(FunctionHeader { function, body })
    }

    /// Reads a linkage, if one is ahead.
    pub(super) fn linkage(&mut self) -> Option<Linkage> {
        if !self.cursor.at(Token::Identifier) {
            return None;
        }
        let linkage = match self.cursor.peek_text() {
            "public_non_abi" => Linkage::PublicNonAbi,
            text => Linkage::from_name(text)?,
        };
        self.cursor.bump();
        Some(linkage)
    }

    /// Reads `@symbol`.
    pub(super) fn symbol(&mut self) -> Parsed<Name> {
        let span = self.cursor.span();
        let text = self.cursor.expect(Token::AtName)?;
        let escape = || Box::new(Diagnostic::error("symbol", "the symbol has an unknown escape", span));
        let name = symbol_name(text).ok_or_else(escape)?;
        Ok(self.context.name(&name))
    }

    /// Reads `@symbol : $T`.
    pub(super) fn symbol_and_type(&mut self) -> Parsed<(Name, TypeId)> {
        let name = self.symbol()?;
        self.cursor.expect(Token::Colon)?;
        Ok((name, self.sil_type()?.ty))
    }

    /// Reads `!function_entry_count(1)`, if it is ahead.
    fn entry_count(&mut self) -> Parsed<Option<u64>> {
        if !self.cursor.eat(Token::Exclamation) {
            return Ok(None);
        }
        self.cursor.expect_word("function_entry_count")?;
        self.cursor.expect(Token::LeftParen)?;
        let count = self.cursor.expect_number()?;
        self.cursor.expect(Token::RightParen)?;
        Ok(Some(count))
    }

    fn body_start(&mut self, attributes: &mut Vec<FunctionAttribute>) -> Parsed<Option<u32>> {
        if !self.cursor.eat(Token::LeftBrace) {
            return Ok(None);
        }
        while self.cursor.at(Token::LeftBracket) {
            let text = self.bracketed_text()?;
            attributes.push(FunctionAttribute::Effects(self.context.name(text)));
        }
        if self.cursor.eat(Token::RightBrace) {
            return Ok(None);
        }
        Ok(Some(self.cursor.previous_end()))
    }

    /// Skips a bracketed range and returns the text in it.
    pub(super) fn bracketed_text(&mut self) -> Parsed<&'a str> {
        let start = self.cursor.span();
        if !self.cursor.skip_balanced() {
            return Err(Box::new(Diagnostic::error("syntax", "the closing bracket is missing", start)));
        }
        let span = self.cursor.span_from(start.start);
        Ok(&self.cursor.text()[span.start as usize + 1..span.end as usize - 1])
    }

    fn function_attribute(
        &mut self,
        attributes: &mut Vec<FunctionAttribute>,
        serialization: &mut Serialization,
    ) -> Parsed<()> {
        let start = self.cursor.span();
        let text = self.bracketed_text()?.trim();
        let (word, rest) = text.split_once([' ', '\t', '\n']).unwrap_or((text, ""));
        let rest = rest.trim();
        if let Some(found) = serialization_named(text) {
            *serialization = found;
            return Ok(());
        }
        if let Some(flag) = FunctionFlag::from_name(text) {
            attributes.push(FunctionAttribute::Flag(flag));
            return Ok(());
        }
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let attribute = match (word, quoted) {
            ("_semantics", Some(text)) => FunctionAttribute::Semantics(self.context.name(text)),
            ("asmname", Some(text)) => FunctionAttribute::AsmName(self.context.name(text)),
            ("section", Some(text)) => FunctionAttribute::Section(self.context.name(text)),
            ("dynamic_replacement_for", Some(text)) => {
                FunctionAttribute::DynamicReplacementFor(self.context.name(text))
            }
            ("objc_replacement_for", Some(text)) => FunctionAttribute::ObjCReplacementFor(self.context.name(text)),
            ("ref_adhoc_requirement_witness", Some(text)) => {
                FunctionAttribute::AdHocRequirementWitness(self.context.name(text))
            }
            ("_specialize", _) => FunctionAttribute::Specialize(self.context.name(rest)),
            ("clang", _) => FunctionAttribute::Clang(self.context.name(rest)),
            ("extern", _) => FunctionAttribute::Extern(self.context.name(rest)),
            ("available", _) => FunctionAttribute::Available(self.context.name(rest)),
            ("expose", _) => FunctionAttribute::Expose(self.context.name(rest)),
            ("isolation", Some(text)) if let Some(isolation) = FunctionIsolation::from_name(text) => {
                FunctionAttribute::Isolation(isolation)
            }
            _ => {
                let message = format!("unknown attribute '[{text}]' of a function");
                return Err(Box::new(Diagnostic::error("unknown-attribute", message, start)));
            }
        };
        attributes.push(attribute);
        Ok(())
    }
}

/// Returns the serialization that an attribute names.
pub(super) fn serialization_named(text: &str) -> Option<Serialization> {
    match text {
        "serialized" | "fragile" => Some(Serialization::Serialized),
        "serialized_for_package" => Some(Serialization::SerializedForPackage),
        "serializable" => Some(Serialization::Serializable),
        _ => None,
    }
}
