//! The builtins whose whole meaning is in their name, apart from the types after it (include/swift/AST/Builtins.def).

use super::super::information::MemoryBehavior;

macro_rules! named_builtins {
    ($($name:ident = $text:literal, $memory:ident;)*) => {
        /// A builtin without a family.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum NamedBuiltin {
            $(
                #[doc = concat!("`", $text, "`")]
                $name,
            )*
        }

        impl NamedBuiltin {
            /// All of them.
            pub const ALL: &'static [NamedBuiltin] = &[$(NamedBuiltin::$name,)*];

            /// The spelling, without types.
            pub const fn name(self) -> &'static str {
                match self {
                    $(NamedBuiltin::$name => $text,)*
                }
            }

            /// Its effect on memory, as the reference states it for its name: `n` in Builtins.def is `None`, and
            /// `willThrow` reads (lib/SIL/IR/SILInstruction.cpp).
            pub const fn memory(self) -> MemoryBehavior {
                match self {
                    $(NamedBuiltin::$name => MemoryBehavior::$memory,)*
                }
            }

            /// The builtin that is spelled `name`.
            pub fn from_name(name: &str) -> Option<NamedBuiltin> {
                match name {
                    $($text => Some(NamedBuiltin::$name),)*
                    _ => None,
                }
            }
        }
    };
}

named_builtins! {
    Retain = "retain", MayHaveSideEffects;
    Release = "release", MayHaveSideEffects;
    Autorelease = "autorelease", MayHaveSideEffects;
    Load = "load", MayHaveSideEffects;
    LoadRaw = "loadRaw", MayHaveSideEffects;
    LoadInvariant = "loadInvariant", MayHaveSideEffects;
    Take = "take", MayHaveSideEffects;
    Destroy = "destroy", MayHaveSideEffects;
    Assign = "assign", MayHaveSideEffects;
    Init = "initialize", MayHaveSideEffects;
    StoreRaw = "storeRaw", MayHaveSideEffects;
    CastToNativeObject = "castToNativeObject", MayHaveSideEffects;
    UnsafeCastToNativeObject = "unsafeCastToNativeObject", MayHaveSideEffects;
    CastFromNativeObject = "castFromNativeObject", MayHaveSideEffects;
    CastToBridgeObject = "castToBridgeObject", MayHaveSideEffects;
    ValueToBridgeObject = "valueToBridgeObject", MayHaveSideEffects;
    CastReferenceFromBridgeObject = "castReferenceFromBridgeObject", MayHaveSideEffects;
    CastBitPatternFromBridgeObject = "castBitPatternFromBridgeObject", MayHaveSideEffects;
    ClassifyBridgeObject = "classifyBridgeObject", MayHaveSideEffects;
    BridgeToRawPointer = "bridgeToRawPointer", MayHaveSideEffects;
    BridgeFromRawPointer = "bridgeFromRawPointer", MayHaveSideEffects;
    CastReference = "castReference", MayHaveSideEffects;
    ReinterpretCast = "reinterpretCast", MayHaveSideEffects;
    AddressOf = "addressof", MayHaveSideEffects;
    UnprotectedAddressOf = "unprotectedAddressOf", MayHaveSideEffects;
    AddressOfBorrow = "addressOfBorrow", MayHaveSideEffects;
    UnprotectedAddressOfBorrow = "unprotectedAddressOfBorrow", MayHaveSideEffects;
    GepRaw = "gepRaw", MayHaveSideEffects;
    Gep = "gep", MayHaveSideEffects;
    GetTailAddr = "getTailAddr", MayHaveSideEffects;
    PerformInstantaneousReadAccess = "performInstantaneousReadAccess", MayHaveSideEffects;
    BeginUnpairedModifyAccess = "beginUnpairedModifyAccess", MayHaveSideEffects;
    EndUnpairedAccess = "endUnpairedAccess", MayHaveSideEffects;
    LegacyCondFail = "condfail", MayHaveSideEffects;
    FixLifetime = "fixLifetime", MayHaveSideEffects;
    IsUnique = "isUnique", MayHaveSideEffects;
    IsUniqueNative = "isUnique_native", MayHaveSideEffects;
    BeginCOWMutation = "beginCOWMutation", MayHaveSideEffects;
    BeginCOWMutationNative = "beginCOWMutation_native", MayHaveSideEffects;
    EndCOWMutation = "endCOWMutation", MayHaveSideEffects;
    BindMemory = "bindMemory", MayHaveSideEffects;
    RebindMemory = "rebindMemory", MayHaveSideEffects;
    AllocWithTailElems = "allocWithTailElems", MayHaveSideEffects;
    ProjectTailElems = "projectTailElems", MayHaveSideEffects;
    ConvertStrongToUnownedUnsafe = "convertStrongToUnownedUnsafe", MayHaveSideEffects;
    ConvertUnownedUnsafeToGuaranteed = "convertUnownedUnsafeToGuaranteed", MayHaveSideEffects;
    ApplyDerivative = "applyDerivative", MayHaveSideEffects;
    ApplyTranspose = "applyTranspose", MayHaveSideEffects;
    WithUnsafeContinuation = "withUnsafeContinuation", MayHaveSideEffects;
    WithUnsafeThrowingContinuation = "withUnsafeThrowingContinuation", MayHaveSideEffects;
    HopToActor = "hopToActor", MayHaveSideEffects;
    PackLength = "packLength", MayHaveSideEffects;
    UnexpectedError = "unexpectedError", MayHaveSideEffects;
    ErrorInMain = "errorInMain", MayHaveSideEffects;
    IsOptionalType = "isOptional", MayHaveSideEffects;
    CondFailMessage = "condfail_message", MayHaveSideEffects;
    IsPOD = "ispod", None;
    IsConcrete = "isConcrete", None;
    IsBitwiseTakable = "isbitwisetakable", None;
    IsSameMetatype = "is_same_metatype", None;
    AllocRaw = "allocRaw", MayHaveSideEffects;
    DeallocRaw = "deallocRaw", MayHaveSideEffects;
    StackAlloc = "stackAlloc", MayHaveSideEffects;
    UnprotectedStackAlloc = "unprotectedStackAlloc", MayHaveSideEffects;
    StackDealloc = "stackDealloc", MayHaveSideEffects;
    AllocVector = "allocVector", MayHaveSideEffects;
    OnFastPath = "onFastPath", None;
    ConvertTaskToJob = "convertTaskToJob", None;
    ExtractElement = "extractelement", None;
    InsertElement = "insertelement", None;
    Select = "select", None;
    ShuffleVector = "shufflevector", None;
    StaticReport = "staticReport", MayHaveSideEffects;
    AssertConf = "assert_configuration", None;
    Ifdef = "ifdef", None;
    StringObjectOr = "stringObjectOr", None;
    UToSCheckedTrunc = "u_to_s_checked_trunc", None;
    SToSCheckedTrunc = "s_to_s_checked_trunc", None;
    SToUCheckedTrunc = "s_to_u_checked_trunc", None;
    UToUCheckedTrunc = "u_to_u_checked_trunc", None;
    IntToFPWithOverflow = "itofp_with_overflow", None;
    BitWidth = "bitWidth", None;
    IsNegative = "isNegative", None;
    WordAtIndex = "wordAtIndex", None;
    Once = "once", MayHaveSideEffects;
    OnceWithContext = "onceWithContext", MayHaveSideEffects;
    Unreachable = "unreachable", MayHaveSideEffects;
    CondUnreachable = "conditionallyUnreachable", MayHaveSideEffects;
    DestroyArray = "destroyArray", MayHaveSideEffects;
    CopyArray = "copyArray", MayHaveSideEffects;
    TakeArrayNoAlias = "takeArrayNoAlias", MayHaveSideEffects;
    TakeArrayFrontToBack = "takeArrayFrontToBack", MayHaveSideEffects;
    TakeArrayBackToFront = "takeArrayBackToFront", MayHaveSideEffects;
    AssignCopyArrayNoAlias = "assignCopyArrayNoAlias", MayHaveSideEffects;
    AssignCopyArrayFrontToBack = "assignCopyArrayFrontToBack", MayHaveSideEffects;
    AssignCopyArrayBackToFront = "assignCopyArrayBackToFront", MayHaveSideEffects;
    AssignTakeArray = "assignTakeArray", MayHaveSideEffects;
    COWBufferForReading = "COWBufferForReading", None;
    GetObjCTypeEncoding = "getObjCTypeEncoding", None;
    WillThrow = "willThrow", MayRead;
    PoundAssert = "poundAssert", MayHaveSideEffects;
    TypePtrAuthDiscriminator = "typePtrAuthDiscriminator", None;
    InitializeDefaultActor = "initializeDefaultActor", MayHaveSideEffects;
    DestroyDefaultActor = "destroyDefaultActor", MayHaveSideEffects;
    InitializeNonDefaultDistributedActor = "initializeNonDefaultDistributedActor", MayHaveSideEffects;
    InitializeDistributedRemoteActor = "initializeDistributedRemoteActor", MayHaveSideEffects;
    ResumeNonThrowingContinuationReturning = "resumeNonThrowingContinuationReturning", MayHaveSideEffects;
    TargetOSVersionAtLeast = "targetOSVersionAtLeast", None;
    TargetVariantOSVersionAtLeast = "targetVariantOSVersionAtLeast", None;
    TargetOSVersionOrVariantOSVersionAtLeast = "targetOSVersionOrVariantOSVersionAtLeast", None;
    ResumeThrowingContinuationReturning = "resumeThrowingContinuationReturning", MayHaveSideEffects;
    ResumeThrowingContinuationThrowing = "resumeThrowingContinuationThrowing", MayHaveSideEffects;
    AssumeAlignment = "assumeAlignment", None;
    Sizeof = "sizeof", None;
    Strideof = "strideof", None;
    Alignof = "alignof", None;
    ZeroInitializer = "zeroInitializer", None;
    PrepareInitialization = "prepareInitialization", MayHaveSideEffects;
    GetCurrentExecutor = "getCurrentExecutor", MayHaveSideEffects;
    GetCurrentAsyncTask = "getCurrentAsyncTask", None;
    CancelAsyncTask = "cancelAsyncTask", MayHaveSideEffects;
    StartAsyncLet = "startAsyncLet", MayHaveSideEffects;
    StartAsyncLetWithLocalBuffer = "startAsyncLetWithLocalBuffer", MayHaveSideEffects;
    TaskRunInline = "taskRunInline", MayHaveSideEffects;
    AddTaskLocalValue = "addTaskLocalValue", MayHaveSideEffects;
    RemoveTaskLocalValue = "removeTaskLocalValue", MayHaveSideEffects;
    TaskLocalValuePush = "taskLocalValuePush", MayHaveSideEffects;
    TaskLocalValuePop = "taskLocalValuePop", MayHaveSideEffects;
    TaskAddCancellationHandler = "taskAddCancellationHandler", MayHaveSideEffects;
    TaskRemoveCancellationHandler = "taskRemoveCancellationHandler", MayHaveSideEffects;
    TaskAddPriorityEscalationHandler = "taskAddPriorityEscalationHandler", MayHaveSideEffects;
    TaskRemovePriorityEscalationHandler = "taskRemovePriorityEscalationHandler", MayHaveSideEffects;
    YieldToCurrentExecutor = "yieldToCurrentExecutor", MayHaveSideEffects;
    FlowSensitiveSelfIsolation = "flowSensitiveSelfIsolation", MayHaveSideEffects;
    FlowSensitiveDistributedSelfIsolation = "flowSensitiveDistributedSelfIsolation", MayHaveSideEffects;
    FinishAsyncLet = "finishAsyncLet", MayHaveSideEffects;
    EndAsyncLet = "endAsyncLet", MayHaveSideEffects;
    EndAsyncLetLifetime = "endAsyncLetLifetime", MayHaveSideEffects;
    AddressOfBorrowOpaque = "addressOfBorrowOpaque", MayHaveSideEffects;
    UnprotectedAddressOfBorrowOpaque = "unprotectedAddressOfBorrowOpaque", MayHaveSideEffects;
    CreateTask = "createTask", MayHaveSideEffects;
    CreateDiscardingTask = "createDiscardingTask", MayHaveSideEffects;
    CreateAsyncTask = "createAsyncTask", MayHaveSideEffects;
    CreateAsyncTaskInGroup = "createAsyncTaskInGroup", MayHaveSideEffects;
    CreateAsyncDiscardingTaskInGroup = "createAsyncDiscardingTaskInGroup", MayHaveSideEffects;
    CreateAsyncTaskWithExecutor = "createAsyncTaskWithExecutor", MayHaveSideEffects;
    CreateAsyncTaskInGroupWithExecutor = "createAsyncTaskInGroupWithExecutor", MayHaveSideEffects;
    CreateAsyncDiscardingTaskInGroupWithExecutor = "createAsyncDiscardingTaskInGroupWithExecutor", MayHaveSideEffects;
    BuildOrdinaryTaskExecutorRef = "buildOrdinaryTaskExecutorRef", None;
    CreateTaskGroup = "createTaskGroup", MayHaveSideEffects;
    CreateTaskGroupWithFlags = "createTaskGroupWithFlags", MayHaveSideEffects;
    DestroyTaskGroup = "destroyTaskGroup", MayHaveSideEffects;
    GlobalStringTablePointer = "globalStringTablePointer", None;
    AutoDiffCreateLinearMapContextWithType = "autoDiffCreateLinearMapContextWithType", MayHaveSideEffects;
    AutoDiffProjectTopLevelSubcontext = "autoDiffProjectTopLevelSubcontext", None;
    AutoDiffAllocateSubcontextWithType = "autoDiffAllocateSubcontextWithType", MayHaveSideEffects;
    BuildOrdinarySerialExecutorRef = "buildOrdinarySerialExecutorRef", None;
    BuildComplexEqualitySerialExecutorRef = "buildComplexEqualitySerialExecutorRef", None;
    BuildDefaultActorExecutorRef = "buildDefaultActorExecutorRef", None;
    BuildMainActorExecutorRef = "buildMainActorExecutorRef", None;
    ExtractFunctionIsolation = "extractFunctionIsolation", MayHaveSideEffects;
    GetEnumTag = "getEnumTag", MayHaveSideEffects;
    InjectEnumTag = "injectEnumTag", MayHaveSideEffects;
    DistributedActorAsAnyActor = "distributedActorAsAnyActor", None;
    AddressOfRawLayout = "addressOfRawLayout", None;
    Copy = "copy", MayHaveSideEffects;
    Emplace = "emplace", MayHaveSideEffects;
    TSanInoutAccess = "tsanInoutAccess", MayHaveSideEffects;
    CanBeObjCClass = "canBeClass", None;
}
