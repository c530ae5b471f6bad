//! Embedded Swift: nothing is generic at run time, only classes have metadata, and each module contains all imported
//! definitions that it uses.

use inkwell::values::PointerValue;
use sil_ir::context::{ConformanceId, MemberKind, Mutability, NominalId, Type, TypeId};
use sil_ir::model::{Global, Module, VTable, VTableEntry};
use sil_ir::types::WitnessSlot;

use super::{Mode, StaticObject, TaskResults};
use crate::generation::constants::ConstantStruct;
use crate::generation::entities::Owner;
use crate::generation::heap_layouts::HeapMetadata;
use crate::generation::polymorphic::PolymorphicConvention;
use crate::generation::{
    CaptureDescription, ClassPlace, Entity, HeapMetadataKey, IRGenFunction, IRGenModule, RuntimeFunction,
};
use crate::layout::ParameterValues;
use crate::refusal::Generated;

/// The rules of Embedded Swift.
pub(super) struct Embedded;

/// Superclass, deallocating deinit, ivar destroyer.
const CLASS_HEADER_WORDS: u64 = 3;

/// The replacement of a method without code.
const DELETED_METHOD: Entity = Entity::Runtime(RuntimeFunction::DeletedMethodError);

impl Mode for Embedded {
    /// Only functions with type parameters bound to classes stay generic; `IRGenModule::function` checks it.
    fn parameter_values(&self) -> ParameterValues {
        ParameterValues::References
    }

    fn emits_generic_functions(&self) -> bool {
        false
    }

    fn defines_imported(&self) -> bool {
        true
    }

    fn polymorphic_convention(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> Generated<PolymorphicConvention> {
        module.polymorphic_convention_of_classes(ty)
    }

    fn type_metadata<'ctx>(&self, function: &IRGenFunction<'_, 'ctx>, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        function.module.class_metadata(ty)
    }

    fn has_metadata(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> bool {
        let queries = module.types.queries;
        match queries.get(ty) {
            Type::Nominal(_) => queries.is_class(ty),
            Type::Tuple(_) | Type::Function(_) | Type::FormalFunction(_) | Type::Builtin(_) => false,
            _ => true,
        }
    }

    fn brings_runtime(&self) -> bool {
        true
    }

    fn enforces_accesses(&self) -> bool {
        false
    }

    fn owner(&self, sil: &Module, symbol: &str) -> Owner {
        Owner::of_embedded(sil, symbol)
    }

    fn declare_program_information(&self, _: &IRGenModule<'_, '_>) {}

    fn static_object(&self, module: &IRGenModule<'_, '_>, global: &Global, class: TypeId) -> StaticObject {
        // An array that is never written to is never destroyed either, and its class is never queried: it needs no
        // methods.
        if global.mutability == Mutability::Let && module.types.queries.is_array_storage(class) {
            return StaticObject::Constant(Entity::StaticArrayMetadata);
        }
        StaticObject::Complete(Entity::ClassMetadata(module.types.queries.canonical_type(class)))
    }

    /// Superclass, deallocating deinit, ivar destroyer, then the slots of the class (Swift's `ClassMetadataVisitor`).
    fn class_metadata<'ctx>(&self, module: &IRGenModule<'_, 'ctx>, class: TypeId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::ClassMetadata(class);
        if let Some(found) = module.declared_address(&entity) {
            return Ok(found);
        }
        module.require_symbol(&entity)?;
        let words = match module.vtable(class) {
            Some(vtable) => module.class_metadata_constant(class, vtable)?,
            None => module.abstract_metadata_constant(class)?,
        };
        Ok(module.declare_constant(entity, words, module.pointer_size()).as_pointer_value())
    }

    fn slot_place(&self, _: &IRGenModule<'_, '_>, _: NominalId, slot: u32) -> Generated<ClassPlace> {
        Ok(ClassPlace::Fixed(CLASS_HEADER_WORDS + u64::from(slot)))
    }

    fn conformance<'ctx>(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>> {
        function.module.class_witness_table(conformance)
    }

    fn witness_table<'ctx>(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>> {
        module.class_witness_table(conformance)
    }

    fn witness_table_head(&self, _: ConformanceId) -> Option<Entity> {
        None
    }

    /// Associated types have no word; their conformances have one if they can become existentials.
    fn has_witness_word(&self, module: &IRGenModule<'_, '_>, slot: &WitnessSlot) -> bool {
        match slot {
            WitnessSlot::AssociatedType(_) => false,
            WitnessSlot::AssociatedConformance { protocol, .. } => module.types.queries.is_class_protocol(*protocol),
            WitnessSlot::BaseProtocol(_) | WitnessSlot::Method { .. } => true,
        }
    }

    fn is_table_pattern(&self, _: &IRGenModule<'_, '_>, _: ConformanceId) -> bool {
        false
    }

    fn has_library_runtime(&self) -> bool {
        false
    }

    fn names_associated_types(&self) -> bool {
        false
    }

    fn numbers_members(&self, _: &IRGenModule<'_, '_>, _: NominalId) -> bool {
        true
    }

    fn task_results(&self) -> TaskResults {
        TaskResults::Records
    }

    /// Captures are not described.
    fn heap_metadata_key(&self, key: HeapMetadataKey) -> HeapMetadataKey {
        HeapMetadataKey { captures: CaptureDescription::default(), ..key }
    }

    /// Returns a null superclass and the function that destroys the fields.
    fn heap_metadata(&self, module: &IRGenModule<'_, '_>, key: &HeapMetadataKey) -> Generated<HeapMetadata> {
        let mut words = ConstantStruct::new(module.pointer_size());
        words.add_null();
        words.add_address(Entity::HeapDestroyer(key.fields.clone()));
        Ok(HeapMetadata { words, address_point: 0 })
    }
}

impl IRGenModule<'_, '_> {
    /// Returns the metadata of a specialised class without a vtable, which has no instances, but may have subclasses.
    fn abstract_metadata_constant(&self, class: TypeId) -> Generated<ConstantStruct> {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_optional_address(self.superclass_metadata(class));
        words.add_address(DELETED_METHOD);
        words.add_null();
        let nominal = self.types.queries.as_nominal(class);
        for _ in 0..nominal.map_or(Ok(0), |nominal| self.slot_count(nominal.declaration))? {
            words.add_address(DELETED_METHOD);
        }
        Ok(words)
    }

    fn class_metadata_constant(&self, class: TypeId, vtable: &VTable) -> Generated<ConstantStruct> {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_optional_address(self.superclass_metadata(class));
        words.add_address(self.lifetime_function(vtable, MemberKind::Deallocator).unwrap_or(DELETED_METHOD));
        words.add_optional_address(self.lifetime_function(vtable, MemberKind::IvarDestroyer));
        // A method removed by dead code elimination is never called.
        for entry in self.slot_entries(vtable)? {
            words.add_address(entry.map_or(DELETED_METHOD, |entry| self.entry_function(entry)));
        }
        Ok(words)
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
        self.sil.function_named(entry.function).map_or(DELETED_METHOD, |function| self.function_entity(function))
    }

    fn member_kind(&self, entry: &VTableEntry) -> MemberKind {
        self.sil.context.get_member(entry.member).kind
    }
}
