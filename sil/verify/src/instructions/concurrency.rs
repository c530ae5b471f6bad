//! Continuations: each is awaited, and resumed with a fitting value. `verify::flow` checks the places on paths.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::instructions::families::Concurrency;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, AwaitAsyncContinuation, Unary};
use sil_ir::model::{Ownership, Stage};

use super::{Checker, Rules};
use crate::checker::OwnershipForm;

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Concurrency) -> Option<Rules> {
    use Concurrency::*;
    let rules: Rules = match opcode {
        GetAsyncContinuationAddr => |checker| {
            let views::GetAsyncContinuationAddr { operand, .. } = checker.view();
            checker.address(operand);
        },
        HopToExecutor => |checker| {
            let Unary { operand } = checker.view();
            executor(checker, operand, &[BuiltinType::Executor, BuiltinType::ImplicitActor])
        },
        ExtractExecutor => |checker| {
            let Unary { operand } = checker.view();
            executor(checker, operand, &[]);
        },
        GetAsyncContinuation => return None,
    };
    Some(rules)
}

/// The operand is an actor, or one of these; optionally.
fn executor(checker: &mut Checker<'_, '_>, operand: usize, builtins: &[BuiltinType]) {
    if checker.scope.module.stage == Stage::Lowered {
        return;
    }
    let queries = checker.queries();
    let ty = checker.ty(operand).ty;
    let ty = queries.optional_object(ty).unwrap_or(ty);
    let fits = match queries.get(ty) {
        Type::Builtin(builtin) => builtins.contains(builtin),
        Type::Nominal(_) => queries.declaration_of(ty).is_some_and(|declaration| match declaration.kind {
            NominalKind::Actor => true,
            NominalKind::Class | NominalKind::Unknown => declaration.origin != Origin::Module,
            NominalKind::Struct | NominalKind::Enum | NominalKind::Protocol => false,
        }),
        Type::Tuple(_) | Type::Function(_) | Type::Metatype { .. } => false,
        _ => true,
    };
    checker.require_operand(operand, fits, "an actor");
}

/// `await_async_continuation`, which is one of the terminators.
pub(super) fn awaited(checker: &mut Checker<'_, '_>) {
    let AwaitAsyncContinuation { continuation, .. } = checker.view();
    let body = checker.scope.body;
    let got = checker.maker(continuation);
    let Some(got) =
        got.filter(|got| matches!(got.opcode, Opcode::GetAsyncContinuation | Opcode::GetAsyncContinuationAddr))
    else {
        checker.fail_at_operand(
            continuation,
            "continuation",
            "only a continuation of `get_async_continuation` can be awaited",
        );
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
