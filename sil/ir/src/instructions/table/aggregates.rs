//! Structs, tuples, objects and their fields: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Struct, None).syntax(&[P::Type, P::Operands, P::Forwarding]).result(R::Written(0)).uses(&[U::Forward]),
    instruction(StructExtract, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Member, P::Forwarding])
        .uses(&[U::ForwardBorrowed]),
    instruction(StructElementAddr, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Member])
        .uses(&[U::NonOwned]),
    instruction(Tuple, None).uses(&[U::Forward]),
    instruction(TupleExtract, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Index, P::Forwarding])
        .uses(&[U::ForwardBorrowed]),
    instruction(TupleElementAddr, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Index])
        .uses(&[U::NonOwned]),
    instruction(DestructureStruct, None).syntax(&[P::Operand, P::Forwarding]).uses(&[U::Forward]),
    instruction(DestructureTuple, None).syntax(&[P::Operand, P::Forwarding]).uses(&[U::Forward]),
    instruction(RefElementAddr, None)
        .syntax(&[P::Attributes(&[A::Immutable]), P::Operand, P::Punctuation(Punctuation::Comma), P::Member])
        .uses(&[U::InteriorPointer]),
    instruction(RefTailAddr, None)
        .syntax(&[P::Attributes(&[A::Immutable]), P::Operand, P::Punctuation(Punctuation::Comma), P::Type])
        .result(R::AddressOf(0))
        .uses(&[U::InteriorPointer]),
    instruction(Object, None).result(R::Written(0)).uses(&[U::Forward]),
];
