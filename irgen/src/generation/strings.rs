//! Constants of literals: one private global for each distinct text, and for each distinct integer without a fixed
//! width.

use inkwell::values::PointerValue;

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the address of a null-terminated constant with these bytes.
    pub fn string_constant(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        let entity = Entity::String(bytes.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&[bytes, &[0]].concat());
        self.declare_constant(entity, text, 1).as_pointer_value()
    }

    /// Returns the address of a constant with these words of an integer literal without a fixed width
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
