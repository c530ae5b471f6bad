//! Objective-C blocks: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] =
    &[instruction(ProjectBlockStorage, None), instruction(InitBlockStorageHeader, None)];
