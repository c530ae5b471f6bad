//! Defaults that stand for one case alone: switches name the case (`canonicalizeSwitchEnums` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use super::Threader;
use crate::context::{Distribution, Foreign, MemberId, MemberKind, MemberRef, MemberTarget, NominalId, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::{Body, DefaultCase, Details, InstructionId};
use crate::transform::analyses::Change;
use crate::transform::pipeline::{Environment, Rewrite};

/// Lets the switches over enums in a function name the last case in the place of a default.
pub(in crate::transform) fn name_last_cases(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut body = environment.body.clone();
    let mut is_changed = false;
    for id in environment.body.placed_instructions() {
        let Some(case) = case_of_default(environment, &body, id) else { continue };
        // With ownership, a default gets the whole enum and a case its payload.
        let default = body.targets(id).last();
        if default.is_none_or(|block| !body.blocks[*block].arguments.is_empty()) {
            continue;
        }
        let Details::EnumCases(cases) = &mut body.instructions[id].details else { continue };
        cases.members = cases.members.iter().copied().chain([case]).collect();
        cases.default = DefaultCase::Absent;
        is_changed = true;
    }
    Ok(is_changed.then(|| Rewrite::new(environment.function, body, Change::Instructions)))
}

impl Threader<'_> {
    /// The only case that the default of a `switch_enum` stands for.
    pub(super) fn case_of_default(&self, switch: InstructionId) -> Option<MemberId> {
        case_of_default(self.environment, &self.body, switch)
    }
}

fn case_of_default(environment: Environment<'_>, body: &Body, switch: InstructionId) -> Option<MemberId> {
    let instruction = &body.instructions[switch];
    let is_switch = matches!(instruction.opcode, Opcode::SwitchEnum | Opcode::SwitchEnumAddr);
    let Details::EnumCases(cases) = &instruction.details else { return None };
    if !is_switch || cases.default == DefaultCase::Absent {
        return None;
    }
    let context = environment.queries.context;
    let Type::Nominal(nominal) = context.get(body.ty(*body.operands(switch).first()?).ty) else { return None };
    let declaration = environment.module.declarations.get(nominal.declaration);
    // Such an enum may have more cases as the program runs.
    if declaration.attributes.resilient && !declaration.attributes.frozen {
        return None;
    }
    let written: Vec<_> = cases.members.iter().map(|member| context.get_member(*member).name).collect();
    let mut left = (0u32..).zip(&declaration.cases).filter(|(_, case)| !written.contains(&case.name));
    match (left.next(), left.next()) {
        (Some((index, case)), None) => Some(member(environment, nominal.declaration, index, case.name)),
        _ => None,
    }
}

fn member(environment: Environment<'_>, parent: NominalId, index: u32, name: crate::context::Name) -> MemberId {
    environment.queries.context.member(MemberRef {
        parent: Some(parent),
        name,
        kind: MemberKind::EnumElement,
        target: MemberTarget::Case(index),
        uncurry_level: None,
        distribution: Distribution::None,
        foreign: Foreign::No,
        derivative: None,
        overload: None,
    })
}
