//! The positions of the offsets of tuple elements and stored properties in metadata (include/swift/ABI/Metadata.h).

use sil_ir::context::{NominalId, TypeId};
use sil_ir::declarations::NominalKind;

use super::class_types::ClassPlace;
use crate::generation::IRGenModule;
use crate::refusal::{Generated, unsupported_without_place};

/// An offset in the metadata of a struct or a tuple, in bytes.
pub const FIELD_OFFSET_SIZE: u64 = 4;

/// Kind, number of elements and labels, before the elements in the metadata of a tuple, in words.
const TUPLE_HEADER_WORDS: u64 = 3;

/// An element in the metadata of a tuple: its metadata, its offset.
const TUPLE_ELEMENT_WORDS: u64 = 2;

impl IRGenModule<'_, '_> {
    /// Returns the position of the offset of element number `index` of a tuple, or of stored property number `index` of
    /// a struct, in the metadata of the type, in bytes.
    pub(crate) fn part_offset_place(&self, ty: TypeId, index: usize) -> Generated<u64> {
        let queries = self.types.queries;
        let index = index as u64;
        let Some(nominal) = queries.as_nominal(ty) else {
            return Ok((TUPLE_HEADER_WORDS + index * TUPLE_ELEMENT_WORDS + 1) * self.pointer_size());
        };
        let declaration = queries.declarations.get(nominal.declaration);
        if declaration.kind != NominalKind::Struct || declaration.attributes.resilient {
            let what = "a part of a type that its library may change";
            return Err(Box::new(unsupported_without_place(what)));
        }
        Ok(self.struct_offsets_place(nominal.declaration)? + index * FIELD_OFFSET_SIZE)
    }

    /// Returns the position of the offset of stored property number `index` of `class` in its metadata and that of its
    /// subclasses.
    pub(crate) fn stored_offset_place(&self, class: NominalId, index: usize) -> Generated<ClassPlace> {
        let storage = u64::from(self.types.actor_storage(self.identity(class)).is_some());
        Ok(self.class_offsets_place(class)?.after(storage + index as u64))
    }
}
