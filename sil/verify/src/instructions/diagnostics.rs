//! Debug information, run-time checks and profiling. `verify::debug_variables` checks the contents of debug variables.

use sil_ir::context::BuiltinType;
use sil_ir::instructions::families::Diagnostics;
use sil_ir::model::views::CondFail;

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
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
