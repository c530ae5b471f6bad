//! Types that are declared in functions. A dump names them but does not declare them, so what can be seen of them is
//! gathered from its text: their kind from the mangled symbols that hold their name, their members from references to them
//! (`#<abstract function>Mark.none!enumelt`).
//!
//! The order of members is that of their first mention, which nothing outside of the module can tell from the real one.
//! The types of stored properties and payloads cannot be seen; they are [`Type::Unresolved`].

use std::collections::hash_map::Entry;

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Context, Name};
use crate::declarations::*;
use crate::source::{FileId, Span};
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::plain_name;
use crate::types::{Mutability, Type};

/// What SIL writes before the name of a type that is declared in a function.
const PREFIX: &str = "#<abstract function>";

/// The longest name that is looked for in symbols.
const LONGEST_NAME: usize = 100;

/// The longest text behind [`PREFIX`] that is looked at, in bytes.
const LONGEST_REFERENCE: usize = 1000;

/// Adds the local types that `text` names and `table` does not have, as declarations of `module`.
pub(crate) fn add_local_types(context: &Context, text: &str, file: FileId, module: Name, table: &mut DeclarationTable) {
    let (cases, properties) = Default::default();
    let mut gatherer = Gatherer { context, text, file, module, table, cases, properties };
    gatherer.types_in_symbols();
    gatherer.members();
}

struct Gatherer<'t, 'a> {
    context: &'t Context,
    text: &'a str,
    file: FileId,
    module: Name,
    table: &'t mut DeclarationTable,
    /// The places of cases in their declarations.
    cases: FxHashMap<(NominalId, Name), usize>,
    properties: FxHashSet<(NominalId, Name)>,
}

impl Gatherer<'_, '_> {
    /// Finds `4MarkL_O`: a name with its length, the mark of a local declaration, and its kind (docs/ABI/Mangling.rst).
    fn types_in_symbols(&mut self) {
        for discriminator in ["L_", "L0_", "L1_", "L2_", "L3_", "L4_"] {
            for at in memmem::find_iter(self.text.as_bytes(), discriminator) {
                let kind = match self.text.as_bytes().get(at + discriminator.len()) {
                    Some(b'O') => NominalKind::Enum,
                    Some(b'V') => NominalKind::Struct,
                    Some(b'C') => NominalKind::Class,
                    _ => continue,
                };
                if let Some(name) = mangled_name_before(&self.text.as_bytes()[..at]) {
                    let span = Span { file: self.file, start: (at - name.len()) as u32, end: at as u32 };
                    self.declare(name, kind, span);
                }
            }
        }
    }

    fn declare(&mut self, name: &str, kind: NominalKind, span: Span) -> Option<NominalId> {
        let name = self.context.name(name);
        if let Some(known) = self.table.top_level(name)
            && self.table.get(known).origin == Origin::Module
        {
            return self.table.get(known).attributes.local.then_some(known);
        }
        let attributes = NominalAttributes { local: true, ..NominalAttributes::default() };
        Some(self.table.add(NominalDeclaration {
            attributes,
            ..NominalDeclaration::new(name, kind, self.module, Origin::Module, span)
        }))
    }

    fn members(&mut self) {
        for at in memmem::find_iter(self.text.as_bytes(), PREFIX) {
            let start = (at + PREFIX.len()) as u32;
            let line = &self.text[start as usize..];
            let line = &line[..line.floor_char_boundary(LONGEST_REFERENCE)];
            let length = memchr::memchr(b'\n', line.as_bytes()).unwrap_or(line.len());
            self.member(Cursor::within(self.text, self.file, start, start + length as u32));
        }
    }

    /// `Mark.none!enumelt`, `Lazy.first`
    fn member(&mut self, mut cursor: Cursor<'_>) -> Option<()> {
        let span = cursor.span();
        let name = plain_name(cursor.expect(Token::Identifier).ok()?);
        cursor.expect(Token::Period).ok()?;
        let member = match cursor.peek() {
            Token::Dollar => {
                cursor.bump();
                format!("${}", cursor.expect(Token::Identifier).ok()?)
            }
            _ => plain_name(cursor.expect(Token::Identifier).ok()?).to_owned(),
        };
        let suffix = if cursor.eat(Token::Exclamation) { Some(cursor.bump()) } else { None };
        let kind = if suffix == Some("enumelt") { NominalKind::Enum } else { NominalKind::Struct };
        let nominal = self.declare(name, kind, span)?;
        let member = self.context.name(&member);
        match suffix {
            Some("enumelt") => {
                // `enum $Mark, #…Mark.some!enumelt, %1`
                let payload = cursor.at(Token::Comma) && cursor.peek_second() == Token::LocalValue;
                self.add_case(nominal, member, payload, span);
            }
            None => self.add_property(nominal, member, span),
            Some(_) => {}
        }
        Some(())
    }

    fn add_case(&mut self, nominal: NominalId, name: Name, has_payload: bool, span: Span) {
        let payload = has_payload.then(|| self.context.ty(Type::Unresolved(name)));
        let cases = &mut self.table.get_mut(nominal).cases;
        match self.cases.entry((nominal, name)) {
            Entry::Occupied(place) => {
                let known = &mut cases[*place.get()];
                known.payload = known.payload.or(payload);
            }
            Entry::Vacant(place) => {
                place.insert(cases.len());
                cases.push(EnumCase { name, payload, indirect: false, span });
            }
        }
    }

    fn add_property(&mut self, nominal: NominalId, name: Name, span: Span) {
        let ty = self.context.ty(Type::Unresolved(name));
        let stored = &mut self.table.get_mut(nominal).stored;
        if self.properties.insert((nominal, name)) {
            let mutability = Mutability::Var;
            stored.push(StoredProperty { name, ty, mutability, ownership: None, span });
        }
    }
}

/// The name at the end of a part of a symbol, whose length in digits stands before it.
fn mangled_name_before(symbol: &[u8]) -> Option<&str> {
    (1..=LONGEST_NAME.min(symbol.len())).find_map(|length| {
        let (before, name) = symbol.split_at(symbol.len() - length);
        if !before.last().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let digits = length.to_string();
        let rest = before.strip_suffix(digits.as_bytes())?;
        let starts_with_digit = name[0].is_ascii_digit();
        if starts_with_digit || rest.last().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(name).ok()
    })
}
