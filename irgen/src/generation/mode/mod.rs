//! What Embedded and normal Swift differ in: each says it once, in a file of its own. Nothing else asks which one a module is of.

mod embedded;
mod normal;

use inkwell::values::PointerValue;
use sil::context::{ConformanceId, TypeId};
use sil::model::{LanguageMode, Module};

use super::constants::ConstantStruct;
use super::entities::Owner;
use super::heap_layouts::HeapMetadata;
use super::polymorphic::PolymorphicConvention;
use super::{IRGenFunction, IRGenModule};
use crate::layout::ParameterValues;
use crate::refusal::Generated;
use embedded::Embedded;
use normal::Normal;

/// The answers of one of them.
pub trait Mode: Sync {
    /// What values of the types of generic parameters are.
    fn parameter_values(&self) -> ParameterValues;

    /// Whether generic functions have code of their own.
    fn emits_generic_functions(&self) -> bool;

    /// Whether a module defines what it uses of other modules.
    fn defines_imported(&self) -> bool;

    /// Which generic arguments a function of this lowered type gets.
    fn polymorphic_convention(&self, module: &IRGenModule<'_, '_>, ty: TypeId) -> Generated<PolymorphicConvention>;

    /// The metadata of a canonical type that is not at hand.
    fn type_metadata<'ctx>(&self, function: &IRGenFunction<'_, 'ctx>, ty: TypeId) -> Generated<PointerValue<'ctx>>;

    /// Whether modules bring the runtime that they call, so that silc's can take its place.
    fn brings_runtime(&self) -> bool;

    /// Whose symbol a definition in `sil` is.
    fn owner(&self, sil: &Module, symbol: &str) -> Owner;

    /// Declares what tells others about the program as a whole.
    fn declare_program_information(&self, module: &IRGenModule<'_, '_>);

    /// The metadata of a class, by its canonical type.
    fn class_metadata(&self, module: &IRGenModule<'_, '_>, class: TypeId) -> Generated<ConstantStruct>;

    /// How far the slots of a class lie behind what references to its metadata lead to, in words.
    fn class_header_words(&self) -> Generated<u64>;

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

    /// The metadata of boxes and contexts of closures with fields of these types.
    fn heap_metadata(&self, module: &IRGenModule<'_, '_>, fields: &[TypeId]) -> Generated<HeapMetadata>;
}

/// The answers for a module of this mode.
pub(super) fn mode_of(mode: LanguageMode) -> &'static dyn Mode {
    match mode {
        LanguageMode::Embedded => &Embedded,
        LanguageMode::Full => &Normal,
    }
}
