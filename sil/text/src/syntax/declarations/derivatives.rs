//! Attributes `@differentiable` of methods in vtables and witness tables.

use sil_ir::context::NominalId;
use sil_ir::declarations::{DeclaredDerivative, DerivativeParameters, MemberDeclarationKind, NominalKind};

use super::fill::Filler;
use super::outline::{Entry, EntryIndex, EntryKind};
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::plain_name;
use crate::syntax::types::Piece;

const ATTRIBUTE: &str = "@differentiable";

/// The name of the receiver in attributes.
const SELF: &str = "self";

impl<'a> Filler<'_, 'a> {
    /// Records the derivatives of a method of a class or a protocol.
    pub(super) fn derivatives(&mut self, nominal: NominalId, index: EntryIndex) {
        let outline = self.outline;
        let entry = &outline.entries[index];
        let EntryKind::Member { name, kind: MemberDeclarationKind::Function, syntax } = &entry.kind else { return };
        let is_in_table = matches!(self.table.get(nominal).kind, NominalKind::Class | NominalKind::Protocol);
        if !is_in_table || self.in_extension(index) || !entry.modifiers.has(ATTRIBUTE) {
            return;
        }
        let names = syntax.parameters.as_ref().map(parameter_names).unwrap_or_default();
        let signature = self.member_signature(Some(nominal), index, syntax);
        for attribute in attributes(entry) {
            let parameters = match signature {
                Some(_) => stated_parameters(attribute, &names),
                None => DerivativeParameters::Unknown,
            };
            let derivative = DeclaredDerivative {
                member: *name,
                method: entry.span,
                parameter_count: names.len() as u32 + 1,
                parameters,
                signature: signature.as_ref().and_then(|(signature, _)| *signature),
            };
            self.table.get_mut(nominal).derivatives.push(derivative);
        }
    }
}

/// Returns the text in the parentheses of each such attribute.
fn attributes<'a>(entry: &Entry<'a>) -> Vec<&'a str> {
    let written = entry.modifiers.written.iter().filter_map(|piece| piece.slice().strip_prefix(ATTRIBUTE));
    written.map(|rest| rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest).trim()).collect()
}

/// Returns the internal names of the parameters in a list: the last word before each colon.
fn parameter_names<'a>(list: &Piece<'a>) -> Vec<&'a str> {
    let mut cursor = Cursor::within(list.text, list.file, list.start + 1, list.end - 1);
    let mut names = Vec::new();
    while !cursor.at(Token::End) {
        let mut name = "";
        while !matches!(cursor.peek(), Token::Colon | Token::End) {
            name = plain_name(cursor.peek_text());
            cursor.bump();
        }
        names.push(name);
        super::interfaces::skip_value(&mut cursor);
        cursor.bump();
    }
    names
}

/// Returns the parameters that `reverse, wrt: (self, x)` names.
fn stated_parameters(attribute: &str, names: &[&str]) -> DerivativeParameters {
    let Some(rest) = attribute.strip_prefix("reverse") else { return DerivativeParameters::Unknown };
    let rest = rest.trim_start_matches(',').trim();
    if rest.is_empty() {
        return DerivativeParameters::Differentiable;
    }
    let Some(list) = rest.strip_prefix("wrt:") else { return DerivativeParameters::Unknown };
    let list = list.trim();
    let list = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let number = |name: &str| match name.trim() {
        SELF => Some(names.len()),
        name => names.iter().position(|parameter| *parameter == name),
    };
    let numbers: Option<Vec<u32>> = list.split(',').map(|name| Some(number(name)? as u32)).collect();
    match numbers {
        Some(mut numbers) => {
            numbers.sort_unstable();
            DerivativeParameters::Stated(numbers.into())
        }
        None => DerivativeParameters::Unknown,
    }
}
