//! Class metadata of Embedded Swift: superclass, deallocating deinit, ivar destroyer, then the slots of the class (Swift's
//! `ClassMetadataVisitor`). Owns the LLVM globals; the numbers of the slots come from [`ClassSlots`](sil::types::ClassSlots).

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil::context::{MemberKind, NominalId, TypeId};
use sil::model::{LanguageMode, Module, VTable, VTableEntry};
use sil::types::{MethodRef, NoSlot, TypeQueries};

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule, RuntimeFunction};
use crate::refusal::Generated;

/// What stands for a method without code.
const DELETED_METHOD: Entity = Entity::Runtime(RuntimeFunction::DeletedMethodError);

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
        let words = match self.vtable(ty) {
            Some(vtable) => self.class_metadata_constant(ty, vtable),
            None => self.abstract_metadata_constant(ty),
        };
        let variable = self.declare_constant(Entity::ClassMetadata(ty), words, self.pointer_size());
        Ok(variable.as_pointer_value())
    }

    /// The metadata of a class that instances are made of.
    pub fn instance_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        self.require_instances(ty)?;
        self.class_metadata(ty)
    }

    /// Whether the metadata of a class serves for instances.
    pub(super) fn require_instances(&self, ty: TypeId) -> Generated<()> {
        match self.vtable(ty) {
            None if self.is_specialized(ty) => Err(Box::new(crate::refusal::unsupported_without_place(
                "instances of a specialised class without a vtable",
            ))),
            _ => Ok(()),
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

    /// The metadata of a specialised class without a vtable: no instances of it are made, but maybe of subclasses.
    fn abstract_metadata_constant(&self, class: TypeId) -> ConstantStruct {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_optional_address(self.superclass_metadata(class));
        words.add_address(DELETED_METHOD);
        words.add_null();
        for _ in 0..self.slot_count(class) {
            words.add_address(DELETED_METHOD);
        }
        words
    }

    fn class_metadata_constant(&self, class: TypeId, vtable: &VTable) -> ConstantStruct {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_optional_address(self.superclass_metadata(class));
        words.add_address(self.lifetime_function(vtable, MemberKind::Deallocator).unwrap_or(DELETED_METHOD));
        words.add_optional_address(self.lifetime_function(vtable, MemberKind::IvarDestroyer));
        // A method that dead code elimination took away is never called.
        for entry in self.program.class_slots.entries(self.types.queries, vtable) {
            words.add_address(entry.map_or(DELETED_METHOD, |entry| self.entry_function(entry)));
        }
        words
    }

    fn superclass_metadata(&self, class: TypeId) -> Option<Entity> {
        let superclass = self.types.queries.superclass_of(class)?;
        Some(Entity::ClassMetadata(self.types.queries.canonical_type(superclass)))
    }

    fn lifetime_function(&self, vtable: &VTable, kind: MemberKind) -> Option<Entity> {
        let entry = vtable.entries.iter().find(|entry| self.member_kind(entry) == kind)?;
        Some(self.entry_function(entry))
    }

    fn entry_function(&self, entry: &VTableEntry) -> Entity {
        self.sil.function_named(entry.function).map_or(DELETED_METHOD, Entity::Function)
    }
}
