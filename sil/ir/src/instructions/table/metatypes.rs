//! Metatypes and values of types: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Metatype, None).syntax(&[P::Type]).result(R::Written(0)),
    instruction(ValueMetatype, MayRead)
        .syntax(&[P::Type, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::Written(0))
        .uses(&[U::Instantaneous]),
    instruction(ExistentialMetatype, MayRead)
        .syntax(&[P::Type, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::Written(0))
        .uses(&[U::Instantaneous]),
    instruction(ObjCProtocol, None).result(R::Written(0)),
    instruction(TypeValue, None).syntax(&[P::Type, P::Word("for"), P::BareFormalType]).result(R::Written(0)),
    instruction(InitExistentialMetatype, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(OpenExistentialMetatype, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(ThickToObjcMetatype, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(ObjcToThickMetatype, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(ObjcMetatypeToObject, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(ObjcExistentialMetatypeToObject, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
];
