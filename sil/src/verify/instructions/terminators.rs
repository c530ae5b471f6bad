//! Terminators: what they pass to their successors.

use super::{Checker, Rules};
use crate::context::{BuiltinType, CoroutineKind, SilType, Type};
use crate::instructions::Opcode;
use crate::instructions::families::Terminators;
use crate::model::{BlockId, DefaultCase, Details};
use crate::types::AbstractionPattern;
use crate::verify::checker::OwnershipForm;

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Terminators) -> Option<Rules> {
    use Terminators::*;
    let rules: Rules = match opcode {
        Return => |checker| {
            if checker.takes(1) {
                return_value(checker);
            }
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
            if has_targets(checker, 1) {
                passes(checker, 0, 0..checker.operands.len());
            }
        },
        CondBr => cond_br,
        SwitchValue => switch_value,
        SwitchEnum => switch_enum,
        SwitchEnumAddr => switch_enum_addr,
        CheckedCastBr => checked_cast,
        CheckedCastAddrBr => |checker| {
            if has_targets(checker, 2) && checker.takes(2) && checker.address(0) && checker.address(1) {
                takes(checker, 0, &[]);
                takes(checker, 1, &[]);
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

fn target(checker: &Checker<'_, '_>, index: usize) -> BlockId {
    checker.scope.body.targets(checker.id)[index]
}

fn return_value(checker: &mut Checker<'_, '_>) {
    let Some(conventions) = checker.scope.conventions else { return };
    checker.expect(0, checker.queries().direct_result(conventions));
}

/// It returns a borrowed value together with the scopes that it lies in, which the caller keeps open.
fn return_borrow(checker: &mut Checker<'_, '_>) {
    let count = checker.operands.len();
    if !checker.require(count >= 2, "operand-count", || "`return_borrow` names at least one borrow scope".into()) {
        return;
    }
    return_value(checker);
    let borrows = checker.scope.conventions.is_none_or(|conventions| conventions.returns_borrow());
    checker.require(borrows, "result-convention", || {
        "`return_borrow` needs a function with a `@guaranteed` result: use `return`".into()
    });
    for scope in 1..count {
        let begins = checker
            .maker(scope)
            .is_none_or(|maker| matches!(maker.opcode, Opcode::BeginBorrow | Opcode::LoadBorrow | Opcode::Borrowed));
        checker.require_operand(scope, begins, "a value that begins a borrow scope");
    }
}

fn throw(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) {
        return;
    }
    let Some(conventions) = checker.scope.conventions else { return };
    match checker.queries().direct_error(conventions) {
        Some(error) => {
            checker.expect(0, error);
        }
        None if checker.ty(0).is_address() => checker.tolerantly(|checker| {
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

/// The operands in `range` are the arguments of target number `index`.
fn passes(checker: &mut Checker<'_, '_>, index: usize, range: std::ops::Range<usize>) {
    let block = target(checker, index);
    let body = checker.scope.body;
    let arguments = &body.blocks[block].arguments;
    let name = checker.name();
    if arguments.len() != range.len() {
        let (expected, found) = (arguments.len(), range.len());
        let message = format!("`{name}` passes {found} arguments to a block that takes {expected}");
        let diagnostic = crate::diagnostic::Diagnostic::error("branch-arguments", message, checker.instruction.span);
        checker.scope.report(diagnostic.note("the block is here", body.blocks[block].span));
        return;
    }
    for (operand, argument) in range.zip(arguments) {
        checker.expect(operand, body.ty(*argument));
    }
}

/// Target number `index` takes arguments of exactly these types.
fn takes(checker: &mut Checker<'_, '_>, index: usize, expected: &[SilType]) {
    let block = &checker.scope.body.blocks[target(checker, index)];
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
        let diagnostic = crate::diagnostic::Diagnostic::error("branch-arguments", message, checker.instruction.span);
        let span = block.span;
        checker.scope.report(diagnostic.note("the block is here", span));
    }
}

fn cond_br(checker: &mut Checker<'_, '_>) {
    let Details::CondBranch { true_arguments, .. } = checker.instruction.details else { return };
    let split = 1 + true_arguments as usize;
    if checker.operands.len() < split || !has_targets(checker, 2) {
        return;
    }
    super::memory::expect_builtin(checker, 0, BuiltinType::Integer(1));
    passes(checker, 0, 1..split);
    passes(checker, 1, split..checker.operands.len());
    let same = target(checker, 0) == target(checker, 1);
    checker.require(!same, "same-successor", || "`cond_br` needs two different blocks: use `br`".into());
}

fn switch_value(checker: &mut Checker<'_, '_>) {
    let Details::SwitchValue { default } = checker.instruction.details else { return };
    if checker.operands.is_empty() {
        return;
    }
    let ty = checker.ty(0);
    let integer = matches!(checker.operand(0), Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word));
    checker.require_operand(0, integer || matches!(checker.operand(0), Type::Function(_)), "a builtin integer");
    for operand in 1..checker.operands.len() {
        checker.expect(operand, ty);
    }
    let targets = checker.operands.len() - 1 + usize::from(default == DefaultCase::Present);
    if has_targets(checker, targets) {
        for index in 0..targets {
            takes(checker, index, &[]);
        }
    }
}

fn switch_enum(checker: &mut Checker<'_, '_>) {
    let Details::EnumCases(cases) = &checker.instruction.details else { return };
    let count = cases.members.len() + usize::from(cases.default == DefaultCase::Present);
    if !checker.takes(1) || !checker.object(0) || !has_targets(checker, count) {
        return;
    }
    super::enums::require_cases(checker, cases);
    let ty = checker.ty(0);
    if !checker.is_known(ty.ty) {
        return;
    }
    let qualified = checker.scope.ownership == OwnershipForm::Qualified;
    for (index, member) in cases.members.iter().enumerate() {
        let payload = checker.queries().enum_payload_type(ty.ty, *member).map(SilType::object);
        let found = checker.scope.body.blocks[target(checker, index)].arguments.len();
        match payload {
            // Without ownership a payload that nobody needs may be left away.
            Some(_) if found == 0 && !qualified => {}
            Some(payload) => takes(checker, index, &[payload]),
            None => takes(checker, index, &[]),
        }
    }
    if cases.default == DefaultCase::Present && !qualified {
        takes(checker, count - 1, &[]);
    }
}

fn switch_enum_addr(checker: &mut Checker<'_, '_>) {
    let Details::EnumCases(cases) = &checker.instruction.details else { return };
    let count = cases.members.len() + usize::from(cases.default == DefaultCase::Present);
    if !checker.takes(1) || !checker.address(0) || !has_targets(checker, count) {
        return;
    }
    super::enums::require_cases(checker, cases);
    for index in 0..count {
        takes(checker, index, &[]);
    }
}

fn checked_cast(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) || !checker.object(0) || !has_targets(checker, 2) {
        return;
    }
    let failure = checker.ty(0);
    if let Details::Cast(cast) = &checker.instruction.details {
        let target = checker.queries().lower(cast.target, AbstractionPattern::Opaque);
        takes(checker, 0, &[SilType::object(target)]);
    }
    match checker.scope.ownership {
        OwnershipForm::Qualified => takes(checker, 1, &[failure]),
        OwnershipForm::Lowered => takes(checker, 1, &[]),
    }
}

fn try_apply(checker: &mut Checker<'_, '_>) {
    if !has_targets(checker, 2) {
        return;
    }
    let Some(conventions) = super::calls::full_apply(checker) else { return };
    let throws = conventions.function.error.is_some();
    if !checker.require(throws, "apply-effect", || "`try_apply` needs a callee with an error result".into()) {
        return;
    }
    takes(checker, 0, &[checker.queries().direct_result(conventions)]);
    match checker.queries().direct_error(conventions) {
        Some(error) => takes(checker, 1, &[error]),
        None => takes(checker, 1, &[]),
    }
}
