//! The attributes that state the memory layout of a type: Swift's `@_rawLayout`, and silc's attributes for the layouts
//! that clang computes for C types.

use sil_ir::context::{NominalId, Type, TypeId};
use sil_ir::declarations::{CLayout, CNameSpace, CValues, OpaqueBytes, RawLayout};
use sil_ir::diagnostic::Diagnostic;

use super::fill::Filler;
use super::outline::Entry;
use crate::syntax::Parsed;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::types::Piece;

impl<'t, 'a> Filler<'t, 'a> {
    /// `@_rawLayout(size: 8, alignment: 8)`, `@_rawLayout(like: T)`, `@_rawLayout(likeArrayOf: T, count: N)`
    pub(super) fn raw_layout(&mut self, nominal: NominalId, entry: &'t Entry<'a>) -> Parsed<()> {
        let Some(values) = self.layout_arguments("@_rawLayout", nominal, entry)? else { return Ok(()) };
        let layout = match values[..] {
            [("size", size), ("alignment", alignment)] => {
                let numbers = self.layout_number(size).zip(self.layout_number(alignment));
                numbers.map(|(size, alignment)| RawLayout::Fixed { size, alignment })
            }
            [("like", like), ..] => Some(RawLayout::Like(like)),
            [("likeArrayOf", element), ("count", count), ..] => Some(RawLayout::LikeArrayOf { element, count }),
            _ => None,
        };
        let layout = layout.ok_or_else(|| wrong("this raw layout is not one that Swift has", entry))?;
        self.table.get_mut(nominal).attributes.raw_layout = Some(layout);
        Ok(())
    }

    /// `@_cTag`, `@_cTypedef`: the type is declared in C, in this name space.
    pub(super) fn c_name_space(&mut self, nominal: NominalId, entry: &Entry<'a>) {
        let space = if entry.modifiers.has("@_cTag") {
            Some(CNameSpace::Tags)
        } else if entry.modifiers.has("@_cTypedef") {
            Some(CNameSpace::Ordinary)
        } else {
            None
        };
        self.table.get_mut(nominal).attributes.c_name_space = space;
    }

    /// `@_cLayout(size: 8, alignment: 4, offset: 0, opaque: 4, bytes: 2)`: an offset for each stored property, in
    /// order, and the bytes that no stored property covers.
    pub(super) fn c_layout(&mut self, nominal: NominalId, entry: &'t Entry<'a>) -> Parsed<()> {
        let Some(values) = self.layout_arguments("@_cLayout", nominal, entry)? else { return Ok(()) };
        let wrong = || wrong("this layout of a structure of C is not complete", entry);
        let numbers = values.into_iter().map(|(label, value)| Some((label, self.layout_number(value)?)));
        let numbers: Vec<(&str, u64)> = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
        let [("size", size), ("alignment", alignment), rest @ ..] = &numbers[..] else { return Err(wrong()) };
        let mut layout = CLayout { size: *size, alignment: *alignment, offsets: Vec::new(), opaque: Vec::new() };
        let mut rest = rest;
        loop {
            match rest {
                [] => break,
                [("offset", offset), after @ ..] => {
                    layout.offsets.push(*offset);
                    rest = after;
                }
                [("opaque", offset), ("bytes", size), after @ ..] => {
                    layout.opaque.push(OpaqueBytes { offset: *offset, size: *size });
                    rest = after;
                }
                _ => return Err(wrong()),
            }
        }
        self.table.get_mut(nominal).attributes.c_layout = Some(Box::new(layout));
        Ok(())
    }

    /// `@_cValues(size: 1, value: 0, value: 7)`: the size of a C enum, and the integer of each case, in order.
    pub(super) fn c_values(&mut self, nominal: NominalId, entry: &'t Entry<'a>) -> Parsed<()> {
        let Some(values) = self.layout_arguments("@_cValues", nominal, entry)? else { return Ok(()) };
        let wrong = || wrong("these values of an enum of C are not complete", entry);
        let numbers = values.into_iter().map(|(label, value)| Some((label, self.layout_number(value)?)));
        let numbers: Vec<(&str, u64)> = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
        let [("size", size @ (1 | 2 | 4 | 8)), values @ ..] = &numbers[..] else { return Err(wrong()) };
        if values.iter().any(|(label, _)| *label != "value") {
            return Err(wrong());
        }
        let values = CValues { size: *size, values: values.iter().map(|(_, value)| *value).collect() };
        self.table.get_mut(nominal).attributes.c_values = Some(Box::new(values));
        Ok(())
    }

    /// Returns the labels and values of the attribute `name`, if present. Numbers are parsed as types.
    fn layout_arguments(
        &mut self,
        name: &str,
        nominal: NominalId,
        entry: &'t Entry<'a>,
    ) -> Parsed<Option<Vec<(&'a str, TypeId)>>> {
        let Some(piece) = entry.modifiers.find(name) else { return Ok(None) };
        let mut cursor = Cursor::within(piece.text, piece.file, piece.start, piece.end);
        cursor.bump();
        cursor.expect(Token::LeftParen)?;
        let mut values = Vec::new();
        while let Token::Identifier = cursor.peek() {
            let label = cursor.bump();
            if cursor.eat(Token::Colon) {
                let piece = Piece::of_type(&mut cursor)?;
                values.push((label, self.ty(&piece, Some(nominal))?));
            }
            if !cursor.eat(Token::Comma) {
                break;
            }
        }
        Ok(Some(values))
    }

    fn layout_number(&self, ty: TypeId) -> Option<u64> {
        match self.context.get(ty) {
            Type::Integer(value) => u64::try_from(*value).ok(),
            _ => None,
        }
    }
}

fn wrong(message: &str, entry: &Entry<'_>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("attribute", message, entry.span))
}
