//! Retains, releases, uniqueness and reference storage: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{
    Information, Legality, OperandTypeRule as T, OperandUse as U, Piece as P, ResultRule as R, instruction,
};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(StrongRetain, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous])
        .only(Legality::LoweredOwnershipOnly),
    instruction(StrongRelease, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Consume])
        .only(Legality::LoweredOwnershipOnly),
    instruction(RetainValue, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous])
        .only(Legality::LoweredOwnershipOnly),
    instruction(RetainValueAddr, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::NonOwned])
        .only(Legality::LoweredOwnershipOnly),
    instruction(ReleaseValue, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Consume])
        .only(Legality::LoweredOwnershipOnly),
    instruction(ReleaseValueAddr, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::NonOwned])
        .only(Legality::LoweredOwnershipOnly),
    instruction(AutoreleaseValue, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Consume]),
    instruction(UnmanagedRetainValue, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::InstantaneousOrUnowned]),
    instruction(UnmanagedReleaseValue, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::InstantaneousOrUnowned]),
    instruction(UnmanagedAutoreleaseValue, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::InstantaneousOrUnowned]),
    instruction(StrongRetainUnowned, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous])
        .only(Legality::LoweredOwnershipOnly),
    instruction(UnownedRetain, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous])
        .only(Legality::LoweredOwnershipOnly),
    instruction(UnownedRelease, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::NonAtomic]), P::Operand])
        .result(R::None)
        .uses(&[U::Consume])
        .only(Legality::LoweredOwnershipOnly),
    instruction(RefToUnowned, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(UnownedToRef, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(RefToUnmanaged, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::Escape]),
    instruction(UnmanagedToRef, None)
        .syntax(&[P::Operand, P::Word("to"), P::Type])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(StrongCopyWeakValue, MayHaveSideEffects).syntax(&[P::Operand]).uses(&[U::Instantaneous]),
    instruction(StrongCopyUnownedValue, MayHaveSideEffects).syntax(&[P::Operand]).uses(&[U::Instantaneous]),
    instruction(StrongCopyUnmanagedValue, MayHaveSideEffects).syntax(&[P::Operand]).uses(&[U::Instantaneous]),
    instruction(WeakCopyValue, MayHaveSideEffects).syntax(&[P::Operand]).uses(&[U::Instantaneous]),
    instruction(UnownedCopyValue, MayHaveSideEffects).syntax(&[P::Operand]).uses(&[U::Instantaneous]),
    instruction(LoadWeak, MayRead).syntax(&[P::Attributes(&[A::Take]), P::Operand]).uses(&[U::NonOwned]),
    instruction(StoreWeak, MayWrite)
        .syntax(&[P::UntypedOperand(T::ReferentOf(1)), P::Word("to"), P::Attributes(&[A::Init]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous, U::NonOwned]),
    instruction(LoadUnowned, MayRead).syntax(&[P::Attributes(&[A::Take]), P::Operand]).uses(&[U::NonOwned]),
    instruction(StoreUnowned, MayWrite)
        .syntax(&[P::UntypedOperand(T::ReferentOf(1)), P::Word("to"), P::Attributes(&[A::Init]), P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous, U::NonOwned]),
    instruction(IsUnique, MayHaveSideEffects)
        .syntax(&[P::Operand])
        .result(R::Builtin(BuiltinType::Integer(1)))
        .uses(&[U::NonOwned]),
    instruction(BeginCowMutation, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::Native]), P::Operand])
        .uses(&[U::Consume]),
    instruction(EndCowMutation, None)
        .syntax(&[P::Attributes(&[A::KeepUnique]), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::Consume]),
    instruction(EndCowMutationAddr, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::NonOwned]),
    instruction(DestroyNotEscapedClosure, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::ObjC]), P::Operand])
        .result(R::Builtin(BuiltinType::Integer(1)))
        .uses(&[U::Consume]),
    // Swift 6.0 has it in the place of the former: it reads the reference count and destroys nothing.
    instruction(IsEscapingClosure, MayRead)
        .syntax(&[P::Attributes(&[A::ObjC]), P::Operand])
        .result(R::Builtin(BuiltinType::Integer(1)))
        .uses(&[U::Instantaneous]),
    instruction(CopyBlock, MayHaveSideEffects)
        .syntax(&[P::Operand])
        .result(R::Operand(0))
        .uses(&[U::InstantaneousOrUnowned]),
    instruction(CopyBlockWithoutEscaping, MayHaveSideEffects)
        .syntax(&[P::Operand, P::Word("withoutEscaping"), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::InstantaneousOrUnowned, U::Consume]),
];
