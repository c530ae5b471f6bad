//! The differences of Embedded and normal Swift: each states its own once, in a file of its own. Nothing else asks for
//! the mode of a module.

mod embedded;
mod normal;

use inkwell::values::PointerValue;
use sil::context::{ConformanceId, NominalId, TypeId};
use sil::model::{Global, LanguageMode, Module};
use sil::types::WitnessSlot;

use super::entities::Owner;
use super::heap_layouts::HeapMetadata;
use super::polymorphic::PolymorphicConvention;
use super::{ClassPlace, Entity, HeapMetadataKey, IRGenFunction, IRGenModule};
use crate::layout::ParameterValues;
use crate::refusal::Generated;
use embedded::Embedded;
use normal::Normal;

/// How a statically initialised object comes to have metadata.
pub enum StaticObject {
    /// It has them from the start.
    Complete(Entity),
    /// It has them from the start, and nothing of it is ever written to.
    Constant(Entity),
    /// The runtime gives it metadata when it is used first, of which it takes note in a word before the object.
    MadeByRuntime,
}

/// How the runtime knows the type of what a task gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskResults {
    /// By its metadata.
    Metadata,
    /// By its size, its alignment and three value witnesses, in a record among the options of the task.
    Records,
}

/// The answers of one of them.
pub trait Mode: Sync {
    /// The form of values of the types of generic parameters.
    fn parameter_values(&self) -> ParameterValues;

    /// Whether generic functions have code of their own.
    fn emits_generic_functions(&self) -> bool;

    /// Whether a module defines the functions that it uses of other modules.
    fn defines_imported(&self) -> bool;

    /// Which generic arguments a function of this lowered type gets.
    fn polymorphic_convention(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> Generated<PolymorphicConvention>;

    /// The metadata of a canonical type that is not at hand.
    fn type_metadata<'ctx>(&self, function: &IRGenFunction<'_, 'ctx>, ty: TypeId) -> Generated<PointerValue<'ctx>>;

    /// Whether types such as `ty` have metadata. A type without has a metatype from which nothing can be read, and
    /// which the type alone distinguishes.
    fn has_metadata(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> bool;

    /// Whether modules bring the runtime that they call, so that silc's can take its place.
    fn brings_runtime(&self) -> bool;

    /// Whether the runtime tracks accesses that are enforced as the program runs.
    fn enforces_accesses(&self) -> bool;

    /// Whose symbol a definition in `sil` is.
    fn owner(&self, sil: &Module, symbol: &str) -> Owner;

    /// Declares the description of the program as a whole for others.
    fn declare_program_information(&self, module: &IRGenModule<'_, '_>);

    /// The number of words before a statically initialised object, and its first words.
    fn static_object(&self, module: &IRGenModule<'_, '_>, global: &Global, class: TypeId) -> StaticObject;

    /// The metadata of a class, by its canonical type.
    fn class_metadata<'ctx>(&self, module: &IRGenModule<'_, 'ctx>, class: TypeId) -> Generated<PointerValue<'ctx>>;

    /// Where a slot of `class` is in metadata.
    fn slot_place(&self, module: &IRGenModule<'_, '_>, class: NominalId, slot: u32) -> Generated<ClassPlace>;

    /// The witness table of a conformance that has one of its own, which is not at hand.
    fn conformance<'ctx>(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>>;

    /// The witness table of a conformance that has one of its own, where that is one and the same for all.
    fn witness_table<'ctx>(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>>;

    /// The head of witness tables; null for none.
    fn witness_table_head(&self, conformance: ConformanceId) -> Option<Entity>;

    /// Whether witness tables have a word for `slot`.
    fn has_witness_word(&self, module: &IRGenModule<'_, '_>, slot: &WitnessSlot) -> bool;

    /// Whether the runtime makes the witness tables of `conformance`, one for each type.
    fn is_table_pattern(&self, module: &IRGenModule<'_, '_>, conformance: ConformanceId) -> bool;

    /// Whether witness tables have names for associated types, which the runtime replaces by pointers.
    fn names_associated_types(&self) -> bool;

    /// Whether entries of the witness tables of a protocol, or of the metadata of a class, are found by their numbers.
    fn numbers_members(&self, module: &IRGenModule<'_, '_>, nominal: NominalId) -> bool;

    /// Whether the runtime is that of Swift's own library: it makes key paths and replaces functions.
    fn has_library_runtime(&self) -> bool;

    /// How the runtime knows what tasks give.
    fn task_results(&self) -> TaskResults;

    /// What tells the metadata of boxes and contexts of closures apart.
    fn heap_metadata_key(&self, key: HeapMetadataKey) -> HeapMetadataKey;

    /// These metadata.
    fn heap_metadata(&self, module: &IRGenModule<'_, '_>, key: &HeapMetadataKey) -> Generated<HeapMetadata>;
}

/// The answers for a module of this mode.
pub(super) fn mode_of(mode: LanguageMode) -> &'static dyn Mode {
    match mode {
        LanguageMode::Embedded => &Embedded,
        LanguageMode::Full => &Normal,
    }
}
