//! Reads structs, tuples and statically initialised objects.

use sil_ir::context::{NominalId, NominalType, SilType, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::model::Details;

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads the operands of a struct after its type. SIL omits modules: of structs with the same name, the one with as
    /// many stored properties is meant.
    pub(super) fn structure(&mut self) -> Parsed<()> {
        self.operands()?;
        let declarations = self.reader.declarations;
        let count = self.draft.operands.len();
        let Some(written) = self.draft.types.last_mut() else { return Ok(()) };
        let Type::Nominal(NominalType { declaration, parent: None, arguments }) = self.reader.context.get(written.ty)
        else {
            return Ok(());
        };
        if let Some(stand_in) = declarations.open_names.get(*declaration) {
            let fits = |candidate: &NominalId| {
                declarations.get(*candidate).stored.len() == count || declarations.may_have_more_members(*candidate)
            };
            let fitting: Vec<NominalId> = stand_in.candidates.iter().copied().filter(fits).collect();
            if let Some(declaration) = declarations.open_names.stand_in(stand_in.place, &fitting) {
                let arguments = arguments.clone();
                written.ty =
                    self.reader.context.ty(Type::Nominal(NominalType { declaration, parent: None, arguments }));
            }
            return Ok(());
        }
        let named = declarations.get(*declaration);
        let namesakes = declarations.all_top_level(named.name);
        if named.stored.len() == count || !namesakes.contains(declaration) {
            return Ok(());
        }
        let is_meant = |other: &&NominalId| {
            let other = declarations.get(**other);
            (other.kind, other.stored.len(), other.own_parameters as usize)
                == (NominalKind::Struct, count, arguments.len())
        };
        if let Some(meant) = namesakes.iter().rev().find(is_meant) {
            let meant = NominalType { declaration: *meant, parent: None, arguments: arguments.clone() };
            written.ty = self.reader.context.ty(Type::Nominal(meant));
        }
        Ok(())
    }

    /// Reads `(%0, %1)` or `$(a: Int, b: Int) (%0, %1)`.
    pub(super) fn tuple(&mut self) -> Parsed<()> {
        if !self.reader.cursor.at(Token::Dollar) {
            self.operands()?;
            return self.forwarding();
        }
        let ty = self.written_type()?;
        self.operands()?;
        if let Type::Tuple(elements) = self.reader.context.get(ty.ty) {
            let operands = self.draft.operands.clone();
            self.suppose_operands(&operands, elements.iter().map(|element| SilType::object(element.ty)));
        }
        self.forwarding()
    }

    /// Reads `$C (%0, [tail_elems] %1, %2)`.
    pub(super) fn object(&mut self) -> Parsed<()> {
        self.written_type()?;
        self.reader.cursor.expect(Token::LeftParen)?;
        let mut base_elements = None;
        while !self.reader.cursor.eat(Token::RightParen) {
            if self.reader.cursor.at(Token::LeftBracket) && self.text_after_bracket() == "tail_elems" {
                self.reader.cursor.bump();
                self.reader.cursor.bump();
                self.reader.cursor.expect(Token::RightBracket)?;
                base_elements = Some(self.draft.operands.len() as u32);
            }
            self.operand()?;
            if !self.reader.cursor.eat(Token::Comma) && !self.reader.cursor.at(Token::RightParen) {
                return Err(self.reader.cursor.expected("',' or ')'"));
            }
        }
        let base_elements = base_elements.unwrap_or(self.draft.operands.len() as u32);
        self.draft.details = Details::BaseElements(base_elements);
        Ok(())
    }
}
