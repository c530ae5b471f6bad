//! Allocation and deallocation: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(AllocStack, None)
        .syntax(&[
            P::Attributes(&[A::DynamicLifetime, A::Lexical, A::VarDecl, A::MoveableValueDebugInfo]),
            P::Type,
            P::Variable,
        ])
        .result(R::AddressOf(0)),
    instruction(AllocVector, None)
        .syntax(&[P::Type, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::AddressOf(0))
        .uses(&[U::NonOwned]),
    instruction(AllocPack, None).syntax(&[P::Type]).result(R::AddressOf(0)),
    instruction(AllocPackMetadata, None).syntax(&[P::Type]).result(R::AddressOf(0)),
    instruction(AllocRef, None).uses(&[U::NonOwned]),
    instruction(AllocRefDynamic, None).uses(&[U::NonOwned]),
    instruction(AllocBox, None)
        .syntax(&[
            P::Attributes(&[
                A::DynamicLifetime,
                A::Reflection,
                A::PointerEscape,
                A::MoveableValueDebugInfo,
                A::InferredImmutable,
            ]),
            P::Type,
            P::Variable,
        ])
        .result(R::Written(0)),
    instruction(AllocExistentialBox, MayWrite)
        .syntax(&[P::Type, P::Punctuation(Punctuation::Comma), P::FormalType])
        .result(R::Written(0)),
    instruction(AllocGlobal, MayHaveSideEffects).syntax(&[P::Global]).result(R::None),
    instruction(DeallocStack, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::NonOwned]),
    instruction(DeallocPack, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::NonOwned]),
    instruction(DeallocPackMetadata, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::NonOwned]),
    instruction(DeallocStackRef, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::Mention]),
    instruction(DeallocRef, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::Consume]),
    instruction(DeallocPartialRef, MayHaveSideEffects)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::None)
        .uses(&[U::Consume, U::NonOwned]),
    instruction(DeallocBox, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::DeadEnd]), P::Operand])
        .result(R::None)
        .uses(&[U::Consume]),
    instruction(DeallocExistentialBox, MayHaveSideEffects)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::FormalType])
        .result(R::None)
        .uses(&[U::Consume]),
    instruction(BeginDeallocRef, None)
        .syntax(&[P::Operand, P::Word("of"), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::Consume, U::Mention]),
    instruction(EndInitLetRef, None).syntax(&[P::Operand]).result(R::Operand(0)).uses(&[U::Consume]),
    instruction(ProjectBox, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Index])
        .uses(&[U::Escape]),
    instruction(ProjectExistentialBox, None)
        .syntax(&[P::Type, P::Word("in"), P::Operand])
        .result(R::AddressOf(0))
        .uses(&[U::Escape]),
];
