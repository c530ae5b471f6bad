//! Existential containers: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(InitExistentialAddr, MayWrite),
    instruction(InitExistentialValue, MayWrite),
    instruction(InitExistentialRef, None),
    instruction(OpenExistentialAddr, MayRead),
    instruction(OpenExistentialRef, None),
    instruction(OpenExistentialValue, MayRead),
    instruction(OpenExistentialBox, MayRead),
    instruction(OpenExistentialBoxValue, MayRead),
    instruction(DeinitExistentialAddr, MayHaveSideEffects),
    instruction(DeinitExistentialValue, MayHaveSideEffects),
];
