//! Continuations, executors and actors: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(GetAsyncContinuation, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::Throws]), P::BareFormalType])
        .result(R::Builtin(BuiltinType::RawUnsafeContinuation)),
    instruction(GetAsyncContinuationAddr, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::Throws]), P::BareFormalType, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::Builtin(BuiltinType::RawUnsafeContinuation))
        .uses(&[U::NonOwned]),
    instruction(ExtractExecutor, MayRead)
        .syntax(&[P::Operand])
        .result(R::Builtin(BuiltinType::Executor))
        .uses(&[U::Escape]),
    instruction(HopToExecutor, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::Mandatory]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous]),
];
