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
pub(super) use functions::functions_differ;

use super::checker::{Checker, FunctionVerifier};
use crate::instructions::Opcode;

/// Checks every instruction of the function, unreachable ones too.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    existentials::verify_openings(verifier);
    let body = verifier.body;
    for block in body.blocks.values() {
        for id in &block.instructions {
            let mut checker = Checker::new(verifier, *id);
            legality::verify(&mut checker);
            verify_instruction(&mut checker);
        }
    }
}

fn verify_instruction(checker: &mut Checker<'_, '_>) {
    use Opcode::*;
    match checker.instruction.opcode {
        AllocStack
        | AllocPack
        | AllocPackMetadata
        | AllocRef
        | AllocRefDynamic
        | AllocBox
        | AllocExistentialBox
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
        | ProjectExistentialBox => allocation::verify(checker),
        Load
        | LoadBorrow
        | Store
        | StoreBorrow
        | CopyAddr
        | ExplicitCopyAddr
        | DestroyAddr
        | IndexAddr
        | TailAddr
        | IndexRawPointer
        | BindMemory
        | RebindMemory
        | BeginAccess
        | EndAccess
        | BeginUnpairedAccess
        | EndUnpairedAccess
        | MarkUninitialized
        | Assign
        | AssignByWrapper
        | AssignOrInit
        | MarkFunctionEscape
        | MarkUnresolvedMoveAddr
        | TupleAddrConstructor
        | GlobalAddr
        | BaseAddrForOffset
        | GlobalValue
        | Vector => {
            memory::verify(checker);
        }
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
        | StrongCopyWeakValue
        | StrongCopyUnownedValue
        | StrongCopyUnmanagedValue
        | WeakCopyValue
        | UnownedCopyValue
        | LoadWeak
        | StoreWeak
        | LoadUnowned
        | StoreUnowned
        | IsUnique
        | BeginCowMutation
        | EndCowMutation
        | EndCowMutationAddr
        | DestroyNotEscapedClosure
        | CopyBlock
        | CopyBlockWithoutEscaping => {
            reference_counting::verify(checker);
        }
        CopyValue
        | ExplicitCopyValue
        | DestroyValue
        | MoveValue
        | DropDeinit
        | BeginBorrow
        | Borrowed
        | EndBorrow
        | EndLifetime
        | ExtendLifetime
        | FixLifetime
        | MarkDependence
        | MarkDependenceAddr
        | UncheckedOwnershipConversion
        | MarkUnresolvedNonCopyableValue
        | MarkUnresolvedReferenceBinding
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable
        | MoveonlywrapperToCopyableBox
        | MoveonlywrapperToCopyableAddr
        | CopyableToMoveonlywrapperAddr
        | IgnoredUse
        | MergeIsolationRegion => {
            ownership::verify(checker);
        }
        Struct | StructExtract | StructElementAddr | Tuple | TupleExtract | TupleElementAddr | DestructureStruct
        | DestructureTuple | RefElementAddr | RefTailAddr | Object => aggregates::verify(checker),
        Enum
        | UncheckedEnumData
        | InitEnumDataAddr
        | InjectEnumAddr
        | UncheckedTakeEnumDataAddr
        | SelectEnum
        | SelectEnumAddr => enums::verify(checker),
        IntegerLiteral
        | FloatLiteral
        | StringLiteral
        | FunctionRef
        | DynamicFunctionRef
        | PrevDynamicFunctionRef
        | HasSymbol => literals::verify(checker),
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
        | FunctionExtractIsolation => calls::verify(checker),
        Builtin => builtins::verify(checker),
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
        | ClassifyBridgeObject
        | ValueToBridgeObject
        | UnconditionalCheckedCast
        | UnconditionalCheckedCastAddr
        | ImplicitactorToOpaqueisolationCast => {
            casts::verify(checker);
        }
        ConvertFunction | Thunk | ConvertEscapeToNoescape | ThinToThickFunction => functions::verify(checker),
        InitExistentialAddr
        | InitExistentialValue
        | InitExistentialRef
        | OpenExistentialAddr
        | OpenExistentialRef
        | OpenExistentialValue
        | OpenExistentialBox
        | OpenExistentialBoxValue
        | DeinitExistentialAddr
        | DeinitExistentialValue => existentials::verify(checker),
        Metatype
        | ValueMetatype
        | ExistentialMetatype
        | ObjCProtocol
        | TypeValue
        | InitExistentialMetatype
        | OpenExistentialMetatype
        | ThickToObjcMetatype
        | ObjcToThickMetatype
        | ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject => metatypes::verify(checker),
        Unreachable
        | Return
        | Throw
        | ThrowAddr
        | Yield
        | Unwind
        | Br
        | CondBr
        | SwitchValue
        | SwitchEnum
        | SwitchEnumAddr
        | DynamicMethodBr
        | CheckedCastBr
        | CheckedCastAddrBr
        | TryApply
        | AwaitAsyncContinuation => {
            terminators::verify(checker);
            concurrency::verify(checker);
        }
        TuplePackElementAddr | TuplePackExtract | PackElementGet | PackElementSet | OpenPackElement | PackLength
        | DynamicPackIndex | PackPackIndex | ScalarPackIndex => packs::verify(checker),
        ProjectBlockStorage | InitBlockStorageHeader => blocks::verify(checker),
        DifferentiableFunction
        | LinearFunction
        | DifferentiableFunctionExtract
        | LinearFunctionExtract
        | DifferentiabilityWitnessFunction => differentiation::verify(checker),
        GetAsyncContinuation | GetAsyncContinuationAddr | ExtractExecutor | HopToExecutor => {
            concurrency::verify(checker);
        }
        Keypath => key_paths::verify(checker),
        DebugValue | DebugStep | SpecifyTest | CondFail | IncrementProfilerCounter => {
            others::verify(checker);
        }
    }
}
