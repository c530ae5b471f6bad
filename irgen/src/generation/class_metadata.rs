//! Class metadata of Embedded Swift: superclass, deallocating deinit, ivar destroyer, then the slots of the class (Swift's
//! `ClassMetadataVisitor`). Owns the LLVM globals; the numbers of the slots come from [`ClassSlots`](sil::types::ClassSlots).

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil::context::{MemberKind, NominalId, TypeId};
use sil::model::{LanguageMode, Module, VTable, VTableEntry};
use sil::types::{MethodRef, NoSlot, TypeQueries};

use super::{Entity, IRGenModule, RuntimeFunction};
use crate::refusal::Generated;

/// Superclass, deallocating deinit, ivar destroyer.
const HEADER_WORDS: u64 = 3;

/// The vtables of a module by class; those of specialised classes by type.
pub(super) type VTables<'a> = FxHashMap<(NominalId, Option<TypeId>), &'a VTable>;

/// The vtables of `module`, to be looked up.
pub(super) fn index_vtables<'a>(module: &'a Module, queries: &TypeQueries<'_>) -> VTables<'a> {
    let key = |table: &VTable| (table.class, table.specialized.map(|ty| queries.canonical_type(ty)));
    module.vtables.iter().map(|table| (key(table), table)).collect()
}

impl<'a, 'ctx> IRGenModule<'a, 'ctx> {
    /// The metadata of a class, which this module defines where it has its vtable.
    pub fn class_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let ty = self.types.queries.canonical_type(ty);
        if self.sil.mode == LanguageMode::Full || !self.types.queries.is_class(ty) {
            return Err(self.unsupported_type(ty));
        }
        if let Some(found) = self.declared_address(&Entity::ClassMetadata(ty)) {
            return Ok(found);
        }
        self.require_symbol(&Entity::ClassMetadata(ty))?;
        let words = self.builder.ptr_type().array_type((HEADER_WORDS + self.slot_count(ty)) as u32);
        let global = self.declare_variable(Entity::ClassMetadata(ty), words, self.pointer_size());
        Ok(global.as_pointer_value())
    }

    /// The metadata of a class that instances are made of.
    pub fn instance_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        match self.vtable(ty) {
            None if self.is_specialized(ty) => Err(Box::new(crate::refusal::unsupported_without_place(
                "instances of a specialised class without a vtable",
            ))),
            _ => self.class_metadata(ty),
        }
    }

    pub(super) fn is_specialized(&self, class: TypeId) -> bool {
        let nominal = self.types.queries.as_nominal(class);
        nominal.is_some_and(|nominal| !self.types.queries.nominal_substitutions(nominal).is_empty())
    }

    /// The offset in bytes of a method's slot in the metadata of each class that has it.
    pub fn method_offset(&self, method: MethodRef) -> Generated<u64> {
        let error = match self.program.class_slots.slot(self.types.queries, method) {
            Ok(slot) => return Ok((HEADER_WORDS + u64::from(slot)) * self.pointer_size()),
            Err(error) => error,
        };
        let name = self.sil.context.text(self.sil.context.get_member(method.member).name);
        let what = match error {
            NoSlot::Unknown => format!("the method {name}, which is in no vtable"),
            NoSlot::Ambiguous => format!("the method {name}, of which there are several with this type"),
        };
        Err(Box::new(crate::refusal::unsupported_without_place(what)))
    }

    pub(super) fn vtable(&self, class: TypeId) -> Option<&'a VTable> {
        let nominal = self.types.queries.as_nominal(class)?;
        let specialized = self.is_specialized(class).then(|| self.types.queries.canonical_type(class));
        self.program.vtables.get(&(nominal.declaration, specialized)).copied()
    }

    fn member_kind(&self, entry: &VTableEntry) -> MemberKind {
        self.sil.context.get_member(entry.member).kind
    }

    fn slot_count(&self, class: TypeId) -> u64 {
        let nominal = self.types.queries.as_nominal(class);
        nominal.map_or(0, |nominal| u64::from(self.program.class_slots.count(nominal.declaration)))
    }

    /// Gives the metadata of a class its words.
    pub(super) fn define_class_metadata(&self, class: TypeId) -> Generated<()> {
        let words = match self.vtable(class) {
            Some(vtable) => self.concrete_metadata(class, vtable)?,
            None => self.abstract_metadata(class)?,
        };
        if let Some(metadata) = self.declared_variable(&Entity::ClassMetadata(class)) {
            metadata.set_initializer(&self.builder.ptr_type().const_array(&words));
        }
        Ok(())
    }

    /// The metadata of a specialised class without a vtable: no instances of it are made, but maybe of subclasses.
    fn abstract_metadata(&self, class: TypeId) -> Generated<Vec<PointerValue<'ctx>>> {
        let mut words = vec![self.superclass_metadata(class)?, self.deleted_method(), self.builder.null()];
        words.resize((HEADER_WORDS + self.slot_count(class)) as usize, self.deleted_method());
        Ok(words)
    }

    fn superclass_metadata(&self, class: TypeId) -> Generated<PointerValue<'ctx>> {
        match self.types.queries.superclass_of(class) {
            Some(superclass) => self.class_metadata(superclass),
            None => Ok(self.builder.null()),
        }
    }

    fn concrete_metadata(&self, class: TypeId, vtable: &VTable) -> Generated<Vec<PointerValue<'ctx>>> {
        let mut words = vec![
            self.superclass_metadata(class)?,
            self.lifetime_function(vtable, MemberKind::Deallocator)?.unwrap_or_else(|| self.deleted_method()),
            self.lifetime_function(vtable, MemberKind::IvarDestroyer)?.unwrap_or_else(|| self.builder.null()),
        ];
        // A method that dead code elimination took away is never called.
        for entry in self.program.class_slots.entries(self.types.queries, vtable) {
            words.push(entry.map_or_else(|| Ok(self.deleted_method()), |entry| self.entry_function(entry))?);
        }
        Ok(words)
    }

    fn lifetime_function(&self, vtable: &VTable, kind: MemberKind) -> Generated<Option<PointerValue<'ctx>>> {
        let entry = vtable.entries.iter().find(|entry| self.member_kind(entry) == kind);
        entry.map(|entry| self.entry_function(entry)).transpose()
    }

    fn entry_function(&self, entry: &VTableEntry) -> Generated<PointerValue<'ctx>> {
        match self.function_named(entry.function)? {
            Some(function) => Ok(function.as_global_value().as_pointer_value()),
            None => Ok(self.deleted_method()),
        }
    }

    fn deleted_method(&self) -> PointerValue<'ctx> {
        self.runtime_function(RuntimeFunction::DeletedMethodError).as_global_value().as_pointer_value()
    }
}
