//! Terminators, except those of calls, enum switches, casts, coroutines and async functions, which are in their own
//! files.

use sil_ir::instructions::families::Terminators;
use sil_ir::model::views::{Br, CondBr, Leading, SwitchValue};
use sil_ir::model::{DefaultCase, InstructionId};

use super::{Emit, Lowering};
use crate::generation::IRGenFunction;
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Terminators) -> Lowering {
    use Terminators::*;
    let emit: Emit = match opcode {
        TryApply => super::calls::emit_try_apply,
        Yield => super::coroutines::emit_yield,
        SwitchEnum | SwitchEnumAddr => super::enums::switch,
        CheckedCastBr => super::casts::cast_and_branch,
        Unreachable => super::concurrency::unreachable,
        Return => super::calls::emit_return,
        Throw | ThrowAddr => super::calls::emit_throw,
        Unwind => super::coroutines::emit_unwind,
        Br => branch,
        CondBr => cond_br,
        SwitchValue => switch_value,
        ReturnBorrow => return Lowering::Before,
        CheckedCastAddrBr => super::casts::cast_in_memory_and_branch,
        AwaitAsyncContinuation => super::concurrency::await_continuation,
        DynamicMethodBr => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// `br`
pub(super) fn branch<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Br { arguments, target } = Br::of(function.body, instruction);
    let scalars = function.flatten(arguments)?;
    function.branch_to(target, &scalars);
    Ok(())
}

pub(super) fn cond_br<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let branch = CondBr::of(function.body, instruction);
    let condition = function.scalar(branch.condition)?.into_int_value();
    let Leading(true_arguments) = branch.true_arguments;
    let (true_scalars, false_scalars) = (function.flatten(true_arguments)?, function.flatten(branch.false_arguments)?);
    let (yes, no) = (branch.true_target, branch.false_target);
    let mut blocks = [function.block(yes), function.block(no)];
    if yes == no {
        // A phi has one value per predecessor: the second edge needs a separate block.
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

/// `switch_value`. The case values are integer literals, or functions, which are compared one by one.
pub(super) fn switch_value<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let SwitchValue { operand, cases, targets, default } = SwitchValue::of(function.body, instruction);
    let bits = function.module.pointer_bits();
    let scalar = |function: &IRGenFunction<'_, 'ctx>, value| -> Generated<_> {
        Ok(function.builder.to_bits(function.scalar(value)?, bits))
    };
    let value = scalar(function, operand)?;
    let unreachable = function.new_block("");
    let otherwise = match default {
        DefaultCase::Present => function.block(targets[targets.len() - 1]),
        DefaultCase::Absent => unreachable,
    };
    for (case, target) in cases.iter().zip(targets) {
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
