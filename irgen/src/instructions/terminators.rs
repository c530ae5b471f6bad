//! Terminators that are not calls or enum switches, and run-time failures.

use inkwell::basic_block::BasicBlock;
use rustc_hash::FxHashMap;
use sil::model::{DefaultCase, Details, InstructionId};

use crate::generation::{IRGenFunction, RuntimeFunction, RuntimeSource};
use crate::refusal::Generated;

/// The failure blocks of a function by message.
pub type FailureBlocks<'ctx> = FxHashMap<Box<str>, BasicBlock<'ctx>>;

/// `unreachable`
pub(super) fn unreachable<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, _: InstructionId) -> Generated<()> {
    function.builder.unreachable();
    Ok(())
}

/// `br`
pub(super) fn branch<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let scalars = function.flatten(function.body.operands(instruction))?;
    function.branch_to(function.body.targets(instruction)[0], &scalars);
    Ok(())
}

pub(super) fn cond_br<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Details::CondBranch { true_arguments, .. } = function.body.instructions[instruction].details else {
        return Err(function.unsupported(instruction, "a branch of this form"));
    };
    let operands = function.body.operands(instruction);
    let (true_operands, false_operands) = operands[1..].split_at(true_arguments as usize);
    let condition = function.scalar(operands[0])?.into_int_value();
    let (true_scalars, false_scalars) = (function.flatten(true_operands)?, function.flatten(false_operands)?);
    let [yes, no] = *function.body.targets(instruction) else {
        return Err(function.unsupported(instruction, "a branch of this form"));
    };
    let mut blocks = [function.block(yes), function.block(no)];
    if yes == no {
        // A phi takes one value from a block: the second edge needs a block of its own.
        blocks[1] = function.new_block("");
    }
    function.add_incoming(yes, &true_scalars);
    function.builder.branch_if(condition, blocks[0], blocks[1]);
    if yes == no {
        function.builder.position_at_end(blocks[1]);
        function.branch_to(no, &false_scalars);
    } else {
        function.add_incoming(no, &false_scalars);
    }
    Ok(())
}

/// The case values are integer literals, or functions, which are compared one by one.
pub(super) fn switch_value<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Details::SwitchValue { default } = function.body.instructions[instruction].details else {
        return Err(function.unsupported(instruction, "a switch of this form"));
    };
    let operands = function.body.operands(instruction).to_vec();
    let targets = function.body.targets(instruction).to_vec();
    let bits = function.module.pointer_bits();
    let scalar = |function: &IRGenFunction<'_, 'ctx>, value| -> Generated<_> {
        Ok(function.builder.to_bits(function.scalar(value)?, bits))
    };
    let value = scalar(function, operands[0])?;
    let unreachable = function.new_block("");
    let otherwise = match default {
        DefaultCase::Present => function.block(targets[targets.len() - 1]),
        DefaultCase::Absent => unreachable,
    };
    for (case, target) in operands[1..].iter().zip(&targets) {
        let matches = function.builder.equal(value, scalar(function, *case)?);
        let next = function.new_block("");
        function.builder.branch_if(matches, function.block(*target), next);
        function.builder.position_at_end(next);
    }
    function.builder.branch(otherwise);
    function.builder.position_at_end(unreachable);
    function.builder.unreachable();
    Ok(())
}

pub(super) fn cond_fail<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let message = match &function.body.instructions[instruction].details {
        Details::Message(message) => message.clone(),
        _ => "unspecified".into(),
    };
    let condition = function.scalar(function.body.operands(instruction)[0])?.into_int_value();
    let failure = function.failure_block(&message);
    let go_on = function.new_block("");
    let branch = function.builder.branch_if(condition, failure, go_on);
    function.module.mark_unlikely(branch);
    function.builder.position_at_end(go_on);
    Ok(())
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The block that ends the program with `Fatal error: MESSAGE`, or without a word where silc's runtime is not linked. The builder
    /// stays where it is. Where a debugger is to show the line that failed, each failure has a block of its own.
    pub fn failure_block(&mut self, message: &str) -> BasicBlock<'ctx> {
        if let Some(found) = self.state.failures.get(message)
            && self.shares_code()
        {
            self.share_location(*found);
            return *found;
        }
        let here = self.builder.block();
        let block = self.new_block("");
        self.builder.position_at_end(block);
        match self.module.options.runtime {
            RuntimeSource::Silc => {
                let text = self.module.string_constant(message.as_bytes());
                self.call_runtime(RuntimeFunction::ReportFatalError, &[text.into()]);
            }
            RuntimeSource::Module => self.builder.trap(&self.module.llvm),
        }
        self.builder.unreachable();
        self.builder.position_at_end(here);
        self.state.failures.insert(message.into(), block);
        block
    }
}
