//! Allocation and deallocation: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(AllocStack, None),
    instruction(AllocPack, None),
    instruction(AllocPackMetadata, None),
    instruction(AllocRef, None),
    instruction(AllocRefDynamic, None),
    instruction(AllocBox, None),
    instruction(AllocExistentialBox, MayWrite),
    instruction(AllocGlobal, MayHaveSideEffects),
    instruction(DeallocStack, MayHaveSideEffects),
    instruction(DeallocPack, MayHaveSideEffects),
    instruction(DeallocPackMetadata, MayHaveSideEffects),
    instruction(DeallocStackRef, MayHaveSideEffects),
    instruction(DeallocRef, MayHaveSideEffects),
    instruction(DeallocPartialRef, MayHaveSideEffects),
    instruction(DeallocBox, MayHaveSideEffects),
    instruction(DeallocExistentialBox, MayHaveSideEffects),
    instruction(BeginDeallocRef, None),
    instruction(EndInitLetRef, None),
    instruction(ProjectBox, None),
    instruction(ProjectExistentialBox, None),
];
