//! Changes of a function's calling convention together with that of its calls.

use inkwell::module::Module;
use inkwell::values::{CallSiteValue, FunctionValue};

/// Sets the calling convention `number` of the functions that `module` only declares and `is_meant` selects, and of
/// their direct calls.
pub fn set_of_declared(module: &Module<'_>, number: u32, is_meant: &dyn Fn(&str) -> bool) {
    let declared = module.get_functions().filter(|function| function.count_basic_blocks() == 0);
    let is_changed = |function: &FunctionValue<'_>| {
        function.get_call_conventions() != number && is_meant(&function.get_name().to_string_lossy())
    };
    let changed: Vec<FunctionValue<'_>> = declared.filter(is_changed).collect();
    if changed.is_empty() {
        return;
    }
    changed.iter().for_each(|function| function.set_call_conventions(number));
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let calls = blocks.flat_map(|block| block.get_instructions()).filter_map(|one| CallSiteValue::try_from(one).ok());
    for call in calls {
        if call.get_called_fn_value().is_some_and(|callee| changed.contains(&callee)) {
            call.set_call_convention(number);
        }
    }
}
