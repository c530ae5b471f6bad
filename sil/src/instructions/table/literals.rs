//! Literals and references to functions: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(IntegerLiteral, None),
    instruction(FloatLiteral, None),
    instruction(StringLiteral, None),
    instruction(FunctionRef, None),
    instruction(DynamicFunctionRef, None),
    instruction(PrevDynamicFunctionRef, None),
    instruction(HasSymbol, MayRead),
];
