//! Conversions and casts: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Upcast, None),
    instruction(AddressToPointer, None),
    instruction(PointerToAddress, None),
    instruction(UncheckedRefCast, None),
    instruction(UncheckedRefCastAddr, MayHaveSideEffects),
    instruction(UncheckedAddrCast, None),
    instruction(UncheckedTrivialBitCast, None),
    instruction(UncheckedBitwiseCast, None),
    instruction(UncheckedValueCast, None),
    instruction(RefToRawPointer, None),
    instruction(RawPointerToRef, None),
    instruction(ConvertFunction, None),
    instruction(Thunk, MayHaveSideEffects).may_release(),
    instruction(ConvertEscapeToNoescape, None),
    instruction(RefToBridgeObject, None),
    instruction(BridgeObjectToRef, None),
    instruction(BridgeObjectToWord, None),
    instruction(ClassifyBridgeObject, None),
    instruction(ValueToBridgeObject, None),
    instruction(ThinToThickFunction, None),
    instruction(UnconditionalCheckedCast, MayRead),
    instruction(UnconditionalCheckedCastAddr, MayHaveSideEffects).may_release(),
    instruction(ImplicitactorToOpaqueisolationCast, None),
];
