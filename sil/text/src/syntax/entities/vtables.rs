//! Reads `sil_vtable`, `sil_moveonlydeinit` and `sil_default_override_table`.

use sil_ir::context::{MemberKind, NominalId, Sugar, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{
    DefaultOverride, DefaultOverrideTable, Linkage, MoveOnlyDeinit, VTable, VTableEntry, VTableEntryKind,
};

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::reader::{GenericScope, Reader};

const CLASSES: &[NominalKind] = &[NominalKind::Class, NominalKind::Actor];
const TYPES: &[NominalKind] = &[NominalKind::Struct, NominalKind::Enum, NominalKind::Class, NominalKind::Actor];

impl Reader<'_> {
    /// Reads `sil_vtable [serialized] C { … }` or `sil_vtable $Box<Int> { … }`. Wrong entries are reported and left
    /// out.
    pub(in super::super) fn vtable(&mut self) -> Parsed<VTable> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_vtable")?;
        let serialization = self.serialization()?;
        let (named, specialized) = self.vtable_class()?;
        let span = self.cursor.span_from(start);
        self.cursor.expect(Token::LeftBrace)?;
        let mut entries = Vec::new();
        while !self.cursor.eat(Token::RightBrace) {
            match self.vtable_entry() {
                Ok(entry) => entries.push(entry),
                Err(error) if self.cursor.at(Token::End) => return Err(error),
                Err(error) => {
                    self.diagnostics.push(*error);
                    self.skip_entry();
                }
            }
        }
        let class = self.deallocated_class(&entries, named).unwrap_or(named);
        Ok(VTable { class, specialized, serialization, entries, span })
    }

    /// Returns the class whose deallocating deinit is among the entries. `sil_vtable Node {` has only the name, which
    /// nested classes may share.
    fn deallocated_class(&self, entries: &[VTableEntry], named: NominalId) -> Option<NominalId> {
        let members = entries.iter().map(|entry| self.context.get_member(entry.member));
        let is_deallocator = |kind| matches!(kind, MemberKind::Deallocator | MemberKind::IsolatedDeallocator);
        let class = members.filter(|member| is_deallocator(member.kind)).find_map(|member| member.parent)?;
        let name = |class| self.declarations.get(class).name;
        (name(class) == name(named)).then_some(class)
    }

    fn vtable_class(&mut self) -> Parsed<(NominalId, Option<TypeId>)> {
        if !self.cursor.at(Token::Dollar) {
            return Ok((self.nominal(CLASSES)?, None));
        }
        if let Some(named) = self.class_with_dollar() {
            return Ok((named, None));
        }
        let span = self.cursor.span();
        let ty = self.sil_type()?.ty;
        match self.context.get(ty) {
            Type::Nominal(nominal) => Ok((nominal.declaration, Some(ty))),
            _ => Err(Box::new(Diagnostic::error("vtable-class", "a vtable belongs to a class", span))),
        }
    }

    /// Reads the name of a class that begins with a dollar, as macros call the classes that they declare. A specialised
    /// class has generic arguments.
    fn class_with_dollar(&mut self) -> Option<NominalId> {
        let class = self.type_with_dollar_ahead()?;
        let mut ahead = self.cursor.clone();
        ahead.bump();
        ahead.bump();
        if !ahead.at(Token::LeftBrace) {
            return None;
        }
        self.cursor = ahead;
        Some(class)
    }

    /// Skips to the next line, or to the closing brace if that comes first.
    pub(super) fn skip_entry(&mut self) {
        loop {
            self.cursor.bump();
            if self.cursor.at_line_start() || matches!(self.cursor.peek(), Token::RightBrace | Token::End) {
                return;
            }
        }
    }

    /// Reads `#C.f: (C) -> () -> () : @f [override] [nonoverridden]`.
    fn vtable_entry(&mut self) -> Parsed<VTableEntry> {
        let start = self.cursor.span().start;
        let member = self.member()?;
        self.cursor.expect(Token::Colon)?;
        let (formal_type, sugar) = self.entry_type()?;
        let linkage = self.linkage();
        let function = self.symbol()?;
        let mut kind = VTableEntryKind::Normal;
        let mut nonoverridden = false;
        while self.cursor.at(Token::LeftBracket) {
            let span = self.cursor.span();
            match self.bracketed_text()? {
                "override" => kind = VTableEntryKind::Override,
                "inherited" => kind = VTableEntryKind::Inherited,
                "nonoverridden" => nonoverridden = true,
                text => {
                    let message = format!("unknown attribute '[{text}]' of a vtable entry");
                    return Err(Box::new(Diagnostic::error("unknown-attribute", message, span)));
                }
            }
        }
        let span = self.cursor.span_from(start);
        Ok(VTableEntry { member, formal_type, sugar, function, linkage, kind, nonoverridden, span })
    }

    /// Reads the formal type of a method and the colon after it. `None` if a function, a linkage or `nil` is ahead.
    pub(super) fn entry_type(&mut self) -> Parsed<(Option<TypeId>, Sugar)> {
        let text = self.cursor.peek_text();
        let symbol = self.cursor.at(Token::AtName) && !self.at_type_attribute();
        if symbol || text == "nil" || Linkage::from_name(text).is_some() {
            return Ok((None, Sugar::default()));
        }
        let (ty, sugar) = self.spelled_formal_type()?;
        self.cursor.expect(Token::Colon)?;
        Ok((Some(ty), sugar))
    }

    /// Returns whether the `@` name ahead belongs to a type: the rest of the type follows it.
    fn at_type_attribute(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.bump();
        matches!(ahead.peek(), Token::LeftParen | Token::AtName | Token::Less)
            || (ahead.at(Token::Identifier) && !ahead.at_line_start())
    }

    /// Reads `sil_moveonlydeinit T { @f }`.
    pub(in super::super) fn moveonly_deinit(&mut self) -> Parsed<MoveOnlyDeinit> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_moveonlydeinit")?;
        let serialization = self.serialization()?;
        let nominal = self.nominal(TYPES)?;
        let span = self.cursor.span_from(start);
        self.cursor.expect(Token::LeftBrace)?;
        let function = self.symbol()?;
        self.cursor.expect(Token::RightBrace)?;
        Ok(MoveOnlyDeinit { nominal, serialization, function, span })
    }

    /// Reads `sil_default_override_table hidden C { #C.f!read2: #C.f!read : … : @f }`.
    pub(in super::super) fn default_override_table(&mut self) -> Parsed<DefaultOverrideTable> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_default_override_table")?;
        let linkage = self.linkage().unwrap_or(Linkage::Public);
        let class = self.nominal(CLASSES)?;
        let span = self.cursor.span_from(start);
        let outer = self.set_generics(self.generics_of(class));
        let entries = self.default_overrides();
        self.set_generics(outer);
        Ok(DefaultOverrideTable { linkage, class, entries: entries?, span })
    }

    /// Returns the generic parameters of a declaration.
    pub(super) fn generics_of(&self, nominal: NominalId) -> GenericScope {
        match self.declarations.get(nominal).signature {
            Some(signature) => GenericScope::of(self.context, signature),
            None => GenericScope::default(),
        }
    }

    fn default_overrides(&mut self) -> Parsed<Vec<DefaultOverride>> {
        self.cursor.expect(Token::LeftBrace)?;
        let mut entries = Vec::new();
        while !self.cursor.eat(Token::RightBrace) {
            let member = self.member()?;
            self.cursor.expect(Token::Colon)?;
            let original = self.member()?;
            self.cursor.expect(Token::Colon)?;
            let (formal_type, sugar) = self.entry_type()?;
            let function = self.symbol()?;
            entries.push(DefaultOverride { member, original, formal_type, sugar, function });
        }
        Ok(entries)
    }
}
