//! Reads top-level entities other than functions.

mod coverage_maps;
pub(super) mod differentiability_witnesses;
mod globals;
mod properties;
mod scopes;
mod vtables;
mod witness_tables;

use super::Parsed;
use super::functions::serialization_named;
use super::lexer::Token;
use super::names::plain_name;
use super::reader::Reader;
use super::types::unknown_namesake;
use sil_ir::context::NominalId;
use sil_ir::declarations::{Meaning, NominalDeclaration, NominalKind, OpenMeaning, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::Serialization;

impl Reader<'_> {
    /// Reads `[serialized]` or another serialization attribute, if one is ahead.
    pub(super) fn serialization(&mut self) -> Parsed<Serialization> {
        if !self.cursor.at(Token::LeftBracket) {
            return Ok(Serialization::None);
        }
        let span = self.cursor.span();
        let text = self.bracketed_text()?.trim();
        serialization_named(text).ok_or_else(|| {
            Box::new(Diagnostic::error("unknown-attribute", format!("unknown attribute '[{text}]'"), span))
        })
    }

    /// Reads the name of a nominal type or protocol: `Box`, `Outer.Inner`. The names of outer types are optional.
    pub(super) fn nominal(&mut self, wanted: &[NominalKind]) -> Parsed<NominalId> {
        let span = self.cursor.span();
        let text = self.cursor.expect(Token::Identifier)?;
        let name = self.context.name(plain_name(text));
        let declarations = self.declarations;
        let open = declarations.open_names.meaning(name, span);
        let stated = match open {
            Some(OpenMeaning::Stated(stated)) => Some(stated),
            Some(OpenMeaning::AnyOf(_)) | None => declarations.namesakes.meaning(name, span),
        };
        let mut found = match (stated, open) {
            (Some(Meaning::One(meant)), _) => Some(meant),
            (_, Some(OpenMeaning::AnyOf(candidates))) => {
                let fits = |candidate: &NominalId| wanted.contains(&declarations.get(*candidate).kind);
                let fitting: Vec<NominalId> = candidates.iter().copied().filter(fits).collect();
                declarations.open_names.stand_in(span.start, &fitting)
            }
            (Some(Meaning::Unknown), _) => return Err(unknown_namesake(text, span)),
            (None, _) => declarations.top_level(name),
        };
        let mut named = found.or_else(|| declarations.named_type(None, None, name));
        while self.cursor.eat(Token::Period) {
            let member = self.context.name(plain_name(self.cursor.expect(Token::Identifier)?));
            found = found.and_then(|outer| declarations.nested(outer, member));
            named = found.or_else(|| declarations.named_type(named, None, member));
        }
        let fits = |kind| wanted.contains(&kind);
        let nested = || {
            let named =
                |(_, declaration): &(_, &NominalDeclaration)| declaration.name == name && fits(declaration.kind);
            let all = self.declarations.iter().filter(named);
            all.min_by_key(|(_, declaration)| declaration.origin != Origin::Module).map(|(id, _)| id)
        };
        let found = found.filter(|id| fits(self.declarations.get(*id).kind)).or_else(nested);
        let named = named.filter(|id| self.declarations.get(*id).origin == Origin::Named);
        let found = found.or(named);
        found.ok_or_else(|| {
            let span = self.cursor.span_from(span.start);
            let message = format!("no {} is called '{text}'", kind_word(wanted));
            Box::new(Diagnostic::error("unknown-type", message, span))
        })
    }
}

fn kind_word(wanted: &[NominalKind]) -> &'static str {
    match wanted {
        [NominalKind::Protocol] => "protocol",
        [NominalKind::Class, NominalKind::Actor] => "class",
        _ => "type",
    }
}
