//! Reads the opening of pack elements.

use sil_ir::context::BuiltinType;
use sil_ir::model::{Details, PackOpening};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `%0 of <each T> at <Pack{Int}>, shape $each T, uuid "01234567-…"`.
    pub(super) fn open_pack_element(&mut self) -> Parsed<()> {
        self.builtin_operand(BuiltinType::PackIndex)?;
        self.reader.cursor.expect_word("of")?;
        let signature = self.reader.generic_signature()?;
        self.reader.cursor.expect_word("at")?;
        let arguments = self.reader.generic_arguments()?;
        let substitutions = self.reader.context.substitutions(signature, arguments);
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("shape")?;
        let mut inner = self.reader.generics().clone();
        inner.push(self.reader.context, signature);
        let mut outer = self.reader.set_generics(inner);
        let shape = self.reader.formal_type_with_dollar()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("uuid")?;
        let uuid = self.string()?;
        let uuid = self.reader.context.name(&uuid);
        // Types after the instruction name the elements by the parameters of this signature only.
        outer.open(self.reader.context, uuid, signature);
        self.reader.set_generics(outer);
        self.draft.details = Details::PackOpening(Box::new(PackOpening { substitutions, shape, uuid }));
        Ok(())
    }
}
