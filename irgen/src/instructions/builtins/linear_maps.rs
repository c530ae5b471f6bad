//! Builtins of linear maps. A derivative keeps records for its linear map in a context, which grows in loops
//! (lib/IRGen/GenCall.cpp; stdlib/public/runtime/AutoDiffSupport.cpp).

use inkwell::values::BasicValueEnum;
use sil_ir::instructions::builtins::NamedBuiltin;

use super::Call;
use crate::generation::{Explosion, RuntimeFunction};
use crate::refusal::Generated;

impl<'ctx> Call<'_, '_, 'ctx> {
    /// Emits a builtin of linear maps, which Swift's library alone implements.
    pub(super) fn emit_of_linear_maps(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let (callee, count) = match named {
            NamedBuiltin::AutoDiffCreateLinearMapContextWithType => {
                (RuntimeFunction::AutoDiffCreateLinearMapContext, 1)
            }
            NamedBuiltin::AutoDiffProjectTopLevelSubcontext => (RuntimeFunction::AutoDiffProjectTopLevelSubcontext, 1),
            NamedBuiltin::AutoDiffAllocateSubcontextWithType => (RuntimeFunction::AutoDiffAllocateSubcontext, 2),
            _ => return Err(self.unsupported()),
        };
        if !self.function.module.has_library_runtime() {
            return Err(self.unsupported());
        }
        let arguments: Generated<Vec<BasicValueEnum<'ctx>>> = (0..count).map(|number| self.argument(number)).collect();
        Ok(vec![self.function.call_runtime_for(callee, &arguments?)])
    }
}
