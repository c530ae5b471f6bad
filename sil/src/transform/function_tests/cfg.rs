//! Tests of how it is simplified where functions lead.

use super::TestResult;
use super::test::Test;
use crate::transform::optimizations::cfg_simplification::name_last_cases;
use crate::transform::optimizations::cfg_simplification::tests::{Step, run};
use crate::transform::pass::Rewrite;

/// Takes a block and the number of an argument. Lets branches pass only the part of it that is used.
pub(super) fn simplify_argument(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let (block, index) = (test.take_block()?, test.take_number()?);
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    Ok(run(test.environment, Step::Argument { block, index }))
}

/// Simplifies the arguments of all blocks.
pub(super) fn simplify_arguments(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    Ok(run(test.environment, Step::Arguments))
}

/// Takes a `br`. Lets it lead to a copy of its target, where that is worth it.
pub(super) fn thread_jump(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let jump = test.take_instruction()?;
    Ok(run(test.environment, Step::Threading(jump)))
}

/// Takes a block. Lets it jump where all its ways meet at once.
pub(super) fn join_targets(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let block = test.take_block()?;
    Ok(run(test.environment, Step::IdenticalTargets(block)))
}

/// Lets all switches over enums name the last case in the place of a default.
pub(super) fn name_cases(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    name_last_cases(test.environment)
}

/// Takes a `switch_enum`. Lets it lead to the case that is known.
pub(super) fn fold_switch(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let switch = test.take_instruction()?;
    Ok(run(test.environment, Step::KnownCase(switch)))
}

/// Takes a `switch_enum`. Lets it lead to the only case that can be.
pub(super) fn switch_to_reachable(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let switch = test.take_instruction()?;
    Ok(run(test.environment, Step::UnreachableCases(switch)))
}
