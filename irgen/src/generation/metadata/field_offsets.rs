//! Variables with the offsets of stored properties of classes whose layout is known only as the program runs: other modules, which see the properties, read
//! them (lib/IRGen/GenClass.cpp, `FieldAccess::NonConstantDirect`). Code of this module reads the metadata instead.

use inkwell::values::PointerValue;
use sil::context::NominalId;
use sil::declarations::Access;

use super::generic_types::MetadataStrategy;
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, Roots};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The numbers of the stored properties of the class `nominal` whose offsets other modules may read in variables.
    pub(crate) fn properties_with_offsets(&self, nominal: NominalId) -> Generated<Vec<u32>> {
        let are_read = self.options.roots == Roots::Visible
            && matches!(self.metadata_strategy(nominal)?, MetadataStrategy::Singleton | MetadataStrategy::Relocated);
        let declaration = self.sil.declarations.get(nominal);
        let is_local = declaration.attributes.local.is_some() || declaration.attributes.access < Access::Internal;
        if !are_read || is_local {
            return Ok(Vec::new());
        }
        let properties = declaration.stored.iter().zip(0..);
        Ok(properties.filter(|(property, _)| property.access >= Access::Internal).map(|(_, number)| number).collect())
    }

    /// The variable with the offset of stored property `number` of the class `nominal`: a word, which is zero until the class is laid out.
    pub(crate) fn field_offset(&self, nominal: NominalId, number: u32) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::FieldOffset(nominal, number);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(self.pointer_bits(), 0);
        Ok(self.declare_constant(entity, words, self.pointer_size()).as_pointer_value())
    }
}
