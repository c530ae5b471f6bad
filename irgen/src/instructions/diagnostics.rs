//! Debug information, run-time checks and profiling: the code of run-time failures. Variables have a file of their own.

use inkwell::basic_block::BasicBlock;
use sil_ir::instructions::families::Diagnostics;
use sil_ir::model::InstructionId;
use sil_ir::model::views::CondFail;

use super::{Emit, Lowering};
use crate::generation::{FailureReport, IRGenFunction, RuntimeFunction};
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Diagnostics) -> Lowering {
    use Diagnostics::*;
    let emit: Emit = match opcode {
        CondFail => cond_fail,
        DebugValue => super::variables::emit,
        DebugStep | SpecifyTest => return Lowering::Nothing,
        IncrementProfilerCounter => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

pub(super) fn cond_fail<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let CondFail { condition, message } = CondFail::of(function.body, instruction);
    let condition = function.scalar(condition)?.into_int_value();
    let failure = function.failure_block(message);
    let go_on = function.new_block("");
    let branch = function.builder.branch_if(condition, failure, go_on);
    function.module.mark_unlikely(branch);
    function.builder.position_at_end(go_on);
    Ok(())
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the block that ends the program with `Fatal error: MESSAGE`, or without a message if there is none. The
    /// position of the builder is unchanged. If debuggers are to show the failed line, each failure has a block of its
    /// own.
    pub fn failure_block(&mut self, message: &str) -> BasicBlock<'ctx> {
        let message = match self.module.options.failure_report {
            FailureReport::Message => message,
            FailureReport::Silence => "",
        };
        if let Some(found) = self.state.failures.get(message)
            && self.shares_code()
        {
            self.share_location(*found);
            return *found;
        }
        let here = self.builder.block();
        let block = self.new_block("");
        self.builder.position_at_end(block);
        match self.module.options.failure_report {
            FailureReport::Message => {
                let text = self.module.string_constant(message.as_bytes());
                self.call_runtime(RuntimeFunction::ReportFatalError, &[text.into()]);
            }
            FailureReport::Silence => self.builder.trap(&self.module.llvm),
        }
        self.builder.unreachable();
        self.builder.position_at_end(here);
        self.state.failures.insert(message.into(), block);
        block
    }
}
