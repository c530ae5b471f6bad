//! The functions by which the block runtime copies and destroys the capture of a block.

use inkwell::values::PointerValue;
use sil_ir::context::TypeId;

use crate::generation::signature::Signature;
use crate::generation::{BlockPart, Entity, IRGenFunction, IRGenModule};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the body of a function for blocks that capture a value of type `captured`.
    pub(super) fn define_block_function(&self, part: BlockPart, captured: TypeId) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::Block(part)) else { return Ok(()) };
        let (offset, capture) = self.block_capture(captured)?;
        let signature = Signature::of_thunk(self.context, llvm.get_type(), 0, Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let blocks = llvm.get_params().into_iter().map(|block| block.into_pointer_value());
        let captures: Vec<PointerValue<'ctx>> = blocks.map(|block| function.builder.offset(block, offset)).collect();
        match captures[..] {
            [to, from] => function.initialize_with_copy(&capture, to, from),
            [destroyed] => function.destroy_at(&capture, destroyed),
            _ => {}
        }
        function.builder.ret(None);
        Ok(())
    }
}
