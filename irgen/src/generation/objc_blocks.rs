//! Blocks, the closures of C code: the descriptors in their headers (clang's Block-ABI-Apple; lib/IRGen/GenFunc.cpp,
//! `emitBlockHeader`). The code of instructions is in `instructions::objc_blocks`.
//!
//! Descriptors have no encoded signature, which only Objective-C uses.

use std::sync::Arc;

use inkwell::values::{FunctionValue, PointerValue};
use sil_ir::context::{Type, TypeId};

use super::constants::ConstantStruct;
use super::signature::Signature;
use super::{BlockPart, Entity, IRGenModule};
use crate::layout::{BLOCK_HEADER_FIELDS, TypeInfo};
use crate::refusal::{Generated, unsupported_without_place};

/// The flag of a block whose descriptor has functions that copy and destroy the capture (`BLOCK_HAS_COPY_DISPOSE`).
pub const BLOCK_FLAGS: u64 = 1 << 25;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the layout of a block that captures a value of type `captured`.
    pub fn block_storage(&self, captured: TypeId) -> Generated<Arc<TypeInfo>> {
        self.types.info(self.sil.context.ty(Type::BlockStorage(captured)))
    }

    /// Returns the offset of the capture in a block's storage in bytes, and its `TypeInfo`.
    pub fn block_capture(&self, captured: TypeId) -> Generated<(u64, Arc<TypeInfo>)> {
        let storage = self.block_storage(captured)?;
        let capture = storage.fields().get(BLOCK_HEADER_FIELDS);
        let capture = capture.map(|field| (field.offset, Arc::clone(&field.info)));
        capture.ok_or_else(|| Box::new(unsupported_without_place("a block without storage")))
    }

    /// The descriptor of a block's header, or a part of the descriptor.
    pub fn block_part(&self, part: BlockPart) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::Block(part);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        match part {
            BlockPart::StackClass => {
                let class = self.context.i8_type();
                Ok(self.declare_variable(entity, class, self.pointer_size()).as_pointer_value())
            }
            BlockPart::Descriptor(captured) => {
                let words = self.block_descriptor(captured)?;
                Ok(self.declare_constant(entity, words, self.pointer_size()).as_pointer_value())
            }
            BlockPart::Copier(_) => Ok(self.block_function(entity, 2).as_global_value().as_pointer_value()),
            BlockPart::Destroyer(_) => Ok(self.block_function(entity, 1).as_global_value().as_pointer_value()),
        }
    }

    /// Returns the descriptor: a reserved word, the size, the functions that copy and destroy the capture.
    fn block_descriptor(&self, captured: TypeId) -> Generated<ConstantStruct> {
        let storage = self.block_storage(captured)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words.add_integer(self.pointer_bits(), storage.size);
        words.add_address(Entity::Block(BlockPart::Copier(captured)));
        words.add_address(Entity::Block(BlockPart::Destroyer(captured)));
        Ok(words)
    }

    /// Declares a function that the block runtime calls with the addresses of blocks.
    fn block_function(&self, entity: Entity, blocks: usize) -> FunctionValue<'ctx> {
        let parameters = vec![self.builder.ptr_type().into(); blocks];
        let ty = self.context.void_type().fn_type(&parameters, false);
        self.declare_thunk(entity, &Signature::of_thunk(self.context, ty, 0, Vec::new(), &[]))
    }
}
