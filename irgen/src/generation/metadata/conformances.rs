//! The code that gives the witness table of a conformance: symbols for types without generic arguments, what the runtime makes of descriptors
//! for the library's protocols, what it finds for others.

use inkwell::values::PointerValue;
use sil::context::{Conformance, ConformanceId, ConformanceKind};
use sil::declarations::Origin;

use crate::generation::{ConformancePart, IRGenFunction, IRGenModule, NominalPart, RuntimeFunction};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Whether the conformance is one of a generic type that the runtime knows: its module has a record of it.
    fn has_record_of(&self, conformance: ConformanceId) -> bool {
        let Conformance { ty, kind, .. } = self.sil.context.get_conformance(conformance);
        let declaration = self.types.queries.declaration_of(*ty).filter(|_| self.is_specialized(*ty));
        let is_imported = declaration.is_some_and(|declaration| declaration.origin == Origin::Imported);
        is_imported && *kind != ConformanceKind::Missing
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The witness table of a conformance that has one of its own, which is not at hand.
    pub(in crate::generation) fn request_witness_table(
        &self,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>> {
        let Conformance { ty, protocol, .. } = *self.module.sil.context.get_conformance(conformance);
        if self.module.is_defined_witness_table(conformance) && !self.module.numbers_requirements(protocol) {
            let descriptor = self.module.conformance_part(ConformancePart::Descriptor, conformance)?;
            let metadata = self.type_metadata(ty)?;
            let arguments = [descriptor.into(), metadata.into(), self.builder.null().into()];
            return Ok(self.call_runtime_for(RuntimeFunction::GetWitnessTable, &arguments).into_pointer_value());
        }
        if !self.module.has_record_of(conformance) {
            return self.module.static_witness_table(conformance);
        }
        let metadata = self.type_metadata(ty)?;
        let descriptor = self.module.nominal_part(NominalPart::Descriptor, protocol)?;
        let arguments = [metadata.into(), descriptor.into()];
        Ok(self.call_runtime_for(RuntimeFunction::ConformsToProtocol, &arguments).into_pointer_value())
    }
}
