//! Debug information, run-time checks and profiling: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(DebugValue, None),
    instruction(DebugStep, MayHaveSideEffects),
    instruction(SpecifyTest, None),
    instruction(CondFail, MayHaveSideEffects),
    instruction(IncrementProfilerCounter, MayReadWrite),
];
