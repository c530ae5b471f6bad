//! What instructions become: a file per family. This one knows the function that emits each kind of instruction.

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

pub use closures::{ForwarderKey, define_forwarder};
use sil::instructions::Opcode::{self, *};
use sil::model::InstructionId;

use crate::generation::IRGenFunction;
use crate::refusal::Generated;

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
    /// This function emits them.
    By(Emit),
    /// What they do needs no code.
    NoCode,
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
        Lowering::NoCode | Lowering::Nothing => Ok(()),
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
        Lowering::By(_) | Lowering::NoCode => Coverage::Lowered,
        Lowering::Before => Coverage::Before,
        Lowering::InInitializers => Coverage::InInitializers,
        Lowering::Nothing => Coverage::Nothing,
        Lowering::NotYet => Coverage::NotYet,
    }
}

fn lowering(opcode: Opcode) -> Lowering {
    let emit: Emit = match opcode {
        // Applies, method lookup and closures
        Apply => calls::emit_apply,
        TryApply => calls::emit_try_apply,
        BeginApply => coroutines::begin_apply,
        EndApply => coroutines::end_apply,
        AbortApply => coroutines::abort_apply,
        Yield => coroutines::emit_yield,
        PartialApply => closures::partial_apply,
        ThinToThickFunction => closures::thin_to_thick,
        ConvertFunction | ConvertEscapeToNoescape => closures::convert,
        DestroyNotEscapedClosure => closures::destroy_not_escaped,
        ClassMethod => calls::class_method,
        SuperMethod => calls::super_method,
        WitnessMethod => calls::witness_method,
        FunctionRef => calls::function_ref,
        Builtin => builtins::emit,
        // Literals
        IntegerLiteral => literals::integer,
        FloatLiteral => literals::float,
        StringLiteral => literals::string,
        // Allocation and deallocation
        AllocStack => allocation::alloc_stack,
        AllocRef => allocation::alloc_ref,
        AllocBox => allocation::alloc_box,
        DeallocStackRef => allocation::dealloc_stack_ref,
        DeallocRef => allocation::dealloc_ref,
        DeallocPartialRef => allocation::dealloc_partial_ref,
        DeallocBox => allocation::dealloc_box,
        BeginDeallocRef | EndInitLetRef => allocation::forward,
        ProjectBox => allocation::project_box,
        // Loads, stores, copies, addresses and formal accesses
        Load => memory::load,
        Store => memory::store,
        CopyAddr => memory::copy_addr,
        DestroyAddr => memory::destroy_addr,
        IndexAddr => memory::index_addr,
        TailAddr => memory::tail_addr,
        IndexRawPointer => memory::index_raw_pointer,
        BindMemory | RebindMemory => memory::bind_memory,
        BeginAccess | MarkUninitialized | VectorBaseAddr => memory::forward_address,
        GlobalAddr => memory::global_addr,
        GlobalValue => memory::global_value,
        BaseAddrForOffset => memory::base_addr_for_offset,
        TupleAddrConstructor => memory::tuple_addr_constructor,
        // Retains, releases, uniqueness, reference storage, and what is left of ownership
        StrongRetain | RetainValue | UnmanagedRetainValue => reference_counting::copy_operand,
        StrongRelease | ReleaseValue | UnmanagedReleaseValue => reference_counting::release_operand,
        RetainValueAddr => reference_counting::retain_value_addr,
        ReleaseValueAddr => reference_counting::release_value_addr,
        StrongRetainUnowned | StrongCopyUnownedValue => reference_counting::strong_copy_unowned,
        StrongCopyUnmanagedValue => reference_counting::strong_copy_unmanaged_value,
        UnownedRetain | UnownedCopyValue => reference_counting::unowned_copy,
        UnownedRelease => reference_counting::unowned_release,
        LoadWeak => reference_counting::load_weak,
        StoreWeak => reference_counting::store_weak,
        LoadUnowned => reference_counting::load_unowned,
        StoreUnowned => reference_counting::store_unowned,
        IsUnique => reference_counting::is_unique,
        BeginCowMutation => reference_counting::begin_cow_mutation,
        FixLifetime => reference_counting::fix_lifetime,
        RefToUnowned
        | UnownedToRef
        | RefToUnmanaged
        | UnmanagedToRef
        | EndCowMutation
        | MoveValue
        | BeginBorrow
        | Borrowed
        | MarkDependence
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable => reference_counting::forward,
        // Structs, tuples, objects and their fields
        Struct | Tuple | Vector => aggregates::compose,
        StructExtract | TupleExtract => aggregates::extract,
        StructElementAddr | TupleElementAddr => aggregates::element_address,
        DestructureStruct | DestructureTuple => aggregates::destructure,
        RefElementAddr => aggregates::ref_element_address,
        RefTailAddr => aggregates::ref_tail_address,
        // Enums
        Enum => enums::make,
        UncheckedEnumData => enums::unchecked_enum_data,
        InitEnumDataAddr => enums::init_enum_data_addr,
        InjectEnumAddr => enums::inject_enum_addr,
        UncheckedTakeEnumDataAddr => enums::unchecked_take_enum_data_addr,
        SelectEnum | SelectEnumAddr => enums::select,
        SwitchEnum | SwitchEnumAddr => enums::switch,
        // Conversions and casts
        Upcast => casts::forward,
        AddressToPointer => casts::address_to_pointer,
        PointerToAddress | UncheckedAddrCast => casts::cast_address,
        UncheckedRefCast | RefToRawPointer | RawPointerToRef => casts::reference_cast,
        UncheckedRefCastAddr => casts::reference_cast_in_memory,
        UncheckedTrivialBitCast | UncheckedBitwiseCast | UncheckedValueCast | ValueToBridgeObject => casts::bit_cast,
        RefToBridgeObject => casts::ref_to_bridge_object,
        BridgeObjectToRef => casts::bridge_object_to_ref,
        BridgeObjectToWord => casts::bridge_object_to_word,
        UnconditionalCheckedCast => casts::unconditional_cast,
        CheckedCastBr => casts::cast_and_branch,
        // Existential containers and metatypes
        InitExistentialRef => existentials::init_reference,
        OpenExistentialRef => existentials::open_reference,
        Metatype => metatypes::metatype,
        ValueMetatype => metatypes::value_metatype,
        ExistentialMetatype => metatypes::existential_metatype,
        InitExistentialMetatype => metatypes::init_existential_metatype,
        OpenExistentialMetatype => metatypes::open_existential_metatype,
        // Terminators and run-time checks
        Unreachable => terminators::unreachable,
        Return => calls::emit_return,
        Throw | ThrowAddr => calls::emit_throw,
        Unwind => coroutines::emit_unwind,
        Br => terminators::branch,
        CondBr => terminators::cond_br,
        SwitchValue => terminators::switch_value,
        CondFail => terminators::cond_fail,
        DebugValue => variables::emit,
        // The memory of a global is there from the start, and that of a stack slot to the end; the others say nothing to code.
        AllocGlobal | DeallocStack | EndAccess | MarkDependenceAddr | EndCowMutationAddr => return Lowering::NoCode,
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
