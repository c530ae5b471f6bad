//! Debug locations of a function under construction: the builder gets the location of each SIL instruction before its
//! code. `debug` has the locations.

use inkwell::basic_block::BasicBlock;
use sil_ir::model::{BlockId, InstructionId};

use super::IRGenFunction;
use crate::debug::Detail;

impl IRGenFunction<'_, '_> {
    /// Sets the location of the following code to the function's beginning.
    pub(crate) fn begin_locations(&mut self) {
        self.locations =
            self.module.debug.as_ref().map(|debug| debug.begin_function(self.function, self.body, self.llvm));
        self.builder.set_location(self.locations.as_ref().map(|locations| locations.entry));
    }

    /// Sets the location of the following code to the function's prologue. A breakpoint on the function stops after it,
    /// at the first code with a location, and variables must be in memory there.
    pub(crate) fn locate_prologue(&self) {
        if self.module.debug.as_ref().is_some_and(|debug| debug.detail() == Detail::Full) {
            self.builder.set_location(None);
        }
    }

    /// Sets the location of the following code to the label of `block`.
    pub(crate) fn locate_label(&self, block: BlockId) {
        if let (Some(debug), Some(locations)) = (&self.module.debug, &self.locations) {
            self.builder.set_location(Some(debug.label_location(locations, &self.body.blocks[block])));
        }
    }

    /// Sets the location of the following code to `instruction`.
    pub(crate) fn locate_instruction(&self, instruction: InstructionId) {
        if let (Some(debug), Some(locations)) = (&self.module.debug, &self.locations) {
            self.builder.set_location(Some(debug.location(locations, &self.body.instructions[instruction])));
        }
    }

    /// Returns whether instructions may share code: not if debuggers show which of them is executed in unoptimised
    /// code.
    pub fn shares_code(&self) -> bool {
        let has_variables = self.module.debug.as_ref().is_some_and(|debug| debug.detail() == Detail::Full);
        self.module.optimizes() || !has_variables
    }

    /// Merges the locations of code in `block` that the current instruction shares with the one that created the block.
    pub fn share_location(&self, block: BasicBlock<'_>) {
        let Some(locations) = &self.locations else { return };
        let here = self.builder.location();
        for instruction in block.get_instructions() {
            if instruction.get_debug_location() != here {
                instruction.set_debug_location(Some(locations.unknown));
            }
        }
    }
}
