//! The place that each SIL instruction comes from, as LLVM's debug location of what it becomes.

use inkwell::debug_info::{AsDIScope, DILocation, DIScope};
use inkwell::values::FunctionValue;
use sil::model::{Block, Function, Instruction};
use sil::source::Span;

use super::DebugInfo;

/// Where the instructions of one function come from.
pub struct FunctionLocations<'ctx> {
    /// The function.
    scope: DIScope<'ctx>,
    /// Its beginning: of what is emitted before the first SIL instruction.
    pub entry: DILocation<'ctx>,
    /// No place: of code that several instructions share.
    pub unknown: DILocation<'ctx>,
}

impl<'ctx> DebugInfo<'_, 'ctx> {
    /// Describes `function`, whose code is that of `llvm`.
    pub fn begin_function(&self, function: &Function, llvm: FunctionValue<'ctx>) -> FunctionLocations<'ctx> {
        let position = self.sources.file(function.span.file).position(function.span.start);
        let subprogram = self.create_subprogram(function, self.sil_file(function.span.file), position.line);
        self.attach(llvm, subprogram);
        let scope = subprogram.as_debug_info_scope();
        let unknown = self.builder.create_debug_location(self.context, 0, 0, scope, None);
        FunctionLocations { scope, entry: self.text_location(function.span, scope), unknown }
    }

    /// The place of an instruction in a function that was begun with [`Self::begin_function`].
    pub fn location(&self, function: &FunctionLocations<'ctx>, instruction: &Instruction) -> DILocation<'ctx> {
        self.text_location(instruction.span, function.scope)
    }

    /// The place of a block's label, where its arguments are defined.
    pub fn label_location(&self, function: &FunctionLocations<'ctx>, block: &Block) -> DILocation<'ctx> {
        match block.span {
            Some(span) => self.text_location(span, function.scope),
            None => function.unknown,
        }
    }

    /// A place in SIL text.
    fn text_location(&self, span: Span, scope: DIScope<'ctx>) -> DILocation<'ctx> {
        let position = self.sources.file(span.file).position(span.start);
        self.builder.create_debug_location(self.context, position.line, position.column, scope, None)
    }
}
