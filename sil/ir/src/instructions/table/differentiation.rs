//! Automatic differentiation: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, OperandUse as U, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(DifferentiableFunction, None).uses(&[U::Forward]),
    instruction(LinearFunction, None).uses(&[U::Forward]),
    instruction(DifferentiableFunctionExtract, None).uses(&[U::ForwardBorrowed]),
    instruction(LinearFunctionExtract, None).uses(&[U::ForwardBorrowed]),
    instruction(DifferentiabilityWitnessFunction, None),
];
