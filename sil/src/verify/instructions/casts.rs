//! Casts of references, pointers, bits and addresses, and checked casts.

use super::{Checker, Rules};
use crate::context::{BuiltinType, SilType, Type};
use crate::instructions::families::Casts;
use crate::types::{Knowledge, TypeProperties};

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Casts) -> Option<Rules> {
    use Casts::*;
    let rules: Rules = match opcode {
        Upcast => upcast,
        AddressToPointer => |checker| {
            if checker.takes(1) && checker.address(0) {
                expect_builtin_result(checker, BuiltinType::RawPointer);
            }
        },
        PointerToAddress => |checker| {
            if checker.takes(1) {
                checker.tolerantly(|checker| {
                    super::memory::expect_builtin(checker, 0, BuiltinType::RawPointer);
                });
                require_address_result(checker);
            }
        },
        UncheckedRefCast => unchecked_ref_cast,
        UncheckedAddrCast => |checker| {
            if checker.takes(1) && checker.address(0) {
                require_address_result(checker);
            }
        },
        UncheckedTrivialBitCast => |checker| {
            if checker.takes(1) && checker.object(0) {
                require_trivial_result(checker);
            }
        },
        UncheckedBitwiseCast | UncheckedValueCast => |checker| {
            if checker.takes(1) {
                checker.object(0);
            }
        },
        UncheckedRefCastAddr | UnconditionalCheckedCastAddr => |checker| {
            if checker.takes(2) {
                checker.tolerantly(|checker| {
                    checker.address(0);
                    checker.address(1);
                });
            }
        },
        RefToRawPointer => |checker| {
            if checker.takes(1) && super::reference_counting::require_reference(checker, 0) {
                expect_builtin_result(checker, BuiltinType::RawPointer);
            }
        },
        RawPointerToRef => |checker| {
            if checker.takes(1) && super::memory::expect_builtin(checker, 0, BuiltinType::RawPointer) {
                require_reference_result(checker);
            }
        },
        RefToBridgeObject => |checker| {
            if checker.takes(2) && super::reference_counting::require_reference(checker, 0) {
                super::memory::expect_builtin(checker, 1, BuiltinType::Word);
                expect_builtin_result(checker, BuiltinType::BridgeObject);
            }
        },
        BridgeObjectToRef => |checker| {
            if checker.takes(1) && super::memory::expect_builtin(checker, 0, BuiltinType::BridgeObject) {
                require_reference_result(checker);
            }
        },
        BridgeObjectToWord => |checker| {
            if checker.takes(1) && super::memory::expect_builtin(checker, 0, BuiltinType::BridgeObject) {
                expect_builtin_result(checker, BuiltinType::Word);
            }
        },
        ValueToBridgeObject => |checker| {
            if checker.takes(1) && checker.object(0) {
                expect_builtin_result(checker, BuiltinType::BridgeObject);
            }
        },
        UnconditionalCheckedCast => |checker| {
            if checker.takes(1) {
                checker.object(0);
            }
        },
        ConvertFunction => super::functions::convert_function,
        ConvertEscapeToNoescape => super::functions::convert_escape_to_noescape,
        ThinToThickFunction => super::functions::thin_to_thick,
        Thunk | ClassifyBridgeObject | ImplicitactorToOpaqueisolationCast => return None,
    };
    Some(rules)
}

fn expect_builtin_result(checker: &mut Checker<'_, '_>, builtin: BuiltinType) {
    let ty = checker.queries().context.ty(Type::Builtin(builtin));
    checker.expect_result(SilType::object(ty));
}

fn require_address_result(checker: &mut Checker<'_, '_>) {
    require_result(checker, "an address", |_, result| result.is_address());
}

fn require_reference_result(checker: &mut Checker<'_, '_>) {
    require_value_result(checker, "a reference to an object", TypeProperties::is_reference);
}

fn require_trivial_result(checker: &mut Checker<'_, '_>) {
    require_value_result(checker, "of a trivial type", TypeProperties::is_trivial);
}

/// The result must be a value whose type is like that, or not known.
fn require_value_result(checker: &mut Checker<'_, '_>, wanted: &str, is: fn(TypeProperties) -> bool) {
    require_result(checker, wanted, |checker, result| {
        let properties = checker.scope.properties(result.ty);
        !result.is_address() && (is(properties) || properties.knowledge == Knowledge::Assumed)
    });
}

fn require_result(checker: &mut Checker<'_, '_>, wanted: &str, fits: impl FnOnce(&Checker<'_, '_>, SilType) -> bool) {
    let Some(result) = checker.result() else { return };
    let fits = fits(checker, result);
    let (name, shown) = (checker.name(), checker.scope.show(result));
    checker.require(fits, "result-type", || format!("the result of `{name}` must be {wanted}, not `{shown}`"));
}

fn upcast(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let (mut from, mut to) = (checker.ty(0).ty, result.ty);
    if let (Some(inner), Some(outer)) = (queries.optional_object(from), queries.optional_object(to)) {
        (from, to) = (inner, outer);
    }
    if let (Type::Metatype { instance, representation: one }, Type::Metatype { instance: other, representation }) =
        (queries.get(from), queries.get(to))
    {
        checker.require(one == representation, "result-type", || {
            "`upcast` cannot change how a metatype is represented".into()
        });
        (from, to) = (*instance, *other);
    }
    // What bounds an archetype is not searched here.
    if queries.is_type_parameter(from) || matches!(queries.get(from), Type::DynamicSelf(_) | Type::Existential(_)) {
        return;
    }
    let inherits = queries.is_subclass(from, to) || has_ancestor(checker, from, to);
    if !inherits && checker.is_known(from) && checker.is_known(to) {
        let (from, to) = (checker.scope.show(checker.ty(0)), checker.scope.show(result));
        checker.fail_at_operand(0, "upcast", format!("`{from}` does not inherit from `{to}`"));
    }
}

/// Like [`TypeQueries::is_subclass`](crate::types::TypeQueries::is_subclass), with arguments compared as far as they are known.
fn has_ancestor(checker: &Checker<'_, '_>, from: crate::context::TypeId, to: crate::context::TypeId) -> bool {
    let queries = checker.queries();
    let Some(nominal) = queries.as_nominal(to) else { return false };
    queries
        .ancestor_declared_by(from, nominal.declaration)
        .is_some_and(|found| checker.same(SilType::object(found), SilType::object(to)))
}

fn unchecked_ref_cast(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    super::reference_counting::require_reference_or_optional(checker, 0);
    let Some(result) = checker.result() else { return };
    if checker.queries().optional_object(result.ty).is_none() {
        require_reference_result(checker);
    }
}
