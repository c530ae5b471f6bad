//! Terminators: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{
    Information, Legality, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction,
};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Unreachable, None).terminator().syntax(&[]).result(R::None),
    instruction(Return, None).terminator().syntax(&[P::Operand]).result(R::None).uses(&[U::Consume]),
    instruction(ReturnBorrow, None)
        .terminator()
        .syntax(&[P::Operand, P::Word("from_scopes"), P::Operands])
        .result(R::None)
        .uses(&[U::Instantaneous, U::EndBorrow])
        .only(Legality::OwnershipOnly),
    instruction(Throw, None).terminator().syntax(&[P::Operand]).result(R::None).uses(&[U::Consume]),
    instruction(ThrowAddr, None).terminator().syntax(&[]).result(R::None),
    instruction(Yield, MayHaveSideEffects).may_release().terminator().result(R::None).uses(&[U::Instantaneous]),
    instruction(Unwind, None).terminator().syntax(&[]).result(R::None),
    instruction(Br, None).terminator().result(R::None).uses(&[U::Forward]),
    instruction(CondBr, None).terminator().result(R::None).uses(&[U::NonOwned]),
    instruction(SwitchValue, None).terminator().result(R::None).uses(&[U::NonOwned]),
    instruction(SwitchEnum, None).terminator().result(R::None).uses(&[U::Forward]),
    instruction(SwitchEnumAddr, MayRead).terminator().result(R::None).uses(&[U::NonOwned]),
    instruction(DynamicMethodBr, None)
        .terminator()
        .syntax(&[
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::Member,
            P::Punctuation(Punctuation::Comma),
            P::Target,
            P::Punctuation(Punctuation::Comma),
            P::Target,
        ])
        .result(R::None)
        .uses(&[U::Instantaneous]),
    instruction(CheckedCastBr, None).terminator().result(R::None).uses(&[U::Forward]),
    instruction(CheckedCastAddrBr, MayHaveSideEffects).may_release().terminator().result(R::None).uses(&[U::NonOwned]),
    instruction(TryApply, MayHaveSideEffects).may_release().terminator().result(R::None).uses(&[U::Instantaneous]),
    instruction(AwaitAsyncContinuation, MayHaveSideEffects)
        .may_release()
        .terminator()
        .result(R::None)
        .uses(&[U::NonOwned]),
];
