//! Values that branches passed for arguments which are gone: what is only destroyed now need not be made.

use super::Facts;
use crate::analysis::{ApplySite, Uses};
use crate::instructions::{Attribute, Opcode};
use crate::model::{Body, Details, FunctionAttribute, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::unused::remove_unused;

/// The `@_semantics` of functions that make strings of literals and do nothing else.
const MAKES_STRING: &str = "string.makeUTF8";

/// Memory whose value is only taken to be destroyed is destroyed where it is; strings that are only destroyed are not made.
pub(super) fn clean_up(facts: &Facts<'_>, body: &mut Body, values: &[Value]) {
    for value in values {
        // Removed with another one perhaps.
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
                let mut builder = InstructionBuilder::new(body, Place::Before(made), made);
                builder.instruction(Opcode::DestroyAddr, Details::None, &operands);
            }
            Opcode::Apply if makes_string(facts, body, made) => {}
            _ => continue,
        }
        users.into_iter().chain([made]).for_each(|id| body.erase(id));
        remove_unused(body, operands);
    }
}

fn makes_string(facts: &Facts<'_>, body: &Body, call: InstructionId) -> bool {
    let module = facts.environment.module;
    let called = ApplySite::new(body, call).and_then(ApplySite::called_function);
    let called = called.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
    let says_so = |attribute: &FunctionAttribute| matches!(attribute, FunctionAttribute::Semantics(name) if module.context.text(*name) == MAKES_STRING);
    called.is_some_and(|function| function.attributes.iter().any(says_so))
}
