//! Closures over specialisations with direct arguments or results. If all users of a closure can be rewritten, the
//! closure is (`trySpecializeApplyOfGeneric` in lib/SILOptimizer/Utils/Generics.cpp). Otherwise it is created from a
//! thunk, see `thunks`.

use sil_analysis::{ApplyKind, ApplySite, Uses};
use sil_ir::context::{SilType, SubstitutionMapId, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Details, Function, FunctionFlag, InstructionId, Module, Place, Value};
use sil_ir::types::{ClosureStorage, TypeQueries};

use super::calls::{Retargeted, can_be_retargeted, retarget_to};
use super::reabstraction::Reabstraction;
use crate::InstructionBuilder;

/// A user of a closure that can be rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClosureUser {
    /// A call of the closure.
    Call(InstructionId),
    /// A closure over a reabstraction thunk, which has direct arguments already. It becomes redundant.
    Reabstraction(InstructionId),
}

/// The type of the rewritten `partial_apply` `closure`, whose function has the conventions of `made`.
pub(super) fn closure_type(
    queries: &TypeQueries<'_>,
    body: &Body,
    closure: InstructionId,
    (made, substitutions): (&Reabstraction, SubstitutionMapId),
) -> Option<SilType> {
    (body.instructions[closure].opcode == Opcode::PartialApply).then_some(())?;
    let before = body.ty(body.result(closure)?);
    let Type::Function(function) = queries.get(before.ty) else { return None };
    let storage = match body.instructions[closure].attributes.contains(Attribute::OnStack) {
        true => ClosureStorage::Stack,
        false => ClosureStorage::Heap,
    };
    let passed = body.operands(closure).len().checked_sub(1)?;
    let first = made.arguments.len().checked_sub(passed)?;
    let captured = made.captured(first);
    let ty = queries.partial_apply_type(made.ty, substitutions, captured, function.callee, storage)?;
    Some(SilType::object(ty))
}

/// The users of `closure`, if all of them can be rewritten to the conventions of `made`.
pub(super) fn adaptable_users(
    module: &Module,
    queries: &TypeQueries<'_>,
    (body, uses): (&Body, &Uses),
    closure: InstructionId,
    made: &Reabstraction,
) -> Option<Vec<ClosureUser>> {
    let ty = closure_type(queries, body, closure, (made, made.generic_arguments()))?;
    let mut users = Vec::new();
    for found in uses.of(body.result(closure)?) {
        let user = found.user;
        match body.instructions[user].opcode {
            Opcode::DestroyValue | Opcode::DebugValue | Opcode::FixLifetime | Opcode::EndLifetime => {}
            Opcode::StrongRetain | Opcode::StrongRelease | Opcode::RetainValue | Opcode::ReleaseValue => {}
            opcode if ApplyKind::of(opcode).is_some_and(ApplyKind::is_full) && found.operand == 0 => {
                can_be_retargeted(body, user, made).then_some(())?;
                users.push(ClosureUser::Call(user));
            }
            Opcode::PartialApply if found.operand == 1 && is_reabstraction(module, body, user) => {
                let reabstracted = body.ty(body.result(user)?);
                queries.same_sil_type(reabstracted, ty).then_some(())?;
                users.push(ClosureUser::Reabstraction(user));
            }
            _ => return None,
        }
    }
    Some(users)
}

/// Returns whether a closure is a reabstraction thunk over a captured closure. It may also capture dynamic `Self`.
fn is_reabstraction(module: &Module, body: &Body, closure: InstructionId) -> bool {
    let Some(site) = ApplySite::new(body, closure) else { return false };
    let callee = site.callee().and_then(|callee| body.defining(callee));
    let thunk = callee.and_then(|callee| match &body.instructions[callee].details {
        Details::Function(name) => module.function_named(*name),
        _ => None,
    });
    matches!(site.arguments().len(), 1 | 2)
        && thunk.is_some_and(|id| module.functions[id].has(FunctionFlag::ReabstractionThunk))
}

/// Rewrites `users` to use the new closure, which captures `captures` arguments. Adds erased values to `retargeted`.
pub(super) fn adapt(
    queries: &TypeQueries<'_>,
    caller: &Function,
    body: &mut Body,
    users: &[ClosureUser],
    (made, captures): (&Reabstraction, usize),
    retargeted: &mut Retargeted,
) {
    let Some(closure) = body.result(retargeted.call) else { return };
    let left = made.without_captures(body.ty(closure).ty, captures);
    for user in users {
        match *user {
            ClosureUser::Call(call) => {
                if let Some(call) = retarget_to(queries, caller, body, call, &left, |_| closure) {
                    retargeted.replaced.extend(call.replaced);
                    // The closure that is called now has other users.
                    retargeted.unneeded.extend(call.unneeded);
                }
            }
            ClosureUser::Reabstraction(thunk) => {
                let own = if owns_capture(caller, body, thunk) { closure } else { copy(body, thunk, closure) };
                retargeted.replaced.extend(body.result(thunk).map(|result| (result, own)));
                retargeted.unneeded.extend(body.operands(thunk).first());
                retargeted.erased.push(thunk);
                body.erase(thunk);
            }
        }
    }
}

/// Returns whether a closure consumes the captured closure. A stack closure only borrows it.
fn owns_capture(caller: &Function, body: &Body, closure: InstructionId) -> bool {
    !caller.has(FunctionFlag::Ossa) || !body.instructions[closure].attributes.contains(Attribute::OnStack)
}

fn copy(body: &mut Body, before: InstructionId, value: Value) -> Value {
    InstructionBuilder::new(body, Place::Before(before), before).copy_value(value)
}
