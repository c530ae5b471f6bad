//! LLVM's intrinsics by name. Names and meanings are LLVM's (LangRef, "Intrinsic Functions"). Those of coroutines are
//! in `coroutines`.

use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::FunctionValue;

/// Declares an intrinsic in the module, or finds it there; `None` if LLVM has none with this name for these types.
/// `overload` lists the types that complete its name (`llvm.smax` and `[i64]` give `llvm.smax.i64`); empty for
/// intrinsics without overloads.
pub fn declare<'ctx>(
    module: &Module<'ctx>,
    name: &str,
    overload: &[BasicTypeEnum<'ctx>],
) -> Option<FunctionValue<'ctx>> {
    Intrinsic::find(name)?.get_declaration(module, overload)
}
