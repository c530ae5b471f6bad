//! Cleans up values that were passed for removed arguments and are only destroyed now.

use sil_analysis::Uses;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId, Place, Value};

use super::Facts;
use crate::InstructionBuilder;
use crate::editing::unused::remove_unused;
use crate::knowledge::strings::makes_string;

/// A load that is only destroyed becomes a destroy of the memory. A string that is only destroyed is removed.
pub(super) fn clean_up(facts: &Facts<'_>, body: &mut Body, values: &[Value]) {
    for value in values {
        // It may have been removed together with another value.
        let Some(made) = body.defining(*value).filter(|id| body.placed_instructions().any(|placed| placed == *id))
        else {
            continue;
        };
        let users: Vec<InstructionId> = Uses::new(body).of(*value).iter().map(|found| found.user).collect();
        if !users.iter().all(|id| body.instructions[*id].opcode == Opcode::DestroyValue) {
            continue;
        }
        let operands = body.operands(made).to_vec();
        let attributes = body.instructions[made].attributes;
        match body.instructions[made].opcode {
            Opcode::Load if attributes.contains(Attribute::Take) => {
                InstructionBuilder::new(body, Place::Before(made), made).destroy_addr(operands[0]);
            }
            Opcode::Apply if makes_string(facts.environment.module, body, made) => {}
            _ => continue,
        }
        users.into_iter().chain([made]).for_each(|id| body.erase(id));
        remove_unused(body, operands);
    }
}
