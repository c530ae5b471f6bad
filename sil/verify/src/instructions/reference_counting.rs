//! Retains, releases, uniqueness checks and reference storage.

use sil_ir::context::{BuiltinType, FunctionAttribute, Representation, SilType, StorageKind, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::ReferenceCounting;
use sil_ir::model::views::{Store, Unary};
use sil_ir::types::Knowledge;

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: ReferenceCounting) -> Option<Rules> {
    use ReferenceCounting::*;
    let rules: Rules = match opcode {
        StrongRetain | StrongRelease => |checker| {
            let Unary { operand } = checker.view();
            require_reference(checker, operand);
        },
        RetainValue
        | ReleaseValue
        | UnmanagedRetainValue
        | UnmanagedReleaseValue
        | UnmanagedAutoreleaseValue
        | AutoreleaseValue => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) && checker.instruction.opcode == Opcode::RetainValue {
                super::memory::require_copyable(checker, checker.ty(operand).ty);
            }
        },
        RetainValueAddr | ReleaseValueAddr => |checker| {
            let Unary { operand } = checker.view();
            checker.address(operand);
        },
        StrongRetainUnowned | UnownedRetain | UnownedRelease => |checker| {
            let Unary { operand } = checker.view();
            require_storage(checker, operand, StorageKind::Unowned);
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
            let Unary { operand } = checker.view();
            checker.tolerantly(|checker| {
                checker.address(operand);
            });
        },
        // The end of a mutation returns its operand, whatever that is (lib/IRGen/IRGenSIL.cpp,
        // `visitEndCOWMutationInst`).
        EndCowMutation => |checker| {
            let Unary { operand } = checker.view();
            checker.object(operand);
        },
        BeginCowMutation => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                checker.tolerantly(|checker| {
                    require_reference_or_optional(checker, operand);
                });
            }
        },
        EndCowMutationAddr => |checker| {
            let Unary { operand } = checker.view();
            checker.address(operand);
        },
        DestroyNotEscapedClosure | IsEscapingClosure => closure,
        CopyBlock => |checker| {
            let Unary { operand } = checker.view();
            require_block(checker, operand);
            checker.expect_result(checker.ty(operand));
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
    let properties = checker.scope.properties(ty);
    // A protocol of which only the name is known may be bound to classes.
    let fits = properties.is_reference()
        || properties.knowledge == Knowledge::Assumed
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
fn require_block(checker: &mut Checker<'_, '_>, operand: usize) {
    let queries = checker.queries();
    let ty = checker.ty(operand).ty;
    let fits = match queries.get(queries.optional_object(ty).unwrap_or(ty)) {
        Type::Function(function) => function.representation == Representation::Block,
        Type::Nominal(_) | Type::Tuple(_) | Type::Builtin(_) => false,
        _ => true,
    };
    checker.require_operand(operand, fits, "a `@convention(block)` function");
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
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let referent = checker.ty(operand).ty;
    let storage = checker.queries().context.ty(Type::Storage { kind, referent });
    checker.expect_result(SilType::object(storage));
}

fn from_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    let Unary { operand } = checker.view();
    if let Some(referent) = require_storage(checker, operand, kind) {
        checker.expect_result(referent);
    }
}

fn load_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    let Unary { operand } = checker.view();
    if !checker.address(operand) {
        return;
    }
    match *checker.operand(operand) {
        Type::Storage { kind: found, referent } if found == kind => {
            checker.expect_result(SilType::object(referent));
        }
        _ => {
            checker.require_operand(operand, false, &format!("the address of {}", storage_name(kind)));
        }
    }
}

fn store_storage(checker: &mut Checker<'_, '_>, kind: StorageKind) {
    let Store { source, destination } = checker.view();
    if !checker.object(source) || !checker.address(destination) {
        return;
    }
    match *checker.operand(destination) {
        Type::Storage { kind: found, referent } if found == kind => {
            checker.expect(source, SilType::object(referent));
        }
        _ => {
            checker.require_operand(destination, false, &format!("the address of {}", storage_name(kind)));
        }
    }
}

fn closure(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let ty = checker.ty(operand).ty;
    let ty = checker.queries().optional_object(ty).unwrap_or(ty);
    let fits = match checker.queries().get(ty) {
        Type::Function(function) => {
            function.representation == Representation::Thick
                && !function.attributes.contains(FunctionAttribute::NoEscape)
        }
        _ => false,
    };
    checker.require_operand(operand, fits, "an escaping thick function");
    let bit = checker.queries().context.ty(Type::Builtin(BuiltinType::Integer(1)));
    checker.expect_result(SilType::object(bit));
}
