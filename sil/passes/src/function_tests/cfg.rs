//! Tests of control flow simplification.

use super::TestResult;
use super::test::Test;
use crate::optimizations::cfg_simplification::name_last_cases;
use crate::optimizations::cfg_simplification::tests::{Step, run};
use crate::pass::Rewrite;

/// Takes a block and the index of an argument. Narrows the argument to the part that is used.
pub(super) fn simplify_argument(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let (block, index) = (test.take_block()?, test.take_number()?);
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    Ok(run(test.environment, Step::Argument { block, index }))
}

/// Simplifies the arguments of all blocks.
pub(super) fn simplify_arguments(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    Ok(run(test.environment, Step::Arguments))
}

/// Takes a `br`. Threads the jump to a copy of its target if that is profitable.
pub(super) fn thread_jump(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let jump = test.take_instruction()?;
    Ok(run(test.environment, Step::Threading(jump)))
}

/// Takes a block. Replaces its terminator with a jump to the block where all its targets meet.
pub(super) fn join_targets(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let block = test.take_block()?;
    Ok(run(test.environment, Step::IdenticalTargets(block)))
}

/// Replaces the default of all enum switches that cover a single case with that case.
pub(super) fn name_cases(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    name_last_cases(test.environment)
}

/// Takes a `switch_enum`. Folds it to the known case.
pub(super) fn fold_switch(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let switch = test.take_instruction()?;
    Ok(run(test.environment, Step::KnownCase(switch)))
}

/// Takes a `switch_enum`. Folds it to the only reachable case.
pub(super) fn switch_to_reachable(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let switch = test.take_instruction()?;
    Ok(run(test.environment, Step::UnreachableCases(switch)))
}
