//! Automatic differentiation: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(DifferentiableFunction, None),
    instruction(LinearFunction, None),
    instruction(DifferentiableFunctionExtract, None).uses(&[U::Forward]),
    instruction(LinearFunctionExtract, None).uses(&[U::Forward]),
    instruction(DifferentiabilityWitnessFunction, None),
];
