//! What a use of an address does with it (SwiftCompilerSources/Sources/Optimizer/Utilities/AddressUtils.swift, `AddressUseVisitor`).

use super::facts::{Facts, MarkKind, is_incidental, moves_memory};
use crate::analysis::{Use, loads_nothing};
use crate::instructions::Opcode;
use crate::model::Value;
use crate::model::views::MarkDependence;

/// What a use of an address does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AddressUse {
    /// It takes an address within, or the same one.
    Projection(Value),
    /// It begins a scope: an access, or a borrow.
    Scope,
    /// It ends one.
    ScopeEnd,
    /// It needs neither the address nor what lies there any further; stores are such uses.
    Leaf,
    /// It passes the address to a function.
    Applied,
    /// It brings what lies there to a value.
    LoadedValue(Value),
    /// It brings what lies there to the address that is this operand.
    LoadedAddress(Use),
    /// It yields the address.
    Yielded,
    /// A value depends on what lies there.
    DependentValue(Value),
    /// What lies at this address depends on what lies there.
    DependentAddress(Value),
    /// The address may be used elsewhere.
    Escaping,
    /// A builtin that is not known.
    Unrecognized,
    /// It is not known.
    Unknown,
}

impl AddressUse {
    /// What `found`, a use of an address, does.
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
