//! The rules of each instruction: number, category and types of operands, type of the result, legality. A file per family.

#![expect(clippy::collapsible_match, reason = "a guard would hide that the check reports")]

mod aggregates;
mod allocation;
mod blocks;
mod builtin_types;
mod builtins;
mod calls;
mod casts;
mod concurrency;
mod differentiation;
mod enums;
mod existentials;
mod functions;
mod intrinsics;
mod key_paths;
mod legality;
mod literals;
mod memory;
mod metatypes;
mod named_builtins;
mod others;
mod ownership;
mod packs;
mod reference_counting;
mod terminators;

pub(super) use builtins::BuiltinRules;
pub(super) use functions::method_misfit;

use super::checker::{Checker, FunctionVerifier};
use crate::instructions::Opcode;

/// Checks every instruction of the function, unreachable ones too.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    for block in body.blocks.keys() {
        for id in body.instructions_in(block) {
            let mut checker = Checker::new(verifier, id);
            legality::verify(&mut checker);
            if let Some(rules) = rules(checker.instruction.opcode) {
                rules(&mut checker);
            }
        }
    }
}

/// Checks one instruction by the rules of its kind.
type Rules = fn(&mut Checker<'_, '_>);

/// Whether instructions of the kind `opcode` have rules of their own: for the types of operands and results, and more.
/// All instructions are checked for what the instruction table says, for dominance and for ownership.
pub fn has_own_rules(opcode: Opcode) -> bool {
    rules(opcode).is_some()
}

fn rules(opcode: Opcode) -> Option<Rules> {
    use Opcode::*;
    let rules: Rules = match opcode {
        AllocRef
        | AllocRefDynamic
        | AllocExistentialBox
        | AllocBox
        | AllocGlobal
        | DeallocStack
        | DeallocPack
        | DeallocPackMetadata
        | DeallocStackRef
        | DeallocRef
        | DeallocPartialRef
        | DeallocBox
        | DeallocExistentialBox
        | BeginDeallocRef
        | EndInitLetRef
        | ProjectBox
        | ProjectExistentialBox => allocation::verify,
        Load
        | LoadBorrow
        | Store
        | StoreBorrow
        | CopyAddr
        | ExplicitCopyAddr
        | DestroyAddr
        | IndexAddr
        | TailAddr
        | VectorBaseAddr
        | IndexRawPointer
        | BindMemory
        | RebindMemory
        | BeginAccess
        | EndAccess
        | BeginUnpairedAccess
        | EndUnpairedAccess
        | MarkUninitialized
        | Assign
        | MarkFunctionEscape
        | MarkUnresolvedMoveAddr
        | GlobalAddr
        | GlobalValue => memory::verify,
        StrongRetain
        | StrongRelease
        | RetainValue
        | RetainValueAddr
        | ReleaseValue
        | ReleaseValueAddr
        | AutoreleaseValue
        | UnmanagedRetainValue
        | UnmanagedReleaseValue
        | UnmanagedAutoreleaseValue
        | StrongRetainUnowned
        | UnownedRetain
        | UnownedRelease
        | RefToUnowned
        | UnownedToRef
        | RefToUnmanaged
        | UnmanagedToRef
        | StrongCopyUnownedValue
        | StrongCopyUnmanagedValue
        | LoadWeak
        | StoreWeak
        | LoadUnowned
        | StoreUnowned
        | IsUnique
        | BeginCowMutation
        | EndCowMutation
        | EndCowMutationAddr
        | DestroyNotEscapedClosure
        | CopyBlock => reference_counting::verify,
        CopyValue
        | ExplicitCopyValue
        | DestroyValue
        | MoveValue
        | DropDeinit
        | BeginBorrow
        | EndBorrow
        | EndLifetime
        | MarkDependence
        | MarkDependenceAddr
        | UncheckedOwnershipConversion
        | UncheckedOwnership
        | MarkUnresolvedNonCopyableValue
        | MarkUnresolvedReferenceBinding
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable => ownership::verify,
        Struct | StructExtract | StructElementAddr | Tuple | TupleExtract | TupleElementAddr | DestructureStruct
        | DestructureTuple | RefElementAddr | RefTailAddr => aggregates::verify,
        Enum
        | UncheckedEnumData
        | InitEnumDataAddr
        | InjectEnumAddr
        | UncheckedTakeEnumDataAddr
        | SelectEnum
        | SelectEnumAddr => enums::verify,
        IntegerLiteral | FloatLiteral | StringLiteral | FunctionRef | DynamicFunctionRef | PrevDynamicFunctionRef => {
            literals::verify
        }
        Apply
        | BeginApply
        | EndApply
        | AbortApply
        | PartialApply
        | ClassMethod
        | SuperMethod
        | ObjCMethod
        | ObjCSuperMethod
        | WitnessMethod
        | FunctionExtractIsolation => calls::verify,
        Builtin => builtins::verify,
        Upcast
        | AddressToPointer
        | PointerToAddress
        | UncheckedRefCast
        | UncheckedRefCastAddr
        | UncheckedAddrCast
        | UncheckedTrivialBitCast
        | UncheckedBitwiseCast
        | UncheckedValueCast
        | RefToRawPointer
        | RawPointerToRef
        | RefToBridgeObject
        | BridgeObjectToRef
        | BridgeObjectToWord
        | ValueToBridgeObject
        | UnconditionalCheckedCast
        | UnconditionalCheckedCastAddr => casts::verify,
        ConvertFunction | ConvertEscapeToNoescape | ThinToThickFunction => functions::verify,
        InitExistentialAddr
        | InitExistentialRef
        | OpenExistentialAddr
        | OpenExistentialRef
        | OpenExistentialValue
        | OpenExistentialBox
        | OpenExistentialBoxValue
        | DeinitExistentialAddr
        | DeinitExistentialValue => existentials::verify,
        Metatype
        | ValueMetatype
        | ExistentialMetatype
        | InitExistentialMetatype
        | OpenExistentialMetatype
        | ThickToObjcMetatype
        | ObjcToThickMetatype => metatypes::verify,
        Return | ReturnBorrow | Throw | ThrowAddr | Yield | Unwind | Br | CondBr | SwitchValue | SwitchEnum
        | SwitchEnumAddr | CheckedCastBr | CheckedCastAddrBr | TryApply => terminators::verify,
        CondFail => others::verify,
        TuplePackElementAddr | TuplePackExtract | PackElementGet | PackElementSet | OpenPackElement | PackLength
        | DynamicPackIndex | PackPackIndex | ScalarPackIndex => packs::verify,
        ProjectBlockStorage | InitBlockStorageHeader => blocks::verify,
        DifferentiableFunction | LinearFunction | DifferentiableFunctionExtract | LinearFunctionExtract => {
            differentiation::verify
        }
        AwaitAsyncContinuation | GetAsyncContinuationAddr | HopToExecutor | ExtractExecutor => concurrency::verify,
        Keypath => key_paths::verify,
        AllocStack
        | AllocPack
        | AllocPackMetadata
        | AssignByWrapper
        | AssignOrInit
        | TupleAddrConstructor
        | BaseAddrForOffset
        | Vector
        | StrongCopyWeakValue
        | WeakCopyValue
        | UnownedCopyValue
        | CopyBlockWithoutEscaping
        | ClassifyBridgeObject
        | Borrowed
        | ExtendLifetime
        | FixLifetime
        | MoveonlywrapperToCopyableBox
        | MoveonlywrapperToCopyableAddr
        | CopyableToMoveonlywrapperAddr
        | IgnoredUse
        | MergeIsolationRegion
        | Object
        | HasSymbol
        | InitExistentialValue
        | ObjCProtocol
        | TypeValue
        | ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject
        | Thunk
        | Unreachable
        | DynamicMethodBr
        | ImplicitactorToOpaqueisolationCast
        | AllocVector
        | GetAsyncContinuation
        | DifferentiabilityWitnessFunction
        | DebugValue
        | DebugStep
        | SpecifyTest
        | IncrementProfilerCounter => return None,
    };
    Some(rules)
}
