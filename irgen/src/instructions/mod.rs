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
}

/// Emits one instruction at the builder's position. Its result is bound.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let opcode = function.body.instructions[instruction].opcode;
    match opcode {
        Apply | BeginApply | EndApply | AbortApply | TryApply | Yield => {
            calls_and_coroutines(function, instruction, opcode)
        }
        PartialApply
        | ThinToThickFunction
        | ConvertFunction
        | ConvertEscapeToNoescape
        | DestroyNotEscapedClosure
        | FunctionExtractIsolation
        | Thunk => closures::emit(function, instruction),
        ClassMethod
        | SuperMethod
        | ObjCMethod
        | ObjCSuperMethod
        | WitnessMethod
        | FunctionRef
        | DynamicFunctionRef
        | PrevDynamicFunctionRef => calls::emit_callee(function, instruction),
        Builtin => builtins::emit(function, instruction),
        IntegerLiteral | FloatLiteral | StringLiteral | HasSymbol => literals::emit(function, instruction),
        AllocStack
        | AllocRef
        | AllocRefDynamic
        | AllocBox
        | AllocExistentialBox
        | AllocGlobal
        | DeallocStack
        | DeallocStackRef
        | DeallocRef
        | DeallocPartialRef
        | DeallocBox
        | DeallocExistentialBox
        | BeginDeallocRef
        | EndInitLetRef
        | ProjectBox
        | ProjectExistentialBox => allocation::emit(function, instruction),
        Load | LoadBorrow | Store | StoreBorrow | CopyAddr | ExplicitCopyAddr | DestroyAddr | IndexAddr | TailAddr
        | IndexRawPointer | BindMemory | RebindMemory | BeginAccess | EndAccess | BeginUnpairedAccess
        | EndUnpairedAccess | MarkUninitialized | GlobalAddr | BaseAddrForOffset | GlobalValue
        | TupleAddrConstructor | Vector => memory::emit(function, instruction),
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
        | CopyValue
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
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable => reference_counting::emit(function, instruction),
        Struct | StructExtract | StructElementAddr | Tuple | TupleExtract | TupleElementAddr | DestructureStruct
        | DestructureTuple | RefElementAddr | RefTailAddr | Object => aggregates::emit(function, instruction),
        Enum
        | UncheckedEnumData
        | InitEnumDataAddr
        | InjectEnumAddr
        | UncheckedTakeEnumDataAddr
        | SelectEnum
        | SelectEnumAddr
        | SwitchEnum
        | SwitchEnumAddr => enums::emit(function, instruction),
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
        | CheckedCastBr
        | CheckedCastAddrBr => casts::emit(function, instruction),
        InitExistentialAddr
        | InitExistentialValue
        | InitExistentialRef
        | OpenExistentialAddr
        | OpenExistentialRef
        | OpenExistentialValue
        | OpenExistentialBox
        | OpenExistentialBoxValue
        | DeinitExistentialAddr
        | DeinitExistentialValue => existentials::emit(function, instruction),
        Metatype
        | ValueMetatype
        | ExistentialMetatype
        | InitExistentialMetatype
        | OpenExistentialMetatype
        | TypeValue => metatypes::emit(function, instruction),
        Unreachable | Return | Throw | ThrowAddr | Unwind | Br | CondBr | SwitchValue | CondFail => {
            terminators::emit(function, instruction)
        }
        // Debug information is not lowered yet; without -g these say nothing.
        DebugValue | DebugStep | IgnoredUse | SpecifyTest => Ok(()),
        _ => Err(function.unsupported(instruction, format_args!("the instruction {}", opcode.name()))),
    }
}

fn calls_and_coroutines<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    opcode: Opcode,
) -> Generated<()> {
    match opcode {
        BeginApply | EndApply | AbortApply | Yield => coroutines::emit(function, instruction),
        _ => calls::emit(function, instruction),
    }
}
