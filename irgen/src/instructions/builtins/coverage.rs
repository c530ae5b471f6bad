//! The coverage of builtins, for emission and for the documentation.

use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic, NamedBuiltin, UnaryOperation};

use crate::instructions::Coverage;

/// Returns whether silc lowers builtins of the kind `kind`.
pub fn coverage(kind: BuiltinKind) -> Coverage {
    match kind {
        BuiltinKind::GenericBinary(_) | BuiltinKind::Unary(UnaryOperation::Freeze) => Coverage::NotYet,
        BuiltinKind::Intrinsic(
            Intrinsic::Returnaddress
            | Intrinsic::Frameaddress
            | Intrinsic::LifetimeStart
            | Intrinsic::LifetimeEnd
            | Intrinsic::PtrauthStrip
            | Intrinsic::PtrauthSign
            | Intrinsic::PtrauthResign
            | Intrinsic::PtrauthAuth
            | Intrinsic::PtrauthBlend
            | Intrinsic::PtrauthSignGeneric,
        ) => Coverage::NotYet,
        BuiltinKind::Cast(_)
        | BuiltinKind::Binary(_)
        | BuiltinKind::WithOverflow(_)
        | BuiltinKind::Unary(_)
        | BuiltinKind::CompareIntegers(_)
        | BuiltinKind::CompareFloats(_)
        | BuiltinKind::Intrinsic(_)
        | BuiltinKind::Fence { .. }
        | BuiltinKind::CompareExchange { .. }
        | BuiltinKind::AtomicReadModifyWrite { .. }
        | BuiltinKind::AtomicLoad { .. }
        | BuiltinKind::AtomicStore { .. } => Coverage::Lowered,
        BuiltinKind::Named(named) => coverage_of_named(named),
    }
}

fn coverage_of_named(named: NamedBuiltin) -> Coverage {
    use NamedBuiltin::*;
    match named {
        ErrorInMain
        | BitWidth
        | IsNegative
        | WordAtIndex
        | CondFailMessage
        | IsPOD
        | IsConcrete
        | IsBitwiseTakable
        | IsSameMetatype
        | AllocRaw
        | DeallocRaw
        | StackAlloc
        | UnprotectedStackAlloc
        | StackDealloc
        | OnFastPath
        | PoundAssert
        | StaticReport
        | ExtractElement
        | InsertElement
        | Select
        | ShuffleVector
        | AssertConf
        | StringObjectOr
        | UToSCheckedTrunc
        | SToSCheckedTrunc
        | SToUCheckedTrunc
        | UToUCheckedTrunc
        | Once
        | OnceWithContext
        | Unreachable
        | CondUnreachable
        | DestroyArray
        | CopyArray
        | TakeArrayNoAlias
        | TakeArrayFrontToBack
        | TakeArrayBackToFront
        | AssignCopyArrayNoAlias
        | AssignCopyArrayFrontToBack
        | AssignCopyArrayBackToFront
        | AssignTakeArray
        | WillThrow
        | AssumeAlignment
        | Sizeof
        | Strideof
        | Alignof
        | ZeroInitializer
        | PrepareInitialization
        | GetEnumTag
        | GlobalStringTablePointer
        | AddressOfRawLayout
        | GetCurrentAsyncTask
        | CancelAsyncTask
        | TaskAddCancellationHandler
        | TaskRemoveCancellationHandler
        | TaskAddPriorityEscalationHandler
        | TaskRemovePriorityEscalationHandler
        | AddTaskLocalValue
        | RemoveTaskLocalValue
        | TaskLocalValuePush
        | TaskLocalValuePop
        | ConvertTaskToJob
        | CreateAsyncTask
        | TaskRunInline
        | StartAsyncLet
        | StartAsyncLetWithLocalBuffer
        | EndAsyncLet
        | EndAsyncLetLifetime
        | FinishAsyncLet
        | CreateTaskGroup
        | CreateTaskGroupWithFlags
        | DestroyTaskGroup
        | ResumeNonThrowingContinuationReturning
        | ResumeThrowingContinuationReturning
        | ResumeThrowingContinuationThrowing
        | GetCurrentExecutor
        | BuildMainActorExecutorRef
        | BuildDefaultActorExecutorRef
        | BuildOrdinaryTaskExecutorRef
        | BuildOrdinarySerialExecutorRef
        | BuildComplexEqualitySerialExecutorRef
        | InitializeDefaultActor
        | InitializeNonDefaultDistributedActor
        | InitializeDistributedRemoteActor
        | DestroyDefaultActor
        | AutoDiffCreateLinearMapContextWithType
        | AutoDiffProjectTopLevelSubcontext
        | AutoDiffAllocateSubcontextWithType => Coverage::Lowered,
        Copy
        | Retain
        | Release
        | Autorelease
        | Load
        | LoadRaw
        | LoadInvariant
        | Take
        | Destroy
        | Assign
        | Init
        | StoreRaw
        | CastToNativeObject
        | UnsafeCastToNativeObject
        | CastFromNativeObject
        | CastToBridgeObject
        | ValueToBridgeObject
        | CastReferenceFromBridgeObject
        | CastBitPatternFromBridgeObject
        | ClassifyBridgeObject
        | BridgeToRawPointer
        | BridgeFromRawPointer
        | CastReference
        | ReinterpretCast
        | AddressOf
        | UnprotectedAddressOf
        | AddressOfBorrow
        | UnprotectedAddressOfBorrow
        | GepRaw
        | Gep
        | GetTailAddr
        | PerformInstantaneousReadAccess
        | BeginUnpairedModifyAccess
        | EndUnpairedAccess
        | LegacyCondFail
        | FixLifetime
        | IsUnique
        | IsUniqueNative
        | BeginCOWMutation
        | BeginCOWMutationNative
        | EndCOWMutation
        | BindMemory
        | RebindMemory
        | AllocWithTailElems
        | ProjectTailElems
        | ConvertStrongToUnownedUnsafe
        | ConvertUnownedUnsafeToGuaranteed
        | ApplyDerivative
        | ApplyTranspose
        | WithUnsafeContinuation
        | WithUnsafeThrowingContinuation
        | HopToActor
        | PackLength
        | UnexpectedError
        | IsOptionalType
        | AllocVector
        | Ifdef
        | IntToFPWithOverflow
        | COWBufferForReading
        | GetObjCTypeEncoding
        | TypePtrAuthDiscriminator
        | TargetOSVersionAtLeast
        | TargetVariantOSVersionAtLeast
        | TargetOSVersionOrVariantOSVersionAtLeast
        | FlowSensitiveSelfIsolation
        | FlowSensitiveDistributedSelfIsolation
        | AddressOfBorrowOpaque
        | UnprotectedAddressOfBorrowOpaque
        | CreateTask
        | CreateDiscardingTask
        | CreateAsyncTaskInGroup
        | CreateAsyncDiscardingTaskInGroup
        | CreateAsyncTaskWithExecutor
        | CreateAsyncTaskInGroupWithExecutor
        | CreateAsyncDiscardingTaskInGroupWithExecutor
        | ExtractFunctionIsolation
        | InjectEnumTag
        | DistributedActorAsAnyActor
        | Emplace
        | YieldToCurrentExecutor
        | TSanInoutAccess
        | CanBeObjCClass => Coverage::NotYet,
    }
}
