//! Debug information, run-time checks and profiling. What debug variables say is `verify::debug_variables`'s.

use super::{Checker, Rules};
use crate::context::BuiltinType;
use crate::instructions::families::Diagnostics;
use crate::model::views::CondFail;

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Diagnostics) -> Option<Rules> {
    use Diagnostics::*;
    match opcode {
        CondFail => Some(cond_fail),
        DebugValue | DebugStep | SpecifyTest | IncrementProfilerCounter => None,
    }
}

fn cond_fail(checker: &mut Checker<'_, '_>) {
    let CondFail { condition, .. } = checker.view();
    super::memory::expect_builtin(checker, condition, BuiltinType::Integer(1));
}
