//! Closure lifetimes: the values that do not escape which raw SIL makes of closures without a promise live no longer than the closures
//! (lib/SILOptimizer/Mandatory/ClosureLifetimeFixup.cpp), and what marks the ends of variables in raw SIL is gone.
//!
//! Owns: how long a closure is kept. `on_stack` makes those that nothing else needs on the stack, `lifetimes` says where values end, `extension` keeps
//! those until the function ends that nobody is seen to need no more before, `blocks` looks after closures that blocks are made of.

mod blocks;
mod extension;
mod lifetimes;
mod on_stack;

use extension::Extension;
pub(in crate::transform) use lifetimes::Lifetimes;
use on_stack::Closures;

use crate::analysis::OwnershipKinds;
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, Details, FunctionFlag, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::analyses::{Analyses, Change};
use crate::transform::optimizations::borrowed_phis;
use crate::transform::pipeline::{Environment, Rewrite};

/// Makes closures live as long as they must in a function with ownership.
pub(in crate::transform) fn fix(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, analyses, .. } = environment;
    if function.has(FunctionFlag::Canonical) || !function.has(FunctionFlag::Ossa) {
        return Ok(None);
    }
    let is_raw = |id: InstructionId| {
        is_not_guaranteed(before, id) || is_end_of_variable(before, id) || blocks::is_copy_without_escaping(before, id)
    };
    if !before.placed_instructions().any(is_raw) {
        return Ok(None);
    }
    let mut body = before.clone();
    let kinds = &OwnershipKinds::new(queries, function, before, analyses.cfg(before));
    let uses = analyses.uses(before);
    let lifetimes = Lifetimes { queries, signature: function.signature, body: before, uses, kinds };
    let extension = Extension::new(environment);
    let mut borrows_optionals = false;
    let closures = on_stack::find(&lifetimes, Closures::All);
    let is_on_stack = |id: InstructionId| closures.iter().any(|closure| closure.conversion == id);
    for id in before.placed_instructions() {
        if is_end_of_variable(before, id) {
            body.erase(id);
        } else if blocks::is_copy_without_escaping(before, id) {
            blocks::lower(&lifetimes, &extension, &mut body, id)?;
        } else if is_not_guaranteed(before, id) && !is_on_stack(id) {
            borrows_optionals |= guarantee(&lifetimes, &extension, &mut body, id)? == Kept::UntilExit;
        }
    }
    on_stack::make(queries, &closures, &mut body);
    if borrows_optionals {
        let environment = Environment { body: &body, analyses: &Analyses::default(), ..environment };
        body = borrowed_phis::update(environment)?.map_or_else(|| body.clone(), |rewrite| rewrite.body);
    }
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// Makes closures on the stack that do not escape and capture a copy of a noncopyable value, in `body`, which `lifetimes` is of: they borrow the
/// value itself.
pub(in crate::transform) fn borrow_noncopyable(lifetimes: &Lifetimes<'_>, body: &mut Body) {
    on_stack::make(lifetimes.queries, &on_stack::find(lifetimes, Closures::OfNoncopyable), body);
}

fn is_not_guaranteed(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    instruction.opcode == Opcode::ConvertEscapeToNoescape && instruction.attributes.contains(Attribute::NotGuaranteed)
}

fn is_end_of_variable(body: &Body, id: InstructionId) -> bool {
    body.instructions[id].opcode == Opcode::ExtendLifetime
}

/// How long a closure is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Until what is made of it ends.
    UntilEnds,
    /// Until the function ends.
    UntilExit,
}

/// Keeps the closure that is converted until the value of the conversion ends, or until the function does where that is not seen.
fn guarantee(
    lifetimes: &Lifetimes<'_>,
    extension: &Extension<'_>,
    body: &mut Body,
    conversion: InstructionId,
) -> Result<Kept, Box<Diagnostic>> {
    let before = lifetimes.body;
    let closure = Unary::of(before, conversion).operand;
    let Some(converted) = before.result(conversion) else { return Ok(Kept::UntilEnds) };
    body.instructions[conversion].attributes.remove(Attribute::NotGuaranteed);
    let is_kept = lifetimes.is_permanent(closure)
        || lifetimes.destroys(closure).is_some_and(|destroys| lifetimes.ends_before(converted, &destroys));
    if is_kept {
        return Ok(Kept::UntilEnds);
    }
    if let Some(ends) = lifetimes.ends(converted) {
        keep_until(body, conversion, closure, &ends);
        return Ok(Kept::UntilEnds);
    }
    let what = "a closure that does not escape and is kept until the function ends, where control comes on ways that nothing can be passed on";
    let unsupported = || Box::new(Diagnostic::unsupported(what, before.instructions[conversion].span));
    extension.keep_converted(body, conversion).ok_or_else(unsupported)?;
    Ok(Kept::UntilExit)
}

/// Converts a copy of the closure, which is destroyed at `ends`.
fn keep_until(body: &mut Body, conversion: InstructionId, closure: Value, ends: &[InstructionId]) {
    let ty = body.ty(closure);
    let mut builder = InstructionBuilder::new(body, Place::Before(conversion), conversion);
    let copy = builder.value(Opcode::CopyValue, Details::None, &[closure], ty);
    body.set_operands(conversion, &[copy]);
    for end in ends {
        let mut builder = InstructionBuilder::new(body, Place::After(*end), *end);
        builder.instruction(Opcode::DestroyValue, Details::None, &[copy]);
    }
}
