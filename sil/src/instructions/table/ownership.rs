//! Ownership, lifetimes and dependences: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(CopyValue, None),
    instruction(ExplicitCopyValue, None),
    instruction(DestroyValue, MayHaveSideEffects).may_release(),
    instruction(MoveValue, None),
    instruction(DropDeinit, MayHaveSideEffects),
    instruction(BeginBorrow, MayHaveSideEffects),
    instruction(Borrowed, None),
    instruction(EndBorrow, MayHaveSideEffects),
    instruction(EndLifetime, MayHaveSideEffects).may_release(),
    instruction(ExtendLifetime, None),
    instruction(FixLifetime, MayHaveSideEffects),
    instruction(MarkDependence, None),
    instruction(MarkDependenceAddr, MayReadWrite),
    instruction(UncheckedOwnershipConversion, None).may_release(),
    instruction(MarkUnresolvedNonCopyableValue, None),
    instruction(MarkUnresolvedReferenceBinding, None),
    instruction(CopyableToMoveonlywrapper, None),
    instruction(MoveonlywrapperToCopyable, None),
    instruction(MoveonlywrapperToCopyableBox, None),
    instruction(MoveonlywrapperToCopyableAddr, None),
    instruction(CopyableToMoveonlywrapperAddr, None),
    instruction(IgnoredUse, None),
    instruction(MergeIsolationRegion, None),
];
