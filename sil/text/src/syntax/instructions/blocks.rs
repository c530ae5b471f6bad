//! Reads Objective-C blocks.

use sil_ir::context::Type;
use sil_ir::model::{Apply, Details};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `%0, invoke %1<T> : $…, type $@convention(block) …`.
    pub(super) fn init_block_storage_header(&mut self) -> Parsed<()> {
        self.operand()?;
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("invoke")?;
        self.untyped_operand()?;
        let (arguments, sugar) = self.reader.spelled_optional_generic_arguments()?;
        self.reader.cursor.expect(Token::Colon)?;
        let span = self.reader.cursor.span();
        let callee_type = self.reader.sil_type()?;
        let signature = match self.reader.context.get(callee_type.ty) {
            Type::Function(callee) => callee.signature,
            _ => None,
        };
        let substitutions = self.reader.substitutions(signature.unwrap_or_default(), arguments);
        self.want(self.draft.operands[1], callee_type, span)?;
        self.reader.cursor.expect(Token::Comma)?;
        self.reader.cursor.expect_word("type")?;
        self.written_type()?;
        self.draft.details = Details::Apply(Box::new(Apply { sugar, ..Apply::new(callee_type, substitutions) }));
        Ok(())
    }
}
