//! Normal Swift: types have metadata at run time, generic functions have code, and each module defines its own
//! entities. Unsupported features are rejected here.

use inkwell::values::PointerValue;
use sil_ir::context::{ConformanceId, NominalId, TypeId};
use sil_ir::declarations::Origin;
use sil_ir::model::{Global, Module};
use sil_ir::types::WitnessSlot;

use super::{Mode, StaticObject, TaskResults};
use crate::generation::constants::ConstantStruct;
use crate::generation::entities::Owner;
use crate::generation::heap_layouts::HeapMetadata;
use crate::generation::polymorphic::PolymorphicConvention;
use crate::generation::{ClassPlace, ConformancePart, Entity, HeapMetadataKey, IRGenFunction, IRGenModule, TypePart};
use crate::layout::ParameterValues;
use crate::refusal::Generated;

/// The metadata kind of boxes and closure contexts (include/swift/ABI/MetadataKind.def).
const HEAP_LOCAL_VARIABLE: u64 = 1024;

/// The rules of normal Swift.
pub(super) struct Normal;

impl Mode for Normal {
    fn parameter_values(&self) -> ParameterValues {
        ParameterValues::Opaque
    }

    fn emits_generic_functions(&self) -> bool {
        true
    }

    fn defines_imported(&self) -> bool {
        false
    }

    fn polymorphic_convention(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> Generated<PolymorphicConvention> {
        module.polymorphic_convention_of(ty)
    }

    fn type_metadata<'ctx>(&self, function: &IRGenFunction<'_, 'ctx>, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        function.request_metadata(ty)
    }

    fn has_metadata(&self, _: &IRGenModule<'_, '_>, _: TypeId) -> bool {
        true
    }

    fn brings_runtime(&self) -> bool {
        false
    }

    fn enforces_accesses(&self) -> bool {
        true
    }

    fn owner(&self, _: &Module, _: &str) -> Owner {
        Owner::Module
    }

    fn declare_program_information(&self, module: &IRGenModule<'_, '_>) {
        module.declare_entry_point();
        module.declare_autolink_entries();
        module.declare_conformances();
        module.declare_types();
        module.declare_replacements();
        module.declare_property_descriptors();
        module.declare_opaque_descriptors();
        module.declare_for_clients();
        module.declare_removed_methods();
    }

    fn static_object(&self, _: &IRGenModule<'_, '_>, _: &Global, _: TypeId) -> StaticObject {
        StaticObject::MadeByRuntime
    }

    fn class_metadata<'ctx>(&self, module: &IRGenModule<'_, 'ctx>, class: TypeId) -> Generated<PointerValue<'ctx>> {
        module.type_part(TypePart::Metadata, class)
    }

    fn slot_place(&self, module: &IRGenModule<'_, '_>, class: NominalId, slot: u32) -> Generated<ClassPlace> {
        module.class_slot_place(class, slot)
    }

    fn conformance<'ctx>(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>> {
        function.request_witness_table(conformance)
    }

    fn witness_table<'ctx>(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>> {
        module.static_witness_table(conformance)
    }

    fn witness_table_head(&self, conformance: ConformanceId) -> Option<Entity> {
        Some(Entity::OfConformance(ConformancePart::Descriptor, conformance))
    }

    fn has_witness_word(&self, _: &IRGenModule<'_, '_>, _: &WitnessSlot) -> bool {
        true
    }

    fn is_table_pattern(&self, module: &IRGenModule<'_, '_>, conformance: ConformanceId) -> bool {
        module.is_dependent_conformance(conformance)
    }

    fn has_library_runtime(&self) -> bool {
        true
    }

    fn names_associated_types(&self) -> bool {
        true
    }

    /// A resilient library may add requirements to its protocols and methods to its classes.
    fn numbers_members(&self, module: &IRGenModule<'_, '_>, nominal: NominalId) -> bool {
        let declaration = module.sil.declarations.get(nominal);
        declaration.origin != Origin::Named && !declaration.attributes.evolving
    }

    fn task_results(&self) -> TaskResults {
        TaskResults::Metadata
    }

    /// Different descriptions need different metadata.
    fn heap_metadata_key(&self, key: HeapMetadataKey) -> HeapMetadataKey {
        key
    }

    /// The function that destroys the fields, no value witnesses, the kind, the offset of the fields, and a description
    /// of the captures (include/swift/ABI/Metadata.h, `TargetGenericBoxHeapMetadata`).
    fn heap_metadata(&self, module: &IRGenModule<'_, '_>, key: &HeapMetadataKey) -> Generated<HeapMetadata> {
        let mut words = ConstantStruct::new(module.pointer_size());
        words.add_address(Entity::HeapDestroyer(key.fields.clone()));
        words.add_null();
        let address_point = words.size();
        words.add_integer(module.pointer_bits(), HEAP_LOCAL_VARIABLE);
        words.add_integer(32, module.heap_header_size());
        words.align_to(module.pointer_size());
        words.add_optional_address(module.captures(key));
        Ok(HeapMetadata { words, address_point })
    }
}
