//! Key paths: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, ResultRule, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] =
    &[instruction(Keypath, MayHaveSideEffects).result(ResultRule::Written(0)).uses(&[U::Consume])];
