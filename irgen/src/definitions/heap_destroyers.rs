//! The functions that destroy boxes and closure contexts.

use std::rc::Rc;

use sil_ir::context::TypeId;

use crate::generation::signature::LlvmParameter;
use crate::generation::{Entity, IRGenFunction, IRGenModule, RuntimeFunction};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Emits the function that destroys the fields and frees the object.
    pub(super) fn define_heap_destroyer(&self, fields: &[TypeId]) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::HeapDestroyer(fields.to_vec())) else { return Ok(()) };
        let layout = self.heap_layout(fields)?;
        let function = IRGenFunction::without_sil(self, llvm, Rc::new(self.destroyer_signature()));
        if let Some(object) = function.llvm_parameter(|parameter| matches!(parameter, LlvmParameter::Context)) {
            let object = object.into_pointer_value();
            for field in layout.destroyed_fields() {
                function.destroy_at(&field.info, function.builder.offset(object, field.offset));
            }
            let word = |value| self.word_type().const_int(value, false);
            let sizes = [object.into(), word(layout.size).into(), word(layout.alignment_mask()).into()];
            function.call_runtime(RuntimeFunction::DeallocObject, &sizes);
        }
        function.builder.ret(None);
        Ok(())
    }
}
