//! Normal Swift: types have metadata at run time, generic functions have code, and each module defines what is its own. What silc does not
//! lower yet of it is refused here.

use inkwell::values::PointerValue;
use sil::context::{NominalId, TypeId};
use sil::model::Module;

use super::Mode;
use crate::generation::IRGenModule;
use crate::generation::constants::ConstantStruct;
use crate::generation::entities::Owner;
use crate::layout::ParameterValues;
use crate::refusal::{Generated, unsupported_without_place};

/// Its answers.
pub(super) struct Normal;

impl Mode for Normal {
    fn parameter_values(&self) -> ParameterValues {
        ParameterValues::Opaque
    }

    fn emits_generic_functions(&self) -> bool {
        true
    }

    fn defines_imported_globals(&self) -> bool {
        false
    }

    fn brings_runtime(&self) -> bool {
        false
    }

    fn owner(&self, _: &Module, _: &str) -> Owner {
        Owner::Module
    }

    fn declare_program_information(&self, module: &IRGenModule<'_, '_>) {
        module.declare_entry_point();
    }

    fn class_metadata(&self, module: &IRGenModule<'_, '_>, class: TypeId) -> Generated<ConstantStruct> {
        Err(module.unsupported_type(class))
    }

    fn class_header_words(&self) -> Generated<u64> {
        Err(Box::new(unsupported_without_place("methods of classes outside of Embedded Swift")))
    }

    fn witness_table<'ctx>(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        ty: TypeId,
        _: NominalId,
    ) -> Generated<PointerValue<'ctx>> {
        Err(module.unsupported_type(ty))
    }

    fn heap_metadata(&self, _: &IRGenModule<'_, '_>, _: &[TypeId]) -> Generated<ConstantStruct> {
        Err(Box::new(unsupported_without_place("boxes and closure contexts outside of Embedded Swift")))
    }
}
