//! Automatic differentiation: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(DifferentiableFunction, None),
    instruction(LinearFunction, None),
    instruction(DifferentiableFunctionExtract, None),
    instruction(LinearFunctionExtract, None),
    instruction(DifferentiabilityWitnessFunction, None),
];
