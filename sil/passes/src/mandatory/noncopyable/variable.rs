//! The debug values of a variable in marked memory: they end where its value is gone, and begin where it has a new one
//! (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp). Does not own: these places.

use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, DebugVariable, Details, InstructionId, Place, Value};

use super::Known;
use crate::InstructionBuilder;
use crate::editing::debug_values::debug_variable;

/// A variable of the source program.
pub(super) struct Variable {
    /// The debug instruction, whose location all new ones get.
    description: InstructionId,
    /// The described value.
    value: Value,
    variable: Option<Box<DebugVariable>>,
}

impl Variable {
    /// Returns the variable of marked memory; `None` without a known name.
    pub(super) fn marked(known: &Known<'_>, mark: InstructionId) -> Option<Self> {
        let body = known.before;
        let mut value = Unary::of(body, mark).operand;
        while let Some(access) = body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::BeginAccess)
        {
            value = Unary::of(body, access).operand;
        }
        let describes = |id: &InstructionId| matches!(body.instructions[*id].details, Details::Variable(_));
        let allocation = body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::AllocStack);
        let mut users = known.uses.of(value).iter().map(|found| found.user).filter(describes);
        let description = allocation.filter(describes).or_else(|| users.next().filter(|_| users.next().is_none()))?;
        let variable = debug_variable(body, description);
        Some(Self { description, value, variable })
    }

    /// Emits the end of the value at `place`.
    pub(super) fn end(&self, body: &mut Body, place: Place) {
        let undefined = body.undef(body.ty(self.value));
        self.describe(body, place, undefined);
    }

    /// Emits a new value at `place`.
    pub(super) fn begin(&self, body: &mut Body, place: Place) {
        self.describe(body, place, self.value);
    }

    /// Emits the end of the value after `instruction`.
    pub(super) fn end_after(&self, body: &mut Body, instruction: InstructionId) {
        let successors = body.targets(instruction).to_vec();
        if successors.is_empty() {
            return self.end(body, Place::After(instruction));
        }
        for successor in successors {
            self.end(body, Place::Start(successor));
        }
    }

    fn describe(&self, body: &mut Body, place: Place, value: Value) {
        let mut builder = InstructionBuilder::new(body, place, self.description);
        builder.debug_value(value, self.variable.clone());
    }
}
