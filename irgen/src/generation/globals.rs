//! Global variables and their static initialisers.

use inkwell::values::GlobalValue;
use sil::model::GlobalId;

use super::{Generated, IRGenModule};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The LLVM global of a SIL global, with its initial value.
    pub fn global(&self, id: GlobalId) -> Generated<GlobalValue<'ctx>> {
        Err(self.unsupported_type(self.sil.globals[id].ty))
    }
}
