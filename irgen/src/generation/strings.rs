//! String constants: one private global per distinct text.

use inkwell::values::PointerValue;

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a constant with these bytes and a zero behind them.
    pub fn string_constant(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        let entity = Entity::String(bytes.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&[bytes, &[0]].concat());
        self.declare_constant(entity, text, 1).as_pointer_value()
    }
}
