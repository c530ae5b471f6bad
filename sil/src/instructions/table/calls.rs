//! Applies, method lookup and closures: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Apply, MayHaveSideEffects).may_release(),
    instruction(BeginApply, MayHaveSideEffects).may_release(),
    instruction(EndApply, MayHaveSideEffects).may_release(),
    instruction(AbortApply, MayHaveSideEffects).may_release(),
    instruction(PartialApply, MayHaveSideEffects),
    instruction(Builtin, MayHaveSideEffects).may_release(),
    instruction(ClassMethod, None),
    instruction(SuperMethod, None),
    instruction(ObjCMethod, None),
    instruction(ObjCSuperMethod, None),
    instruction(WitnessMethod, None),
    instruction(FunctionExtractIsolation, None),
];
