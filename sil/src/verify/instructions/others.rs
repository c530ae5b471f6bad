//! Run-time checks.

use super::Checker;
use crate::context::BuiltinType;
use crate::instructions::Opcode;

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    if checker.instruction.opcode == Opcode::CondFail && checker.takes(1) {
        super::memory::expect_builtin(checker, 0, BuiltinType::Integer(1));
    }
}
