//! Copies, moves, borrows, lifetimes and dependences: types alone. Who owns what is `verify::ownership`'s.

use super::{Checker, Rules};
use crate::context::{SilType, Type};
use crate::instructions::Opcode;
use crate::instructions::families::Ownership;
use crate::types::Knowledge;
use crate::verify::checker::OwnershipForm;

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Ownership) -> Option<Rules> {
    use Ownership::*;
    let rules: Rules = match opcode {
        CopyValue | ExplicitCopyValue => |checker| {
            if checker.takes(1) && checker.object(0) {
                require_nontrivial(checker);
                if !is_storage(checker) {
                    checker.expect_result(checker.ty(0));
                }
                if checker.instruction.opcode == Opcode::CopyValue {
                    super::memory::require_copyable(checker, checker.ty(0).ty);
                }
            }
        },
        DestroyValue | EndLifetime => |checker| {
            if checker.takes(1) && checker.instruction.opcode == Opcode::DestroyValue {
                checker.object(0);
            }
        },
        MoveValue | BeginBorrow | UncheckedOwnershipConversion | UncheckedOwnership => |checker| {
            if checker.takes(1) && checker.object(0) {
                checker.expect_result(checker.ty(0));
            }
        },
        DropDeinit => drop_deinit,
        EndBorrow => |checker| {
            if checker.takes(1) && checker.ty(0).is_address() {
                let borrow = checker.maker(0).is_some_and(|maker| maker.opcode == Opcode::StoreBorrow);
                checker.require_operand(0, borrow, "a value, or the address that `store_borrow` gives");
            }
        },
        MarkDependence => |checker| {
            if checker.takes(2) {
                checker.expect_result(checker.ty(0));
            }
        },
        MarkDependenceAddr => |checker| {
            if checker.takes(2) {
                checker.address(0);
            }
        },
        MarkUnresolvedNonCopyableValue | MarkUnresolvedReferenceBinding => |checker| {
            if checker.takes(1) {
                checker.expect_result(checker.ty(0));
            }
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

fn is_storage(checker: &Checker<'_, '_>) -> bool {
    matches!(checker.operand(0), Type::Storage { .. })
}

fn require_nontrivial(checker: &mut Checker<'_, '_>) {
    if checker.scope.ownership == OwnershipForm::Lowered {
        return;
    }
    let properties = checker.scope.properties(checker.ty(0).ty);
    let trivial = properties.is_trivial() && properties.knowledge == Knowledge::Certain;
    checker.require_operand(0, !trivial, "a value with ownership");
}

fn drop_deinit(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) {
        return;
    }
    let ty = checker.ty(0);
    checker.expect_result(ty);
    let has_deinit = checker
        .queries()
        .declaration_of(ty.ty)
        .is_none_or(|declaration| declaration.attributes.has_deinit || declaration.attributes.noncopyable);
    checker.require_operand(0, has_deinit, "of a noncopyable type with a `deinit`");
}

#[derive(Clone, Copy)]
enum Wrapping {
    Added,
    Removed,
}

fn wrapper(checker: &mut Checker<'_, '_>, wrapping: Wrapping) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    let ty = checker.ty(0).ty;
    match (wrapping, checker.operand(0)) {
        (Wrapping::Removed, Type::MoveOnlyWrapper(inner)) => {
            checker.expect_result(SilType::object(*inner));
        }
        (Wrapping::Removed, _) => {
            checker.require_operand(0, false, "of a `@moveOnly` type");
        }
        (Wrapping::Added, _) => {
            let wrapped = checker.queries().context.ty(Type::MoveOnlyWrapper(ty));
            checker.expect_result(SilType::object(wrapped));
        }
    }
}
