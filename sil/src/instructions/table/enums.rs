//! Enums: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Enum, None),
    instruction(UncheckedEnumData, None),
    instruction(InitEnumDataAddr, None),
    instruction(InjectEnumAddr, MayWrite),
    instruction(UncheckedTakeEnumDataAddr, MayWrite),
    instruction(SelectEnum, None),
    instruction(SelectEnumAddr, MayRead),
];
