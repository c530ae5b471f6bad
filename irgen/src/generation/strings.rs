//! String constants: one private global per distinct text.

use inkwell::GlobalVisibility;
use inkwell::module::Linkage;
use inkwell::values::{PointerValue, UnnamedAddress};

use super::IRGenModule;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a constant with these bytes and a zero behind them.
    pub fn string_constant(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        if let Some(found) = self.strings.borrow().get(bytes) {
            return *found;
        }
        let text = self.context.const_string(bytes, true);
        let global = self.llvm.add_global(text.get_type(), None, ".str");
        global.set_initializer(&text);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        global.set_visibility(GlobalVisibility::Default);
        global.set_unnamed_address(UnnamedAddress::Global);
        global.set_alignment(1);
        let address = global.as_pointer_value();
        self.strings.borrow_mut().insert(bytes.into(), address);
        address
    }
}
