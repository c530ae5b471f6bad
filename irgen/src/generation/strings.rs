//! Constants of literals: one private global per distinct text, and per distinct integer that has no fixed width.

use inkwell::values::PointerValue;

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a constant with these bytes and a zero after them.
    pub fn string_constant(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        let entity = Entity::String(bytes.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&[bytes, &[0]].concat());
        self.declare_constant(entity, text, 1).as_pointer_value()
    }

    /// The address of a constant with these words, which stand for an integer literal of no fixed width
    /// (lib/IRGen/GenIntegerLiteral.cpp).
    pub fn integer_literal_words(&self, words: &[u64]) -> PointerValue<'ctx> {
        let entity = Entity::IntegerLiteral(words.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut constant = ConstantStruct::new(self.pointer_size());
        for word in words {
            constant.add_integer(self.pointer_bits(), *word);
        }
        self.declare_constant(entity, constant, self.pointer_size()).as_pointer_value()
    }
}
