//! Terminators: the values that they pass to their successors.

use sil_ir::context::{BuiltinType, CoroutineKind, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::Terminators;
use sil_ir::model::views::{self, Leading, Unary};
use sil_ir::model::{BlockId, DefaultCase};
use sil_ir::types::AbstractionPattern;

use super::{Checker, Rules};
use crate::checker::OwnershipForm;

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Terminators) -> Option<Rules> {
    use Terminators::*;
    let rules: Rules = match opcode {
        Return => |checker| {
            let Unary { operand } = checker.view();
            return_value(checker, operand);
        },
        ReturnBorrow => return_borrow,
        Throw => throw,
        ThrowAddr => |checker| {
            let indirect = checker.scope.conventions.is_some_and(|conventions| conventions.indirect_error().is_some());
            checker.require(indirect, "no-error-result", || {
                "`throw_addr` needs a function with an indirect error result".into()
            });
        },
        Yield => yield_values,
        Unwind => |checker| {
            let coroutine = is_coroutine(checker);
            checker.require(coroutine, "not-a-coroutine", || "only a coroutine can `unwind`".into());
        },
        Br => |checker| {
            let views::Br { arguments, target } = checker.view();
            passes(checker, target, arguments);
        },
        CondBr => cond_br,
        SwitchValue => switch_value,
        SwitchEnum => switch_enum,
        SwitchEnumAddr => switch_enum_addr,
        CheckedCastBr => checked_cast,
        CheckedCastAddrBr => |checker| {
            let views::CheckedCastAddrBr { source, destination, success, failure, .. } = checker.view();
            if checker.address(source) && checker.address(destination) {
                takes(checker, success, &[]);
                takes(checker, failure, &[]);
            }
        },
        TryApply => try_apply,
        AwaitAsyncContinuation => super::concurrency::awaited,
        Unreachable | DynamicMethodBr => return None,
    };
    Some(rules)
}

fn is_coroutine(checker: &Checker<'_, '_>) -> bool {
    checker.scope.conventions.is_some_and(|conventions| conventions.function.coroutine != CoroutineKind::None)
}

fn has_targets(checker: &mut Checker<'_, '_>, count: usize) -> bool {
    let found = checker.scope.body.targets(checker.id).len();
    let name = checker.name();
    checker.require(found == count, "successor-count", || format!("`{name}` leads to {count} blocks, not to {found}"))
}

fn return_value(checker: &mut Checker<'_, '_>, operand: usize) {
    let Some(conventions) = checker.scope.conventions else { return };
    checker.expect(operand, checker.queries().direct_result(conventions));
}

/// It returns a borrowed value together with the scopes that it lies in, which the caller keeps open.
fn return_borrow(checker: &mut Checker<'_, '_>) {
    let views::ReturnBorrow { value, scopes } = checker.view();
    let names_scopes = !scopes.is_empty();
    if !checker.require(names_scopes, "operand-count", || "`return_borrow` names at least one borrow scope".into()) {
        return;
    }
    return_value(checker, value);
    let borrows = checker.scope.conventions.is_none_or(|conventions| conventions.returns_borrow());
    checker.require(borrows, "result-convention", || {
        "`return_borrow` needs a function with a `@guaranteed` result: use `return`".into()
    });
    for scope in scopes {
        let begins = checker
            .maker(scope)
            .is_none_or(|maker| matches!(maker.opcode, Opcode::BeginBorrow | Opcode::LoadBorrow | Opcode::Borrowed));
        checker.require_operand(scope, begins, "a value that begins a borrow scope");
    }
}

fn throw(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let Some(conventions) = checker.scope.conventions else { return };
    match checker.queries().direct_error(conventions) {
        Some(error) => {
            checker.expect(operand, error);
        }
        None if checker.ty(operand).is_address() => checker.tolerantly(|checker| {
            checker.fail("no-error-result", "`throw` needs a function with a direct error result: use `throw_addr`");
        }),
        None => checker.fail("no-error-result", "`throw` needs a function with a direct error result"),
    }
}

fn yield_values(checker: &mut Checker<'_, '_>) {
    let coroutine = is_coroutine(checker);
    let Some(conventions) = checker.scope.conventions else { return };
    if !checker.require(coroutine, "not-a-coroutine", || "only a coroutine can `yield`".into()) {
        return;
    }
    let expected: Vec<SilType> = conventions.yields().collect();
    if checker.takes(expected.len()) {
        for (operand, expected) in expected.into_iter().enumerate() {
            checker.expect(operand, expected);
        }
    }
}

/// The operands in `range` are the arguments of the target `block`.
fn passes(checker: &mut Checker<'_, '_>, block: BlockId, range: std::ops::Range<usize>) {
    let body = checker.scope.body;
    let arguments = &body.blocks[block].arguments;
    let name = checker.name();
    if arguments.len() != range.len() {
        let (expected, found) = (arguments.len(), range.len());
        let message = format!("`{name}` passes {found} arguments to a block that takes {expected}");
        let diagnostic = sil_ir::diagnostic::Diagnostic::error("branch-arguments", message, checker.instruction.span);
        checker.scope.report(diagnostic.note("the block is here", body.blocks[block].span));
        return;
    }
    for (operand, argument) in range.zip(arguments) {
        checker.expect(operand, body.ty(*argument));
    }
}

/// The target takes arguments of exactly these types.
fn takes(checker: &mut Checker<'_, '_>, target: BlockId, expected: &[SilType]) {
    let block = &checker.scope.body.blocks[target];
    let name = checker.name();
    let mismatch = if block.arguments.len() != expected.len() {
        Some(format!("`{name}` passes {} arguments to a block that takes {}", expected.len(), block.arguments.len()))
    } else {
        let pairs = block.arguments.iter().map(|argument| checker.scope.body.ty(*argument)).zip(expected);
        let mut different = pairs.filter(|(found, expected)| !checker.same(**expected, *found));
        different.next().map(|(found, expected)| {
            let (expected, found) = (checker.scope.show(*expected), checker.scope.show(found));
            format!("`{name}` passes `{expected}` to a block that takes `{found}`")
        })
    };
    if let Some(message) = mismatch {
        let diagnostic = sil_ir::diagnostic::Diagnostic::error("branch-arguments", message, checker.instruction.span);
        let span = block.span;
        checker.scope.report(diagnostic.note("the block is here", span));
    }
}

fn cond_br(checker: &mut Checker<'_, '_>) {
    let branch: views::CondBr<'_, usize> = checker.view();
    let Leading(true_arguments) = branch.true_arguments;
    super::memory::expect_builtin(checker, branch.condition, BuiltinType::Integer(1));
    passes(checker, branch.true_target, true_arguments);
    passes(checker, branch.false_target, branch.false_arguments);
    let same = branch.true_target == branch.false_target;
    checker.require(!same, "same-successor", || "`cond_br` needs two different blocks: use `br`".into());
}

fn switch_value(checker: &mut Checker<'_, '_>) {
    let views::SwitchValue { operand, cases, targets, default } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let ty = checker.ty(operand);
    let integer = matches!(checker.operand(operand), Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word));
    let fits = integer || matches!(checker.operand(operand), Type::Function(_));
    checker.require_operand(operand, fits, "a builtin integer");
    let count = cases.len() + usize::from(default == DefaultCase::Present);
    for case in cases {
        checker.expect(case, ty);
    }
    if has_targets(checker, count) {
        for target in targets {
            takes(checker, *target, &[]);
        }
    }
}

fn switch_enum(checker: &mut Checker<'_, '_>) {
    let views::SwitchEnum { operand, targets, cases } = checker.view();
    let count = cases.members.len() + usize::from(cases.default == DefaultCase::Present);
    if !checker.object(operand) || !has_targets(checker, count) {
        return;
    }
    super::enums::require_cases(checker, operand, cases);
    let ty = checker.ty(operand);
    if !checker.is_known(ty.ty) {
        return;
    }
    let qualified = checker.scope.ownership == OwnershipForm::Qualified;
    for (member, target) in cases.members.iter().zip(targets) {
        let payload = checker.queries().enum_payload_type(ty.ty, *member).map(SilType::object);
        let found = checker.scope.body.blocks[*target].arguments.len();
        match payload {
            // Without ownership an unused payload may be omitted.
            Some(_) if found == 0 && !qualified => {}
            Some(payload) => takes(checker, *target, &[payload]),
            None => takes(checker, *target, &[]),
        }
    }
    if cases.default == DefaultCase::Present && !qualified {
        takes(checker, targets[count - 1], &[]);
    }
}

fn switch_enum_addr(checker: &mut Checker<'_, '_>) {
    let views::SwitchEnum { operand, targets, cases } = checker.view();
    let count = cases.members.len() + usize::from(cases.default == DefaultCase::Present);
    if !checker.address(operand) || !has_targets(checker, count) {
        return;
    }
    super::enums::require_cases(checker, operand, cases);
    for target in targets {
        takes(checker, *target, &[]);
    }
}

fn checked_cast(checker: &mut Checker<'_, '_>) {
    let views::CheckedCastBr { operand, success, failure, cast } = checker.view();
    if !checker.object(operand) {
        return;
    }
    // The source of a cast may have had a lowered type of its own.
    let made_for = checker.scope.body.types(checker.id).first().copied();
    let target =
        made_for.unwrap_or_else(|| SilType::object(checker.queries().lower(cast.target, AbstractionPattern::Opaque)));
    takes(checker, success, &[target]);
    match checker.scope.ownership {
        OwnershipForm::Qualified => takes(checker, failure, &[checker.ty(operand)]),
        OwnershipForm::Lowered => takes(checker, failure, &[]),
    }
}

fn try_apply(checker: &mut Checker<'_, '_>) {
    let views::TryApply { normal, error: thrown, .. } = checker.view();
    let Some(conventions) = super::calls::full_apply(checker) else { return };
    let throws = conventions.function.error.is_some();
    if !checker.require(throws, "apply-effect", || "`try_apply` needs a callee with an error result".into()) {
        return;
    }
    takes(checker, normal, &[checker.queries().direct_result(conventions)]);
    match checker.queries().direct_error(conventions) {
        Some(error) => takes(checker, thrown, &[error]),
        None => takes(checker, thrown, &[]),
    }
}
