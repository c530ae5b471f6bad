//! Casts of references, pointers, bits and addresses, and checked casts.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::families::Casts;
use sil_ir::model::views::{self, CastAddr, Unary};
use sil_ir::types::{Knowledge, TypeProperties};

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Casts) -> Option<Rules> {
    use Casts::*;
    let rules: Rules = match opcode {
        Upcast => upcast,
        AddressToPointer => |checker| {
            let Unary { operand } = checker.view();
            if checker.address(operand) {
                expect_builtin_result(checker, BuiltinType::RawPointer);
            }
        },
        PointerToAddress => |checker| {
            let Unary { operand } = checker.view();
            checker.tolerantly(|checker| {
                super::memory::expect_builtin(checker, operand, BuiltinType::RawPointer);
            });
            require_address_result(checker);
        },
        UncheckedRefCast => unchecked_ref_cast,
        UncheckedAddrCast => |checker| {
            let Unary { operand } = checker.view();
            if checker.address(operand) {
                require_address_result(checker);
            }
        },
        UncheckedTrivialBitCast => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                require_trivial_result(checker);
            }
        },
        UncheckedBitwiseCast | UncheckedValueCast => |checker| {
            let Unary { operand } = checker.view();
            checker.object(operand);
        },
        UncheckedRefCastAddr | UnconditionalCheckedCastAddr => |checker| {
            let CastAddr { source, destination, .. } = checker.view();
            checker.tolerantly(|checker| {
                checker.address(source);
                checker.address(destination);
            });
        },
        RefToRawPointer => |checker| {
            let Unary { operand } = checker.view();
            if super::reference_counting::require_reference(checker, operand) {
                expect_builtin_result(checker, BuiltinType::RawPointer);
            }
        },
        RawPointerToRef => |checker| {
            let Unary { operand } = checker.view();
            if super::memory::expect_builtin(checker, operand, BuiltinType::RawPointer) {
                require_reference_result(checker);
            }
        },
        RefToBridgeObject => |checker| {
            let views::RefToBridgeObject { reference, bits } = checker.view();
            if super::reference_counting::require_reference(checker, reference) {
                super::memory::expect_builtin(checker, bits, BuiltinType::Word);
                expect_builtin_result(checker, BuiltinType::BridgeObject);
            }
        },
        BridgeObjectToRef => |checker| {
            let Unary { operand } = checker.view();
            if super::memory::expect_builtin(checker, operand, BuiltinType::BridgeObject) {
                require_reference_result(checker);
            }
        },
        BridgeObjectToWord => |checker| {
            let Unary { operand } = checker.view();
            if super::memory::expect_builtin(checker, operand, BuiltinType::BridgeObject) {
                expect_builtin_result(checker, BuiltinType::Word);
            }
        },
        ValueToBridgeObject => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                expect_builtin_result(checker, BuiltinType::BridgeObject);
            }
        },
        UnconditionalCheckedCast => |checker| {
            let views::UnconditionalCheckedCast { operand, .. } = checker.view();
            checker.object(operand);
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
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let (mut from, mut to) = (checker.ty(operand).ty, result.ty);
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
    // The bounds of an archetype are not searched here.
    if queries.is_type_parameter(from) || matches!(queries.get(from), Type::DynamicSelf(_) | Type::Existential(_)) {
        return;
    }
    let inherits = queries.is_subclass(from, to) || has_ancestor(checker, from, to);
    if !inherits && checker.is_known(from) && checker.is_known(to) {
        let (from, to) = (checker.scope.show(checker.ty(operand)), checker.scope.show(result));
        checker.fail_at_operand(operand, "upcast", format!("`{from}` does not inherit from `{to}`"));
    }
}

/// Like [`TypeQueries::is_subclass`](sil_ir::types::TypeQueries::is_subclass), with arguments compared as far as they
/// are known.
fn has_ancestor(checker: &Checker<'_, '_>, from: sil_ir::context::TypeId, to: sil_ir::context::TypeId) -> bool {
    let queries = checker.queries();
    let Some(nominal) = queries.as_nominal(to) else { return false };
    queries
        .ancestor_declared_by(from, nominal.declaration)
        .is_some_and(|found| checker.same(SilType::object(found), SilType::object(to)))
}

fn unchecked_ref_cast(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    super::reference_counting::require_reference_or_optional(checker, operand);
    let Some(result) = checker.result() else { return };
    if checker.queries().optional_object(result.ty).is_none() {
        require_reference_result(checker);
    }
}
