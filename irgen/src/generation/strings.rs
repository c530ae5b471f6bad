//! String constants: one private global per distinct text.

use inkwell::values::PointerValue;

use super::{Entity, IRGenModule};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a constant with these bytes and a zero behind them.
    pub fn string_constant(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        let entity = Entity::String(bytes.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let text = self.context.const_string(bytes, true);
        let global = self.declare_variable(entity, text.get_type(), 1);
        global.set_initializer(&text);
        global.as_pointer_value()
    }
}
