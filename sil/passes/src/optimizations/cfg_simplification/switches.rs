//! Folds `switch_enum` with a known case, and replaces a default that covers a single case with that case
//! (`simplifySwitchEnumBlock` and `canonicalizeSwitchEnums` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use sil_analysis::Change;
use sil_ir::context::MemberId;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Enum, SwitchEnum};
use sil_ir::model::{BlockId, Body, Details, InstructionId, Ownership, Place, Value};

use super::CfgSimplifier;
use super::knowledge::made_by;
use crate::knowledge::enum_cases;
use crate::pass::{Environment, Rewrite};

/// Replaces the default of each `switch_enum` that covers a single case with that case.
pub(crate) fn name_last_cases(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut body = environment.body.clone();
    let mut is_changed = false;
    for id in environment.body.placed_instructions() {
        let Some(case) = case_of_default(environment, &body, id) else { continue };
        // A default receives the whole enum, but a case would receive its payload.
        let whole = body.operands(id).first().map(|operand| body.ty(*operand).ty);
        let gets_whole = |block: &BlockId| {
            let argument = body.blocks[*block].arguments.first().map(|argument| body.ty(*argument).ty);
            argument.zip(whole).is_some_and(|(argument, whole)| environment.queries.same_type(argument, whole))
        };
        if body.targets(id).last().is_none_or(gets_whole) {
            continue;
        }
        let Details::EnumCases(cases) = &mut body.instructions[id].details else { continue };
        **cases = enum_cases::with_last_case(cases, case);
        is_changed = true;
    }
    Ok(is_changed.then(|| Rewrite::new(environment.function, body, Change::Instructions)))
}

impl CfgSimplifier<'_> {
    /// Folds a `switch_enum` whose operand has a known case on all incoming edges.
    pub(super) fn fold_switch(&mut self, block: BlockId) -> Option<()> {
        let switch = self.end_of_kind(block, |opcode| opcode == Opcode::SwitchEnum)?;
        let operand = SwitchEnum::of(self.body(), switch).operand;
        let case = self.case(operand, block)?;
        self.lead_to_case(switch, case)
    }

    /// Replaces a `switch_enum` with a branch to the target of a case.
    fn lead_to_case(&mut self, switch: InstructionId, case: MemberId) -> Option<()> {
        let SwitchEnum { operand, targets, cases } = SwitchEnum::of(self.body(), switch);
        let index = self.way(self.body().instructions[switch].block, case)?;
        let case = cases.members.get(index).copied().or_else(|| self.case_of_default(switch));
        let target = *targets.get(index)?;
        let received = self.body().blocks[target].arguments.clone();
        let case = case.filter(|_| !received.first().is_some_and(|argument| self.is_whole(*argument, operand)));
        let is_owned = self.simplifier.editor.ownership(operand) == Ownership::Owned;
        let ty = received.first().map(|argument| self.body().ty(*argument));
        self.simplifier.editor.build(Place::Before(switch), switch, |builder| {
            let passed = match (ty, case) {
                (None, _) => {
                    if is_owned {
                        builder.destroy_value(operand);
                    }
                    Vec::new()
                }
                (Some(_), None) => vec![operand],
                (Some(ty), Some(case)) => {
                    vec![builder.unchecked_enum_data(operand, case, ty)]
                }
            };
            builder.branch(target, &passed);
        });
        self.simplifier.editor.erase(switch);
        self.remove_unused_enum(operand);
        Some(())
    }

    fn remove_unused_enum(&mut self, value: Value) {
        if let Some(made) = made_by(self.body(), value, Opcode::Enum)
            && self.simplifier.editor.uses_but_debug(value).is_empty()
        {
            self.simplifier.editor.erase_with_debug_uses(made);
        }
    }

    /// Folds all terminators whose operand was just created.
    pub(super) fn fold_ends(&mut self) {
        for block in self.simplifier.order.to_vec() {
            let Some(end) = self.body().terminator(block) else { continue };
            match self.opcode_at_end(block) {
                Some(Opcode::SwitchEnum) => {
                    let operand = SwitchEnum::of(self.body(), end).operand;
                    if let Some(made) = made_by(self.body(), operand, Opcode::Enum) {
                        let _ = self.take_made_apart(end, made);
                    }
                }
                Some(Opcode::CondBr) => self.simplifier.cond_br(end),
                _ => {}
            }
        }
    }

    /// Folds a `switch_enum` on a newly created enum, and passes the payload to the target.
    fn take_made_apart(&mut self, switch: InstructionId, made: InstructionId) -> Option<()> {
        let Enum { payload, case, .. } = Enum::of(self.body(), made);
        let SwitchEnum { operand, targets, .. } = SwitchEnum::of(self.body(), switch);
        let target = *targets.get(self.way(self.body().instructions[switch].block, case)?)?;
        let received = self.body().blocks[target].arguments.first().copied();
        let is_lost = self.simplifier.editor.ownership(operand) == Ownership::Owned
            && (received.is_none() || self.simplifier.editor.uses(operand).len() > 1);
        if is_lost {
            return self.lead_to_case(switch, case);
        }
        if let Some(received) = received {
            let given = payload.filter(|_| !self.is_whole(received, operand)).unwrap_or(operand);
            self.simplifier.editor.replace_all(received, given);
            self.simplifier.editor.remove_argument(target, 0);
        }
        self.simplifier.editor.build(Place::Before(switch), switch, |builder| builder.branch(target, &[]));
        self.simplifier.editor.erase(switch);
        self.remove_unused_enum(operand);
        Some(())
    }

    /// Returns whether the argument of a switch target is the whole enum. A default receives the whole enum unless it
    /// covers a single case (docs/SIL/Instructions.md, `switch_enum`).
    pub(super) fn is_whole(&self, argument: Value, switched: Value) -> bool {
        self.environment().queries.same_type(self.body().ty(argument).ty, self.body().ty(switched).ty)
    }

    /// The only case that the default of a `switch_enum` covers.
    pub(super) fn case_of_default(&self, switch: InstructionId) -> Option<MemberId> {
        case_of_default(self.environment(), self.body(), switch)
    }
}

fn case_of_default(environment: Environment<'_>, body: &Body, switch: InstructionId) -> Option<MemberId> {
    let instruction = &body.instructions[switch];
    let is_switch = matches!(instruction.opcode, Opcode::SwitchEnum | Opcode::SwitchEnumAddr);
    let Details::EnumCases(cases) = &instruction.details else { return None };
    let switched = *body.operands(switch).first().filter(|_| is_switch)?;
    enum_cases::case_of_default(environment, body.ty(switched).ty, cases)
}
