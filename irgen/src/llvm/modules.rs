//! Whole modules: parsing, printing, verification, linking.

use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::core::LLVMContextSetDiscardValueNames;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::{BasicValue, FunctionValue, GlobalValue};

use crate::Error;

/// Discards names of blocks and values other than symbols in the context from now on: passes create many names, which
/// only readers of IR need. Such a context cannot parse IR text.
pub fn discard_value_names(context: &Context) {
    // SAFETY: the context is alive; the call sets one flag of it.
    unsafe { LLVMContextSetDiscardValueNames(context.as_ctx_ref(), 1) }
}

/// Parses LLVM IR text or bitcode. `name` appears in messages.
pub fn parse<'ctx>(context: &'ctx Context, bytes: &[u8], name: &str) -> Result<Module<'ctx>, Error> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, name);
    context
        .create_module_from_ir(buffer)
        .map_err(|message| Error::BadLlvmInput { name: name.to_owned(), message: message.to_string() })
}

/// Sets the data layout that LLVM gives bitcode of the module's target: layouts of older LLVMs lack parts, and the
/// parser of text does not upgrade them. A layout that LLVM does not understand is kept.
pub fn upgrade_data_layout(context: &Context, module: &Module<'_>) {
    if module.get_data_layout().as_str().is_empty() {
        return;
    }
    let empty = context.create_module("layout");
    empty.set_triple(&module.get_triple());
    empty.set_data_layout(&module.get_data_layout());
    if let Ok(upgraded) = parse(context, &bitcode_of(&empty), "layout") {
        module.set_data_layout(&upgraded.get_data_layout());
    }
}

/// The module as LLVM IR text.
pub fn text_of(module: &Module<'_>) -> String {
    module.print_to_string().to_string()
}

/// The module as bitcode.
pub fn bitcode_of(module: &Module<'_>) -> Vec<u8> {
    module.write_bitcode_to_memory().as_slice().to_vec()
}

/// The function or variable of this name.
pub fn symbol_named<'ctx>(module: &Module<'ctx>, name: &str) -> Option<GlobalValue<'ctx>> {
    let function = module.get_function(name).map(FunctionValue::as_global_value);
    function.or_else(|| module.get_global(name))
}

/// The functions and variables of a module.
pub fn symbols_of<'ctx>(module: &Module<'ctx>) -> impl Iterator<Item = GlobalValue<'ctx>> + use<'ctx> {
    module.get_functions().map(FunctionValue::as_global_value).chain(module.get_globals())
}

/// The names of the functions and variables that a module uses and does not define. LLVM's intrinsics are among them.
pub fn undefined_symbols_of(module: &Module<'_>) -> Vec<String> {
    let is_undefined = |symbol: &GlobalValue<'_>| symbol.is_declaration() && symbol.get_first_use().is_some();
    symbols_of(module).filter(is_undefined).map(name_of).collect()
}

/// The name of a symbol.
pub fn name_of(symbol: GlobalValue<'_>) -> String {
    symbol.get_name().to_string_lossy().into_owned()
}

/// Verifies the module. An invalid module is an error of its builder.
pub fn verify(module: &Module<'_>) -> Result<(), Error> {
    module.verify().map_err(|message| {
        let name = module.get_name().to_string_lossy().into_owned();
        Error::Internal(format!("LLVM's verifier rejects the module '{name}': {}", message.to_string().trim_end()))
    })
}

/// Moves everything in `from` into `into`. Both belong to the same context.
pub fn link<'ctx>(into: &Module<'ctx>, from: Module<'ctx>) -> Result<(), Error> {
    into.link_in_module(from).map_err(|message| Error::Internal(format!("cannot link modules: {message}")))
}
