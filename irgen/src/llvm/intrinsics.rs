//! LLVM's intrinsics by name. Names and meanings are LLVM's (LangRef, "Intrinsic Functions"). Those of coroutines are in
//! `coroutines`.

use inkwell::attributes::{Attribute, AttributeLoc};
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

/// Whether an intrinsic's parameter of this number has to be a literal.
pub fn wants_literal(intrinsic: FunctionValue<'_>, parameter: u32) -> bool {
    let immediate = Attribute::get_named_enum_kind_id("immarg");
    intrinsic.get_enum_attribute(AttributeLoc::Param(parameter), immediate).is_some()
}
