//! Defaults that stand for one case alone: switches name the case (`canonicalizeSwitchEnums` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use super::Threader;
use crate::context::MemberId;
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::{Body, Details, InstructionId};
use crate::transform::analyses::Change;
use crate::transform::knowledge::enum_cases;
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
        **cases = enum_cases::with_last_case(cases, case);
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
    let switched = *body.operands(switch).first().filter(|_| is_switch)?;
    enum_cases::case_of_default(environment, body.ty(switched).ty, cases)
}
