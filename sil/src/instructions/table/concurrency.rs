//! Continuations, executors and actors: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(GetAsyncContinuation, MayHaveSideEffects).may_release(),
    instruction(GetAsyncContinuationAddr, MayHaveSideEffects).may_release(),
    instruction(ExtractExecutor, MayRead),
    instruction(HopToExecutor, MayHaveSideEffects).may_release(),
];
