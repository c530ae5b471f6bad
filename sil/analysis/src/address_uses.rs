//! All uses of an address and of the addresses that are projected from it, and whether it escapes through one of them
//! (include/swift/SIL/AddressWalker.h).

use rustc_hash::FxHashSet;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Opcode, OperandUse};
use sil_ir::model::{Body, InstructionId, Value};

use super::{Use, Uses};

/// Whether uses of an address can be known from the address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AddressEscape {
    /// They are all found.
    None,
    /// Another value depends on it, whose uses are not looked at.
    Dependent,
    /// It becomes a pointer.
    Pointer,
    /// It is used in a way that is not known.
    Unknown,
}

/// The uses of an address.
pub struct AddressUses {
    /// The uses that end the search: accesses, and escapes of the address.
    pub uses: Vec<Use>,
    /// Whether these are all.
    pub escape: AddressEscape,
}

/// The role of a use of an address for the search.
enum Role {
    Leaf,
    /// The result is an address within.
    Projection,
    Escape(AddressEscape),
}

impl AddressUses {
    /// Follows `address` through projections. `builtin` gives the role of a builtin.
    pub fn of(
        body: &Body,
        uses: &Uses,
        address: Value,
        builtin: impl Fn(InstructionId) -> Option<BuiltinKind>,
    ) -> AddressUses {
        let mut found = AddressUses { uses: Vec::new(), escape: AddressEscape::None };
        let mut seen = FxHashSet::default();
        let mut open: Vec<Use> = uses.of(address).iter().rev().copied().collect();
        while let Some(next) = open.pop() {
            let opcode = body.instructions[next.user].opcode;
            if !seen.insert(next) || opcode.information().operand_use(next.operand as usize) == OperandUse::Mention {
                continue;
            }
            match role(body, next, &builtin) {
                Role::Leaf => found.uses.push(next),
                Role::Projection => {
                    let within = body.result(next.user).map_or(&[][..], |result| uses.of(result));
                    if within.is_empty() {
                        found.uses.push(next);
                    }
                    open.extend(within.iter().rev());
                }
                Role::Escape(escape) => {
                    found.uses.push(next);
                    found.escape = found.escape.max(escape);
                }
            }
        }
        found
    }
}

fn role(body: &Body, found: Use, builtin: &impl Fn(InstructionId) -> Option<BuiltinKind>) -> Role {
    use Opcode::*;
    match body.instructions[found.user].opcode {
        Load
        | LoadBorrow
        | LoadUnowned
        | LoadWeak
        | Store
        | StoreUnowned
        | StoreWeak
        | Assign
        | AssignByWrapper
        | AssignOrInit
        | CopyAddr
        | ExplicitCopyAddr
        | DestroyAddr
        | MarkUnresolvedMoveAddr
        | DebugValue
        | FixLifetime
        | EndLifetime
        | IgnoredUse
        | EndAccess
        | EndBorrow
        | EndApply
        | AbortApply
        | BeginUnpairedAccess
        | EndUnpairedAccess
        | WitnessMethod
        | SelectEnumAddr
        | InjectEnumAddr
        | SwitchEnumAddr
        | CheckedCastAddrBr
        | UnconditionalCheckedCastAddr
        | UncheckedRefCastAddr
        | IsUnique
        | EndCowMutationAddr
        | ValueMetatype
        | ExistentialMetatype
        | DeallocStack
        | DeallocPack
        | DeinitExistentialAddr
        | InitBlockStorageHeader
        | GetAsyncContinuationAddr
        | Keypath
        | RetainValueAddr
        | ReleaseValueAddr
        | PackElementSet
        | PackElementGet
        | TupleAddrConstructor
        | MergeIsolationRegion
        | MarkFunctionEscape
        | Return
        | Throw
        | Yield
        | Apply
        | TryApply
        | BeginApply => Role::Leaf,
        StoreBorrow if found.operand == 0 => Role::Leaf,
        MarkDependenceAddr if found.operand == 0 => Role::Leaf,
        MarkDependence | MarkDependenceAddr if found.operand == 1 => Role::Escape(AddressEscape::Dependent),
        StructElementAddr
        | TupleElementAddr
        | UncheckedTakeEnumDataAddr
        | InitEnumDataAddr
        | OpenExistentialAddr
        | InitExistentialAddr
        | ProjectBlockStorage
        | BeginAccess
        | TailAddr
        | IndexAddr
        | VectorBaseAddr
        | StoreBorrow
        | UncheckedAddrCast
        | MarkUnresolvedNonCopyableValue
        | MarkUninitialized
        | DropDeinit
        | Upcast
        | TuplePackElementAddr
        | CopyableToMoveonlywrapperAddr
        | MoveonlywrapperToCopyableAddr
        | MarkDependence => Role::Projection,
        PartialApply => Role::Escape(AddressEscape::Dependent),
        AddressToPointer | Br | CondBr => Role::Escape(AddressEscape::Pointer),
        Builtin if builtin(found.user).is_some_and(keeps_addresses) => Role::Leaf,
        _ => Role::Escape(AddressEscape::Unknown),
    }
}

/// Whether a builtin only accesses the memory of its addresses.
fn keeps_addresses(kind: BuiltinKind) -> bool {
    use NamedBuiltin::*;
    let describes_memory = |named| {
        matches!(named, AddressOfRawLayout | FlowSensitiveSelfIsolation | FlowSensitiveDistributedSelfIsolation)
    };
    loads_nothing(kind) || matches!(kind, BuiltinKind::Named(named) if describes_memory(named))
}

/// Whether a builtin cannot load a value that is not trivial from the memory of its addresses.
pub fn loads_nothing(kind: BuiltinKind) -> bool {
    use NamedBuiltin::*;
    match kind {
        BuiltinKind::GenericBinary(_) => true,
        BuiltinKind::Named(named) => matches!(
            named,
            TSanInoutAccess
                | ResumeThrowingContinuationReturning
                | ResumeNonThrowingContinuationReturning
                | TaskRunInline
                | ZeroInitializer
                | GetEnumTag
                | InjectEnumTag
        ),
        _ => false,
    }
}
