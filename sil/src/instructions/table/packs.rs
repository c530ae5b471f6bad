//! Parameter packs: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(TuplePackElementAddr, None),
    instruction(TuplePackExtract, None),
    instruction(PackElementGet, None),
    instruction(PackElementSet, MayHaveSideEffects),
    instruction(OpenPackElement, None),
    instruction(PackLength, None),
    instruction(DynamicPackIndex, None),
    instruction(PackPackIndex, None),
    instruction(ScalarPackIndex, None),
];
