//! Variables with the offsets of stored properties, for classes whose layout is only known at run time: other modules
//! that see the properties read them (lib/IRGen/GenClass.cpp, `FieldAccess::NonConstantDirect`). So do code and key
//! paths of this module if a superclass is resilient; otherwise they read the metadata.

use inkwell::values::PointerValue;
use sil_ir::context::NominalId;
use sil_ir::declarations::{Access, Origin};

use super::class_types::ClassPlace;
use super::generic_types::MetadataStrategy;
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, Roots};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the indices of the stored properties of the class `nominal` with offset variables: those that other
    /// modules may read, and all of them if this module reads them.
    pub(crate) fn properties_with_offsets(&self, nominal: NominalId) -> Generated<Vec<u32>> {
        if !matches!(self.metadata_strategy(nominal)?, MetadataStrategy::Singleton | MetadataStrategy::Relocated) {
            return Ok(Vec::new());
        }
        let declaration = self.sil.declarations.get(nominal);
        let properties = declaration.stored.iter().zip(0..);
        if self.reads_offsets(nominal)? {
            return Ok(properties.map(|(_, number)| number).collect());
        }
        let is_local = declaration.attributes.local.is_some() || declaration.attributes.access < Access::Internal;
        if self.options.roots != Roots::Visible || is_local {
            return Ok(Vec::new());
        }
        Ok(properties.filter(|(property, _)| property.access >= Access::Internal).map(|(_, number)| number).collect())
    }

    /// Returns whether code of this module reads the offset variables of the class `nominal`: if a superclass is
    /// resilient, metadata of subclasses need not contain the offsets.
    pub(crate) fn reads_offsets(&self, nominal: NominalId) -> Generated<bool> {
        let is_added = matches!(self.class_offsets_place(nominal)?, ClassPlace::Added(..));
        let is_generic = self.metadata_strategy(nominal)? == MetadataStrategy::Generic;
        let is_own = self.sil.declarations.get(nominal).origin == Origin::Module;
        Ok(is_added && is_own && !is_generic)
    }

    /// The variable with the offset of stored property `number` of the class `nominal`: a word, which is zero until the
    /// class is laid out.
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
