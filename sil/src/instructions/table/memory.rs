//! Loads, stores, copies, addresses and formal accesses: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Load, MayHaveSideEffects),
    instruction(LoadBorrow, MayRead),
    instruction(Store, MayHaveSideEffects).may_release(),
    instruction(StoreBorrow, MayWrite),
    instruction(CopyAddr, MayHaveSideEffects).may_release(),
    instruction(ExplicitCopyAddr, MayHaveSideEffects).may_release(),
    instruction(DestroyAddr, MayHaveSideEffects).may_release(),
    instruction(IndexAddr, None),
    instruction(TailAddr, None),
    instruction(IndexRawPointer, None),
    instruction(BindMemory, MayReadWrite),
    instruction(RebindMemory, MayReadWrite),
    instruction(BeginAccess, MayHaveSideEffects),
    instruction(EndAccess, MayHaveSideEffects),
    instruction(BeginUnpairedAccess, MayHaveSideEffects),
    instruction(EndUnpairedAccess, MayHaveSideEffects),
    instruction(MarkUninitialized, None),
    instruction(Assign, MayWrite),
    instruction(AssignByWrapper, MayWrite),
    instruction(AssignOrInit, MayWrite),
    instruction(MarkFunctionEscape, None),
    instruction(MarkUnresolvedMoveAddr, None),
    instruction(TupleAddrConstructor, MayHaveSideEffects).may_release(),
    instruction(GlobalAddr, None),
    instruction(BaseAddrForOffset, None),
    instruction(GlobalValue, None),
    instruction(Vector, None),
];
