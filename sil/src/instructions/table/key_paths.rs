//! Key paths: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[instruction(Keypath, MayHaveSideEffects).uses(&[U::Consume])];
