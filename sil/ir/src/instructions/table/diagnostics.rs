//! Debug information, run-time checks and profiling: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(DebugValue, None)
        .syntax(&[P::Attributes(&[A::Poison, A::MoveableValueDebugInfo, A::Trace]), P::Operand, P::Variable])
        .result(R::None)
        .uses(&[U::InstantaneousOrUnowned]),
    instruction(DebugStep, MayHaveSideEffects).syntax(&[]).result(R::None),
    instruction(SpecifyTest, None).syntax(&[P::String]).result(R::None),
    instruction(CondFail, MayHaveSideEffects).result(R::None).uses(&[U::NonOwned]),
    instruction(IncrementProfilerCounter, MayReadWrite).result(R::None),
];
