//! Existential containers: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(InitExistentialAddr, MayWrite)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::FormalType])
        .uses(&[U::NonOwned]),
    instruction(InitExistentialValue, MayWrite)
        .syntax(&[
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::FormalType,
            P::Punctuation(Punctuation::Comma),
            P::Type,
        ])
        .result(R::Written(0))
        .uses(&[U::Consume]),
    instruction(InitExistentialRef, None)
        .syntax(&[
            P::Operand,
            P::Punctuation(Punctuation::Colon),
            P::FormalType,
            P::Punctuation(Punctuation::Comma),
            P::Type,
            P::Forwarding,
        ])
        .result(R::Written(0))
        .uses(&[U::Forward]),
    instruction(OpenExistentialAddr, MayRead)
        .syntax(&[P::Choice(&[A::MutableAccess, A::ImmutableAccess]), P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(OpenExistentialRef, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::Forward]),
    instruction(OpenExistentialValue, MayRead)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::ForwardBorrowed]),
    instruction(OpenExistentialBox, MayRead)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::InteriorPointer]),
    instruction(OpenExistentialBoxValue, MayRead)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::ForwardBorrowed]),
    instruction(DeinitExistentialAddr, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::NonOwned]),
    instruction(DeinitExistentialValue, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::Consume]),
];
