//! Objective-C blocks: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, Piece as P, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(ProjectBlockStorage, None).syntax(&[P::Operand]).uses(&[U::NonOwned]),
    instruction(InitBlockStorageHeader, None).uses(&[U::NonOwned]),
];
