//! Builtins that are neither arithmetic nor atomic: what Swift's verifier knows of some of them.

use super::Checker;
use crate::context::{BuiltinType, FunctionAttribute, SilType, Type};
use crate::declarations::NominalKind;
use crate::instructions::builtins::NamedBuiltin;
use crate::model::Details;

pub(super) fn verify(checker: &mut Checker<'_, '_>, builtin: NamedBuiltin) {
    use NamedBuiltin::*;
    let name = builtin.name();
    match builtin {
        ZeroInitializer => zero_initializer(checker),
        PrepareInitialization if checker.takes(1) && checker.address(0) => {
            checker.expect_result(SilType::object(checker.queries().void()));
        }
        GetEnumTag if checker.takes(1) => enum_tag(checker),
        GetCurrentAsyncTask | GetCurrentExecutor => {
            let is_async = checker
                .scope
                .conventions
                .is_some_and(|conventions| conventions.function.attributes.contains(FunctionAttribute::Async));
            checker.require(is_async, "builtin-context", || {
                format!("the builtin `{name}` needs a function that is `@async`")
            });
            checker.takes(0);
        }
        InitializeDefaultActor | DestroyDefaultActor if checker.takes(1) => {
            let actor = checker.queries().is_class(checker.ty(0).ty)
                || *checker.operand(0) == Type::Builtin(BuiltinType::NativeObject);
            checker.require_operand(0, actor, "a default actor");
        }
        BuildOrdinaryTaskExecutorRef
        | BuildOrdinarySerialExecutorRef
        | BuildComplexEqualitySerialExecutorRef
        | BuildDefaultActorExecutorRef
            if checker.takes(1) =>
        {
            checker.object(0);
            executor_result(checker);
        }
        BuildMainActorExecutorRef if checker.takes(0) => executor_result(checker),
        ExtractFunctionIsolation => {
            checker.fail("builtin-context", format!("the builtin `{name}` does not stand in SIL"));
        }
        _ => {}
    }
}

fn executor_result(checker: &mut Checker<'_, '_>) {
    let executor = checker.queries().context.ty(Type::Builtin(BuiltinType::Executor));
    checker.expect_result(SilType::object(executor));
}

/// `getEnumTag<E>(address of an E)` is a number of 32 bits.
fn enum_tag(checker: &mut Checker<'_, '_>) {
    let Details::Builtin(builtin) = &checker.instruction.details else { return };
    if let (true, [ty]) = (checker.address(0), &*builtin.substitutions) {
        let queries = checker.queries();
        checker.expect(0, SilType::address(queries.lower_formal(*ty)));
        let is_enum = match queries.declaration_of(*ty) {
            Some(declaration) => declaration.kind == NominalKind::Enum,
            // What is generic may be an enum.
            None => true,
        };
        checker.require_operand(0, is_enum, "the address of an enum");
    }
    let number = checker.queries().context.ty(Type::Builtin(BuiltinType::Integer(32)));
    checker.expect_result(SilType::object(number));
}

/// A value, or memory that is given as an address.
fn zero_initializer(checker: &mut Checker<'_, '_>) {
    let count = checker.operands.len();
    if !checker.require(count <= 1, "operand-count", || {
        format!("the builtin `zeroInitializer` takes one address or nothing, not {count} operands")
    }) {
        return;
    }
    if count == 1 && checker.address(0) {
        let nothing = checker.queries().void();
        checker.expect_result(SilType::object(nothing));
    }
}
