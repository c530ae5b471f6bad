//! Ownership, lifetimes and dependences: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, Legality, OperandUse as U, Piece as P, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(CopyValue, None)
        .syntax(&[P::Operand])
        .result(R::Operand(0))
        .uses(&[U::InstantaneousOrUnowned])
        .only(Legality::OwnershipOnly),
    instruction(ExplicitCopyValue, None)
        .syntax(&[P::Operand])
        .result(R::Operand(0))
        .uses(&[U::InstantaneousOrUnowned])
        .only(Legality::OwnershipOnly),
    instruction(DestroyValue, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::Poison, A::DeadEnd]), P::Operand])
        .result(R::None)
        .uses(&[U::Consume])
        .only(Legality::OwnershipOnly),
    instruction(MoveValue, None)
        .syntax(&[P::Attributes(&[A::AllowsDiagnostics, A::Lexical, A::PointerEscape, A::VarDecl]), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::Consume]),
    instruction(DropDeinit, MayHaveSideEffects)
        .syntax(&[P::Operand])
        .result(R::Operand(0))
        .uses(&[U::Forward])
        .only(Legality::OwnershipOnly),
    instruction(BeginBorrow, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::Lexical, A::PointerEscape, A::VarDecl, A::Fixed]), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::Borrow]),
    instruction(Borrowed, None)
        .syntax(&[P::Operand, P::Word("from"), P::Operands])
        .result(R::Operand(0))
        .uses(&[U::ForwardBorrowed, U::Borrow]),
    instruction(EndBorrow, MayHaveSideEffects)
        .syntax(&[P::Operand])
        .result(R::None)
        .uses(&[U::EndBorrow])
        .only(Legality::OwnershipOnly),
    instruction(EndLifetime, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Operand])
        .result(R::None)
        .uses(&[U::Consume])
        .only(Legality::OwnershipOnly),
    instruction(ExtendLifetime, None)
        .syntax(&[P::Operand])
        .result(R::None)
        .uses(&[U::Instantaneous])
        .only(Legality::OwnershipOnly),
    instruction(FixLifetime, MayHaveSideEffects).syntax(&[P::Operand]).result(R::None).uses(&[U::Instantaneous]),
    instruction(MarkDependence, None)
        .syntax(&[
            P::Attributes(&[A::Unresolved, A::NonEscaping]),
            P::Operand,
            P::Word("on"),
            P::Operand,
            P::Forwarding,
        ])
        .result(R::Operand(0))
        .uses(&[U::Forward, U::Escape]),
    instruction(MarkDependenceAddr, MayReadWrite)
        .syntax(&[P::Attributes(&[A::Unresolved, A::NonEscaping]), P::Operand, P::Word("on"), P::Operand])
        .result(R::None)
        .uses(&[U::NonOwned, U::Escape]),
    instruction(UncheckedOwnershipConversion, None)
        .may_release()
        .result(R::Operand(0))
        .uses(&[U::Escape])
        .only(Legality::OwnershipOnly),
    instruction(UncheckedOwnership, None)
        .syntax(&[P::Operand, P::Forwarding])
        .result(R::Operand(0))
        .uses(&[U::Instantaneous])
        .only(Legality::OwnershipOnly),
    instruction(MarkUnresolvedNonCopyableValue, None)
        .syntax(&[
            P::Attributes(&[
                A::Strict,
                A::ConsumableAndAssignable,
                A::NoConsumeOrAssign,
                A::AssignableButNotConsumable,
                A::InitableButNotConsumable,
            ]),
            P::Operand,
        ])
        .result(R::Operand(0))
        .uses(&[U::Forward])
        .only(Legality::RawOnly),
    instruction(MarkUnresolvedReferenceBinding, None)
        .syntax(&[P::Attributes(&[A::InOut]), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::Forward])
        .only(Legality::RawOnly),
    instruction(CopyableToMoveonlywrapper, None)
        .syntax(&[P::Attributes(&[A::Owned, A::Guaranteed]), P::Operand])
        .uses(&[U::Forward]),
    instruction(MoveonlywrapperToCopyable, None)
        .syntax(&[P::Attributes(&[A::Owned, A::Guaranteed]), P::Operand])
        .uses(&[U::Forward]),
    instruction(MoveonlywrapperToCopyableBox, None).syntax(&[P::Operand]).uses(&[U::Forward]),
    instruction(MoveonlywrapperToCopyableAddr, None).syntax(&[P::Operand]).uses(&[U::NonOwned]),
    instruction(CopyableToMoveonlywrapperAddr, None).syntax(&[P::Operand]).uses(&[U::NonOwned]),
    instruction(IgnoredUse, None).syntax(&[P::Operand]).result(R::None).uses(&[U::Instantaneous]),
    instruction(MergeIsolationRegion, None).syntax(&[P::OperandList]).result(R::None).uses(&[U::Instantaneous]),
];
