//! `return`, `throw` and `throw_addr`: the return of a result or an error.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::model::InstructionId;
use sil_ir::model::views::Unary;

use super::super::coroutines;
use crate::generation::IRGenFunction;
use crate::generation::signature::{ErrorPlace, LlvmParameter};
use crate::refusal::Generated;

/// The value of the error register if the error itself is elsewhere: any non-null pointer.
const TYPED_ERROR_MARK: u64 = 1;

/// Emits `return`.
pub fn emit_return<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    if function.signature.yields.is_some() {
        return coroutines::emit_return(function, instruction);
    }
    let explosion = function.explosion(Unary::of(function.body, instruction).operand)?;
    emit_return_of(function, &explosion)
}

/// Returns the scalars of the direct result.
fn emit_return_of<'ctx>(function: &IRGenFunction<'_, 'ctx>, explosion: &[BasicValueEnum<'ctx>]) -> Generated<()> {
    let signature = &function.signature;
    let Some(native) = &signature.result.native else {
        let place = function.llvm_parameter(|parameter| *parameter == LlvmParameter::IndirectReturn);
        if let Some(place) = place {
            function.store_explosion(&signature.result.info, explosion, place.into_pointer_value());
        }
        return function.emit_registers(&[], None);
    };
    let bits = function.module.pointer_bits();
    let scalars = native.pack(&function.builder, bits, explosion);
    let scalars = scalars.into_iter().zip(&signature.returned);
    let registers: Vec<_> = scalars.map(|(scalar, ty)| Some(function.builder.coerce(scalar, *ty, bits))).collect();
    function.emit_registers(&registers, None)
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns these registers, each with the register's type; registers without a value are undefined. An async
    /// function returns the error among them, others have stored it to its slot.
    pub fn emit_registers(
        &self,
        registers: &[Option<BasicValueEnum<'ctx>>],
        error: Option<PointerValue<'ctx>>,
    ) -> Generated<()> {
        match &self.signature.asynchronous {
            Some(convention) => self.emit_async_return(convention, registers, error),
            None => {
                self.builder.ret(self.signature.return_value(&self.builder, registers));
                Ok(())
            }
        }
    }
}

/// Emits `throw` and `throw_addr`.
pub fn emit_throw<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let signature = function.signature.clone();
    let builder = &function.builder;
    let slot = function.llvm_parameter(|parameter| *parameter == LlvmParameter::Error);
    let slot = slot.map(BasicValueEnum::into_pointer_value);
    let is_async = signature.asynchronous.as_ref().is_some_and(|convention| convention.error.is_some());
    if signature.yields.is_some() || slot.is_none() && !is_async {
        return Err(function.unsupported(instruction, "a throw in a function of this kind"));
    }
    let mark = function.module.word_type().const_int(TYPED_ERROR_MARK, false).const_to_pointer(builder.ptr_type());
    let mut registers = vec![None; signature.returned.len()];
    let mut thrown = mark;
    if let Some(error) = &signature.error {
        let explosion = function.explosion(Unary::of(function.body, instruction).operand)?;
        match &error.place {
            ErrorPlace::ErrorRegister => thrown = explosion[0].into_pointer_value(),
            ErrorPlace::ReturnRegisters { native, registers: places } => {
                let bits = function.module.pointer_bits();
                for (scalar, place) in native.pack(builder, bits, &explosion).into_iter().zip(places) {
                    registers[*place] = Some(builder.coerce(scalar, signature.returned[*place], bits));
                }
            }
            ErrorPlace::Memory => {
                let memory = function.llvm_parameter(|parameter| *parameter == LlvmParameter::IndirectError);
                if let Some(memory) = memory {
                    function.store_explosion(&error.info, &explosion, memory.into_pointer_value());
                }
            }
        }
    }
    if let Some(slot) = slot {
        builder.store(thrown, slot, function.module.pointer_size());
    }
    function.emit_registers(&registers, Some(thrown))
}
