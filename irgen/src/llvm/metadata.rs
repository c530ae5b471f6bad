//! Module flags (LangRef, "Module Flags Metadata").

use inkwell::context::Context;
use inkwell::module::{FlagBehavior, Module};

/// The behaviour of a flag when two modules are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagMerge {
    /// Different values are a warning.
    Warning,
    /// The greater value is used.
    Maximum,
}

/// Adds a module flag with an `i32` value.
pub fn add_module_flag<'ctx>(context: &'ctx Context, module: &Module<'ctx>, merge: FlagMerge, name: &str, value: u32) {
    let integer = context.i32_type();
    match merge {
        FlagMerge::Warning => {
            module.add_basic_value_flag(name, FlagBehavior::Warning, integer.const_int(value.into(), false));
        }
        // LLVM's C API lacks this behaviour: the flag's node is created directly.
        FlagMerge::Maximum => {
            // `ModFlagBehavior`, llvm/IR/Module.h.
            const MAXIMUM: u64 = 7;
            let flag = context.metadata_node(&[
                integer.const_int(MAXIMUM, false).into(),
                context.metadata_string(name).into(),
                integer.const_int(value.into(), false).into(),
            ]);
            // Only fails for values that are not nodes.
            let _ = module.add_global_metadata("llvm.module.flags", &flag);
        }
    }
}
