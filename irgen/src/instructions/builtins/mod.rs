//! Builtins: the code of `builtin "name"`. This file dispatches to the families.

mod arithmetic;
mod arrays;
mod atomics;
mod casts;
mod coverage;
mod executors;
mod intrinsics;
mod linear_maps;
mod named;
mod task_options;
mod tasks;
mod unbounded_integers;

pub use coverage::coverage;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue};
use sil_ir::context::{BuiltinType, TypeId};
use sil_ir::instructions::builtins::{BuiltinKind, BuiltinOperation};
use sil_ir::model::{Builtin, InstructionId, views};

use super::Coverage;
use crate::generation::{Explosion, IRGenFunction};
use crate::llvm;
use crate::refusal::Generated;

/// A builtin call under construction.
pub(super) struct Call<'f, 'm, 'ctx> {
    /// The function.
    pub(super) function: &'f mut IRGenFunction<'m, 'ctx>,
    /// The instruction.
    pub(super) instruction: InstructionId,
    /// The parsed name.
    pub(super) operation: &'f BuiltinOperation,
    /// The name and its substitutions.
    pub(super) builtin: &'f Builtin,
    /// The concatenated scalars of all operands.
    pub(super) arguments: Explosion<'ctx>,
}

/// Emits a `builtin` instruction.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let body = function.body;
    let views::Builtin { arguments, builtin } = views::Builtin::of(body, instruction);
    let name = function.module.sil.context.text(builtin.name());
    let Some(operation) = builtin.operation() else {
        return Err(function.unsupported(instruction, format_args!("the builtin {name}")));
    };
    let arguments = function.flatten(arguments)?;
    let mut call = Call { function, instruction, operation, builtin, arguments };
    let result = call.emit()?;
    call.function.bind_result(instruction, result);
    Ok(())
}

impl<'ctx> Call<'_, '_, 'ctx> {
    /// The generic arguments of the builtin.
    fn generic_arguments(&self) -> &[TypeId] {
        self.function.module.sil.context.replacements(self.builtin.substitutions)
    }

    fn emit(&mut self) -> Generated<Explosion<'ctx>> {
        if coverage(self.operation.kind) == Coverage::NotYet {
            return Err(self.unsupported());
        }
        match self.operation.kind {
            BuiltinKind::Cast(cast) => self.emit_cast(cast),
            BuiltinKind::Binary(operation) => self.emit_binary(operation),
            BuiltinKind::WithOverflow(operation) => self.emit_with_overflow(operation),
            BuiltinKind::Unary(operation) => self.emit_unary(operation),
            BuiltinKind::CompareIntegers(predicate) => self.emit_compare_integers(predicate),
            BuiltinKind::CompareFloats(predicate) => self.emit_compare_floats(predicate),
            BuiltinKind::Intrinsic(intrinsic) => self.emit_intrinsic(intrinsic),
            BuiltinKind::Fence { ordering, scope } => self.emit_fence(ordering, scope),
            BuiltinKind::CompareExchange { success, failure, strength, access } => {
                self.emit_compare_exchange([success, failure], strength, access)
            }
            BuiltinKind::AtomicReadModifyWrite { operation, ordering, access } => {
                self.emit_read_modify_write(operation, ordering, access)
            }
            BuiltinKind::AtomicLoad { ordering, access } => self.emit_atomic_load(ordering, access),
            BuiltinKind::AtomicStore { ordering, access } => self.emit_atomic_store(ordering, access),
            BuiltinKind::Named(named) => self.emit_named(named),
            BuiltinKind::GenericBinary(_) => Err(self.unsupported()),
        }
    }

    /// Returns the error for an unsupported builtin.
    pub(super) fn unsupported(&self) -> Box<sil_ir::diagnostic::Diagnostic> {
        let name = self.function.module.sil.context.text(self.builtin.name());
        self.function.unsupported(self.instruction, format_args!("the builtin {name}"))
    }

    /// The scalar argument number `index`.
    pub(super) fn argument(&self, index: usize) -> Generated<BasicValueEnum<'ctx>> {
        self.arguments.get(index).copied().ok_or_else(|| self.unsupported())
    }

    /// The integer argument number `index`.
    pub(super) fn int(&self, index: usize) -> Generated<IntValue<'ctx>> {
        match self.argument(index)? {
            BasicValueEnum::IntValue(value) => Ok(value),
            _ => Err(self.unsupported()),
        }
    }

    /// The pointer argument number `index`.
    pub(super) fn pointer(&self, index: usize) -> Generated<inkwell::values::PointerValue<'ctx>> {
        match self.argument(index)? {
            BasicValueEnum::PointerValue(value) => Ok(value),
            _ => Err(self.unsupported()),
        }
    }

    /// Returns the LLVM type of the type number `index` in the name.
    pub(super) fn ty(&self, index: usize) -> Generated<BasicTypeEnum<'ctx>> {
        let builtin = self.operation.types.get(index).ok_or_else(|| self.unsupported())?;
        let module = self.function.module;
        match builtin {
            BuiltinType::Vector { element, count } => Ok(module.builder.vector_type(*element, *count).into()),
            other => {
                let ty = module.sil.context.ty(sil_ir::context::Type::Builtin(*other));
                let info = module.types.info(ty)?;
                info.elements
                    .first()
                    .map(|element| module.builder.scalar_type(element.scalar))
                    .ok_or_else(|| self.unsupported())
            }
        }
    }

    /// Calls the LLVM intrinsic `name` with the overloaded types `types`.
    pub(super) fn call_intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
        arguments: &[BasicValueEnum<'ctx>],
    ) -> Generated<Option<BasicValueEnum<'ctx>>> {
        let declared =
            llvm::intrinsics::declare(&self.function.module.llvm, name, types).ok_or_else(|| self.unsupported())?;
        Ok(self.function.builder.call(declared, arguments).try_as_basic_value().basic())
    }

    /// The same for an intrinsic with a result.
    pub(super) fn intrinsic_value(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
        arguments: &[BasicValueEnum<'ctx>],
    ) -> Generated<BasicValueEnum<'ctx>> {
        self.call_intrinsic(name, types, arguments)?.ok_or_else(|| self.unsupported())
    }
}
