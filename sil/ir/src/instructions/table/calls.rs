//! Applies, method lookup and closures: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{
    Information, OperandTypeRule as T, OperandUse as U, Piece as P, ResultRule as R, instruction,
};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(Apply, MayHaveSideEffects).may_release(),
    instruction(BeginApply, MayHaveSideEffects).may_release(),
    instruction(EndApply, MayHaveSideEffects).may_release().uses(&[U::EndBorrow]),
    instruction(AbortApply, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::UntypedOperand(T::Builtin(BuiltinType::Token))])
        .result(R::None)
        .uses(&[U::EndBorrow]),
    instruction(PartialApply, MayHaveSideEffects),
    instruction(Builtin, MayHaveSideEffects).may_release().result(R::Written(0)).uses(&[U::Instantaneous]),
    instruction(ClassMethod, None).result(R::Written(0)).uses(&[U::Instantaneous]),
    instruction(SuperMethod, None).result(R::Written(0)).uses(&[U::Instantaneous]),
    instruction(ObjCMethod, None).result(R::Written(0)).uses(&[U::InstantaneousOrUnowned]),
    instruction(ObjCSuperMethod, None).result(R::Written(0)).uses(&[U::InstantaneousOrUnowned]),
    instruction(WitnessMethod, None).result(R::Written(0)).uses(&[U::Mention]),
    instruction(FunctionExtractIsolation, None).syntax(&[P::Operand]).uses(&[U::ForwardBorrowed]),
];
