//! Structs, tuples, objects and their fields: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Struct, None),
    instruction(StructExtract, None),
    instruction(StructElementAddr, None),
    instruction(Tuple, None),
    instruction(TupleExtract, None),
    instruction(TupleElementAddr, None),
    instruction(DestructureStruct, None),
    instruction(DestructureTuple, None),
    instruction(RefElementAddr, None),
    instruction(RefTailAddr, None),
    instruction(Object, None),
];
