//! Enum cases that are unavailable everywhere: no value has them, so that their code is removed when unavailable
//! declarations are (lib/SILOptimizer/Mandatory/DiagnoseUnreachable.cpp).
//!
//! Does not own: the removal of blocks that become unreachable (`unreachable_code`).

use sil_ir::context::{BuiltinType, MemberId, SilType, Type};
use sil_ir::declarations::Availability;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, DefaultCase, Details, EnumCases, FunctionFlag, InstructionId, Place};

use crate::InstructionBuilder;
use crate::pass::Environment;
use crate::pass::settings::UnavailableDeclarations;

/// Returns whether declarations that are unavailable everywhere are removed.
pub(super) fn are_removed(environment: Environment<'_>) -> bool {
    environment.settings.unavailable_declarations == UnavailableDeclarations::Removed
}

/// Removes unavailable cases from the switches of `body`, a body of the environment's function. Returns whether
/// anything changed. A switch without a default gets one that traps.
pub(super) fn remove(environment: Environment<'_>, body: &mut Body) -> bool {
    if !are_removed(environment) {
        return false;
    }
    let switches: Vec<InstructionId> = body.placed_instructions().filter(|id| is_switch(body, *id)).collect();
    switches.into_iter().filter(|switch| remove_from(environment, body, *switch).is_some()).count() > 0
}

fn is_switch(body: &Body, id: InstructionId) -> bool {
    matches!(body.instructions[id].opcode, Opcode::SwitchEnum | Opcode::SwitchEnumAddr)
}

fn remove_from(environment: Environment<'_>, body: &mut Body, switch: InstructionId) -> Option<()> {
    let instruction = &body.instructions[switch];
    let (opcode, attributes) = (instruction.opcode, instruction.attributes);
    let Details::EnumCases(cases) = &instruction.details else { return None };
    let ways: Vec<(MemberId, BlockId)> = cases.members.iter().copied().zip(body.targets(switch).to_vec()).collect();
    let kept: Vec<(MemberId, BlockId)> =
        ways.iter().copied().filter(|(case, _)| !is_unavailable(environment, *case)).collect();
    if kept.len() == ways.len() {
        return None;
    }
    let default = body.targets(switch).get(ways.len()).copied();
    let default = default.unwrap_or_else(|| fail(environment, body, switch));
    let targets: Vec<BlockId> = kept.iter().map(|(_, target)| *target).chain([default]).collect();
    let members = kept.iter().map(|(case, _)| *case).collect();
    let cases = EnumCases { members, default: DefaultCase::Present, counts: Box::default() };
    let operand = body.operands(switch)[0];
    let mut builder = InstructionBuilder::new(body, Place::Before(switch), switch);
    match opcode {
        Opcode::SwitchEnum => builder.with(attributes).switch_enum(operand, cases, &targets),
        _ => builder.with(attributes).switch_enum_addr(operand, cases, &targets),
    };
    body.erase(switch);
    Some(())
}

fn is_unavailable(environment: Environment<'_>, case: MemberId) -> bool {
    let member = environment.queries.context.get_member(case);
    let declared = member.parent.map(|parent| environment.module.declarations.get(parent).cases.as_slice());
    let mut named = declared.unwrap_or_default().iter().filter(|declared| declared.name == member.name);
    named.any(|declared| declared.availability == Availability::Unavailable)
}

/// Creates a block that traps, for a value that cannot exist.
fn fail(environment: Environment<'_>, body: &mut Body, switch: InstructionId) -> BlockId {
    let context = environment.queries.context;
    let bit = SilType::object(context.ty(Type::Builtin(BuiltinType::Integer(1))));
    let operand = body.operands(switch)[0];
    let ty = body.ty(operand);
    let is_passed =
        body.instructions[switch].opcode == Opcode::SwitchEnum && environment.function.has(FunctionFlag::Ossa);
    let ownership = body.values[operand].ownership;
    let block = body.add_block();
    if is_passed {
        body.add_argument(block, ty, ownership);
    }
    let mut builder = InstructionBuilder::new(body, Place::End(block), switch);
    let fails = builder.integer_literal(-1, bit);
    builder.cond_fail(fails, "unexpected enum value");
    builder.unreachable();
    for made in body.instructions_in(block).collect::<Vec<_>>() {
        body.instructions[made].locate_automatically();
    }
    block
}
