//! Packs, blocks, continuations, run-time checks and debug information.

use super::Checker;
use crate::instructions::Opcode;
use crate::types::{BuiltinType, SilType, Type};

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    use Opcode::*;
    match checker.instruction.opcode {
        CondFail => {
            if checker.takes(1) {
                super::memory::expect_builtin(checker, 0, BuiltinType::Integer(1));
            }
        }
        ProjectBlockStorage => {
            if checker.takes(1) && checker.address(0) {
                match *checker.operand(0) {
                    Type::BlockStorage(capture) => {
                        checker.expect_result(SilType::address(capture));
                    }
                    _ => {
                        checker.require_operand(0, false, "a `@block_storage` address");
                    }
                }
            }
        }
        OpenPackElement => {
            if checker.takes(1) {
                super::memory::expect_builtin(checker, 0, BuiltinType::PackIndex);
            }
        }
        _ => {}
    }
}
