//! Parameter packs: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{
    Information, OperandTypeRule as T, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction,
};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(TuplePackElementAddr, None)
        .syntax(&[
            P::UntypedOperand(T::Builtin(BuiltinType::PackIndex)),
            P::Word("of"),
            P::Operand,
            P::Word("as"),
            P::Type,
        ])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(TuplePackExtract, None)
        .syntax(&[
            P::UntypedOperand(T::Builtin(BuiltinType::PackIndex)),
            P::Word("of"),
            P::Operand,
            P::Word("as"),
            P::Type,
        ])
        .result(R::Written(0))
        .uses(&[U::NonOwned, U::ForwardBorrowed]),
    instruction(PackElementGet, None)
        .syntax(&[
            P::UntypedOperand(T::Builtin(BuiltinType::PackIndex)),
            P::Word("of"),
            P::Operand,
            P::Word("as"),
            P::Type,
        ])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(PackElementSet, MayHaveSideEffects)
        .syntax(&[
            P::Operand,
            P::Word("into"),
            P::UntypedOperand(T::Builtin(BuiltinType::PackIndex)),
            P::Word("of"),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(OpenPackElement, None).result(R::Builtin(BuiltinType::Token)).uses(&[U::NonOwned]),
    instruction(PackLength, None).syntax(&[P::PackShape]).result(R::Builtin(BuiltinType::Word)),
    instruction(DynamicPackIndex, None)
        .syntax(&[P::UntypedOperand(T::Builtin(BuiltinType::Word)), P::Word("of"), P::PackType])
        .result(R::Builtin(BuiltinType::PackIndex))
        .uses(&[U::NonOwned]),
    instruction(PackPackIndex, None)
        .syntax(&[
            P::Index,
            P::Punctuation(Punctuation::Comma),
            P::UntypedOperand(T::Builtin(BuiltinType::PackIndex)),
            P::Word("of"),
            P::PackType,
        ])
        .result(R::Builtin(BuiltinType::PackIndex))
        .uses(&[U::NonOwned]),
    instruction(ScalarPackIndex, None)
        .syntax(&[P::Index, P::Word("of"), P::PackType])
        .result(R::Builtin(BuiltinType::PackIndex)),
];
