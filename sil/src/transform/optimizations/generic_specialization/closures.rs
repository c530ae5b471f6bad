//! Closures over functions that are made for types and take or return values directly: where all that uses a closure can do so too, it does
//! (`trySpecializeApplyOfGeneric` in lib/SILOptimizer/Utils/Generics.cpp). Otherwise the closure is made of a thunk, as in `thunks`.

use super::calls::{Retargeted, can_be_retargeted, retarget_to};
use super::reabstraction::Reabstraction;
use crate::analysis::{ApplyKind, ApplySite, Uses};
use crate::context::{SilType, SubstitutionMapId, Type};
use crate::instructions::{Attribute, Opcode};
use crate::model::{Body, Details, Function, FunctionFlag, InstructionId, Module, Place, Value};
use crate::transform::InstructionBuilder;
use crate::types::{ClosureStorage, TypeQueries};

/// Something that uses a closure and is to use one that passes values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClosureUser {
    /// A call of it.
    Call(InstructionId),
    /// A closure over a thunk, which passes values already: it is not needed any more.
    Reabstraction(InstructionId),
}

/// The type of what `closure` becomes, if it is a `partial_apply`, when it is made of a function that takes and gives values as `made` says.
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

/// What uses `closure`, where all that can use one that passes values as `made` says; none where something cannot.
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

/// Whether a closure only calls another one that it captures, in another way. It may capture what `Self` is, too.
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

/// Lets `users` use the closure that stands in the place of another one, which passed so many arguments, and adds to `retargeted` what is not there any more.
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
                    // The closure that is called instead is used by others.
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

/// Whether a closure takes over the one that it captures: on the stack it only borrows it.
fn owns_capture(caller: &Function, body: &Body, closure: InstructionId) -> bool {
    !caller.has(FunctionFlag::Ossa) || !body.instructions[closure].attributes.contains(Attribute::OnStack)
}

fn copy(body: &mut Body, before: InstructionId, value: Value) -> Value {
    InstructionBuilder::new(body, Place::Before(before), before).copy_value(value)
}
