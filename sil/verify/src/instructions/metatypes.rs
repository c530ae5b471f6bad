//! Metatypes.

use sil_ir::context::{MetatypeRepresentation, SilType, Type, TypeId};
use sil_ir::instructions::families::Metatypes;
use sil_ir::model::views::Unary;

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Metatypes) -> Option<Rules> {
    use Metatypes::*;
    let rules: Rules = match opcode {
        Metatype => require_metatype_result,
        ValueMetatype => |checker| {
            require_metatype_result(checker);
            let Unary { operand } = checker.view();
            instance_of_operand(checker, operand);
        },
        ExistentialMetatype => |checker| {
            let Unary { operand } = checker.view();
            let existential = match checker.operand(operand) {
                Type::MoveOnlyWrapper(inner) => checker.queries().get(*inner),
                bare => bare,
            };
            let fits = matches!(existential, Type::Existential(_) | Type::ExistentialMetatype { .. });
            checker.require_operand(operand, fits, "an existential");
        },
        InitExistentialMetatype => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                let fits = matches!(
                    checker.operand(operand),
                    Type::Metatype { representation: Some(_), .. } | Type::ExistentialMetatype { .. }
                );
                checker.require_operand(operand, fits, "a metatype");
                same_representation(checker, operand);
            }
        },
        OpenExistentialMetatype => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                let fits =
                    matches!(checker.operand(operand), Type::ExistentialMetatype { representation: Some(_), .. });
                checker.require_operand(operand, fits, "an existential metatype");
                same_representation(checker, operand);
            }
        },
        ThickToObjcMetatype => |checker| converts(checker, MetatypeRepresentation::Thick, MetatypeRepresentation::ObjC),
        ObjcToThickMetatype => |checker| converts(checker, MetatypeRepresentation::ObjC, MetatypeRepresentation::Thick),
        ObjCProtocol | TypeValue | ObjcMetatypeToObject | ObjcExistentialMetatypeToObject => return None,
    };
    Some(rules)
}

fn representation(ty: &Type) -> Option<MetatypeRepresentation> {
    match ty {
        Type::Metatype { representation, .. } | Type::ExistentialMetatype { representation, .. } => *representation,
        _ => None,
    }
}

fn require_metatype_result(checker: &mut Checker<'_, '_>) {
    let Some(result) = checker.result() else { return };
    let fits = matches!(checker.queries().get(result.ty), Type::Metatype { representation: Some(_), .. });
    let (name, shown) = (checker.name(), checker.scope.show(result));
    checker.require(fits, "result-type", || {
        format!(
            "the result of `{name}` must be a metatype that says `@thin`, `@thick` or `@objc_metatype`, not `{shown}`"
        )
    });
}

/// The metatype must be that of the operand's type. Types whose lowering depends on their replacements are not checked.
fn instance_of_operand(checker: &mut Checker<'_, '_>, operand: usize) {
    let Some(result) = checker.result() else { return };
    let Type::Metatype { instance, .. } = *checker.queries().get(result.ty) else { return };
    let both = [instance, checker.ty(operand).ty];
    let plain = |ty: &TypeId| matches!(checker.queries().get(*ty), Type::Nominal(_) | Type::Builtin(_));
    let lowered = || checker.queries().lower_formal(instance);
    if both.iter().all(plain) && !checker.same(SilType::object(lowered()), SilType::object(both[1])) {
        let (name, shown) = (checker.name(), checker.scope.show(result));
        checker.fail_at_operand(operand, "result-type", format!("the result of `{name}` cannot be `{shown}`"));
    }
}

fn same_representation(checker: &mut Checker<'_, '_>, operand: usize) {
    let Some(result) = checker.result() else { return };
    let found = representation(checker.queries().get(result.ty));
    let name = checker.name();
    if found != representation(checker.operand(operand)) {
        checker.fail_at_operand(
            operand,
            "result-type",
            format!("`{name}` cannot change how a metatype is represented"),
        );
    }
}

fn converts(checker: &mut Checker<'_, '_>, from: MetatypeRepresentation, to: MetatypeRepresentation) {
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let fits = representation(checker.operand(operand)) == Some(from);
    let what = if from == MetatypeRepresentation::ObjC { "an `@objc_metatype`" } else { "a `@thick` metatype" };
    checker.require_operand(operand, fits, what);
    let Some(result) = checker.result() else { return };
    let fits = representation(checker.queries().get(result.ty)) == Some(to);
    let (name, shown) = (checker.name(), checker.scope.show(result));
    checker.require(fits, "result-type", || format!("`{name}` cannot make `{shown}`"));
}
