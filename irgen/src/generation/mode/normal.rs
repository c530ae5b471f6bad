//! Normal Swift: types have metadata at run time, generic functions have code, and each module defines what is its own. What silc does not
//! lower yet of it is refused here.

use inkwell::values::PointerValue;
use sil::context::{ConformanceId, TypeId};
use sil::model::Module;

use super::Mode;
use crate::generation::constants::ConstantStruct;
use crate::generation::entities::Owner;
use crate::generation::heap_layouts::HeapMetadata;
use crate::generation::polymorphic::PolymorphicConvention;
use crate::generation::{Entity, IRGenFunction, IRGenModule};
use crate::layout::ParameterValues;
use crate::refusal::{Generated, unsupported_without_place};

/// The kind of metadata of boxes and contexts of closures (include/swift/ABI/MetadataKind.def).
const HEAP_LOCAL_VARIABLE: u64 = 1024;

/// Its answers.
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

    fn brings_runtime(&self) -> bool {
        false
    }

    fn owner(&self, _: &Module, _: &str) -> Owner {
        Owner::Module
    }

    fn declare_program_information(&self, module: &IRGenModule<'_, '_>) {
        module.declare_entry_point();
        module.declare_autolink_entries();
    }

    fn class_metadata(&self, module: &IRGenModule<'_, '_>, class: TypeId) -> Generated<ConstantStruct> {
        Err(module.unsupported_type(class))
    }

    fn class_header_words(&self) -> Generated<u64> {
        Err(Box::new(unsupported_without_place("methods of classes outside of Embedded Swift")))
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

    /// The function that destroys the fields, no value witnesses, the kind, where the fields begin, and no description of what is captured
    /// (include/swift/ABI/Metadata.h, `TargetGenericBoxHeapMetadata`).
    fn heap_metadata(&self, module: &IRGenModule<'_, '_>, fields: &[TypeId]) -> Generated<HeapMetadata> {
        let mut words = ConstantStruct::new(module.pointer_size());
        words.add_address(Entity::HeapDestroyer(fields.to_vec()));
        words.add_null();
        let address_point = words.size();
        words.add_integer(module.pointer_bits(), HEAP_LOCAL_VARIABLE);
        words.add_integer(32, module.heap_header_size());
        words.align_to(module.pointer_size());
        words.add_null();
        Ok(HeapMetadata { words, address_point })
    }
}
