//! Debug locations of a function under construction: the builder gets the place of each SIL instruction before its
//! code. `debug` has the places.

use inkwell::basic_block::BasicBlock;
use sil::model::{BlockId, InstructionId};

use super::IRGenFunction;
use crate::debug::Detail;

impl IRGenFunction<'_, '_> {
    /// From here on all that is emitted comes from the function's beginning.
    pub(crate) fn begin_locations(&mut self) {
        self.locations =
            self.module.debug.as_ref().map(|debug| debug.begin_function(self.function, self.body, self.llvm));
        self.builder.set_location(self.locations.as_ref().map(|locations| locations.entry));
    }

    /// From here on all code belongs to the function's prologue. A breakpoint on the function stops after it, at the
    /// first code with a place, and variables must be in memory there.
    pub(crate) fn locate_prologue(&self) {
        if self.module.debug.as_ref().is_some_and(|debug| debug.detail() == Detail::Full) {
            self.builder.set_location(None);
        }
    }

    /// From here on all that is emitted comes from the label of `block`.
    pub(crate) fn locate_label(&self, block: BlockId) {
        if let (Some(debug), Some(locations)) = (&self.module.debug, &self.locations) {
            self.builder.set_location(Some(debug.label_location(locations, &self.body.blocks[block])));
        }
    }

    /// From here on all that is emitted comes from `instruction`.
    pub(crate) fn locate_instruction(&self, instruction: InstructionId) {
        if let (Some(debug), Some(locations)) = (&self.module.debug, &self.locations) {
            self.builder.set_location(Some(debug.location(locations, &self.body.instructions[instruction])));
        }
    }

    /// Whether instructions may share code: not if debuggers show which of them runs in unoptimised code.
    pub fn shares_code(&self) -> bool {
        let has_variables = self.module.debug.as_ref().is_some_and(|debug| debug.detail() == Detail::Full);
        self.module.optimizes() || !has_variables
    }

    /// The code in `block` serves the current instruction as well as the one that made the block.
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
