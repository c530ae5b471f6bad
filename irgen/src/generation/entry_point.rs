//! The entry point of a program of normal Swift: the distance to `main`, and flags, in a section of its own.

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule};
use crate::target::ObjectFormat;

impl IRGenModule<'_, '_> {
    /// Declares the entry point if the module, and this unit of it, has `main`.
    pub(super) fn declare_entry_point(&self) {
        let main = self.sil.context.find_name("main").and_then(|name| self.sil.function_named(name));
        let Some(main) = main.filter(|id| self.is_defined_here(&self.sil.functions[*id])) else { return };
        // The functions of WebAssembly have no addresses, and so no distances.
        let has_distances = self.options.object_format != ObjectFormat::Wasm;
        if has_distances && self.other_unit(&Entity::Function(main)).is_none() {
            let mut information = ConstantStruct::new(self.pointer_size());
            information.add_relative(Entity::Function(main));
            information.add_integer(32, 0);
            self.declare_constant(Entity::EntryPoint, information, 4);
        }
    }
}
