//! The default overrides in the descriptor of a class of a resilient library: if a newer version of the library has
//! added a method next to an older one, subclasses that override only the older method get the default override for the
//! newer one (lib/IRGen/GenMeta.cpp, `maybeAddDefaultOverrideTable`).

use sil_ir::context::NominalId;
use sil_ir::model::DefaultOverride;
use sil_ir::types::MethodRef;

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::{Generated, unsupported_without_place};

/// The descriptor's flag for default overrides (`TypeContextDescriptorFlags`).
const HAS_DEFAULT_OVERRIDES: u64 = 1 << 22;

impl IRGenModule<'_, '_> {
    fn default_overrides(&self, class: NominalId) -> &[DefaultOverride] {
        let table = self.sil.default_override_tables.iter().find(|table| table.class == class);
        table.map_or(&[], |table| &table.entries)
    }

    /// Returns the flags of a class's descriptor for default overrides.
    pub(super) fn default_override_flags(&self, class: NominalId) -> u64 {
        if self.default_overrides(class).is_empty() { 0 } else { HAS_DEFAULT_OVERRIDES }
    }

    /// Adds their number, and for each the descriptor of the newer method, that of the older one, and the function.
    pub(super) fn add_default_overrides(&self, words: &mut ConstantStruct, class: NominalId) -> Generated<()> {
        let overrides = self.default_overrides(class);
        if overrides.is_empty() {
            return Ok(());
        }
        words.add_integer(32, overrides.len() as u64);
        for entry in overrides {
            for member in [entry.member, entry.original] {
                let method = MethodRef { member, formal_type: entry.formal_type };
                let (introducing, place) = self.method_descriptor(class, method)?;
                words.add_relative_with(Entity::OfNominal(NominalPart::Descriptor, introducing), place);
            }
            let unknown = || Box::new(unsupported_without_place("a default override that the module does not have"));
            let function = self.sil.function_named(entry.function).ok_or_else(unknown)?;
            words.add_relative(self.function_entity(function));
        }
        Ok(())
    }
}
