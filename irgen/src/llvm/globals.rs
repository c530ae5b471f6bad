//! Changes to all symbols of a module: making them local, and keeping them alive.

use std::ffi::CString;

use inkwell::AddressSpace;
use inkwell::GlobalVisibility;
use inkwell::llvm_sys::comdat::LLVMSetComdat;
use inkwell::llvm_sys::core::LLVMAddAlias2;
use inkwell::module::{Linkage, Module};
use inkwell::types::AsTypeRef;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue, PointerValue};

/// Makes every symbol that is defined here and for which `may_be_local` holds local to the module: the program has no
/// other module that could refer to it. Local functions can lose arguments, be inlined into their only caller, and be
/// removed.
pub fn make_local(module: &Module<'_>, may_be_local: &dyn Fn(&str) -> bool) {
    let functions = module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    let variables = module.get_globals().filter(|variable| variable.get_initializer().is_some());
    for symbol in functions.map(FunctionValue::as_global_value).chain(variables) {
        let name = symbol.get_name().to_string_lossy();
        if self::may_be_local(&name) && may_be_local(&name) {
            make_symbol_local(symbol);
        }
    }
}

/// Makes the variables of these names constants.
pub fn make_constant(module: &Module<'_>, names: &[CString]) {
    let variables = names.iter().filter_map(|name| module.get_global(name.to_str().ok()?));
    variables.for_each(|variable| variable.set_constant(true));
}

/// Makes a symbol that is defined here local to the module.
pub fn make_symbol_local(symbol: GlobalValue<'_>) {
    if matches!(symbol.get_linkage(), Linkage::Internal | Linkage::Private) {
        return;
    }
    symbol.set_linkage(Linkage::Internal);
    symbol.set_visibility(GlobalVisibility::Default);
    remove_comdat(symbol);
}

/// Returns whether a symbol with this name can be local: LLVM's own symbols have a meaning by name and linkage, and
/// LLVM calls others.
pub fn may_be_local(name: &str) -> bool {
    !name.starts_with("llvm.") && !is_called_by_code_generation(name)
}

/// Returns whether LLVM's code generation introduces calls of the function, after the passes that would remove it as
/// unused: the C library's memory functions, and the compiler's own support functions.
fn is_called_by_code_generation(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset" | "memcmp" | "bcmp" | "strlen") || name.starts_with("__")
}

/// Removes the comdat of a local symbol, which no other module has.
pub fn remove_comdat(symbol: GlobalValue<'_>) {
    // SAFETY: functions and variables accept no comdat as well as one.
    unsafe { LLVMSetComdat(symbol.as_value_ref(), std::ptr::null_mut()) };
}

/// Adds an alias of the address `target` in a variable of `module`.
pub fn add_alias<'ctx>(module: &Module<'ctx>, symbol: &str, target: PointerValue<'ctx>) -> GlobalValue<'ctx> {
    let ty = module.get_context().i8_type();
    let name = CString::new(symbol).unwrap_or_default();
    // SAFETY: module, type and constant belong to the same context, the name is null-terminated, and the result is an
    // alias, which has linkage and visibility like all global values.
    unsafe {
        let alias = LLVMAddAlias2(module.as_mut_ptr(), ty.as_type_ref(), 0, target.as_value_ref(), name.as_ptr());
        GlobalValue::new(alias)
    }
}

/// Removes a variable without references.
pub fn delete_unused(variable: GlobalValue<'_>) {
    // SAFETY: nothing refers to the variable, and the caller's copy is the last one of its name that was looked up.
    unsafe { variable.delete() };
}

/// Keeps symbols alive in the compiler and in the linker. Call once per module, with all of them.
pub fn mark_used<'ctx>(module: &Module<'ctx>, symbols: &[PointerValue<'ctx>]) {
    if symbols.is_empty() {
        return;
    }
    let list = module.get_context().ptr_type(AddressSpace::default()).const_array(symbols);
    let variable = module.add_global(list.get_type(), None, "llvm.used");
    variable.set_initializer(&list);
    variable.set_linkage(Linkage::Appending);
    variable.set_section(Some("llvm.metadata"));
}
