//! Repeated calls of lazy property getters. The property is initialised by the first call, so the repeated call reduces
//! to the access of the value (`processLazyPropertyGetters` of lib/SILOptimizer/Transforms/CSE.cpp).

use sil_analysis::ApplySite;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Apply, SwitchEnum};
use sil_ir::model::{Body, Function, FunctionFlag, InstructionId, Place};

use crate::InstructionBuilder;
use crate::editing::inlining::{CallSite, Callee, InlineKind, Inliner};
use crate::editing::ownership_lowering::lower_for_inlining;
use crate::editing::stack_nesting;
use crate::pass::Environment;

/// The lazy property getter that an `apply` calls on an object, if its entry switches on the presence of the value.
pub(super) fn called<'m>(environment: Environment<'m>, body: &Body, call: InstructionId) -> Option<&'m Function> {
    let Environment { module, queries, function, .. } = environment;
    let name = ApplySite::new(body, call)?.called_function()?;
    let getter = &module.functions[module.function_named(name)?];
    let own = getter.body.as_ref().filter(|_| getter.has(FunctionFlag::LazyGetter))?;
    let object = *Apply::of(body, call).arguments.first()?;
    let end = own.terminator(own.entry())?;
    let asks = own.instructions[end].opcode == Opcode::SwitchEnum && own.blocks[own.entry()].arguments.len() == 1;
    // A struct may have been overwritten in between.
    if body.ty(object).is_address() || function.has(FunctionFlag::Ossa) && !getter.has(FunctionFlag::Ossa) || !asks {
        return None;
    }
    let SwitchEnum { operand, targets, .. } = SwitchEnum::of(own, end);
    let is_optional = queries.optional_object(own.ty(operand).ty).is_some();
    let gives_value = targets.first().is_some_and(|_| path_of_value(environment, own, end).is_some());
    (is_optional && gives_value).then_some(getter)
}

/// The index of the switch target that receives the value of an optional.
fn path_of_value(environment: Environment<'_>, body: &Body, switch: InstructionId) -> Option<usize> {
    let SwitchEnum { operand, targets, cases } = SwitchEnum::of(body, switch);
    let ty = body.ty(operand).ty;
    let has_payload = |member: &_| environment.queries.enum_payload_type(ty, *member).is_some();
    let way = cases.members.iter().position(has_payload)?;
    (body.blocks[*targets.get(way)?].arguments.len() == 1).then_some(way)
}

/// Inlines the getters at repeated calls, with the switch folded to the present value.
pub(super) fn inline(
    environment: Environment<'_>,
    body: Body,
    calls: &[InstructionId],
) -> Result<Body, Box<Diagnostic>> {
    let mut body = body;
    let mut breaks_nesting = false;
    for call in calls {
        let Some(getter) = called(environment, &body, *call) else { continue };
        let Some(own) = &getter.body else { continue };
        let lowers = getter.has(FunctionFlag::Ossa) && !environment.function.has(FunctionFlag::Ossa);
        let lowered = lowers.then(|| lower_for_inlining(environment, getter, own)).transpose()?;
        let callee = match &lowered {
            Some((function, body)) => Callee { function, body },
            None => Callee { function: getter, body: own },
        };
        let Apply { arguments, apply, .. } = Apply::of(&body, *call);
        let site = CallSite { call: *call, arguments: arguments.to_vec(), substitutions: apply.substitutions };
        let block = body.instructions[*call].block;
        let lifetimes = environment.settings.lexical_lifetimes;
        let mut inliner =
            Inliner::with(environment.queries, environment.function, &body, InlineKind::Performance, lifetimes);
        inliner.inline(&site, callee);
        body = inliner.finish();
        breaks_nesting |= lowers;
        if let Some(switch) = body.terminator(block) {
            take_value(environment, &mut body, switch);
        }
    }
    body.remove_unreachable_blocks();
    if breaks_nesting {
        stack_nesting::fix(environment.queries.context, &mut body);
    }
    Ok(body)
}

/// Replaces a switch on an optional with a branch to the target of the value.
fn take_value(environment: Environment<'_>, body: &mut Body, switch: InstructionId) -> Option<()> {
    if body.instructions[switch].opcode != Opcode::SwitchEnum {
        return None;
    }
    let way = path_of_value(environment, body, switch)?;
    let SwitchEnum { operand, targets, cases } = SwitchEnum::of(body, switch);
    let (member, target) = (cases.members[way], targets[way]);
    let ty = body.ty(body.blocks[target].arguments[0]);
    let mut builder = InstructionBuilder::new(body, Place::Before(switch), switch);
    let value = builder.unchecked_enum_data(operand, member, ty);
    builder.branch(target, &[value]);
    body.erase(switch);
    Some(())
}
