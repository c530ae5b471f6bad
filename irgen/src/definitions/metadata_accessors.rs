//! The functions that give the metadata of types that the module declares.

use sil::context::{NominalId, NominalType, Type};

use crate::generation::signature::Signature;
use crate::generation::{Entity, IRGenFunction, IRGenModule, NominalPart, TypePart};
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
}
