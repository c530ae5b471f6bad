//! Continuations: what is got is awaited, and what resumes fits. Where on a path that happens is `verify::flow`'s.

use super::Checker;
use crate::instructions::{Attribute, Opcode};
use crate::model::Ownership;
use crate::types::SilType;
use crate::verify::checker::OwnershipForm;

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    let opcode = checker.instruction.opcode;
    match opcode {
        Opcode::GetAsyncContinuationAddr if checker.takes(1) => {
            checker.address(0);
        }
        Opcode::AwaitAsyncContinuation if checker.takes(1) => awaited(checker),
        _ => {}
    }
}

fn awaited(checker: &mut Checker<'_, '_>) {
    let body = checker.scope.body;
    let got = checker.maker(0);
    let Some(got) =
        got.filter(|got| matches!(got.opcode, Opcode::GetAsyncContinuation | Opcode::GetAsyncContinuationAddr))
    else {
        checker.fail_at_operand(0, "continuation", "only a continuation of `get_async_continuation` can be awaited");
        return;
    };
    let targets = body.targets(checker.id);
    let throws = got.attributes.contains(Attribute::Throws);
    let fits = checker.require((targets.len() == 2) == throws, "continuation", || {
        "an `error` block is needed where, and only where, the continuation is `[throws]`".into()
    });
    if !fits {
        return;
    }
    let expected = usize::from(got.opcode == Opcode::GetAsyncContinuation);
    let count = |index: usize| targets.get(index).map_or(0, |target: &_| body.blocks[*target].arguments.len());
    checker.require(count(0) == expected, "continuation", || {
        format!("the block that resumes must take {expected} arguments")
    });
    if throws {
        checker.require(count(1) == 1, "continuation", || "the `error` block must take the error".into());
    }
    let (Some(error), Some(any_error)) = (targets.get(1), checker.queries().any_error()) else { return };
    let Some(argument) = body.blocks[*error].arguments.first() else { return };
    let fits = checker.same(body.ty(*argument), SilType::object(any_error));
    checker.require(fits, "continuation", || "the `error` block must take an `any Error`".into());
    let owned = body.values[*argument].ownership == Ownership::Owned;
    let qualified = checker.scope.ownership == OwnershipForm::Qualified;
    checker.require(owned || !qualified, "continuation", || "the `error` block must own the error".into());
}
