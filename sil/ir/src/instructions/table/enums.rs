//! Enums: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Enum, None).result(R::Written(0)).uses(&[U::Forward]),
    instruction(UncheckedEnumData, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Member, P::Forwarding])
        .uses(&[U::Forward]),
    instruction(InitEnumDataAddr, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Member])
        .uses(&[U::NonOwned]),
    instruction(InjectEnumAddr, MayWrite)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Member])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(UncheckedTakeEnumDataAddr, MayWrite)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Member])
        .uses(&[U::NonOwned]),
    instruction(SelectEnum, None).uses(&[U::Instantaneous, U::NonOwned]),
    instruction(SelectEnumAddr, MayRead).uses(&[U::NonOwned]),
];
