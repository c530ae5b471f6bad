//! String constants: one private global per distinct text.

use inkwell::values::PointerValue;

use super::{Entity, IRGenModule};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a constant with these bytes and a zero behind them.
    pub fn string_constant(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        let entity = Entity::String(bytes.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let text = self.context.i8_type().array_type(bytes.len() as u32 + 1);
        self.declare_variable(entity, text, 1).as_pointer_value()
    }

    /// Gives a string constant its bytes.
    pub(super) fn define_string(&self, bytes: &[u8]) -> Generated<()> {
        if let Some(variable) = self.declared_variable(&Entity::String(bytes.into())) {
            variable.set_initializer(&self.context.const_string(bytes, true));
        }
        Ok(())
    }
}
