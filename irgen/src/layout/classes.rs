//! Layout of class instances: the object header, the runtime's storage in actors, the inherited stored properties, then
//! the class's own.

use std::sync::Arc;

use sil_ir::context::{BuiltinType, Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};

use super::converter::{Conversion, Subject};
use super::records::layout_record;
use super::{Field, TypeConverter};
use crate::refusal::Generated;

/// The alignment in bytes of actors with storage of the runtime (`Alignment_DefaultActor`,
/// `Alignment_NonDefaultDistributedActor`, include/swift/ABI/MetadataValues.h). Their storage follows the header
/// without a gap all the same (lib/IRGen/StructLayout.cpp, `addDefaultActorHeader`).
const ACTOR_ALIGNMENT: u64 = 16;

/// The runtime's storage in an actor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActorStorage {
    /// The queue of a default actor.
    Default,
    /// The flags of a distributed actor with an executor of its own.
    NonDefaultDistributed,
}

/// The layout of an instance, without tail elements.
#[derive(Debug)]
pub struct ClassLayout {
    /// The size in bytes, header included.
    pub size: u64,
    /// The alignment in bytes.
    pub alignment: u64,
    /// All stored properties, inherited ones first.
    pub fields: Vec<Field>,
    /// The number of `fields` that the class itself declares.
    pub own_fields: usize,
}

impl TypeConverter<'_> {
    /// The size of the header of every object: metadata pointer and reference counts.
    pub fn object_header_size(&self) -> u64 {
        self.target.pointer_size * 2
    }

    /// The runtime's storage in instances of `class` after their header, if there is any. An actor without an executor
    /// of its own is a default actor; a distributed actor with one has storage as well, which shows whether the
    /// instance is remote (lib/IRGen/GenClass.cpp, `ClassLayoutBuilder`).
    pub fn actor_storage(&self, class: TypeId) -> Option<ActorStorage> {
        let nominal = self.queries.as_nominal(class)?.declaration;
        let declaration = self.queries.declarations.get(nominal);
        match declaration.kind {
            NominalKind::Actor if !self.queries.has_custom_executor(nominal) => Some(ActorStorage::Default),
            NominalKind::Actor if declaration.attributes.distributed => Some(ActorStorage::NonDefaultDistributed),
            _ => None,
        }
    }

    /// The type of the runtime's storage.
    pub fn actor_storage_type(&self, storage: ActorStorage) -> TypeId {
        self.queries.context.ty(Type::Builtin(match storage {
            ActorStorage::Default => BuiltinType::DefaultActorStorage,
            ActorStorage::NonDefaultDistributed => BuiltinType::NonDefaultDistributedActorStorage,
        }))
    }

    /// The layout of instances of the class type `class`.
    pub fn class_layout(&self, class: TypeId) -> Generated<Arc<ClassLayout>> {
        self.conversion().class_layout(class)
    }

    /// Returns whether the library that declares the class may change its stored properties.
    pub(super) fn is_laid_out_by_others(&self, class: TypeId) -> bool {
        let declaration = self.queries.declaration_of(class);
        declaration.is_some_and(|declaration| declaration.origin == Origin::Imported && self.is_resilient(declaration))
    }
}

impl Conversion<'_, '_> {
    fn class_layout(&self, class: TypeId) -> Generated<Arc<ClassLayout>> {
        match self.converter.classes.get(&class) {
            Some(found) => Ok(found),
            None => {
                let layout = self.within(Subject::Instances(class), || self.lay_out_class(class).map(Arc::new))?;
                Ok(self.converter.classes.insert(class, layout))
            }
        }
    }

    fn lay_out_class(&self, class: TypeId) -> Generated<ClassLayout> {
        if self.converter.is_laid_out_by_others(class) {
            return Err(self.converter.unsupported(class));
        }
        let superclass = self.converter.queries.superclass_of(class);
        let inherited = superclass.map(|superclass| self.class_layout(superclass)).transpose()?;
        let storage = self.converter.actor_storage(class);
        let storage = storage.map(|storage| self.info(self.converter.actor_storage_type(storage))).transpose()?;
        let header = self.converter.object_header_size();
        let start = inherited.as_ref().map_or(header, |layout| layout.size);
        let start = start + storage.as_ref().map_or(0, |storage| storage.size);
        let own =
            self.converter.queries.stored_property_types(class).ok_or_else(|| self.converter.unsupported(class))?;
        let infos: Generated<Vec<_>> = own.iter().map(|ty| self.info(*ty)).collect();
        let record = layout_record(&infos?, start);
        let mut fields = inherited.as_ref().map_or_else(Vec::new, |layout| layout.fields.clone());
        fields.extend_from_slice(record.fields());
        let alignment = inherited.map_or(self.converter.target.pointer_size, |layout| layout.alignment);
        let alignment = alignment.max(storage.map_or(1, |_| ACTOR_ALIGNMENT));
        Ok(ClassLayout {
            size: record.size,
            alignment: alignment.max(record.alignment),
            own_fields: record.fields().len(),
            fields,
        })
    }
}
