//! The differences between Embedded and normal Swift: each mode has its rules in its own file. No other code queries
//! the mode of a module.

mod embedded;
mod normal;

use inkwell::values::PointerValue;
use sil_ir::context::{ConformanceId, NominalId, TypeId};
use sil_ir::model::{Global, LanguageMode, Module};
use sil_ir::types::WitnessSlot;

use super::entities::Owner;
use super::heap_layouts::HeapMetadata;
use super::polymorphic::PolymorphicConvention;
use super::{ClassPlace, Entity, HeapMetadataKey, IRGenFunction, IRGenModule};
use crate::layout::ParameterValues;
use crate::refusal::Generated;
use embedded::Embedded;
use normal::Normal;

/// The origin of a statically initialised object's metadata.
pub enum StaticObject {
    /// The object has metadata from the start.
    Complete(Entity),
    /// The object has metadata from the start, and is never written to.
    Constant(Entity),
    /// The runtime sets the metadata at the first use, and records that in a word before the object.
    MadeByRuntime,
}

/// The description of a task's result type for the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskResults {
    /// Metadata.
    Metadata,
    /// Size, alignment and three value witnesses, in a record among the task options.
    Records,
}

/// The rules of a mode.
pub trait Mode: Sync {
    /// The form of values of the types of generic parameters.
    fn parameter_values(&self) -> ParameterValues;

    /// Returns whether generic functions have code.
    fn emits_generic_functions(&self) -> bool;

    /// Returns whether a module defines the imported functions that it uses.
    fn defines_imported(&self) -> bool;

    /// Returns the generic arguments that a function of this lowered type takes.
    fn polymorphic_convention(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> Generated<PolymorphicConvention>;

    /// Returns the metadata of a canonical type that is not cached.
    fn type_metadata<'ctx>(&self, function: &IRGenFunction<'_, 'ctx>, ty: TypeId) -> Generated<PointerValue<'ctx>>;

    /// Returns whether types such as `ty` have metadata. The metatype of a type without metadata cannot be read, and is
    /// only distinguished by its type.
    fn has_metadata(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> bool;

    /// Returns whether modules contain the runtime that they call, so that silc's runtime can replace it.
    fn brings_runtime(&self) -> bool;

    /// Returns whether the runtime tracks dynamically enforced accesses.
    fn enforces_accesses(&self) -> bool;

    /// Returns the owner of a definition in `sil`.
    fn owner(&self, sil: &Module, symbol: &str) -> Owner;

    /// Declares the description of the whole program for others.
    fn declare_program_information(&self, module: &IRGenModule<'_, '_>);

    /// Returns the origin of a statically initialised object's metadata, which determines the words before the object,
    /// and its first words.
    fn static_object(&self, module: &IRGenModule<'_, '_>, global: &Global, class: TypeId) -> StaticObject;

    /// The metadata of a class, by its canonical type.
    fn class_metadata<'ctx>(&self, module: &IRGenModule<'_, 'ctx>, class: TypeId) -> Generated<PointerValue<'ctx>>;

    /// Returns the position of a slot of `class` in metadata.
    fn slot_place(&self, module: &IRGenModule<'_, '_>, class: NominalId, slot: u32) -> Generated<ClassPlace>;

    /// Returns the witness table of a conformance that has its own table, which is not cached.
    fn conformance<'ctx>(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>>;

    /// Returns the witness table of a conformance that has its own table, if there is only one.
    fn witness_table<'ctx>(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>>;

    /// Returns the head of witness tables; null for none.
    fn witness_table_head(&self, conformance: ConformanceId) -> Option<Entity>;

    /// Returns whether witness tables have a word for `slot`.
    fn has_witness_word(&self, module: &IRGenModule<'_, '_>, slot: &WitnessSlot) -> bool;

    /// Returns whether the runtime instantiates the witness tables of `conformance`, one per type.
    fn is_table_pattern(&self, module: &IRGenModule<'_, '_>, conformance: ConformanceId) -> bool;

    /// Returns whether witness tables contain names of associated types, which the runtime replaces with pointers.
    fn names_associated_types(&self) -> bool;

    /// Returns whether entries of the witness tables of a protocol, or of the metadata of a class, are addressed by
    /// index.
    fn numbers_members(&self, module: &IRGenModule<'_, '_>, nominal: NominalId) -> bool;

    /// Returns whether the runtime is that of Swift's own library, which instantiates key paths and replaces functions.
    fn has_library_runtime(&self) -> bool;

    /// Returns the description of task results.
    fn task_results(&self) -> TaskResults;

    /// Returns the key of the metadata of boxes and closure contexts.
    fn heap_metadata_key(&self, key: HeapMetadataKey) -> HeapMetadataKey;

    /// Returns the metadata for a key.
    fn heap_metadata(&self, module: &IRGenModule<'_, '_>, key: &HeapMetadataKey) -> Generated<HeapMetadata>;
}

/// Returns the rules of this mode.
pub(super) fn mode_of(mode: LanguageMode) -> &'static dyn Mode {
    match mode {
        LanguageMode::Embedded => &Embedded,
        LanguageMode::Full => &Normal,
    }
}
