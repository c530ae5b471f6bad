//! The table of runtime functions: name, signature and LLVM's assumptions about each.
//!
//! If the SIL module itself has a function with that name (Embedded Swift's runtime is SIL), that one is called. The
//! effects in the table apply to it too, unless its body is emitted.

use inkwell::types::{BasicMetadataTypeEnum, BasicType, FunctionType};
use inkwell::values::{BasicValueEnum, CallSiteValue, FunctionValue};

use super::{Entity, IRGenFunction, IRGenModule};
use crate::llvm::attributes::{self, Attribute, Place};

/// A type in the signature of a runtime function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scalar {
    Pointer,
    /// A pointer-sized integer.
    Word,
    Int32,
    Bool,
}

/// An assumption of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// Does not unwind. Every runtime function has it.
    NoUnwind,
    /// Does not return.
    NoReturn,
    /// Returns its first argument.
    ReturnsFirst,
    /// Has Swift's convention.
    SwiftConvention,
    /// Has Swift's convention for async functions.
    SwiftAsyncConvention,
    /// Takes an async context as its first argument, in the register for that.
    TakesAsyncContext,
    /// Preserves the caller's registers.
    KeepsRegisters,
    /// Rarely called.
    Cold,
}

macro_rules! runtime_functions {
    ($($variant:ident = $name:literal ($($parameter:ident),*) $(-> $($result:ident)&+)? [$($effect:ident),*],)*) => {
        /// A function of the runtime.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum RuntimeFunction {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant,
            )*
        }

        impl RuntimeFunction {
            /// Returns the symbol.
            pub const fn symbol(self) -> &'static str {
                match self {
                    $(RuntimeFunction::$variant => $name,)*
                }
            }

            /// Returns the function with this symbol.
            pub fn from_symbol(symbol: &str) -> Option<RuntimeFunction> {
                match symbol {
                    $($name => Some(RuntimeFunction::$variant),)*
                    _ => None,
                }
            }

            fn parameters(self) -> &'static [Scalar] {
                match self {
                    $(RuntimeFunction::$variant => &[$(Scalar::$parameter),*],)*
                }
            }

            fn result(self) -> &'static [Scalar] {
                match self {
                    $(RuntimeFunction::$variant => &[$($(Scalar::$result),+)?],)*
                }
            }

            fn effects(self) -> &'static [Effect] {
                match self {
                    $(RuntimeFunction::$variant => &[$(Effect::$effect),*],)*
                }
            }
        }
    };
}

runtime_functions! {
    // Objects
    AllocObject = "swift_allocObject" (Pointer, Word, Word) -> Pointer [NoUnwind],
    InitStackObject = "swift_initStackObject" (Pointer, Pointer) -> Pointer [NoUnwind],
    InitStaticObject = "swift_initStaticObject" (Pointer, Pointer) -> Pointer [NoUnwind],
    DeallocObject = "swift_deallocObject" (Pointer, Word, Word) [NoUnwind],
    DeallocClassInstance = "swift_deallocClassInstance" (Pointer, Word, Word) [NoUnwind],
    DeallocPartialClassInstance = "swift_deallocPartialClassInstance" (Pointer, Pointer, Word, Word) [NoUnwind],
    SetDeallocating = "swift_setDeallocating" (Pointer) [NoUnwind],
    SlowAlloc = "swift_slowAlloc" (Word, Word) -> Pointer [NoUnwind],
    SlowDealloc = "swift_slowDealloc" (Pointer, Word, Word) [NoUnwind],
    // Reference counts
    Retain = "swift_retain" (Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    Release = "swift_release" (Pointer) [NoUnwind],
    NonatomicRetain = "swift_nonatomic_retain" (Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    NonatomicRelease = "swift_nonatomic_release" (Pointer) [NoUnwind],
    BridgeObjectRetain = "swift_bridgeObjectRetain" (Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    BridgeObjectRelease = "swift_bridgeObjectRelease" (Pointer) [NoUnwind],
    RetainN = "swift_retain_n" (Pointer, Int32) -> Pointer [NoUnwind, ReturnsFirst],
    ReleaseN = "swift_release_n" (Pointer, Int32) [NoUnwind],
    BridgeObjectRetainN = "swift_bridgeObjectRetain_n" (Pointer, Int32) -> Pointer [NoUnwind, ReturnsFirst],
    BridgeObjectReleaseN = "swift_bridgeObjectRelease_n" (Pointer, Int32) [NoUnwind],
    RetainOutOfLine = "silc_retain" (Pointer) [NoUnwind, KeepsRegisters],
    ReleaseOutOfLine = "silc_release" (Pointer) [NoUnwind, KeepsRegisters],
    BridgeObjectRetainOutOfLine = "silc_bridgeObjectRetain" (Pointer) [NoUnwind, KeepsRegisters],
    BridgeObjectReleaseOutOfLine = "silc_bridgeObjectRelease" (Pointer) [NoUnwind, KeepsRegisters],
    BlockCopy = "_Block_copy" (Pointer) -> Pointer [NoUnwind],
    BlockRelease = "_Block_release" (Pointer) [NoUnwind],
    RetainCount = "swift_retainCount" (Pointer) -> Word [NoUnwind],
    IsUniquelyReferenced = "swift_isUniquelyReferenced_native" (Pointer) -> Bool [NoUnwind],
    IsUniquelyReferencedNonNull = "swift_isUniquelyReferenced_nonNull_native" (Pointer) -> Bool [NoUnwind],
    IsEscapingClosure = "swift_isEscapingClosureAtFileLocation" (Pointer, Pointer, Int32, Int32, Int32, Int32) -> Bool [NoUnwind],
    // Unowned and weak references
    UnownedRetain = "swift_unownedRetain" (Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    UnownedRelease = "swift_unownedRelease" (Pointer) [NoUnwind],
    UnownedRetainStrong = "swift_unownedRetainStrong" (Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    WeakInit = "swift_weakInit" (Pointer, Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    WeakAssign = "swift_weakAssign" (Pointer, Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    WeakLoadStrong = "swift_weakLoadStrong" (Pointer) -> Pointer [NoUnwind],
    WeakTakeStrong = "swift_weakTakeStrong" (Pointer) -> Pointer [NoUnwind],
    WeakDestroy = "swift_weakDestroy" (Pointer) [NoUnwind],
    WeakCopyInit = "swift_weakCopyInit" (Pointer, Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    WeakTakeInit = "swift_weakTakeInit" (Pointer, Pointer) -> Pointer [NoUnwind, ReturnsFirst],
    // Metadata and witness tables
    AllocBox = "swift_allocBox" (Pointer) -> Pointer & Pointer [NoUnwind, SwiftConvention],
    MakeBoxUnique = "swift_makeBoxUnique" (Pointer, Pointer, Word) -> Pointer & Pointer [NoUnwind, SwiftConvention],
    DeallocBox = "swift_deallocBox" (Pointer) [NoUnwind],
    GetTypeByMangledName = "swift_getTypeByMangledNameInContext" (Pointer, Word, Pointer, Pointer) -> Pointer [NoUnwind, SwiftConvention],
    GetTupleTypeMetadata = "swift_getTupleTypeMetadata" (Word, Word, Pointer, Pointer, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    AllocateMetadataPack = "swift_allocateMetadataPack" (Pointer, Word) -> Pointer [NoUnwind, SwiftConvention],
    AllocateWitnessTablePack = "swift_allocateWitnessTablePack" (Pointer, Word) -> Pointer [NoUnwind, SwiftConvention],
    GetFixedArrayTypeMetadata = "swift_getFixedArrayTypeMetadata" (Word, Word, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetTupleTypeMetadata2 = "swift_getTupleTypeMetadata2" (Word, Pointer, Pointer, Pointer, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetTupleTypeMetadata3 = "swift_getTupleTypeMetadata3" (Word, Pointer, Pointer, Pointer, Pointer, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetEnumTagSinglePayload = "swift_getEnumTagSinglePayloadGeneric" (Pointer, Int32, Pointer, Pointer) -> Int32 [NoUnwind, SwiftConvention],
    StoreEnumTagSinglePayload = "swift_storeEnumTagSinglePayloadGeneric" (Pointer, Int32, Int32, Pointer, Pointer) [NoUnwind, SwiftConvention],
    ConformsToProtocol = "swift_conformsToProtocol2" (Pointer, Pointer) -> Pointer [NoUnwind],
    GetWitnessTable = "swift_getWitnessTable" (Pointer, Pointer, Pointer) -> Pointer [NoUnwind],
    GetAssociatedTypeWitness = "swift_getAssociatedTypeWitness" (Word, Pointer, Pointer, Pointer, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    LookUpClassMethod = "swift_lookUpClassMethod" (Pointer, Pointer, Pointer) -> Pointer [NoUnwind],
    GetOpaqueTypeMetadata = "swift_getOpaqueTypeMetadata2" (Word, Pointer, Pointer, Word) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetOpaqueTypeConformance = "swift_getOpaqueTypeConformance2" (Pointer, Pointer, Word) -> Pointer [NoUnwind, SwiftConvention],
    GetAssociatedConformanceWitness = "swift_getAssociatedConformanceWitness" (Pointer, Pointer, Pointer, Pointer, Pointer) -> Pointer [NoUnwind, SwiftConvention],
    GetGenericMetadata = "swift_getGenericMetadata" (Word, Pointer, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetForeignTypeMetadata = "swift_getForeignTypeMetadata" (Word, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetSingletonMetadata = "swift_getSingletonMetadata" (Word, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    CheckMetadataState = "swift_checkMetadataState" (Word, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    AllocateGenericValueMetadata = "swift_allocateGenericValueMetadata" (Pointer, Pointer, Pointer, Word) -> Pointer [NoUnwind],
    AllocateGenericClassMetadata = "swift_allocateGenericClassMetadata" (Pointer, Pointer, Pointer) -> Pointer [NoUnwind],
    InitStructMetadata = "swift_initStructMetadata" (Pointer, Word, Word, Pointer, Pointer) [NoUnwind],
    InitRawStructMetadata = "swift_initRawStructMetadata2" (Pointer, Word, Pointer, Word, Word) [NoUnwind],
    InitEnumMetadataSingleCase = "swift_initEnumMetadataSingleCase" (Pointer, Word, Pointer) [NoUnwind],
    InitEnumMetadataSinglePayload = "swift_initEnumMetadataSinglePayload" (Pointer, Word, Pointer, Int32) [NoUnwind],
    InitEnumMetadataMultiPayload = "swift_initEnumMetadataMultiPayload" (Pointer, Word, Word, Pointer) [NoUnwind],
    InitClassMetadata = "swift_initClassMetadata2" (Pointer, Word, Word, Pointer, Pointer) -> Pointer & Word [NoUnwind, SwiftConvention],
    GetEnumCaseMultiPayload = "swift_getEnumCaseMultiPayload" (Pointer, Pointer) -> Int32 [NoUnwind],
    StoreEnumTagMultiPayload = "swift_storeEnumTagMultiPayload" (Pointer, Pointer, Int32) [NoUnwind],
    GetMultiPayloadEnumTagSinglePayload = "swift_getMultiPayloadEnumTagSinglePayload" (Pointer, Int32, Pointer) -> Int32 [NoUnwind],
    StoreMultiPayloadEnumTagSinglePayload = "swift_storeMultiPayloadEnumTagSinglePayload" (Pointer, Int32, Int32, Pointer) [NoUnwind],
    GetFunctionTypeMetadataGlobalActor = "swift_getFunctionTypeMetadataGlobalActor" (Word, Word, Pointer, Pointer, Pointer, Pointer) -> Pointer [NoUnwind],
    GetExtendedFunctionTypeMetadata = "swift_getExtendedFunctionTypeMetadata" (Word, Word, Pointer, Pointer, Pointer, Pointer, Int32, Pointer) -> Pointer [NoUnwind],
    GetFunctionTypeMetadata = "swift_getFunctionTypeMetadata" (Word, Pointer, Pointer, Pointer) -> Pointer [NoUnwind],
    GetMetatypeMetadata = "swift_getMetatypeMetadata" (Pointer) -> Pointer [NoUnwind],
    GetDynamicType = "swift_getDynamicType" (Pointer, Pointer, Bool) -> Pointer [NoUnwind],
    // Key paths
    GetKeyPath = "swift_getKeyPath" (Pointer, Pointer) -> Pointer [NoUnwind],
    CopyKeyPathTrivialIndices = "swift_copyKeyPathTrivialIndices" (Pointer, Pointer, Word) [NoUnwind, SwiftConvention],
    // Tasks and their memory
    TaskAlloc = "swift_task_alloc" (Word) -> Pointer [NoUnwind, SwiftConvention],
    TaskDealloc = "swift_task_dealloc" (Pointer) [NoUnwind, SwiftConvention],
    TaskSwitch = "swift_task_switch" (Pointer, Pointer, Word, Word) [NoUnwind, SwiftAsyncConvention, TakesAsyncContext],
    TaskGetCurrent = "swift_task_getCurrent" () -> Pointer [NoUnwind, SwiftConvention],
    TaskCancel = "swift_task_cancel" (Pointer) [NoUnwind, SwiftConvention],
    TaskAddCancellationHandler = "swift_task_addCancellationHandler" (Pointer, Pointer) -> Pointer [NoUnwind, SwiftConvention],
    TaskRemoveCancellationHandler = "swift_task_removeCancellationHandler" (Pointer) [NoUnwind, SwiftConvention],
    TaskAddEscalationHandler = "swift_task_addPriorityEscalationHandler" (Pointer, Pointer) -> Pointer [NoUnwind, SwiftConvention],
    TaskRemoveEscalationHandler = "swift_task_removePriorityEscalationHandler" (Pointer) [NoUnwind, SwiftConvention],
    TaskLocalValuePush = "swift_task_localValuePush" (Pointer, Pointer, Pointer) [NoUnwind, SwiftConvention],
    TaskLocalValuePop = "swift_task_localValuePop" () [NoUnwind, SwiftConvention],
    TaskCreate = "swift_task_create" (Word, Pointer, Pointer, Pointer, Pointer) -> Pointer & Pointer [NoUnwind, SwiftConvention],
    TaskRunInline = "swift_task_run_inline" (Pointer, Pointer, Pointer, Pointer) [NoUnwind, SwiftConvention],
    AsyncLetStart = "swift_asyncLet_start" (Pointer, Pointer, Pointer, Pointer, Pointer) [NoUnwind, SwiftConvention],
    AsyncLetBegin = "swift_asyncLet_begin" (Pointer, Pointer, Pointer, Pointer, Pointer, Pointer) [NoUnwind, SwiftConvention],
    AsyncLetEnd = "swift_asyncLet_end" (Pointer) [NoUnwind, SwiftConvention],
    AsyncLetFinish = "swift_asyncLet_finish" (Pointer, Pointer, Pointer, Pointer, Pointer) [NoUnwind, SwiftAsyncConvention, TakesAsyncContext],
    NotePart = "silc_notePart" (Pointer) -> Pointer [NoUnwind],
    TaskGroupInitializeWithOptions = "swift_taskGroup_initializeWithOptions" (Word, Pointer, Pointer, Pointer) [NoUnwind, SwiftConvention],
    TaskGroupInitialize = "swift_taskGroup_initialize" (Pointer, Pointer) [NoUnwind, SwiftConvention],
    TaskGroupInitializeWithFlags = "swift_taskGroup_initializeWithFlags" (Word, Pointer, Pointer) [NoUnwind, SwiftConvention],
    TaskGroupDestroy = "swift_taskGroup_destroy" (Pointer) [NoUnwind, SwiftConvention],
    // Continuations
    ContinuationInit = "swift_continuation_init" (Pointer, Word) -> Pointer [NoUnwind, SwiftConvention],
    ContinuationAwait = "swift_continuation_await" (Pointer) [NoUnwind, SwiftAsyncConvention],
    ContinuationResume = "swift_continuation_resume" (Pointer) [NoUnwind, SwiftConvention],
    ContinuationThrowingResume = "swift_continuation_throwingResume" (Pointer) [NoUnwind, SwiftConvention],
    ContinuationThrowingResumeWithError = "swift_continuation_throwingResumeWithError" (Pointer, Pointer) [NoUnwind, SwiftConvention],
    // Executors and actors
    TaskGetCurrentExecutor = "swift_task_getCurrentExecutor" () -> Word & Word [NoUnwind, SwiftConvention],
    TaskGetMainExecutor = "swift_task_getMainExecutor" () -> Word & Word [NoUnwind, SwiftConvention],
    DefaultActorInitialize = "swift_defaultActor_initialize" (Pointer) [NoUnwind, SwiftConvention],
    NonDefaultDistributedActorInitialize = "swift_nonDefaultDistributedActor_initialize" (Pointer) [NoUnwind, SwiftConvention],
    DistributedActorRemoteInitialize = "swift_distributedActor_remote_initialize" (Pointer) -> Pointer [NoUnwind, SwiftConvention],
    DefaultActorDestroy = "swift_defaultActor_destroy" (Pointer) [NoUnwind, SwiftConvention],
    DefaultActorDeallocate = "swift_defaultActor_deallocate" (Pointer) [NoUnwind, SwiftConvention],
    DefaultActorDeallocateResilient = "swift_defaultActor_deallocateResilient" (Pointer) [NoUnwind, SwiftConvention],
    DeletedAsyncMethodError = "swift_deletedAsyncMethodError" (Pointer) [NoUnwind, SwiftAsyncConvention, TakesAsyncContext],
    // Functions for dynamic replacement
    GetFunctionReplacement = "swift_getFunctionReplacement" (Pointer, Pointer) -> Pointer [NoUnwind],
    GetOrigOfReplaceable = "swift_getOrigOfReplaceable" (Pointer) -> Pointer [NoUnwind],
    // Globals, accesses, casts, errors
    AllocError = "swift_allocError" (Pointer, Pointer, Pointer, Bool) -> Pointer & Pointer [NoUnwind, SwiftConvention],
    DeallocError = "swift_deallocError" (Pointer, Pointer) [NoUnwind],
    GetErrorValue = "swift_getErrorValue" (Pointer, Pointer, Pointer) [NoUnwind],
    GetExistentialTypeMetadata = "swift_getExistentialTypeMetadata" (Bool, Pointer, Word, Pointer) -> Pointer [NoUnwind],
    GetExistentialMetatypeMetadata = "swift_getExistentialMetatypeMetadata" (Pointer) -> Pointer [NoUnwind],
    GetExtendedExistentialTypeMetadata = "swift_getExtendedExistentialTypeMetadata" (Pointer, Pointer) -> Pointer [NoUnwind],
    ArrayDestroy = "swift_arrayDestroy" (Pointer, Word, Pointer) [NoUnwind],
    ArrayInitWithCopy = "swift_arrayInitWithCopy" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayInitWithTakeNoAlias = "swift_arrayInitWithTakeNoAlias" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayInitWithTakeFrontToBack = "swift_arrayInitWithTakeFrontToBack" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayInitWithTakeBackToFront = "swift_arrayInitWithTakeBackToFront" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayAssignWithCopyNoAlias = "swift_arrayAssignWithCopyNoAlias" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayAssignWithCopyFrontToBack = "swift_arrayAssignWithCopyFrontToBack" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayAssignWithCopyBackToFront = "swift_arrayAssignWithCopyBackToFront" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    ArrayAssignWithTake = "swift_arrayAssignWithTake" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    DynamicCast = "swift_dynamicCast" (Pointer, Pointer, Pointer, Pointer, Word) -> Bool [NoUnwind],
    Once = "swift_once" (Pointer, Pointer, Pointer) [NoUnwind],
    BeginAccess = "swift_beginAccess" (Pointer, Pointer, Word, Pointer) [NoUnwind],
    EndAccess = "swift_endAccess" (Pointer) [NoUnwind],
    DynamicCastClass = "swift_dynamicCastClass" (Pointer, Pointer) -> Pointer [NoUnwind],
    DynamicCastMetatype = "swift_dynamicCastMetatype" (Pointer, Pointer) -> Pointer [NoUnwind],
    DynamicCastMetatypeUnconditional = "swift_dynamicCastMetatypeUnconditional" (Pointer, Pointer, Pointer, Int32, Int32) -> Pointer [NoUnwind],
    DynamicCastClassUnconditional = "swift_dynamicCastClassUnconditional" (Pointer, Pointer, Pointer, Int32, Int32) -> Pointer [NoUnwind],
    DeletedMethodError = "swift_deletedMethodError" () [NoUnwind, NoReturn],
    AutoDiffCreateLinearMapContext = "swift_autoDiffCreateLinearMapContextWithType" (Pointer) -> Pointer [NoUnwind, SwiftConvention],
    AutoDiffProjectTopLevelSubcontext = "swift_autoDiffProjectTopLevelSubcontext" (Pointer) -> Pointer [NoUnwind, SwiftConvention],
    AutoDiffAllocateSubcontext = "swift_autoDiffAllocateSubcontextWithType" (Pointer, Pointer) -> Pointer [NoUnwind, SwiftConvention],
    ErrorInMain = "swift_errorInMain" (Pointer) [NoUnwind, NoReturn],
    ReportFatalError = "silc_fatalError" (Pointer) [NoUnwind, NoReturn, Cold],
    ClearSensitive = "swift_clearSensitive" (Pointer, Word) [NoUnwind],
    MemsetS = "memset_s" (Pointer, Word, Int32, Word) -> Int32 [NoUnwind],
}

/// Returns whether the result can be the first argument; a module may declare a runtime function with other types.
fn returns_type_of_first(function: FunctionValue<'_>) -> bool {
    let result = function.get_type().get_return_type();
    result.is_some() && result == function.get_first_param().map(|first| first.get_type())
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the function of the runtime, and declares it if necessary.
    pub fn runtime_function(&self, function: RuntimeFunction) -> FunctionValue<'ctx> {
        let entity = Entity::Runtime(function);
        if let Some(found) = self.function_with_symbol(function.symbol()).or_else(|| self.declared_function(&entity)) {
            return found;
        }
        let declared = self.declare_function(entity, self.runtime_function_type(function));
        self.set_effects(function, declared);
        declared
    }

    /// Adds the effects in the table to the declaration of a runtime function: this table's or the module's.
    pub(super) fn set_effects(&self, function: RuntimeFunction, declared: FunctionValue<'ctx>) {
        for effect in function.effects() {
            let (place, attribute) = match effect {
                Effect::NoUnwind => (Place::Function, Attribute::NoUnwind),
                Effect::NoReturn => (Place::Function, Attribute::NoReturn),
                Effect::Cold => (Place::Function, Attribute::Cold),
                Effect::ReturnsFirst if returns_type_of_first(declared) => (Place::Parameter(0), Attribute::Returned),
                Effect::ReturnsFirst => continue,
                Effect::SwiftConvention => {
                    declared.set_call_conventions(self.swift_convention());
                    continue;
                }
                Effect::SwiftAsyncConvention => {
                    declared.set_call_conventions(self.options.swift_async_convention.number());
                    continue;
                }
                Effect::TakesAsyncContext => (Place::Parameter(0), Attribute::SwiftAsync),
                Effect::KeepsRegisters => {
                    declared.set_call_conventions(self.options.register_keeping_convention.number());
                    continue;
                }
            };
            attributes::add(declared, place, &[attribute]);
        }
    }

    fn runtime_function_type(&self, function: RuntimeFunction) -> FunctionType<'ctx> {
        let parameters: Vec<BasicMetadataTypeEnum> =
            function.parameters().iter().map(|scalar| self.scalar_type(*scalar).into()).collect();
        let results: Vec<_> = function.result().iter().map(|scalar| self.scalar_type(*scalar)).collect();
        match results.as_slice() {
            [] => self.context.void_type().fn_type(&parameters, false),
            [only] => only.fn_type(&parameters, false),
            several => self.builder.struct_type(several).fn_type(&parameters, false),
        }
    }

    fn scalar_type(&self, scalar: Scalar) -> inkwell::types::BasicTypeEnum<'ctx> {
        match scalar {
            Scalar::Pointer => self.builder.ptr_type().into(),
            Scalar::Word => self.word_type().into(),
            Scalar::Int32 => self.context.i32_type().into(),
            Scalar::Bool => self.context.bool_type().into(),
        }
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls a function of the runtime with scalars of its signature's types.
    pub fn call_runtime(&self, function: RuntimeFunction, arguments: &[BasicValueEnum<'ctx>]) -> CallSiteValue<'ctx> {
        let callee = self.module.runtime_function(function);
        let ty = self.module.runtime_function_type(function);
        let call = self.builder.call_indirect(ty, callee.as_global_value().as_pointer_value(), arguments);
        call.set_call_convention(callee.get_call_conventions());
        for effect in function.effects() {
            match effect {
                Effect::NoReturn => attributes::add(call, Place::Function, &[Attribute::NoReturn]),
                Effect::TakesAsyncContext => attributes::add(call, Place::Parameter(0), &[Attribute::SwiftAsync]),
                _ => {}
            }
        }
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        call
    }

    /// Calls a function of the runtime that has a result.
    #[expect(clippy::expect_used, reason = "the caller names a function whose row has a result")]
    pub fn call_runtime_for(
        &self,
        function: RuntimeFunction,
        arguments: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        self.call_runtime(function, arguments).try_as_basic_value().basic().expect("the runtime function has a result")
    }
}
