//! The code that gives the witness table of a conformance: symbols for types without generic arguments, what the runtime makes of descriptors
//! for the library's protocols, what it finds for others.

use inkwell::values::PointerValue;
use sil::context::{Conformance, ConformanceId, ConformanceKind};
use sil::declarations::Origin;

use crate::generation::{ConformancePart, IRGenFunction, IRGenModule, NominalPart, RuntimeFunction};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Whether another module states the conformance, and the runtime makes its witness table: that of a generic type, or one that has other
    /// conformances than those of the type itself, which may be those of generic types (lib/IRGen/GenProto.cpp, `isDependentConformance`).
    fn is_made_by_runtime(&self, conformance: ConformanceId) -> bool {
        let Conformance { ty, kind, protocol } = self.sil.context.get_conformance(conformance);
        let is_made = self.is_specialized(*ty) || !self.requires_nothing_of_members(*protocol);
        let declaration = self.types.queries.declaration_of(*ty).filter(|_| is_made);
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
        if !self.module.is_made_by_runtime(conformance) {
            return self.module.static_witness_table(conformance);
        }
        let metadata = self.type_metadata(ty)?;
        let descriptor = self.module.nominal_part(NominalPart::Descriptor, protocol)?;
        let arguments = [metadata.into(), descriptor.into()];
        Ok(self.call_runtime_for(RuntimeFunction::ConformsToProtocol, &arguments).into_pointer_value())
    }
}
