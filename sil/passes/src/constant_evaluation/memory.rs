//! The memory of an evaluation: the values at addresses (lib/SIL/IR/SILConstants.cpp, `SymbolicValueMemoryObject`).

use sil_ir::context::{Type, TypeId};
use sil_ir::types::TypeQueries;
use std::rc::Rc;

use super::values::{Address, ArrayStorage, SymbolicValue};

/// The id of a memory object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MemoryId(usize);

struct MemoryObject {
    ty: TypeId,
    value: SymbolicValue,
}

/// The memory of an evaluation. Nothing is freed, since deallocated memory is not read again.
#[derive(Default)]
pub(super) struct Memory {
    objects: Vec<MemoryObject>,
}

impl Memory {
    /// Allocates memory for a value of this type.
    pub(super) fn allocate(&mut self, ty: TypeId, value: SymbolicValue) -> MemoryId {
        self.objects.push(MemoryObject { ty, value });
        MemoryId(self.objects.len() - 1)
    }

    pub(super) fn ty(&self, id: MemoryId) -> TypeId {
        self.objects[id.0].ty
    }

    /// Returns the whole value of a memory object.
    pub(super) fn value(&self, id: MemoryId) -> &SymbolicValue {
        &self.objects[id.0].value
    }

    pub(super) fn set_value(&mut self, id: MemoryId, value: SymbolicValue) {
        self.objects[id.0].value = value;
    }

    /// Returns the value at an address, or `None` if the memory has no such part. Parts of uninitialised or unknown
    /// memory are uninitialised or unknown.
    pub(super) fn read(&self, address: &Address) -> Option<&SymbolicValue> {
        let mut value = self.value(address.memory);
        for number in address.path.iter() {
            value = match value {
                SymbolicValue::Aggregate(members) => members.get(*number as usize)?,
                SymbolicValue::ArrayStorage(storage) => storage.elements.get(*number as usize)?,
                SymbolicValue::UninitializedMemory | SymbolicValue::Unknown(_) => return Some(value),
                _ => return None,
            };
        }
        Some(value)
    }

    /// Stores a value to an address, or returns `None` if the memory has no such part. An unknown whole stays unknown.
    pub(super) fn write(&mut self, queries: &TypeQueries<'_>, address: &Address, new: SymbolicValue) -> Option<()> {
        let object = &mut self.objects[address.memory.0];
        let whole = std::mem::replace(&mut object.value, SymbolicValue::UninitializedMemory);
        let written = with_part(queries, object.ty, whole.clone(), &address.path, new);
        object.value = written.clone().unwrap_or(whole);
        written.map(|_| ())
    }
}

/// Returns a value with another part at `path`. Uninitialised memory becomes an aggregate of uninitialised parts.
fn with_part(
    queries: &TypeQueries<'_>,
    ty: TypeId,
    whole: SymbolicValue,
    path: &[u32],
    new: SymbolicValue,
) -> Option<SymbolicValue> {
    let Some((first, rest)) = path.split_first() else { return Some(new) };
    let number = *first as usize;
    match whole {
        SymbolicValue::Unknown(_) => Some(whole),
        SymbolicValue::ArrayStorage(storage) => {
            let mut elements = storage.elements.clone();
            let element = elements.get_mut(number)?;
            *element = with_part(queries, storage.element_type, element.clone(), rest, new)?;
            Some(SymbolicValue::ArrayStorage(Rc::new(ArrayStorage { element_type: storage.element_type, elements })))
        }
        SymbolicValue::Aggregate(_) | SymbolicValue::UninitializedMemory => {
            let types = part_types(queries, ty)?;
            let mut members = match whole {
                SymbolicValue::Aggregate(members) => members.to_vec(),
                _ => vec![SymbolicValue::UninitializedMemory; types.len()],
            };
            let member = members.get_mut(number)?;
            *member = with_part(queries, *types.get(number)?, member.clone(), rest, new)?;
            Some(SymbolicValue::aggregate(members))
        }
        _ => None,
    }
}

/// Returns the types of the stored properties of a struct, or of the elements of a tuple.
pub(super) fn part_types(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Vec<TypeId>> {
    match queries.get(ty) {
        Type::Tuple(elements) => Some(elements.iter().map(|element| element.ty).collect()),
        _ => queries.field_types(ty).map(|types| types.to_vec()),
    }
}
