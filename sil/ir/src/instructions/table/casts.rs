//! Conversions and casts: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{
    Information, Legality, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction,
};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(Upcast, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::Forward]),
    instruction(AddressToPointer, None)
        .syntax(&[P::Attributes(&[A::StackProtection]), P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(PointerToAddress, None)
        .syntax(&[P::Operand, P::Word("to"), P::Attributes(&[A::Strict, A::Invariant]), P::Alignment, P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(UncheckedRefCast, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::Forward]),
    instruction(UncheckedRefCastAddr, MayHaveSideEffects).result(R::None).uses(&[U::NonOwned]),
    instruction(UncheckedAddrCast, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(UncheckedTrivialBitCast, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(UncheckedBitwiseCast, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(UncheckedValueCast, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::Forward])
        .only(Legality::OwnershipOnly),
    instruction(RefToRawPointer, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(RawPointerToRef, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(ConvertFunction, None)
        .syntax(&[P::Operand, P::Word("to"), P::Attributes(&[A::WithoutActuallyEscaping]), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::Forward]),
    instruction(Thunk, MayHaveSideEffects).may_release().uses(&[U::Consume]),
    instruction(ConvertEscapeToNoescape, None)
        .syntax(&[P::Attributes(&[A::NotGuaranteed]), P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(RefToBridgeObject, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Operand, P::Forwarding])
        .result(R::Builtin(BuiltinType::BridgeObject))
        .uses(&[U::Forward, U::NonOwned]),
    instruction(BridgeObjectToRef, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::Forward]),
    instruction(BridgeObjectToWord, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(ClassifyBridgeObject, None).syntax(&[P::Operand]).uses(&[U::Instantaneous]),
    instruction(ValueToBridgeObject, None)
        .syntax(&[P::Operand])
        .result(R::Builtin(BuiltinType::BridgeObject))
        .uses(&[U::Escape]),
    instruction(ThinToThickFunction, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type, P::Forwarding])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(UnconditionalCheckedCast, MayRead)
        .syntax(&[
            P::Attributes(&[A::ProhibitIsolatedConformances]),
            P::Operand,
            P::Word("to"),
            P::BareFormalType,
            P::Forwarding,
        ])
        .uses(&[U::Forward]),
    instruction(UnconditionalCheckedCastAddr, MayHaveSideEffects).may_release().result(R::None).uses(&[U::NonOwned]),
    instruction(ImplicitactorToOpaqueisolationCast, None).syntax(&[P::Operand]).uses(&[U::ForwardBorrowed]),
];
