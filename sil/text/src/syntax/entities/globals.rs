//! Reads `sil_global`, `sil_stage` and `import`.

use sil_ir::context::{Mutability, Name};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Global, Import, Linkage, Serialization, Stage};

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::reader::Reader;

/// A global without its initialiser, and the place of the initialiser.
pub(in super::super) struct GlobalHeader {
    pub(in super::super) global: Global,
    /// The byte after the opening brace of the initialiser.
    pub(in super::super) initializer: Option<u32>,
}

impl Reader<'_> {
    /// Reads a global up to the opening brace of its initialiser.
    pub(in super::super) fn global_header(&mut self) -> Parsed<GlobalHeader> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_global")?;
        let mut global = Global {
            name: self.context.name(""),
            linkage: self.linkage().unwrap_or(Linkage::Public),
            serialization: Serialization::None,
            mutability: Mutability::Var,
            asm_name: None,
            clang_name: self.clang_name_before(start),
            section: None,
            used: false,
            other_attributes: Vec::new(),
            ty: self.context.ty(sil_ir::context::Type::Tuple(Box::default())),
            initializer: None,
            span: self.cursor.span(),
        };
        while self.cursor.at(Token::LeftBracket) {
            self.global_attribute(&mut global)?;
        }
        global.name = self.symbol()?;
        self.cursor.expect(Token::Colon)?;
        global.ty = self.sil_type()?.ty;
        global.span = self.cursor.span_from(start);
        let mut initializer = None;
        if self.cursor.eat(Token::Equal) {
            self.cursor.expect(Token::LeftBrace)?;
            initializer = Some(self.cursor.previous_end());
        }
        Ok(GlobalHeader { global, initializer })
    }

    /// Returns the name in the comment `// clang name: x` on the line before `start`. It is the only mark of a mangled
    /// name of C.
    fn clang_name_before(&self, start: u32) -> Option<Name> {
        let before = self.cursor.text()[..start as usize].strip_suffix('\n')?;
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        line.strip_prefix("// clang name: ").map(|name| self.context.name(name.trim_end()))
    }

    fn global_attribute(&mut self, global: &mut Global) -> Parsed<()> {
        let span = self.cursor.span();
        let text = self.bracketed_text()?.trim();
        if let Some(serialization) = super::serialization_named(text) {
            global.serialization = serialization;
            return Ok(());
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let quoted = rest.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        match (word, quoted) {
            ("let", None) => global.mutability = Mutability::Let,
            ("used", None) => global.used = true,
            ("asmname", Some(name)) => global.asm_name = Some(self.context.name(name)),
            ("section", Some(name)) => global.section = Some(self.context.name(name)),
            ("weak_imported" | "export_interface" | "clang" | "stack_protection", _) => {
                global.other_attributes.push(self.context.name(text))
            }
            _ => {
                let message = format!("unknown attribute '[{text}]' of a global");
                return Err(Box::new(Diagnostic::error("unknown-attribute", message, span)));
            }
        }
        Ok(())
    }

    /// Reads `sil_stage canonical`.
    pub(in super::super) fn stage(&mut self) -> Parsed<Stage> {
        self.cursor.expect_word("sil_stage")?;
        let error = self.cursor.expected("'raw', 'canonical' or 'lowered'");
        match self.cursor.bump() {
            "raw" => Ok(Stage::Raw),
            "canonical" => Ok(Stage::Canonical),
            "lowered" => Ok(Stage::Lowered),
            _ => Err(error),
        }
    }

    /// Reads `@_exported import struct M.T`.
    pub(in super::super) fn import(&mut self) -> Parsed<Import> {
        let mut attributes = Vec::new();
        while !self.cursor.eat_word("import") {
            match self.cursor.peek() {
                Token::AtName | Token::Identifier => attributes.push(self.import_attribute()),
                _ => return Err(self.cursor.expected("'import'")),
            }
        }
        let start = self.cursor.span().start;
        self.cursor.expect(Token::Identifier)?;
        while !self.cursor.at_line_start() && !matches!(self.cursor.peek(), Token::End | Token::Semicolon) {
            self.cursor.bump();
        }
        let span = self.cursor.span_from(start);
        let path = &self.cursor.text()[span.start as usize..span.end as usize];
        Ok(Import { attributes, module: self.context.name(path) })
    }

    /// Reads `internal`, `@preconcurrency` or `@_spi(Testing)`, as written.
    fn import_attribute(&mut self) -> Name {
        let start = self.cursor.span().start;
        self.cursor.bump();
        if self.cursor.at(Token::LeftParen) {
            while !matches!(self.cursor.peek(), Token::RightParen | Token::End) {
                self.cursor.bump();
            }
            self.cursor.bump();
        }
        let span = self.cursor.span_from(start);
        self.context.name(&self.cursor.text()[span.start as usize..span.end as usize])
    }
}
