//! The functions that give the metadata of types that the module declares, and the witness tables of conformances that it states.

use sil::context::{ConformanceId, NominalId, NominalType, Type};

use crate::generation::signature::Signature;
use crate::generation::{ConformancePart, Entity, IRGenFunction, IRGenModule, NominalPart, TypePart};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Emits the accessor: metadata that need no work are complete.
    pub(super) fn define_metadata_accessor(&self, nominal: NominalId) -> Generated<()> {
        let entity = Entity::OfNominal(NominalPart::MetadataAccessor, nominal);
        let Some(llvm) = self.declared_function(&entity) else { return Ok(()) };
        let ty = Type::Nominal(NominalType { declaration: nominal, parent: None, arguments: Box::default() });
        let metadata = self.type_part(TypePart::Metadata, self.sil.context.ty(ty))?;
        let signature = Signature::of_thunk(self.context, llvm.get_type(), 0, Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let builder = &function.builder;
        let response = builder.struct_type(&[builder.ptr_type().into(), self.word_type().into()]);
        let state = self.word_type().const_zero();
        builder.ret(Some(builder.aggregate(response, &[metadata.into(), state.into()])));
        Ok(())
    }

    /// Emits the function that gives a witness table that `conformance` has.
    pub(super) fn define_table_accessor(&self, part: ConformancePart, conformance: ConformanceId) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::OfConformance(part, conformance)) else { return Ok(()) };
        let (subject, required) = match part {
            ConformancePart::BaseAccessor(base) => (self.sil.context.get_conformance(conformance).ty, base),
            ConformancePart::AssociatedAccessor(member, required) => {
                (self.associated_witness(conformance, member, required)?, required)
            }
            _ => return Ok(()),
        };
        let signature = Signature::of_thunk(self.context, llvm.get_type(), self.swift_convention(), Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let table = function.witness_table(subject, required)?;
        function.builder.ret(Some(table.into()));
        Ok(())
    }
}
