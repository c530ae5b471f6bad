//! Terminators: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Unreachable, None).terminator(),
    instruction(Return, None).terminator(),
    instruction(Throw, None).terminator(),
    instruction(ThrowAddr, None).terminator(),
    instruction(Yield, MayHaveSideEffects).may_release().terminator(),
    instruction(Unwind, None).terminator(),
    instruction(Br, None).terminator(),
    instruction(CondBr, None).terminator(),
    instruction(SwitchValue, None).terminator(),
    instruction(SwitchEnum, None).terminator(),
    instruction(SwitchEnumAddr, MayRead).terminator(),
    instruction(DynamicMethodBr, None).terminator(),
    instruction(CheckedCastBr, None).terminator(),
    instruction(CheckedCastAddrBr, MayHaveSideEffects).may_release().terminator(),
    instruction(TryApply, MayHaveSideEffects).may_release().terminator(),
    instruction(AwaitAsyncContinuation, MayHaveSideEffects).may_release().terminator(),
];
