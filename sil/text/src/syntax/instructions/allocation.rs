//! Reads allocations of objects.

use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::Details;

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::types::as_reference;

impl BodyReader<'_, '_> {
    /// Reads `[stack] [tail_elems $Int * %0] $C`. In an `alloc_ref_dynamic`, its metatype and a comma precede the type.
    pub(super) fn alloc_ref(&mut self, opcode: Opcode) -> Parsed<()> {
        let mut tail_elements = 0;
        loop {
            self.attributes(&[Attribute::ObjC, Attribute::Stack, Attribute::Bare])?;
            if !self.reader.cursor.at(Token::LeftBracket) || self.text_after_bracket() != "tail_elems" {
                break;
            }
            self.reader.cursor.bump();
            self.reader.cursor.bump();
            self.written_type()?;
            self.reader.cursor.expect(Token::Star)?;
            self.operand()?;
            self.reader.cursor.expect(Token::RightBracket)?;
            tail_elements += 1;
        }
        if opcode == Opcode::AllocRefDynamic {
            self.operand()?;
            self.reader.cursor.expect(Token::Comma)?;
        }
        self.written_type()?;
        if let Some(class) = self.draft.types.last_mut() {
            class.ty = as_reference(self.reader.context, self.reader.declarations, class.ty);
        }
        self.draft.details = Details::TailElements(tail_elements);
        Ok(())
    }
}
