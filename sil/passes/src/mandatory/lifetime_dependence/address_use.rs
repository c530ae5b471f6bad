//! Classifies the uses of addresses (SwiftCompilerSources/Sources/Optimizer/Utilities/AddressUtils.swift,
//! `AddressUseVisitor`).

use sil_analysis::{Use, loads_nothing};
use sil_ir::instructions::Opcode;
use sil_ir::model::Value;
use sil_ir::model::views::MarkDependence;

use super::facts::{Facts, MarkKind, is_incidental, moves_memory};

/// The effect of an address use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AddressUse {
    /// A projection, or the same address.
    Projection(Value),
    /// The begin of a scope: an access, or a borrow.
    Scope,
    /// The end of a scope.
    ScopeEnd,
    /// A use that forwards neither the address nor its contents; stores are such uses.
    Leaf,
    /// The address is passed to a function.
    Applied,
    /// The contents are loaded to a value.
    LoadedValue(Value),
    /// The contents are copied to the address of this operand.
    LoadedAddress(Use),
    /// The address is yielded.
    Yielded,
    /// A value depends on the contents.
    DependentValue(Value),
    /// The contents of this address depend on the contents of the used one.
    DependentAddress(Value),
    /// The address escapes.
    Escaping,
    /// An unknown builtin.
    Unrecognized,
    /// An unknown use.
    Unknown,
}

impl AddressUse {
    /// Classifies `found`, a use of an address.
    pub(super) fn of(facts: &Facts<'_, '_>, found: Use) -> AddressUse {
        use Opcode::*;
        let view = facts.view;
        let result = view.body.result(found.user);
        match view.opcode(found.user) {
            BeginAccess | LoadBorrow | StoreBorrow => AddressUse::Scope,
            EndAccess | EndApply | AbortApply | EndBorrow => AddressUse::ScopeEnd,
            MarkDependence | MarkDependenceAddr => mark(facts, found),
            PartialApply if facts.closure_may_escape(found.user) => AddressUse::Escaping,
            PartialApply => result.map_or(AddressUse::Unknown, AddressUse::DependentValue),
            Throw | AddressToPointer => AddressUse::Escaping,
            StructElementAddr
            | TupleElementAddr
            | IndexAddr
            | TailAddr
            | TuplePackElementAddr
            | InitEnumDataAddr
            | UncheckedTakeEnumDataAddr
            | InitExistentialAddr
            | OpenExistentialAddr
            | ProjectBlockStorage
            | UncheckedAddrCast
            | MarkUninitialized
            | DropDeinit
            | CopyableToMoveonlywrapperAddr
            | MoveonlywrapperToCopyableAddr
            | MarkUnresolvedNonCopyableValue => result.map_or(AddressUse::Unknown, AddressUse::Projection),
            Apply | TryApply | BeginApply => AddressUse::Applied,
            SwitchEnumAddr
            | CheckedCastAddrBr
            | SelectEnumAddr
            | InjectEnumAddr
            | Store
            | StoreUnowned
            | StoreWeak
            | Assign
            | AssignByWrapper
            | AssignOrInit
            | TupleAddrConstructor
            | InitBlockStorageHeader
            | RetainValueAddr
            | ReleaseValueAddr
            | DestroyAddr
            | DeallocStack
            | DeinitExistentialAddr
            | IsUnique
            | MarkFunctionEscape
            | PackElementSet
            | EndCowMutationAddr => AddressUse::Leaf,
            Load | LoadUnowned | LoadWeak | ValueMetatype | ExistentialMetatype | PackElementGet => {
                result.map_or(AddressUse::Unknown, AddressUse::LoadedValue)
            }
            Yield => AddressUse::Yielded,
            opcode if moves_memory(opcode) && found.operand == 0 => {
                AddressUse::LoadedAddress(Use { user: found.user, operand: 1 })
            }
            opcode if moves_memory(opcode) => AddressUse::Leaf,
            Builtin if facts.builtin(found.user).is_some_and(loads_nothing) => AddressUse::Leaf,
            Builtin => AddressUse::Unrecognized,
            opcode if is_incidental(opcode) => AddressUse::Leaf,
            _ => AddressUse::Unknown,
        }
    }
}

fn mark(facts: &Facts<'_, '_>, found: Use) -> AddressUse {
    let view = facts.view;
    let result = view.body.result(found.user);
    let is_base = found.operand == 1;
    match (result, facts.mark_kind(found.user)) {
        (None, _) if !is_base => AddressUse::Leaf,
        (Some(result), _) if !is_base || view.body.ty(result).is_address() => AddressUse::Projection(result),
        (_, MarkKind::Escaping) => AddressUse::Escaping,
        (Some(result), _) => AddressUse::DependentValue(result),
        (None, _) => AddressUse::DependentAddress(MarkDependence::of(view.body, found.user).value),
    }
}
