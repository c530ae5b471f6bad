//! Run-time checks.

use super::Checker;
use crate::instructions::Opcode;
use crate::types::BuiltinType;

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    if checker.instruction.opcode == Opcode::CondFail && checker.takes(1) {
        super::memory::expect_builtin(checker, 0, BuiltinType::Integer(1));
    }
}
