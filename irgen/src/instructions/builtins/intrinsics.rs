//! Builtins that are LLVM intrinsics, such as `int_ctlz_Int64`.

use inkwell::types::BasicTypeEnum;
use sil_ir::instructions::builtins::Intrinsic;

use super::Call;
use crate::generation::Explosion;
use crate::refusal::Generated;

/// The types of an intrinsic's name that LLVM overloads it on.
enum Overloads {
    /// None: the intrinsic has one form.
    None,
    /// The first type of the name.
    First,
    /// All types of the name.
    All,
}

impl<'ctx> Call<'_, '_, 'ctx> {
    pub(super) fn emit_intrinsic(&mut self, intrinsic: Intrinsic) -> Generated<Explosion<'ctx>> {
        match intrinsic {
            // Without an optimiser, the expectation is ignored.
            Intrinsic::Expect if !self.function.module.optimizes() => return Ok(vec![self.argument(0)?]),
            Intrinsic::SAddWithOverflow
            | Intrinsic::UAddWithOverflow
            | Intrinsic::SSubWithOverflow
            | Intrinsic::USubWithOverflow
            | Intrinsic::SMulWithOverflow
            | Intrinsic::UMulWithOverflow => return self.emit_overflow_intrinsic(intrinsic),
            _ => {}
        }
        let overloads = match intrinsic {
            Intrinsic::Trap | Intrinsic::Debugtrap | Intrinsic::Assume | Intrinsic::Readcyclecounter => Overloads::None,
            Intrinsic::Memcpy | Intrinsic::Memmove | Intrinsic::Memset | Intrinsic::Powi => Overloads::All,
            _ => Overloads::First,
        };
        let types: Vec<BasicTypeEnum> = match overloads {
            Overloads::None => Vec::new(),
            Overloads::First => vec![self.ty(0)?],
            Overloads::All => (0..self.operation.types.len()).map(|index| self.ty(index)).collect::<Generated<_>>()?,
        };
        let name = llvm_name(intrinsic);
        let arguments = self.arguments.clone();
        Ok(self.call_intrinsic(&name, &types, &arguments)?.into_iter().collect())
    }

    fn emit_overflow_intrinsic(&self, intrinsic: Intrinsic) -> Generated<Explosion<'ctx>> {
        let pair =
            self.intrinsic_value(&llvm_name(intrinsic), &[self.ty(0)?], &[self.argument(0)?, self.argument(1)?])?;
        Ok(vec![self.function.builder.extract(pair, 0), self.function.builder.extract(pair, 1)])
    }
}

/// `int_is_constant` is `llvm.is.constant`.
fn llvm_name(intrinsic: Intrinsic) -> String {
    let name = intrinsic.name().strip_prefix("int_").unwrap_or(intrinsic.name());
    format!("llvm.{}", name.replace('_', "."))
}
