//! Conversions between builtin types.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, InstructionOpcode};
use sil_ir::instructions::builtins::BuiltinCast;

use super::Call;
use crate::generation::Explosion;
use crate::refusal::Generated;

impl<'ctx> Call<'_, '_, 'ctx> {
    pub(super) fn emit_cast(&self, cast: BuiltinCast) -> Generated<Explosion<'ctx>> {
        let value = self.argument(0)?;
        let builder = &self.function.builder;
        let result = match (cast, value) {
            (BuiltinCast::PtrToInt, BasicValueEnum::PointerValue(pointer)) => {
                builder.pointer_to_int(pointer, int_width(self.ty(0)?)).into()
            }
            (BuiltinCast::IntToPtr, BasicValueEnum::IntValue(integer)) => builder.int_to_pointer(integer).into(),
            (BuiltinCast::PtrToInt | BuiltinCast::IntToPtr, _) => return Err(self.unsupported()),
            (BuiltinCast::BitCast, _) => self.emit_bit_cast(value)?,
            _ => self.emit_conversion(cast, value)?,
        };
        Ok(vec![result])
    }

    fn emit_bit_cast(&self, value: BasicValueEnum<'ctx>) -> Generated<BasicValueEnum<'ctx>> {
        let to = self.ty(1)?;
        let builder = &self.function.builder;
        Ok(match (value, to) {
            (BasicValueEnum::PointerValue(_), BasicTypeEnum::PointerType(_)) => value,
            (BasicValueEnum::PointerValue(pointer), _) => builder.pointer_to_int(pointer, int_width(to)).into(),
            (BasicValueEnum::IntValue(integer), BasicTypeEnum::PointerType(_)) => {
                builder.int_to_pointer(integer).into()
            }
            _ => builder.bit_cast(value, to),
        })
    }

    /// Emits a conversion. A cast to the value's own width returns the value.
    fn emit_conversion(&self, cast: BuiltinCast, value: BasicValueEnum<'ctx>) -> Generated<BasicValueEnum<'ctx>> {
        let to = self.ty(1)?;
        if value.get_type() == to {
            return Ok(value);
        }
        let opcode = match cast {
            BuiltinCast::Trunc | BuiltinCast::TruncOrBitCast => InstructionOpcode::Trunc,
            BuiltinCast::ZExt | BuiltinCast::ZExtOrBitCast => InstructionOpcode::ZExt,
            BuiltinCast::SExt | BuiltinCast::SExtOrBitCast => InstructionOpcode::SExt,
            BuiltinCast::FPToUI => InstructionOpcode::FPToUI,
            BuiltinCast::FPToSI => InstructionOpcode::FPToSI,
            BuiltinCast::UIToFP => InstructionOpcode::UIToFP,
            BuiltinCast::SIToFP => InstructionOpcode::SIToFP,
            BuiltinCast::FPTrunc => InstructionOpcode::FPTrunc,
            BuiltinCast::FPExt => InstructionOpcode::FPExt,
            BuiltinCast::PtrToInt | BuiltinCast::IntToPtr | BuiltinCast::BitCast => return Err(self.unsupported()),
        };
        Ok(self.function.builder.convert(opcode, value, to))
    }
}

fn int_width(ty: BasicTypeEnum<'_>) -> u32 {
    match ty {
        BasicTypeEnum::IntType(ty) => ty.get_bit_width(),
        _ => 64,
    }
}
