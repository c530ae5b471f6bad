//! LLVM's intrinsics by name. Names and meanings are LLVM's (LangRef, "Intrinsic Functions"). Those of coroutines are
//! in `coroutines`.

use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::FunctionValue;

/// Declares an intrinsic in the module, or finds it there; `None` where LLVM has none of this name for these types.
/// `overload` lists the types that its name is completed by (`llvm.smax` and `[i64]` make `llvm.smax.i64`); empty for
/// intrinsics without.
pub fn declare<'ctx>(
    module: &Module<'ctx>,
    name: &str,
    overload: &[BasicTypeEnum<'ctx>],
) -> Option<FunctionValue<'ctx>> {
    Intrinsic::find(name)?.get_declaration(module, overload)
}
