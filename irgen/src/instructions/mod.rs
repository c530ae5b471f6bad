//! What instructions become: a file per family. This one only hands each instruction to its family.

mod aggregates;
mod allocation;
pub mod builtins;
pub mod calls;
mod casts;
mod closures;
pub mod coroutines;
mod enums;
mod existentials;
mod literals;
mod memory;
mod metatypes;
mod reference_counting;
mod terminators;
mod variables;

pub use closures::ForwarderKey;
use sil::instructions::Opcode::{self, *};
use sil::model::InstructionId;

use crate::generation::{Generated, IRGenFunction};

/// State of the families that lives longer than an instruction.
#[derive(Default)]
pub struct FunctionState<'ctx> {
    /// Witness tables and metadata of opened archetypes.
    pub opened: existentials::OpenedArchetypes<'ctx>,
    /// What stands for the error register, where the function has called something that throws.
    pub error_slot: Option<inkwell::values::PointerValue<'ctx>>,
    /// Stack promoted objects by the instruction that allocated them.
    pub stack_objects: allocation::StackObjects<'ctx>,
    /// Slots that `stackAlloc` took from the growing stack, with the stack pointer as it was before.
    pub stack_saves: Vec<(inkwell::values::PointerValue<'ctx>, inkwell::values::BasicValueEnum<'ctx>)>,
    /// How a coroutine yields and resumes.
    pub coroutine: Option<coroutines::CoroutineState<'ctx>>,
    /// The block that ends in a run-time failure for each message, so that a function has one of each.
    pub failures: terminators::FailureBlocks<'ctx>,
    /// Where debuggers find variables.
    pub variables: variables::VariableHomes<'ctx>,
}

/// What silc does with a kind of instructions or with a builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// It is lowered to LLVM IR.
    Lowered,
    /// It becomes nothing.
    Nothing,
    /// The pass that lowers ownership takes it away.
    Before,
    /// It is lowered in initialisers of globals, where alone it may stand.
    InInitializers,
    /// It is refused: `not supported yet`.
    NotYet,
}

/// Emits one instruction of some kinds at the builder's position. Its result is bound.
type Emit = for<'f, 'm, 'ctx> fn(&'f mut IRGenFunction<'m, 'ctx>, InstructionId) -> Generated<()>;

/// What becomes of the instructions of a kind.
enum Lowering {
    /// A family emits them.
    By(Emit),
    /// They become nothing.
    Nothing,
    /// They are in functions with ownership only, which `sil::transform` makes into functions without.
    Before,
    /// They stand in initialisers of globals only, which `generation::globals` reads.
    InInitializers,
    /// silc refuses them.
    NotYet,
}

/// Emits one instruction at the builder's position. Its result is bound.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let opcode = function.body.instructions[instruction].opcode;
    match lowering(opcode) {
        Lowering::By(emit) => emit(function, instruction),
        Lowering::Nothing => Ok(()),
        Lowering::Before => {
            let name = opcode.name();
            Err(function.unsupported(instruction, format_args!("{name} in a function whose ownership was not lowered")))
        }
        Lowering::InInitializers => Err(function.unsupported(instruction, "objects outside of static initialisers")),
        Lowering::NotYet => Err(function.unsupported(instruction, format_args!("the instruction {}", opcode.name()))),
    }
}

/// Whether silc lowers instructions of the kind `opcode`. Single forms of them may still be refused.
pub fn coverage(opcode: Opcode) -> Coverage {
    match lowering(opcode) {
        Lowering::By(_) => Coverage::Lowered,
        Lowering::Before => Coverage::Before,
        Lowering::InInitializers => Coverage::InInitializers,
        Lowering::Nothing => Coverage::Nothing,
        Lowering::NotYet => Coverage::NotYet,
    }
}

fn lowering(opcode: Opcode) -> Lowering {
    let emit: Emit = match opcode {
        Apply | TryApply => calls::emit,
        BeginApply | EndApply | AbortApply | Yield => coroutines::emit,
        PartialApply | ThinToThickFunction | ConvertFunction | ConvertEscapeToNoescape | DestroyNotEscapedClosure => {
            closures::emit
        }
        ClassMethod | SuperMethod | WitnessMethod | FunctionRef => calls::emit_callee,
        Builtin => builtins::emit,
        IntegerLiteral | FloatLiteral | StringLiteral => literals::emit,
        AllocStack | AllocRef | AllocBox | AllocGlobal | DeallocStack | DeallocStackRef | DeallocRef
        | DeallocPartialRef | DeallocBox | BeginDeallocRef | EndInitLetRef | ProjectBox => allocation::emit,
        Load | Store | CopyAddr | DestroyAddr | IndexAddr | TailAddr | VectorBaseAddr | IndexRawPointer
        | BindMemory | RebindMemory | BeginAccess | EndAccess | MarkUninitialized | GlobalAddr | BaseAddrForOffset
        | GlobalValue | TupleAddrConstructor => memory::emit,
        StrongRetain
        | StrongRelease
        | RetainValue
        | RetainValueAddr
        | ReleaseValue
        | ReleaseValueAddr
        | UnmanagedRetainValue
        | UnmanagedReleaseValue
        | StrongRetainUnowned
        | UnownedRetain
        | UnownedRelease
        | RefToUnowned
        | UnownedToRef
        | RefToUnmanaged
        | UnmanagedToRef
        | StrongCopyUnownedValue
        | StrongCopyUnmanagedValue
        | UnownedCopyValue
        | LoadWeak
        | StoreWeak
        | LoadUnowned
        | StoreUnowned
        | IsUnique
        | BeginCowMutation
        | EndCowMutation
        | EndCowMutationAddr
        | MoveValue
        | BeginBorrow
        | Borrowed
        | FixLifetime
        | MarkDependence
        | MarkDependenceAddr
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable => reference_counting::emit,
        Struct | Vector | StructExtract | StructElementAddr | Tuple | TupleExtract | TupleElementAddr
        | DestructureStruct | DestructureTuple | RefElementAddr | RefTailAddr => aggregates::emit,
        Enum
        | UncheckedEnumData
        | InitEnumDataAddr
        | InjectEnumAddr
        | UncheckedTakeEnumDataAddr
        | SelectEnum
        | SelectEnumAddr
        | SwitchEnum
        | SwitchEnumAddr => enums::emit,
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
        | CheckedCastBr => casts::emit,
        InitExistentialRef | OpenExistentialRef => existentials::emit,
        Metatype | ValueMetatype | ExistentialMetatype | InitExistentialMetatype | OpenExistentialMetatype => {
            metatypes::emit
        }
        Unreachable | Return | Throw | ThrowAddr | Unwind | Br | CondBr | SwitchValue | CondFail => terminators::emit,
        DebugValue => variables::emit,
        // These say nothing to code.
        DebugStep | IgnoredUse | SpecifyTest => return Lowering::Nothing,
        Object => return Lowering::InInitializers,
        CopyValue
        | ExplicitCopyValue
        | DestroyValue
        | DropDeinit
        | EndBorrow
        | EndLifetime
        | ExtendLifetime
        | UncheckedOwnershipConversion
        | UncheckedOwnership
        | ReturnBorrow
        | LoadBorrow
        | StoreBorrow
        | ExplicitCopyAddr => return Lowering::Before,
        AllocVector
        | AllocPack
        | AllocPackMetadata
        | AllocRefDynamic
        | AllocExistentialBox
        | DeallocPack
        | DeallocPackMetadata
        | DeallocExistentialBox
        | ProjectExistentialBox
        | BeginUnpairedAccess
        | EndUnpairedAccess
        | Assign
        | AssignByWrapper
        | AssignOrInit
        | MarkFunctionEscape
        | MarkUnresolvedMoveAddr
        | AutoreleaseValue
        | UnmanagedAutoreleaseValue
        | StrongCopyWeakValue
        | WeakCopyValue
        | CopyBlock
        | CopyBlockWithoutEscaping
        | MarkUnresolvedNonCopyableValue
        | MarkUnresolvedReferenceBinding
        | MoveonlywrapperToCopyableBox
        | MoveonlywrapperToCopyableAddr
        | CopyableToMoveonlywrapperAddr
        | MergeIsolationRegion
        | DynamicFunctionRef
        | PrevDynamicFunctionRef
        | HasSymbol
        | ObjCMethod
        | ObjCSuperMethod
        | FunctionExtractIsolation
        | Thunk
        | ClassifyBridgeObject
        | UnconditionalCheckedCastAddr
        | ImplicitactorToOpaqueisolationCast
        | InitExistentialAddr
        | InitExistentialValue
        | OpenExistentialAddr
        | OpenExistentialValue
        | OpenExistentialBox
        | OpenExistentialBoxValue
        | DeinitExistentialAddr
        | DeinitExistentialValue
        | ObjCProtocol
        | TypeValue
        | ThickToObjcMetatype
        | ObjcToThickMetatype
        | ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject
        | TuplePackElementAddr
        | TuplePackExtract
        | PackElementGet
        | PackElementSet
        | OpenPackElement
        | PackLength
        | DynamicPackIndex
        | PackPackIndex
        | ScalarPackIndex
        | ProjectBlockStorage
        | InitBlockStorageHeader
        | DifferentiableFunction
        | LinearFunction
        | DifferentiableFunctionExtract
        | LinearFunctionExtract
        | DifferentiabilityWitnessFunction
        | GetAsyncContinuation
        | GetAsyncContinuationAddr
        | ExtractExecutor
        | HopToExecutor
        | Keypath
        | IncrementProfilerCounter
        | DynamicMethodBr
        | CheckedCastAddrBr
        | AwaitAsyncContinuation => return Lowering::NotYet,
    };
    Lowering::By(emit)
}
