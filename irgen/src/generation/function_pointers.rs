//! The value that represents a SIL function: the address of its code, or a pointer to a record with the distance to the
//! code and the size of memory that callers provide (`AsyncFunctionPointer`, include/swift/ABI/Task.h;
//! `CoroFunctionPointerTy`, lib/IRGen/IRGenModule.cpp). Owns: the choice of functions with records, and their contents.
//! `instructions` has the code of callers.

use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::{CoroutineKind, Type, TypeId};
use sil_ir::model::{Function, FunctionId, Linkage, Module};
use sil_ir::types::TypeQueries;

use super::async_functions::{ASYNC_CONTEXT_HEADER_WORDS, async_kind, is_async};
use super::constants::ConstantStruct;
use super::signature::{AsyncKind, CALLEE_ALLOCATED_FRAME_WORDS};
use super::{Definition, Entity, IRGenFunction, IRGenModule};
use crate::target::ObjectFormat;

/// The offset of the memory size in the record, after the distance to the code, which is also the width of the
/// distance.
const MEMORY_SIZE_OFFSET: u64 = 4;

/// The kind of a function that has a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionPointerKind {
    /// An async function, whose context the caller allocates.
    Async,
    /// A coroutine of kind `@yield_once_2`, whose frame the caller provides.
    Coroutine,
}

/// The reference to the code in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CodeReference {
    /// By distance, in 32 bits.
    Distance,
    /// By address: the functions of WebAssembly are indices into a table, which are not in memory.
    Address,
}

impl FunctionPointerKind {
    /// The suffix of the record's symbol after that of the function.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            FunctionPointerKind::Async => "Tu",
            FunctionPointerKind::Coroutine => "Twc",
        }
    }

    /// Returns the number of words that callers of the module's own functions provide. LLVM completes it for async
    /// functions.
    fn words(self) -> u64 {
        match self {
            FunctionPointerKind::Async => ASYNC_CONTEXT_HEADER_WORDS,
            FunctionPointerKind::Coroutine => CALLEE_ALLOCATED_FRAME_WORDS,
        }
    }
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the entity that represents a SIL function as a value.
    pub fn function_entity(&self, id: FunctionId) -> Entity {
        entity_of_function(self.sil, self.types.queries, id)
    }

    /// Returns the size of the frame that callers of the `@yield_once_2` coroutine `id` provide, in bytes, for the
    /// module's own code.
    pub fn frame_size_of(&self, id: FunctionId) -> Option<u64> {
        let is_own = self.definition_of(&Entity::Function(id)) != Definition::Elsewhere;
        is_own.then_some(CALLEE_ALLOCATED_FRAME_WORDS * self.pointer_size())
    }

    /// Returns the pointer that represents the function `code`, and declares it if necessary.
    pub fn function_pointer(&self, kind: FunctionPointerKind, code: Entity) -> PointerValue<'ctx> {
        let entity = Entity::FunctionPointer(kind, Box::new(code.clone()));
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        match self.code_reference() {
            CodeReference::Distance => words.add_relative(code),
            CodeReference::Address => words.add_address(code),
        }
        words.add_integer(32, kind.words() * self.pointer_size());
        self.declare_constant(entity, words, self.pointer_size()).as_pointer_value()
    }

    fn code_reference(&self) -> CodeReference {
        match self.options.object_format {
            ObjectFormat::Wasm => CodeReference::Address,
            ObjectFormat::Elf | ObjectFormat::MachO | ObjectFormat::Coff => CodeReference::Distance,
        }
    }

    /// Returns whether calls of a function with a record may use its code directly. If several modules define the
    /// function, the linker may choose code and record of different ones.
    pub fn may_call_code(&self, function: &Function) -> bool {
        match function.linkage {
            Linkage::Public
            | Linkage::Package
            | Linkage::Hidden
            | Linkage::Private
            | Linkage::PublicExternal
            | Linkage::PackageExternal
            | Linkage::HiddenExternal => true,
            Linkage::PublicNonAbi
            | Linkage::PackageNonAbi
            | Linkage::Shared
            | Linkage::SharedExternal
            | Linkage::PrivateExternal => false,
        }
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the code that a pointer refers to.
    pub fn code_of_function_pointer(&self, pointer: PointerValue<'ctx>) -> PointerValue<'ctx> {
        if self.module.code_reference() == CodeReference::Address {
            let word = self.module.pointer_size();
            return self.builder.load(self.builder.ptr_type().into(), pointer, word).into_pointer_value();
        }
        let distance = self.builder.load(self.builder.int_type(32).into(), pointer, MEMORY_SIZE_OFFSET);
        let bits = self.module.pointer_bits();
        let distance = self.builder.resize_signed(distance.into_int_value(), bits);
        let code = self.builder.add(self.builder.pointer_to_int(pointer, bits), distance);
        self.builder.int_to_pointer(code)
    }

    /// Loads the size of the memory that callers provide, in bytes, from a pointer.
    pub fn memory_size_of_function_pointer(&self, pointer: PointerValue<'ctx>) -> IntValue<'ctx> {
        let offset = match self.module.code_reference() {
            CodeReference::Distance => MEMORY_SIZE_OFFSET,
            CodeReference::Address => self.module.pointer_size(),
        };
        let place = self.builder.offset(pointer, offset);
        let size = self.builder.load(self.builder.int_type(32).into(), place, MEMORY_SIZE_OFFSET);
        self.builder.resize(size.into_int_value(), self.module.pointer_bits())
    }
}

fn is_callee_allocated(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    match queries.get(ty) {
        Type::Function(function) => function.coroutine == CoroutineKind::YieldOnce2,
        _ => false,
    }
}

/// Returns the entity that represents a function of `sil` as a value.
pub(super) fn entity_of_function(sil: &Module, queries: &TypeQueries<'_>, id: FunctionId) -> Entity {
    let function = &sil.functions[id];
    let code = Entity::Function(id);
    if is_callee_allocated(queries, function.ty) {
        return Entity::FunctionPointer(FunctionPointerKind::Coroutine, Box::new(code));
    }
    match is_async(queries, function.ty) && async_kind(sil, function) == AsyncKind::Ordinary {
        true => Entity::FunctionPointer(FunctionPointerKind::Async, Box::new(code)),
        false => code,
    }
}
