//! Loads, stores, copies, addresses and formal accesses: rows of the instruction table.

use super::super::attribute::Attribute as A;
use super::super::information::MemoryBehavior::*;
use super::super::information::{
    Information, Legality, OperandTypeRule as T, OperandUse as U, Piece as P, Punctuation, ResultRule as R, instruction,
};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(Load, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::Take, A::Copy, A::Trivial]), P::Operand])
        .result(R::ObjectOf(0))
        .uses(&[U::NonOwned]),
    instruction(LoadBorrow, MayRead)
        .syntax(&[P::Attributes(&[A::Unchecked]), P::Operand])
        .result(R::ObjectOf(0))
        .uses(&[U::NonOwned])
        .only(Legality::OwnershipOnly),
    instruction(Store, MayHaveSideEffects)
        .may_release()
        .syntax(&[
            P::UntypedOperand(T::ObjectOf(1)),
            P::Word("to"),
            P::Attributes(&[A::Init, A::Assign, A::Trivial]),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::Consume, U::NonOwned]),
    instruction(StoreBorrow, MayWrite)
        .syntax(&[P::UntypedOperand(T::ObjectOf(1)), P::Word("to"), P::Operand])
        .result(R::Operand(1))
        .uses(&[U::Borrow, U::NonOwned])
        .only(Legality::OwnershipOnly),
    instruction(CopyAddr, MayHaveSideEffects)
        .may_release()
        .syntax(&[
            P::Attributes(&[A::Take]),
            P::UntypedOperand(T::Operand(1)),
            P::Word("to"),
            P::Attributes(&[A::Init]),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(ExplicitCopyAddr, MayHaveSideEffects)
        .may_release()
        .syntax(&[
            P::Attributes(&[A::Take]),
            P::UntypedOperand(T::Operand(1)),
            P::Word("to"),
            P::Attributes(&[A::Init]),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::NonOwned])
        .only(Legality::OwnershipOnly),
    instruction(DestroyAddr, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Operand])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(IndexAddr, None)
        .syntax(&[P::Attributes(&[A::StackProtection]), P::Operand, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::NonOwned]),
    instruction(TailAddr, None)
        .syntax(&[
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::Type,
        ])
        .result(R::AddressOf(0))
        .uses(&[U::NonOwned]),
    instruction(VectorBaseAddr, None).syntax(&[P::Operand]).uses(&[U::NonOwned]),
    instruction(IndexRawPointer, None)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Operand])
        .result(R::Operand(0))
        .uses(&[U::NonOwned]),
    instruction(BindMemory, MayReadWrite)
        .syntax(&[P::Operand, P::Punctuation(Punctuation::Comma), P::Operand, P::Word("to"), P::Type])
        .result(R::Builtin(BuiltinType::Word))
        .uses(&[U::NonOwned]),
    instruction(RebindMemory, MayReadWrite)
        .syntax(&[P::Operand, P::Word("to"), P::Operand])
        .result(R::Builtin(BuiltinType::Word))
        .uses(&[U::NonOwned]),
    instruction(BeginAccess, MayHaveSideEffects)
        .syntax(&[
            P::Attributes(&[
                A::Read,
                A::Modify,
                A::Init,
                A::Deinit,
                A::Unknown,
                A::Static,
                A::Dynamic,
                A::Unsafe,
                A::Signed,
                A::NoNestedConflict,
                A::FromBuiltin,
            ]),
            P::Operand,
        ])
        .result(R::Operand(0))
        .uses(&[U::NonOwned]),
    instruction(EndAccess, MayHaveSideEffects)
        .syntax(&[P::Attributes(&[A::Abort]), P::Operand])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(BeginUnpairedAccess, MayHaveSideEffects)
        .syntax(&[
            P::Attributes(&[
                A::Read,
                A::Modify,
                A::Init,
                A::Deinit,
                A::Unknown,
                A::Static,
                A::Dynamic,
                A::Unsafe,
                A::Signed,
                A::NoNestedConflict,
                A::FromBuiltin,
            ]),
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(EndUnpairedAccess, MayHaveSideEffects)
        .syntax(&[
            P::Attributes(&[A::Abort, A::Unknown, A::Static, A::Dynamic, A::Unsafe, A::Signed, A::FromBuiltin]),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::NonOwned]),
    instruction(MarkUninitialized, None)
        .syntax(&[
            P::Attributes(&[
                A::Var,
                A::RootSelf,
                A::CrossModuleRootSelf,
                A::DerivedSelf,
                A::DerivedSelfOnly,
                A::DelegatingSelf,
                A::DelegatingSelfAllocated,
                A::Out,
            ]),
            P::Operand,
            P::Forwarding,
        ])
        .result(R::Operand(0))
        .uses(&[U::Consume])
        .only(Legality::RawOnly),
    instruction(Assign, MayWrite)
        .syntax(&[
            P::UntypedOperand(T::ObjectOf(1)),
            P::Word("to"),
            P::Attributes(&[A::Reassign, A::Reinit, A::Init]),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::Consume, U::NonOwned])
        .only(Legality::RawOnly),
    instruction(AssignByWrapper, MayWrite)
        .syntax(&[
            P::Operand,
            P::Word("to"),
            P::Attributes(&[A::Init, A::Assign, A::AssignWrappedValue]),
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::Word("init"),
            P::Operand,
            P::Punctuation(Punctuation::Comma),
            P::Word("set"),
            P::Operand,
        ])
        .result(R::None)
        .uses(&[U::Consume, U::NonOwned, U::Instantaneous, U::Instantaneous])
        .only(Legality::RawOnly),
    instruction(AssignOrInit, MayWrite)
        .result(R::None)
        .uses(&[U::Instantaneous, U::Consume, U::Instantaneous])
        .only(Legality::RawOnly),
    instruction(MarkFunctionEscape, None)
        .syntax(&[P::OperandList])
        .result(R::None)
        .uses(&[U::NonOwned])
        .only(Legality::RawOnly),
    instruction(MarkUnresolvedMoveAddr, None)
        .syntax(&[P::UntypedOperand(T::Operand(1)), P::Word("to"), P::Operand])
        .result(R::None)
        .uses(&[U::NonOwned])
        .only(Legality::RawOnly),
    instruction(TupleAddrConstructor, MayHaveSideEffects)
        .may_release()
        .syntax(&[P::Attributes(&[A::Init, A::Assign]), P::Operand, P::Word("with"), P::Operands])
        .result(R::None)
        .uses(&[U::NonOwned, U::Consume]),
    instruction(GlobalAddr, None)
        .syntax(&[
            P::Global,
            P::Punctuation(Punctuation::Colon),
            P::Type,
            P::OptionalOperand("depends_on", T::Builtin(BuiltinType::Token)),
        ])
        .result(R::Written(0))
        .uses(&[U::NonOwned]),
    instruction(BaseAddrForOffset, None).syntax(&[P::Type]).result(R::AddressOf(0)),
    instruction(GlobalValue, None)
        .syntax(&[P::Attributes(&[A::Bare]), P::Global, P::Punctuation(Punctuation::Colon), P::Type])
        .result(R::Written(0)),
    instruction(Vector, None).syntax(&[P::Operands]).uses(&[U::Forward]),
];
