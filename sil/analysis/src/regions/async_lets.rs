//! `async let`: a closure that runs beside the function until its result is requested
//! (`findAsyncLetPartialApplyFromStart`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::{InstructionId, Value};

use super::calls::is_sendable_function;
use super::closure_uses::called_with_capture;
use super::crossings::crossing_of;
use crate::effects::InstructionEffects;
use crate::thunks::{is_reabstraction_thunk, is_thunk};
use crate::{ApplySite, BodyView, Use};

/// The code of an `async let`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AsyncLetSource {
    /// A closure that captures something.
    Closure(InstructionId),
    /// A function.
    Function,
}

/// The code of the `async let` whose result the call `get` requests.
pub(super) fn source_of_get(view: &BodyView<'_>, get: InstructionId) -> Option<AsyncLetSource> {
    let token = ApplySite::new(view.body, get)?.arguments().first().copied()?;
    let (start, Opcode::Builtin) = view.definition(token)? else { return None };
    source_of(view, view.operand(start, 1)?)
}

fn source_of(view: &BodyView<'_>, start: Value) -> Option<AsyncLetSource> {
    let mut function = start;
    for _ in 0..=view.body.values.len() {
        if is_sendable_function(view, function) {
            return None;
        }
        let (id, opcode) = view.definition(function)?;
        function = match opcode {
            Opcode::ConvertEscapeToNoescape | Opcode::ConvertFunction => view.operand(id, 0)?,
            Opcode::ThinToThickFunction => return Some(AsyncLetSource::Function),
            Opcode::PartialApply => {
                let site = ApplySite::new(view.body, id)?;
                match site.arguments().first() {
                    Some(inner) if is_reabstraction_thunk(view, site.callee()) => *inner,
                    _ => return Some(AsyncLetSource::Closure(id)),
                }
            }
            _ => return None,
        };
    }
    None
}

/// Whether an `async let` runs the closure that `id` makes.
pub fn begins_async_let(view: &BodyView<'_>, id: InstructionId) -> bool {
    let site = ApplySite::new(view.body, id);
    if site.is_none_or(|site| is_thunk(view, site.callee())) {
        return false;
    }
    let Some(mut function) = view.body.result(id) else { return false };
    for _ in 0..=view.body.values.len() {
        match next_function(view, function) {
            Some(next) => function = next,
            None => break,
        }
    }
    let effects = InstructionEffects::new(view.module, view.queries);
    let started = only_user(view, function, Opcode::Builtin).and_then(|user| effects.builtin(view.body, user));
    started == Some(BuiltinKind::Named(NamedBuiltin::StartAsyncLetWithLocalBuffer))
}

/// The function under a thunk or a conversion.
fn next_function(view: &BodyView<'_>, function: Value) -> Option<Value> {
    let thunk = || {
        let [only] = view.uses.of(function) else { return None };
        let site = ApplySite::new(view.body, only.user).filter(|_| view.opcode(only.user) == Opcode::PartialApply)?;
        is_thunk(view, site.callee()).then_some(only.user)
    };
    let user = thunk()
        .or_else(|| only_user(view, function, Opcode::ConvertFunction))
        .or_else(|| only_user(view, function, Opcode::ConvertEscapeToNoescape))?;
    view.body.result(user)
}

/// The only user of a kind.
fn only_user(view: &BodyView<'_>, value: Value, opcode: Opcode) -> Option<InstructionId> {
    let mut users = view.uses.of(value).iter().map(|found| found.user).filter(|user| view.opcode(*user) == opcode);
    users.next().filter(|_| users.next().is_none())
}

/// Whether a closure passes on the capture of `operand` to code of an actor.
pub(super) fn sends_to_actor(view: &BodyView<'_>, operand: Use) -> bool {
    let crossing = called_with_capture(view, operand, crossing_of);
    crossing.flatten().is_some_and(|crossing| crossing.callee.is_isolated())
}
