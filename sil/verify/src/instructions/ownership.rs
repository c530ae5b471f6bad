//! Copies, moves, borrows, lifetimes and dependences: types alone. `verify::ownership` checks owners.

use sil_ir::context::{SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::Ownership;
use sil_ir::model::views::{self, Unary};
use sil_ir::types::Knowledge;

use super::{Checker, Rules};
use crate::checker::OwnershipForm;
use crate::failures::BrokenRule;

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Ownership) -> Option<Rules> {
    use Ownership::*;
    let rules: Rules = match opcode {
        CopyValue | ExplicitCopyValue => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                require_nontrivial(checker, operand);
                if !is_storage(checker, operand) {
                    checker.expect_result(checker.ty(operand));
                }
                if checker.instruction.opcode == Opcode::CopyValue {
                    super::memory::require_copyable(checker, checker.ty(operand).ty);
                }
            }
        },
        DestroyValue | EndLifetime => |checker| {
            let Unary { operand } = checker.view();
            if checker.instruction.opcode == Opcode::DestroyValue {
                checker.object(operand);
            }
        },
        MoveValue | BeginBorrow | UncheckedOwnershipConversion | UncheckedOwnership => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                checker.expect_result(checker.ty(operand));
            }
        },
        DropDeinit => drop_deinit,
        EndBorrow => |checker| {
            let Unary { operand } = checker.view();
            if checker.ty(operand).is_address() {
                let borrow = checker.maker(operand).is_some_and(|maker| maker.opcode == Opcode::StoreBorrow);
                if !borrow {
                    let found = checker.scope.show(checker.ty(operand));
                    let message = format!(
                        "operand {} of `end_borrow` must be a value, or the address that `store_borrow` gives, not `{found}`",
                        operand + 1
                    );
                    checker.fail_at_operand_as(BrokenRule::EndOfUnborrowedAddress, operand, "operand-type", message);
                }
            }
        },
        MarkDependence => |checker| {
            let views::MarkDependence { value, .. } = checker.view();
            checker.expect_result(checker.ty(value));
        },
        MarkDependenceAddr => |checker| {
            let views::MarkDependence { value, .. } = checker.view();
            checker.address(value);
        },
        MarkUnresolvedNonCopyableValue | MarkUnresolvedReferenceBinding => |checker| {
            let Unary { operand } = checker.view();
            checker.expect_result(checker.ty(operand));
        },
        MoveonlywrapperToCopyable => |checker| wrapper(checker, Wrapping::Removed),
        CopyableToMoveonlywrapper => |checker| wrapper(checker, Wrapping::Added),
        Borrowed
        | ExtendLifetime
        | FixLifetime
        | MoveonlywrapperToCopyableBox
        | MoveonlywrapperToCopyableAddr
        | CopyableToMoveonlywrapperAddr
        | IgnoredUse
        | MergeIsolationRegion => return None,
    };
    Some(rules)
}

fn is_storage(checker: &Checker<'_, '_>, operand: usize) -> bool {
    matches!(checker.operand(operand), Type::Storage { .. })
}

fn require_nontrivial(checker: &mut Checker<'_, '_>, operand: usize) {
    if checker.scope.ownership == OwnershipForm::Lowered {
        return;
    }
    let properties = checker.scope.properties(checker.ty(operand).ty);
    let trivial = properties.is_trivial() && properties.knowledge == Knowledge::Certain;
    checker.require_operand(operand, !trivial, "a value with ownership");
}

fn drop_deinit(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let ty = checker.ty(operand);
    checker.expect_result(ty);
    let has_deinit = checker
        .queries()
        .declaration_of(ty.ty)
        .is_none_or(|declaration| declaration.attributes.has_deinit || declaration.attributes.noncopyable);
    checker.require_operand(operand, has_deinit, "of a noncopyable type with a `deinit`");
}

#[derive(Clone, Copy)]
enum Wrapping {
    Added,
    Removed,
}

fn wrapper(checker: &mut Checker<'_, '_>, wrapping: Wrapping) {
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let ty = checker.ty(operand).ty;
    match (wrapping, checker.operand(operand)) {
        (Wrapping::Removed, Type::MoveOnlyWrapper(inner)) => {
            checker.expect_result(SilType::object(*inner));
        }
        (Wrapping::Removed, _) => {
            checker.require_operand(operand, false, "of a `@moveOnly` type");
        }
        (Wrapping::Added, _) => {
            let wrapped = checker.queries().context.ty(Type::MoveOnlyWrapper(ty));
            checker.expect_result(SilType::object(wrapped));
        }
    }
}
