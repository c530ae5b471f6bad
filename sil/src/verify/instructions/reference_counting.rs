//! Retains, releases, uniqueness checks and reference storage.

use super::{Checker, Rules};
use crate::context::{BuiltinType, FunctionAttribute, Representation, SilType, StorageKind, Type};
use crate::instructions::Opcode;
use crate::instructions::families::ReferenceCounting;

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: ReferenceCounting) -> Option<Rules> {
    use ReferenceCounting::*;
    let rules: Rules = match opcode {
        StrongRetain | StrongRelease => |checker| {
            if checker.takes(1) {
                require_reference(checker, 0);
            }
        },
        RetainValue
        | ReleaseValue
        | UnmanagedRetainValue
        | UnmanagedReleaseValue
        | UnmanagedAutoreleaseValue
        | AutoreleaseValue => |checker| {
            if checker.takes(1) && checker.object(0) && checker.instruction.opcode == Opcode::RetainValue {
                super::memory::require_copyable(checker, checker.ty(0).ty);
            }
        },
        RetainValueAddr | ReleaseValueAddr => |checker| {
            if checker.takes(1) {
                checker.address(0);
            }
        },
        StrongRetainUnowned | UnownedRetain | UnownedRelease => |checker| {
            if checker.takes(1) {
                require_storage(checker, 0, StorageKind::Unowned);
            }
        },
        RefToUnowned => |checker| to_storage(checker, StorageKind::Unowned),
        RefToUnmanaged => |checker| to_storage(checker, StorageKind::Unmanaged),
        UnownedToRef => |checker| from_storage(checker, StorageKind::Unowned),
        UnmanagedToRef => |checker| from_storage(checker, StorageKind::Unmanaged),
        StrongCopyUnownedValue => |checker| from_storage(checker, StorageKind::Unowned),
        StrongCopyUnmanagedValue => |checker| from_storage(checker, StorageKind::Unmanaged),
        LoadWeak => |checker| load_storage(checker, StorageKind::Weak),
        LoadUnowned => |checker| load_storage(checker, StorageKind::Unowned),
        StoreWeak => |checker| store_storage(checker, StorageKind::Weak),
        StoreUnowned => |checker| store_storage(checker, StorageKind::Unowned),
        IsUnique => |checker| {
            if checker.takes(1) {
                checker.tolerantly(|checker| {
                    checker.address(0);
                });
            }
        },
        BeginCowMutation | EndCowMutation => |checker| {
            if checker.takes(1) && checker.object(0) {
                checker.tolerantly(|checker| {
                    require_reference_or_optional(checker, 0);
                });
            }
        },
        EndCowMutationAddr => |checker| {
            if checker.takes(1) {
                checker.address(0);
            }
        },
        DestroyNotEscapedClosure => closure,
        CopyBlock => |checker| {
            if checker.takes(1) {
                require_block(checker);
                checker.expect_result(checker.ty(0));
            }
        },
        StrongCopyWeakValue | WeakCopyValue | UnownedCopyValue | CopyBlockWithoutEscaping => return None,
    };
    Some(rules)
}

/// One reference to an object: of a class, a box, a builtin reference, a closure or block.
pub(super) fn require_reference(checker: &mut Checker<'_, '_>, operand: usize) -> bool {
    if !checker.object(operand) {
        return false;
    }
    let ty = checker.ty(operand).ty;
    let thick = |ty: &Type| matches!(ty, Type::Function(function) if function.representation == Representation::Thick);
    let fits = checker.scope.properties(ty).is_reference()
        || thick(checker.operand(operand))
        || matches!(
            checker.operand(operand),
            Type::DependentMember { .. } | Type::OpenedArchetype { .. } | Type::OpaqueResult { .. }
        );
    checker.require_operand(operand, fits, "a reference to an object")
}

pub(super) fn require_reference_or_optional(checker: &mut Checker<'_, '_>, operand: usize) -> bool {
    let ty = checker.ty(operand).ty;
    if checker.queries().optional_object(ty).is_some() {
        return true;
    }
    require_reference(checker, operand)
}

/// A block, or an optional one.
fn require_block(checker: &mut Checker<'_, '_>) {
    let queries = checker.queries();
    let ty = checker.ty(0).ty;
    let fits = match queries.get(queries.optional_object(ty).unwrap_or(ty)) {
        Type::Function(function) => function.representation == Representation::Block,
        Type::Nominal(_) | Type::Tuple(_) | Type::Builtin(_) => false,
        _ => true,
    };
    checker.require_operand(0, fits, "a `@convention(block)` function");
}

fn require_storage(checker: &mut Checker<'_, '_>, operand: usize, kind: StorageKind) -> Option<SilType> {
    if !checker.object(operand) {
        return None;
    }
    match checker.operand(operand) {
        Type::Storage { kind: found, referent } if *found == kind => Some(SilType::object(*referent)),
        _ => {
            checker.require_operand(operand, false, storage_name(kind));
            None
        }
    }
}

fn storage_name(kind: StorageKind) -> &'static str {
    match kind {
        StorageKind::Weak => "a weak reference (`@sil_weak`)",
        StorageKind::Unowned => "an unowned reference (`@sil_unowned`)",
        StorageKind::Unmanaged => "an unmanaged reference (`@sil_unmanaged`)",
    }
}

fn to_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    let referent = checker.ty(0).ty;
    let storage = checker.queries().context.ty(Type::Storage { kind, referent });
    checker.expect_result(SilType::object(storage));
}

fn from_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    if checker.takes(1)
        && let Some(referent) = require_storage(checker, 0, kind)
    {
        checker.expect_result(referent);
    }
}

fn load_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    if !checker.takes(1) || !checker.address(0) {
        return;
    }
    match *checker.operand(0) {
        Type::Storage { kind: found, referent } if found == kind => {
            checker.expect_result(SilType::object(referent));
        }
        _ => {
            checker.require_operand(0, false, &format!("the address of {}", storage_name(kind)));
        }
    }
}

fn store_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    if !checker.takes(2) || !checker.object(0) || !checker.address(1) {
        return;
    }
    match *checker.operand(1) {
        Type::Storage { kind: found, referent } if found == kind => {
            checker.expect(0, SilType::object(referent));
        }
        _ => {
            checker.require_operand(1, false, &format!("the address of {}", storage_name(kind)));
        }
    }
}

fn closure(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    let ty = checker.ty(0).ty;
    let ty = checker.queries().optional_object(ty).unwrap_or(ty);
    let fits = match checker.queries().get(ty) {
        Type::Function(function) => {
            function.representation == Representation::Thick
                && !function.attributes.contains(FunctionAttribute::NoEscape)
        }
        _ => false,
    };
    checker.require_operand(0, fits, "an escaping thick function");
    let bit = checker.queries().context.ty(Type::Builtin(BuiltinType::Integer(1)));
    checker.expect_result(SilType::object(bit));
}
