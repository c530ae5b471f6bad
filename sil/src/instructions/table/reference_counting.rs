//! Retains, releases, uniqueness and reference storage: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(StrongRetain, MayHaveSideEffects),
    instruction(StrongRelease, MayHaveSideEffects).may_release(),
    instruction(RetainValue, MayHaveSideEffects),
    instruction(RetainValueAddr, MayHaveSideEffects),
    instruction(ReleaseValue, MayHaveSideEffects).may_release(),
    instruction(ReleaseValueAddr, MayHaveSideEffects).may_release(),
    instruction(AutoreleaseValue, MayHaveSideEffects),
    instruction(UnmanagedRetainValue, MayHaveSideEffects),
    instruction(UnmanagedReleaseValue, MayHaveSideEffects).may_release(),
    instruction(UnmanagedAutoreleaseValue, MayHaveSideEffects),
    instruction(StrongRetainUnowned, MayHaveSideEffects),
    instruction(UnownedRetain, MayHaveSideEffects),
    instruction(UnownedRelease, MayHaveSideEffects).may_release(),
    instruction(RefToUnowned, None),
    instruction(UnownedToRef, None),
    instruction(RefToUnmanaged, None),
    instruction(UnmanagedToRef, None),
    instruction(StrongCopyWeakValue, MayHaveSideEffects),
    instruction(StrongCopyUnownedValue, MayHaveSideEffects),
    instruction(StrongCopyUnmanagedValue, MayHaveSideEffects),
    instruction(WeakCopyValue, MayHaveSideEffects),
    instruction(UnownedCopyValue, MayHaveSideEffects),
    instruction(LoadWeak, MayHaveSideEffects),
    instruction(StoreWeak, MayHaveSideEffects),
    instruction(LoadUnowned, MayHaveSideEffects),
    instruction(StoreUnowned, MayHaveSideEffects),
    instruction(IsUnique, MayHaveSideEffects),
    instruction(BeginCowMutation, MayHaveSideEffects),
    instruction(EndCowMutation, None),
    instruction(EndCowMutationAddr, MayHaveSideEffects),
    instruction(DestroyNotEscapedClosure, MayHaveSideEffects).may_release(),
    instruction(CopyBlock, MayHaveSideEffects),
    instruction(CopyBlockWithoutEscaping, MayHaveSideEffects),
];
