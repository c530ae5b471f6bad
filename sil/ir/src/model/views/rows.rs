//! The view of each kind of instruction.

use super::super::{
    Apply as ApplyDetails, AssignByWrapper as Assignment, BlockId, Body, Builtin as BuiltinDetails, Cast,
    DebugVariable, DefaultCase, DerivativeConfiguration, EnumCases, Extractee, InstructionId, KeyPath, Method,
    PackOpening, StringLiteral as StringValue, Value,
};
use super::{
    AllButLast, GlobalReference, IntegerValue, Leading, OperandCount, OperandForm, Part, Parts, View, agrees, view,
    views,
};
use crate::context::{DifferentiabilityIndices, MemberId, Name, SilType, TypeId};
use crate::instructions::Opcode;

views! {
    /// One operand, and no relevant details.
    Unary<O>(
        DeallocStack | DeallocPack | DeallocPackMetadata | DeallocStackRef | DeallocRef | DeallocBox | EndInitLetRef
        | ProjectExistentialBox
        | Load | LoadBorrow | DestroyAddr | VectorBaseAddr | BeginAccess | EndAccess | EndUnpairedAccess | MarkUninitialized
        | StrongRetain | StrongRelease | RetainValue | RetainValueAddr | ReleaseValue | ReleaseValueAddr | AutoreleaseValue
        | UnmanagedRetainValue | UnmanagedReleaseValue | UnmanagedAutoreleaseValue | StrongRetainUnowned | UnownedRetain
        | UnownedRelease | RefToUnowned | UnownedToRef | RefToUnmanaged | UnmanagedToRef | StrongCopyWeakValue
        | StrongCopyUnownedValue | StrongCopyUnmanagedValue | WeakCopyValue | UnownedCopyValue | LoadWeak | LoadUnowned
        | IsUnique | BeginCowMutation | EndCowMutation | EndCowMutationAddr | DestroyNotEscapedClosure | IsEscapingClosure
        | CopyBlock
        | CopyValue | ExplicitCopyValue | DestroyValue | MoveValue | DropDeinit | BeginBorrow | EndBorrow | EndLifetime
        | ExtendLifetime | FixLifetime | UncheckedOwnership | UncheckedOwnershipConversion | MarkUnresolvedNonCopyableValue
        | MarkUnresolvedReferenceBinding | CopyableToMoveonlywrapper | MoveonlywrapperToCopyable
        | MoveonlywrapperToCopyableBox | MoveonlywrapperToCopyableAddr | CopyableToMoveonlywrapperAddr | IgnoredUse
        | DestructureStruct | DestructureTuple
        | EndApply | AbortApply | FunctionExtractIsolation
        | Upcast | AddressToPointer | PointerToAddress | UncheckedRefCast | UncheckedAddrCast | UncheckedTrivialBitCast
        | UncheckedBitwiseCast | UncheckedValueCast | RefToRawPointer | RawPointerToRef | ConvertFunction
        | ConvertEscapeToNoescape | BridgeObjectToRef | BridgeObjectToWord | ClassifyBridgeObject | ValueToBridgeObject
        | ThinToThickFunction | ImplicitactorToOpaqueisolationCast
        | OpenExistentialAddr | OpenExistentialRef | OpenExistentialValue | OpenExistentialBox | OpenExistentialBoxValue
        | DeinitExistentialAddr | DeinitExistentialValue
        | ValueMetatype | ExistentialMetatype | InitExistentialMetatype | OpenExistentialMetatype | ThickToObjcMetatype
        | ObjcToThickMetatype | ObjcMetatypeToObject | ObjcExistentialMetatypeToObject
        | ProjectBlockStorage
        | ExtractExecutor | HopToExecutor
        | Return | Throw
    ) { operand: O }
    /// Neither operands nor relevant details.
    Nullary(DebugStep | IncrementProfilerCounter | Unreachable | ThrowAddr | Unwind) {}
    /// Operands of one meaning.
    OperandSequence<'b, O>(MarkFunctionEscape | MergeIsolationRegion) { operands: O::List }

    /// Memory or a box, and the variable that it is.
    AllocVariable<'b>(AllocStack | AllocBox) { ty: SilType, variable: Option<&'b DebugVariable> }
    /// `alloc_vector`
    AllocVector<O>(AllocVector) { ty: SilType, capacity: O }
    /// `alloc_pack`, `alloc_pack_metadata`
    AllocPack(AllocPack | AllocPackMetadata) { ty: SilType }
    /// `alloc_ref`: the counts of tail elements, their types, and the class.
    AllocRef<'b, O>(AllocRef) { tail_counts: Leading<O::List>, tail_types: AllButLast<'b>, class: SilType }
    /// `alloc_ref_dynamic`
    AllocRefDynamic<'b, O>(AllocRefDynamic) {
        tail_counts: Leading<O::List>, metatype: O, tail_types: AllButLast<'b>, class: SilType,
    }
    /// `alloc_existential_box`
    AllocExistentialBox(AllocExistentialBox) { existential: SilType, concrete: TypeId }
    /// `alloc_global`, `global_value`
    GlobalUse(AllocGlobal | GlobalValue) { global: GlobalReference }
    /// `dealloc_partial_ref`
    DeallocPartialRef<O>(DeallocPartialRef) { object: O, metatype: O }
    /// `dealloc_existential_box`
    DeallocExistentialBox<O>(DeallocExistentialBox) { operand: O, concrete: TypeId }
    /// `begin_dealloc_ref`
    BeginDeallocRef<O>(BeginDeallocRef) { object: O, allocation: O }
    /// `project_box`
    ProjectBox<O>(ProjectBox) { operand: O, field: u32 }

    /// A value written to an address.
    Store<O>(Store | StoreBorrow | Assign | StoreWeak | StoreUnowned) { source: O, destination: O }
    /// A value copied or moved from address to address.
    CopyAddr<O>(CopyAddr | ExplicitCopyAddr | MarkUnresolvedMoveAddr) { source: O, destination: O }
    /// `index_addr`, `index_raw_pointer`
    IndexAddr<O>(IndexAddr | IndexRawPointer) { base: O, index: O }
    /// `tail_addr`: the address after so many elements.
    TailAddr<O>(TailAddr) { base: O, count: O, ty: SilType }
    /// `bind_memory`
    BindMemory<O>(BindMemory) { base: O, count: O }
    /// `rebind_memory`
    RebindMemory<O>(RebindMemory) { base: O, token: O }
    /// `begin_unpaired_access`
    BeginUnpairedAccess<O>(BeginUnpairedAccess) { operand: O, buffer: O }
    /// `assign_by_wrapper`
    AssignByWrapper<O>(AssignByWrapper) { source: O, destination: O, initializer: O, setter: O }
    /// `assign_or_init`
    AssignOrInit<'b, O>(AssignOrInit) { base: O, value: O, initializer: O, setter: O, assignment: &'b Assignment }
    /// `tuple_addr_constructor`
    TupleAddrConstructor<'b, O>(TupleAddrConstructor) { destination: O, elements: O::List }
    /// `global_addr`
    GlobalAddr<O>(GlobalAddr) { global: GlobalReference, dependence: Option<O> }
    /// `base_addr_for_offset`
    BaseAddrForOffset(BaseAddrForOffset) { ty: SilType }

    /// `copy_block_without_escaping`
    CopyBlockWithoutEscaping<O>(CopyBlockWithoutEscaping) { block: O, closure: O }
    /// `borrowed`
    Borrowed<'b, O>(Borrowed) { value: O, enclosing: O::List }
    /// `mark_dependence`, `mark_dependence_addr`
    MarkDependence<O>(MarkDependence | MarkDependenceAddr) { value: O, base: O }

    /// A value composed of its parts.
    Composition<'b, O>(Struct | Tuple | Vector) { elements: O::List }
    /// `object`
    Object<'b, O>(Object) { base_elements: Leading<O::List>, tail_elements: O::List }
    /// A stored property of a struct, or its address.
    StructExtract<O>(StructExtract | StructElementAddr) { operand: O, field: MemberId }
    /// `ref_element_addr`
    RefElementAddr<O>(RefElementAddr) { object: O, field: MemberId }
    /// `ref_tail_addr`
    RefTailAddr<O>(RefTailAddr) { object: O, ty: SilType }
    /// An element of a tuple, or its address.
    TupleExtract<O>(TupleExtract | TupleElementAddr) { operand: O, index: u32 }

    /// `enum`
    Enum<O>(Enum) { case: MemberId, payload: Option<O> }
    /// An operation on one case of an enum.
    EnumCase<O>(UncheckedEnumData | InitEnumDataAddr | InjectEnumAddr | UncheckedTakeEnumDataAddr) { operand: O, case: MemberId }
    /// `select_enum`, `select_enum_addr`: a value per case, then the default's.
    SelectEnum<'b, O>(SelectEnum | SelectEnumAddr) { operand: O, values: O::List, cases: &'b EnumCases }

    /// `integer_literal`
    IntegerLiteral<'b>(IntegerLiteral) { ty: SilType, value: IntegerValue<'b> }
    /// `float_literal`
    FloatLiteral(FloatLiteral) { bits: u128 }
    /// `string_literal`
    StringLiteral<'b>(StringLiteral) { literal: &'b StringValue }
    /// A reference to a function by its symbol.
    FunctionRef(FunctionRef | DynamicFunctionRef | PrevDynamicFunctionRef) { function: Name }
    /// `has_symbol`
    HasSymbol(HasSymbol) { member: MemberId }

    /// A function applied, whole or in part.
    Apply<'b, O>(Apply | BeginApply | PartialApply | Thunk) { callee: O, arguments: O::List, apply: &'b ApplyDetails }
    /// `try_apply`
    TryApply<'b, O>(TryApply) { callee: O, arguments: O::List, normal: BlockId, error: BlockId, apply: &'b ApplyDetails }
    /// `builtin`
    Builtin<'b, O>(Builtin) { arguments: O::List, builtin: &'b BuiltinDetails }
    /// A method of a class, by a reference or a metatype.
    ClassMethod<'b, O>(ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod) { operand: O, method: &'b Method }
    /// `witness_method`, with the opened archetype where it needs one.
    WitnessMethod<'b, O>(WitnessMethod) { opened: Option<O>, method: &'b Method }

    /// `ref_to_bridge_object`
    RefToBridgeObject<O>(RefToBridgeObject) { reference: O, bits: O }
    /// A cast from address to address.
    CastAddr<'b, O>(UncheckedRefCastAddr | UnconditionalCheckedCastAddr) { source: O, destination: O, cast: &'b Cast }
    /// `unconditional_checked_cast`
    UnconditionalCheckedCast<O>(UnconditionalCheckedCast) { operand: O, target: TypeId }
    /// `checked_cast_br`
    CheckedCastBr<'b, O>(CheckedCastBr) { operand: O, success: BlockId, failure: BlockId, cast: &'b Cast }
    /// `checked_cast_addr_br`
    CheckedCastAddrBr<'b, O>(CheckedCastAddrBr) {
        source: O, destination: O, success: BlockId, failure: BlockId, cast: &'b Cast,
    }

    /// A value of a concrete type put into an existential container.
    InitExistential<O>(InitExistentialAddr | InitExistentialRef | InitExistentialValue) { operand: O, concrete: TypeId }

    /// `metatype`
    Metatype(Metatype) { ty: SilType }
    /// `objc_protocol`
    ObjCProtocol<'b>(ObjCProtocol) { names: &'b [Name] }
    /// `type_value`
    TypeValue(TypeValue) { parameter: TypeId }

    /// An element of a pack or of a tuple of packs.
    PackElement<O>(TuplePackElementAddr | TuplePackExtract | PackElementGet) { index: O, pack: O }
    /// `pack_element_set`
    PackElementSet<O>(PackElementSet) { value: O, index: O, pack: O }
    /// `open_pack_element`
    OpenPackElement<'b, O>(OpenPackElement) { index: O, opening: &'b PackOpening }
    /// `pack_length`
    PackLength(PackLength) { pack: SilType }
    /// `dynamic_pack_index`
    DynamicPackIndex<O>(DynamicPackIndex) { index: O, pack: SilType }
    /// `pack_pack_index`
    PackPackIndex<O>(PackPackIndex) { component: u32, index: O, pack: SilType }
    /// `scalar_pack_index`
    ScalarPackIndex(ScalarPackIndex) { component: u32, pack: SilType }

    /// `init_block_storage_header`
    InitBlockStorageHeader<'b, O>(InitBlockStorageHeader) { storage: O, invoke: O, apply: &'b ApplyDetails }

    /// A function with its derivatives.
    DifferentiableFunction<'b, O>(DifferentiableFunction | LinearFunction) {
        original: O, derivatives: O::List, indices: &'b DifferentiabilityIndices,
    }
    /// A part of a differentiable function.
    DifferentiableFunctionExtract<O>(DifferentiableFunctionExtract | LinearFunctionExtract) { operand: O, extractee: Extractee }
    /// `differentiability_witness_function`
    DifferentiabilityWitnessFunction<'b>(DifferentiabilityWitnessFunction) { witness: (Extractee, &'b DerivativeConfiguration) }

    /// `get_async_continuation`
    GetAsyncContinuation(GetAsyncContinuation) { ty: TypeId }
    /// `get_async_continuation_addr`
    GetAsyncContinuationAddr<O>(GetAsyncContinuationAddr) { operand: O, ty: TypeId }
    /// `await_async_continuation`
    AwaitAsyncContinuation<O>(AwaitAsyncContinuation) { continuation: O, resume: BlockId, error: Option<BlockId> }

    /// `keypath`
    KeyPathPattern<'b, O>(Keypath) { captures: O::List, pattern: &'b KeyPath }

    /// `debug_value`
    DebugValue<'b, O>(DebugValue) { operand: O, variable: Option<&'b DebugVariable> }
    /// `specify_test`
    SpecifyTest<'b>(SpecifyTest) { specification: &'b str }
    /// `cond_fail`
    CondFail<'b, O>(CondFail) { condition: O, message: &'b str }

    /// `return_borrow`
    ReturnBorrow<'b, O>(ReturnBorrow) { value: O, scopes: O::List }
    /// `yield`
    Yield<'b, O>(Yield) { values: O::List, resume: BlockId, unwind: BlockId }
    /// `br`
    Br<'b, O>(Br) { arguments: O::List, target: BlockId }
    /// `cond_br`
    CondBr<'b, O>(CondBr) {
        condition: O, true_arguments: Leading<O::List>, false_arguments: O::List, true_target: BlockId, false_target: BlockId,
    }
    /// `switch_value`: a target per case, then the default's.
    SwitchValue<'b, O>(SwitchValue) { operand: O, cases: O::List, targets: &'b [BlockId], default: DefaultCase }
    /// `switch_enum`, `switch_enum_addr`: a target per case, then the default's.
    SwitchEnum<'b, O>(SwitchEnum | SwitchEnumAddr) { operand: O, targets: &'b [BlockId], cases: &'b EnumCases }
    /// `dynamic_method_br`
    DynamicMethodBr<O>(DynamicMethodBr) { operand: O, member: MemberId, present: BlockId, absent: BlockId }
}
