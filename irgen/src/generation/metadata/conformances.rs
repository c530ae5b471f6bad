//! The code that gives the witness table of a type for a protocol: symbols for types without generic arguments, what the runtime finds for
//! others.

use inkwell::values::PointerValue;
use sil::context::{NominalId, TypeId};
use sil::declarations::Origin;
use sil::types::Conforms;

use crate::generation::{IRGenFunction, IRGenModule, NominalPart, RuntimeFunction};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Whether the conformance of the generic type `ty` is one that the runtime knows: its module has a record of it.
    fn has_record_of(&self, ty: TypeId, protocol: NominalId) -> bool {
        let queries = self.types.queries;
        let declaration = queries.declaration_of(ty).filter(|_| self.is_specialized(ty));
        let is_imported = declaration.is_some_and(|declaration| declaration.origin == Origin::Imported);
        is_imported && queries.conforms(ty, protocol) != Conforms::No
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The witness table of the canonical type `ty` for `protocol`, which is not at hand.
    pub(in crate::generation) fn request_witness_table(
        &self,
        ty: TypeId,
        protocol: NominalId,
    ) -> Generated<PointerValue<'ctx>> {
        if !self.module.has_record_of(ty, protocol) {
            return self.module.static_witness_table(ty, protocol);
        }
        let metadata = self.type_metadata(ty)?;
        let descriptor = self.module.nominal_part(NominalPart::Descriptor, protocol)?;
        let arguments = [metadata.into(), descriptor.into()];
        Ok(self.call_runtime_for(RuntimeFunction::ConformsToProtocol, &arguments).into_pointer_value())
    }
}
