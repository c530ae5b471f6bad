//! Functions: their names, and where they begin.

use inkwell::debug_info::{DIFile, DISubprogram};
use inkwell::values::FunctionValue;
use sil::model::{Function, Linkage};

use super::DebugInfo;

impl<'ctx> DebugInfo<'_, 'ctx> {
    /// Describes `function`, which begins at a line (from 1, 0 is unknown) of `file`.
    pub(super) fn create_subprogram(&self, function: &Function, file: DIFile<'ctx>, line: u32) -> DISubprogram<'ctx> {
        let symbol = self.sil.context.text(function.name);
        let name = display_name(symbol);
        let linkage_name = if name == symbol { "" } else { symbol };
        let is_local = matches!(function.linkage, Linkage::Private | Linkage::Shared);
        self.builder.create_function(
            self.unit_scope(),
            &name,
            Some(linkage_name),
            file,
            line,
            self.function_type,
            is_local,
            true,
            line,
            0,
            self.optimizes,
        )
    }

    /// Says that `llvm` is what `subprogram` describes.
    pub(super) fn attach(&self, llvm: FunctionValue<'ctx>, subprogram: DISubprogram<'ctx>) {
        if llvm.get_subprogram().is_none() {
            llvm.set_subprogram(subprogram);
        }
    }
}

/// What a debugger shows of a function with this symbol.
fn display_name(symbol: &str) -> String {
    symbol.to_owned()
}
