//! Applies, closures and method lookup.

use sil_ir::context::{
    Conformance, CoroutineKind, FunctionAttribute, FunctionType, NominalId, Representation, SilType, SubstitutionMapId,
    Type, TypeId,
};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::instructions::families::Calls;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{Apply, Details, Stage};
use sil_ir::types::{BrokenRequirement, ClosureStorage, FunctionConventions, WantedLayout};

use super::{Checker, Rules};
use crate::failures::BrokenRule;
use crate::linkage::LinkageRules;

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Calls) -> Option<Rules> {
    use Calls::*;
    let rules: Rules = match opcode {
        Apply => apply,
        BeginApply => begin_apply,
        EndApply | AbortApply => end_apply,
        PartialApply => partial_apply,
        ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod => class_method,
        WitnessMethod => witness_method,
        FunctionExtractIsolation => |checker| {
            let Unary { operand } = checker.view();
            if !checker.object(operand) {
                return;
            }
            let isolated = match checker.operand(operand) {
                Type::Function(function) => function.attributes.contains(FunctionAttribute::IsolatedAny),
                _ => false,
            };
            checker.require_operand(operand, isolated, "an `@isolated(any)` function");
        },
        Builtin => super::builtins::verify,
    };
    Some(rules)
}

/// The callee's type with the generic arguments applied; reports it if callee and arguments do not fit.
fn applied_type<'m>(checker: &mut Checker<'_, 'm>) -> Option<(TypeId, &'m Apply)> {
    let Details::Apply(apply) = &checker.instruction.details else { return None };
    if !checker.object(0) {
        return None;
    }
    let callee = checker.ty(0);
    let (callee_type, operand) = match checker.operand(0) {
        Type::MoveOnlyWrapper(inner) => (*inner, checker.queries().get(*inner)),
        operand => (callee.ty, operand),
    };
    let Type::Function(function) = operand else {
        checker.require_operand(0, false, "a function");
        return None;
    };
    let written = apply.callee_type;
    if !checker.same(written, callee) {
        let (written, found) = (checker.scope.show(written), checker.scope.show(callee));
        checker.fail_at_operand(
            0,
            "callee-type",
            format!("the callee's type is written as `{written}`, but it has type `{found}`"),
        );
        return None;
    }
    check_substitutions(checker, function, apply)?;
    Some((checker.queries().apply_substitutions(callee_type, apply.substitutions), apply))
}

fn check_substitutions(checker: &mut Checker<'_, '_>, function: &FunctionType, apply: &Apply) -> Option<()> {
    let name = checker.name();
    let found = checker.queries().context.replacements(apply.substitutions).len();
    let Some(signature) = function.signature else {
        let fits = checker.require(found == 0, "substitutions", || {
            format!("`{name}` of a callee that is not generic takes no generic arguments")
        });
        return fits.then_some(());
    };
    let expected = checker.queries().context.get_signature(signature).parameters.len();
    let fits = checker.require(found == expected, "substitutions", || {
        format!("the callee has {expected} generic parameters, but `{name}` gives {found} arguments")
    });
    if fits {
        argument_conformances(checker, apply.substitutions);
    }
    fits.then_some(())
}

/// Generic arguments must meet the requirements of the callee, as far as the module's own declarations show:
/// conformances to protocols of other modules may be implied.
fn argument_conformances(checker: &mut Checker<'_, '_>, substitutions: SubstitutionMapId) {
    let queries = checker.queries();
    for conformance in queries.conformances_of(substitutions) {
        let Conformance { ty, protocol, .. } = *queries.context.get_conformance(conformance);
        if queries.declarations.get(protocol).origin == Origin::Module {
            super::existentials::require_conformance(checker, ty, protocol);
        }
    }
    if let Some(broken) = queries.broken_requirement(substitutions) {
        let show = |ty| checker.scope.show(SilType::object(ty));
        let wanted = match broken {
            BrokenRequirement::SameType { first, second } => {
                format!("`{}` and `{}` to be the same", show(first), show(second))
            }
            BrokenRequirement::Superclass { subject, superclass } => {
                format!("`{}` to be `{}` or to inherit from it", show(subject), show(superclass))
            }
            BrokenRequirement::Layout { subject, wanted: WantedLayout::Reference } => {
                format!("`{}` to be a reference to an object", show(subject))
            }
            BrokenRequirement::Layout { subject, wanted: WantedLayout::Trivial } => {
                format!("`{}` to be trivial", show(subject))
            }
        };
        checker.fail("substitutions", format!("the callee requires {wanted}"));
    }
}

/// The conventions of a full apply site, its arguments checked.
pub(super) fn full_apply<'m>(checker: &mut Checker<'_, 'm>) -> Option<FunctionConventions<'m>> {
    let (applied, _) = applied_type(checker)?;
    let conventions = checker.queries().conventions(applied)?;
    let (expected, found) = (conventions.argument_count(), checker.operands.len() - 1);
    let name = checker.name();
    if expected != found {
        checker.fail_at_operand(
            0,
            "argument-count",
            format!("the callee takes {expected} arguments, but `{name}` passes {found}"),
        );
        return None;
    }
    for (index, argument) in conventions.arguments().enumerate() {
        checker.expect(index + 1, argument.ty);
    }
    check_effects(checker, conventions.function);
    Some(conventions)
}

fn check_effects(checker: &mut Checker<'_, '_>, callee: &FunctionType) {
    let attributes = checker.instruction.attributes;
    let is_async = callee.attributes.contains(FunctionAttribute::Async);
    let caller_async = checker
        .scope
        .conventions
        .is_some_and(|conventions| conventions.function.attributes.contains(FunctionAttribute::Async));
    if attributes.contains(Attribute::NoAsync) {
        checker.require(is_async, "apply-effect", || "`[noasync]` needs a callee that is `@async`".into());
    } else {
        checker.require(!is_async || caller_async, "apply-effect", || {
            "an `@async` function can only be called from an `@async` function".into()
        });
    }
}

fn apply(checker: &mut Checker<'_, '_>) {
    let Some(conventions) = full_apply(checker) else { return };
    checker.expect_result(checker.queries().direct_result(conventions));
    require_error_handled(checker, conventions.function);
    let coroutine = conventions.function.coroutine != CoroutineKind::None;
    checker.require(!coroutine, "coroutine-call", || "a coroutine is called by `begin_apply`, not by `apply`".into());
}

fn require_error_handled(checker: &mut Checker<'_, '_>, callee: &FunctionType) {
    let throws = callee.error.is_some();
    if checker.instruction.attributes.contains(Attribute::NoThrow) {
        checker.require(throws, "apply-effect", || "`[nothrow]` needs a callee with an error result".into());
    } else {
        let name = checker.name();
        checker.require(!throws, "apply-effect", || {
            format!("the callee may throw: `{name}` needs `[nothrow]`, or use `try_apply`")
        });
    }
}

fn begin_apply(checker: &mut Checker<'_, '_>) {
    let Some(conventions) = full_apply(checker) else { return };
    require_error_handled(checker, conventions.function);
    let once = matches!(conventions.function.coroutine, CoroutineKind::YieldOnce | CoroutineKind::YieldOnce2);
    if !checker.require(once, "coroutine-call", || "`begin_apply` needs a coroutine that yields once".into()) {
        return;
    }
    let body = checker.scope.body;
    let results: Vec<SilType> = body.results(checker.id).map(|value| body.ty(value)).collect();
    for (index, (expected, found)) in conventions.yields().zip(results).enumerate() {
        if !checker.same(expected, found) {
            let (expected, found) = (checker.scope.show(expected), checker.scope.show(found));
            checker
                .fail("result-type", format!("the callee yields `{expected}` as value {}, not `{found}`", index + 1));
        }
    }
}

fn end_apply(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let begin = checker.maker(operand).filter(|maker| maker.opcode == Opcode::BeginApply);
    let name = checker.name();
    if let (Opcode::AbortApply, Some(begin)) = (checker.instruction.opcode, begin) {
        let allocated = match &begin.details {
            Details::Apply(apply) => match checker.queries().get(apply.callee_type.ty) {
                Type::Function(function) => function.coroutine == CoroutineKind::YieldOnce2,
                _ => false,
            },
            _ => false,
        };
        if allocated {
            let message = "a `@yield_once_2` coroutine is ended by `end_apply`, never aborted";
            checker.fail_as(BrokenRule::AbortedCoroutine, "coroutine-abort", message);
        }
    }
    let Some(begin) = begin else {
        let message = format!("operand 1 of `{name}` must be the token of a `begin_apply`");
        return checker.fail_at_operand(operand, "coroutine-token", message);
    };
    let callee =
        checker.scope.body.defining(checker.operands[operand]).and_then(|id| checker.scope.body.operands(id).first());
    if let (Opcode::EndApply, Some(callee), Details::Apply(apply)) =
        (checker.instruction.opcode, callee, &begin.details)
    {
        let callee = checker.scope.body.ty(*callee).ty;
        if let Some(conventions) = checker.queries().applied_conventions(callee, apply.substitutions) {
            checker.expect_result(checker.queries().direct_result(conventions));
        }
    }
}

fn partial_apply(checker: &mut Checker<'_, '_>) {
    let Some((applied, _)) = applied_type(checker) else { return };
    let Some(conventions) = checker.queries().conventions(applied) else { return };
    let captured = checker.operands.len() - 1;
    let Some(first) =
        conventions.first_applied_argument(captured).filter(|_| captured <= conventions.function.parameters.len())
    else {
        let count = conventions.function.parameters.len();
        checker.fail_at_operand(
            0,
            "argument-count",
            format!("`partial_apply` binds {captured} arguments, but the callee takes {count}"),
        );
        return;
    };
    for (index, argument) in conventions.arguments().skip(first).enumerate() {
        checker.expect(index + 1, argument.ty);
    }
    check_closure(checker, applied, captured);
}

fn check_closure(checker: &mut Checker<'_, '_>, applied: TypeId, captured: usize) {
    let Some(result) = checker.result() else { return };
    let Type::Function(closure) = checker.queries().get(result.ty) else { return };
    let on_stack = checker.instruction.attributes.contains(Attribute::OnStack);
    let storage = if on_stack { ClosureStorage::Stack } else { ClosureStorage::Heap };
    let Some(expected) =
        checker.queries().partial_apply_type(applied, SubstitutionMapId::EMPTY, captured, closure.callee, storage)
    else {
        return;
    };
    let expected = with_called_attributes(checker, expected, closure);
    let isolated = closure.attributes.contains(FunctionAttribute::IsolatedAny);
    if !isolated && !checker.same(SilType::object(expected), result) {
        checker.expect_result(SilType::object(expected));
    }
}

/// The type of a closure that may be called as often as `closure` may: `partial_apply` states that beside its operands.
fn with_called_attributes(checker: &Checker<'_, '_>, expected: TypeId, closure: &FunctionType) -> TypeId {
    let context = checker.queries().context;
    let Type::Function(function) = context.get(expected) else { return expected };
    let mut function = function.clone();
    for attribute in [FunctionAttribute::CalledAtMostOnce, FunctionAttribute::CalledExactlyOnce] {
        if closure.attributes.contains(attribute) {
            function.attributes.insert(attribute);
        }
    }
    context.ty(Type::Function(function))
}

fn class_method(checker: &mut Checker<'_, '_>) {
    let views::ClassMethod { operand, .. } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let queries = checker.queries();
    if matches!(checker.instruction.opcode, Opcode::ClassMethod | Opcode::SuperMethod) {
        let fits = match checker.operand(operand) {
            Type::Metatype { instance, .. } => queries.is_class(*instance) || queries.is_type_parameter(*instance),
            _ => {
                let ty = checker.ty(operand).ty;
                queries.is_class(ty) || queries.is_type_parameter(ty)
            }
        };
        checker.require_operand(operand, fits, "an object of a class, or the metatype of one");
        if require_function_result(checker) {
            method_type(checker);
        }
        return;
    }
    require_function_result(checker);
}

/// Whether a class inherits from a generic one: an override has the convention of the overridden method.
fn has_generic_superclass(checker: &Checker<'_, '_>, class: NominalId) -> bool {
    let queries = checker.queries();
    let identity = queries.declarations.identity(queries.context, class);
    let superclasses = std::iter::successors(queries.superclass_of(identity), |ty| queries.superclass_of(*ty));
    // A class that inherits from itself is another error.
    superclasses
        .take(MOST_SUPERCLASSES)
        .any(|ty| queries.as_nominal(ty).is_some_and(|nominal| !nominal.arguments.is_empty()))
}

/// So many superclasses are looked at.
const MOST_SUPERCLASSES: usize = 64;

/// A method of a class is called by its declaration. In Embedded Swift methods are specialized.
fn method_type(checker: &mut Checker<'_, '_>) {
    if checker.scope.linkage == LinkageRules::Embedded || checker.scope.module.stage == Stage::Lowered {
        return;
    }
    let (Details::Method(method), Some(result)) = (&checker.instruction.details, checker.result()) else { return };
    let queries = checker.queries();
    let Type::Function(found) = queries.get(result.ty) else { return };
    let misfit = if found.representation == Representation::Method {
        let member = queries.context.get_member(method.member);
        let formal =
            method.formal_type.filter(|_| !member.parent.is_some_and(|class| has_generic_superclass(checker, class)));
        formal.and_then(|formal| super::functions::method_misfit(queries, found, formal, member))
    } else {
        Some("it must be `@convention(method)`".to_owned())
    };
    if let Some(misfit) = misfit {
        let shown = checker.scope.show(result);
        checker.fail("method-type", format!("the method cannot have type `{shown}`: {misfit}"));
    }
}

fn require_function_result(checker: &mut Checker<'_, '_>) -> bool {
    let Some(result) = checker.result() else { return false };
    let fits = match checker.queries().get(result.ty) {
        Type::Function(function) => !matches!(function.representation, Representation::Thick | Representation::Block),
        _ => false,
    };
    let (name, shown) = (checker.name(), checker.scope.show(result));
    checker.require(fits, "result-type", || {
        format!("the result of `{name}` must be a function without context, not `{shown}`")
    })
}

fn witness_method(checker: &mut Checker<'_, '_>) {
    if !require_function_result(checker) {
        return;
    }
    let Some(result) = checker.result() else { return };
    let Type::Function(function) = checker.queries().get(result.ty) else { return };
    let fits = matches!(function.representation, Representation::WitnessMethod(_) | Representation::ObjCMethod);
    checker.require(fits, "result-type", || {
        "`witness_method` gives a function with `@convention(witness_method: …)`".into()
    });
    let Details::Method(method) = &checker.instruction.details else { return };
    let member = checker.queries().context.get_member(method.member);
    let protocol = member.parent.filter(|parent| {
        let declaration = checker.queries().declarations.get(*parent);
        declaration.kind == NominalKind::Protocol && declaration.origin == Origin::Module
    });
    if let (Some(protocol), Some(lookup)) = (protocol, method.lookup) {
        super::existentials::require_conformance(checker, lookup, protocol);
    }
}
