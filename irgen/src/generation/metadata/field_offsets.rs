//! Variables with the offsets of stored properties of classes whose layout is known only as the program runs: other modules, which see the properties, read
//! them (lib/IRGen/GenClass.cpp, `FieldAccess::NonConstantDirect`). Code of this module reads the metadata instead.

use inkwell::values::PointerValue;
use rustc_hash::FxHashSet;
use sil::context::{MemberTarget, NominalId};
use sil::declarations::{Access, StoredProperty};
use sil::model::{Details, KeyPathComponent, KeyPathComponentKind, Module};

use super::generic_types::MetadataStrategy;
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, Roots};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The numbers of the stored properties of the class `nominal` whose offsets other modules may read in variables, or the module's key paths do.
    pub(crate) fn properties_with_offsets(&self, nominal: NominalId) -> Generated<Vec<u32>> {
        if !matches!(self.metadata_strategy(nominal)?, MetadataStrategy::Singleton | MetadataStrategy::Relocated) {
            return Ok(Vec::new());
        }
        let declaration = self.sil.declarations.get(nominal);
        let is_local = declaration.attributes.local.is_some() || declaration.attributes.access < Access::Internal;
        let are_read = self.options.roots == Roots::Visible && !is_local;
        let in_key_paths = self.program.properties_in_key_paths.get_or_init(|| properties_in_key_paths(self.sil));
        let properties = declaration.stored.iter().zip(0..);
        let has_offset = |(property, number): &(&StoredProperty, u32)| {
            are_read && property.access >= Access::Internal || in_key_paths.contains(&(nominal, *number))
        };
        Ok(properties.filter(has_offset).map(|(_, number)| number).collect())
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

/// The stored properties, by their types and numbers there, that key paths lead to.
fn properties_in_key_paths(sil: &Module) -> FxHashSet<(NominalId, u32)> {
    let bodies = sil.functions.values().filter_map(|function| function.body.as_ref());
    let paths =
        bodies.flat_map(|body| body.instructions.values()).filter_map(|instruction| match &instruction.details {
            Details::KeyPath(path) => Some(&path.components),
            _ => None,
        });
    let property = |component: &KeyPathComponent| {
        let KeyPathComponentKind::StoredProperty(member) = component.kind else { return None };
        let member = sil.context.get_member(member);
        match member.target {
            MemberTarget::Stored(number) => Some((member.parent?, number)),
            _ => None,
        }
    };
    paths.flatten().filter_map(property).collect()
}
