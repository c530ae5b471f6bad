//! The opcode: one name for each kind of instruction, and the families. `table` has the facts about each.

macro_rules! opcodes {
    ($($family:ident = $title:literal { $($name:ident = $text:literal,)* })*) => {
        /// A kind of instruction (docs/SIL/Instructions.md).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum Opcode {
            $($(
                #[doc = concat!("`", $text, "`")]
                $name,
            )*)*
        }

        impl Opcode {
            /// All opcodes, in the order of the enum.
            pub const ALL: &'static [Opcode] = &[$($(Opcode::$name,)*)*];

            /// The spelling in SIL text.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Opcode::$name => $text,)*)*
                }
            }

            /// The opcode that is spelled `name` today; older spellings are the parser's.
            pub fn from_name(name: &str) -> Option<Opcode> {
                match name {
                    $($($text => Some(Opcode::$name),)*)*
                    _ => None,
                }
            }

            /// The family, and the opcode's member of it. Code that treats instructions by kind matches on this, a file
            /// per family: an opcode that is forgotten there does not compile.
            pub const fn family(self) -> Family {
                match self {
                    $($(Opcode::$name => Family::$family($family::$name),)*)*
                }
            }
        }

        /// Kinds of instructions that belong together.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Family {
            $(
                #[doc = $title]
                $family($family),
            )*
        }

        impl Family {
            /// The heading of each family, with its opcodes.
            pub const ALL: &'static [(&'static str, &'static [Opcode])] = &[$(($title, &[$(Opcode::$name,)*]),)*];
        }

        $(
            #[doc = $title]
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub enum $family {
                $(
                    #[doc = concat!("`", $text, "`")]
                    $name,
                )*
            }
        )*
    };
}

opcodes! {
    Allocation = "Allocation and deallocation" {
        AllocStack = "alloc_stack",
        AllocVector = "alloc_vector",
        AllocPack = "alloc_pack",
        AllocPackMetadata = "alloc_pack_metadata",
        AllocRef = "alloc_ref",
        AllocRefDynamic = "alloc_ref_dynamic",
        AllocBox = "alloc_box",
        AllocExistentialBox = "alloc_existential_box",
        AllocGlobal = "alloc_global",
        DeallocStack = "dealloc_stack",
        DeallocPack = "dealloc_pack",
        DeallocPackMetadata = "dealloc_pack_metadata",
        DeallocStackRef = "dealloc_stack_ref",
        DeallocRef = "dealloc_ref",
        DeallocPartialRef = "dealloc_partial_ref",
        DeallocBox = "dealloc_box",
        DeallocExistentialBox = "dealloc_existential_box",
        BeginDeallocRef = "begin_dealloc_ref",
        EndInitLetRef = "end_init_let_ref",
        ProjectBox = "project_box",
        ProjectExistentialBox = "project_existential_box",
    }
    Memory = "Loads, stores, copies, addresses and formal accesses" {
        Load = "load",
        LoadBorrow = "load_borrow",
        Store = "store",
        StoreBorrow = "store_borrow",
        CopyAddr = "copy_addr",
        ExplicitCopyAddr = "explicit_copy_addr",
        DestroyAddr = "destroy_addr",
        IndexAddr = "index_addr",
        TailAddr = "tail_addr",
        VectorBaseAddr = "vector_base_addr",
        IndexRawPointer = "index_raw_pointer",
        BindMemory = "bind_memory",
        RebindMemory = "rebind_memory",
        BeginAccess = "begin_access",
        EndAccess = "end_access",
        BeginUnpairedAccess = "begin_unpaired_access",
        EndUnpairedAccess = "end_unpaired_access",
        MarkUninitialized = "mark_uninitialized",
        Assign = "assign",
        AssignByWrapper = "assign_by_wrapper",
        AssignOrInit = "assign_or_init",
        MarkFunctionEscape = "mark_function_escape",
        MarkUnresolvedMoveAddr = "mark_unresolved_move_addr",
        TupleAddrConstructor = "tuple_addr_constructor",
        GlobalAddr = "global_addr",
        BaseAddrForOffset = "base_addr_for_offset",
        GlobalValue = "global_value",
        Vector = "vector",
    }
    ReferenceCounting = "Retains, releases, uniqueness and reference storage" {
        StrongRetain = "strong_retain",
        StrongRelease = "strong_release",
        RetainValue = "retain_value",
        RetainValueAddr = "retain_value_addr",
        ReleaseValue = "release_value",
        ReleaseValueAddr = "release_value_addr",
        AutoreleaseValue = "autorelease_value",
        UnmanagedRetainValue = "unmanaged_retain_value",
        UnmanagedReleaseValue = "unmanaged_release_value",
        UnmanagedAutoreleaseValue = "unmanaged_autorelease_value",
        StrongRetainUnowned = "strong_retain_unowned",
        UnownedRetain = "unowned_retain",
        UnownedRelease = "unowned_release",
        RefToUnowned = "ref_to_unowned",
        UnownedToRef = "unowned_to_ref",
        RefToUnmanaged = "ref_to_unmanaged",
        UnmanagedToRef = "unmanaged_to_ref",
        StrongCopyWeakValue = "strong_copy_weak_value",
        StrongCopyUnownedValue = "strong_copy_unowned_value",
        StrongCopyUnmanagedValue = "strong_copy_unmanaged_value",
        WeakCopyValue = "weak_copy_value",
        UnownedCopyValue = "unowned_copy_value",
        LoadWeak = "load_weak",
        StoreWeak = "store_weak",
        LoadUnowned = "load_unowned",
        StoreUnowned = "store_unowned",
        IsUnique = "is_unique",
        BeginCowMutation = "begin_cow_mutation",
        EndCowMutation = "end_cow_mutation",
        EndCowMutationAddr = "end_cow_mutation_addr",
        DestroyNotEscapedClosure = "destroy_not_escaped_closure",
        IsEscapingClosure = "is_escaping_closure",
        CopyBlock = "copy_block",
        CopyBlockWithoutEscaping = "copy_block_without_escaping",
    }
    Ownership = "Ownership, lifetimes and dependences" {
        CopyValue = "copy_value",
        ExplicitCopyValue = "explicit_copy_value",
        DestroyValue = "destroy_value",
        MoveValue = "move_value",
        DropDeinit = "drop_deinit",
        BeginBorrow = "begin_borrow",
        Borrowed = "borrowed",
        EndBorrow = "end_borrow",
        EndLifetime = "end_lifetime",
        ExtendLifetime = "extend_lifetime",
        FixLifetime = "fix_lifetime",
        MarkDependence = "mark_dependence",
        MarkDependenceAddr = "mark_dependence_addr",
        UncheckedOwnershipConversion = "unchecked_ownership_conversion",
        UncheckedOwnership = "unchecked_ownership",
        MarkUnresolvedNonCopyableValue = "mark_unresolved_non_copyable_value",
        MarkUnresolvedReferenceBinding = "mark_unresolved_reference_binding",
        CopyableToMoveonlywrapper = "copyable_to_moveonlywrapper",
        MoveonlywrapperToCopyable = "moveonlywrapper_to_copyable",
        MoveonlywrapperToCopyableBox = "moveonlywrapper_to_copyable_box",
        MoveonlywrapperToCopyableAddr = "moveonlywrapper_to_copyable_addr",
        CopyableToMoveonlywrapperAddr = "copyable_to_moveonlywrapper_addr",
        IgnoredUse = "ignored_use",
        MergeIsolationRegion = "merge_isolation_region",
    }
    Aggregates = "Structs, tuples, objects and their fields" {
        Struct = "struct",
        StructExtract = "struct_extract",
        StructElementAddr = "struct_element_addr",
        Tuple = "tuple",
        TupleExtract = "tuple_extract",
        TupleElementAddr = "tuple_element_addr",
        DestructureStruct = "destructure_struct",
        DestructureTuple = "destructure_tuple",
        RefElementAddr = "ref_element_addr",
        RefTailAddr = "ref_tail_addr",
        Object = "object",
    }
    Enums = "Enums" {
        Enum = "enum",
        UncheckedEnumData = "unchecked_enum_data",
        InitEnumDataAddr = "init_enum_data_addr",
        InjectEnumAddr = "inject_enum_addr",
        UncheckedTakeEnumDataAddr = "unchecked_take_enum_data_addr",
        SelectEnum = "select_enum",
        SelectEnumAddr = "select_enum_addr",
    }
    Literals = "Literals and references to functions" {
        IntegerLiteral = "integer_literal",
        FloatLiteral = "float_literal",
        StringLiteral = "string_literal",
        FunctionRef = "function_ref",
        DynamicFunctionRef = "dynamic_function_ref",
        PrevDynamicFunctionRef = "prev_dynamic_function_ref",
        HasSymbol = "has_symbol",
    }
    Calls = "Applies, method lookup and closures" {
        Apply = "apply",
        BeginApply = "begin_apply",
        EndApply = "end_apply",
        AbortApply = "abort_apply",
        PartialApply = "partial_apply",
        Builtin = "builtin",
        ClassMethod = "class_method",
        SuperMethod = "super_method",
        ObjCMethod = "objc_method",
        ObjCSuperMethod = "objc_super_method",
        WitnessMethod = "witness_method",
        FunctionExtractIsolation = "function_extract_isolation",
    }
    Casts = "Conversions and casts" {
        Upcast = "upcast",
        AddressToPointer = "address_to_pointer",
        PointerToAddress = "pointer_to_address",
        UncheckedRefCast = "unchecked_ref_cast",
        UncheckedRefCastAddr = "unchecked_ref_cast_addr",
        UncheckedAddrCast = "unchecked_addr_cast",
        UncheckedTrivialBitCast = "unchecked_trivial_bit_cast",
        UncheckedBitwiseCast = "unchecked_bitwise_cast",
        UncheckedValueCast = "unchecked_value_cast",
        RefToRawPointer = "ref_to_raw_pointer",
        RawPointerToRef = "raw_pointer_to_ref",
        ConvertFunction = "convert_function",
        Thunk = "thunk",
        ConvertEscapeToNoescape = "convert_escape_to_noescape",
        RefToBridgeObject = "ref_to_bridge_object",
        BridgeObjectToRef = "bridge_object_to_ref",
        BridgeObjectToWord = "bridge_object_to_word",
        ClassifyBridgeObject = "classify_bridge_object",
        ValueToBridgeObject = "value_to_bridge_object",
        ThinToThickFunction = "thin_to_thick_function",
        UnconditionalCheckedCast = "unconditional_checked_cast",
        UnconditionalCheckedCastAddr = "unconditional_checked_cast_addr",
        ImplicitactorToOpaqueisolationCast = "implicitactor_to_opaqueisolation_cast",
    }
    Existentials = "Existential containers" {
        InitExistentialAddr = "init_existential_addr",
        InitExistentialValue = "init_existential_value",
        InitExistentialRef = "init_existential_ref",
        OpenExistentialAddr = "open_existential_addr",
        OpenExistentialRef = "open_existential_ref",
        OpenExistentialValue = "open_existential_value",
        OpenExistentialBox = "open_existential_box",
        OpenExistentialBoxValue = "open_existential_box_value",
        DeinitExistentialAddr = "deinit_existential_addr",
        DeinitExistentialValue = "deinit_existential_value",
    }
    Metatypes = "Metatypes and values of types" {
        Metatype = "metatype",
        ValueMetatype = "value_metatype",
        ExistentialMetatype = "existential_metatype",
        ObjCProtocol = "objc_protocol",
        TypeValue = "type_value",
        InitExistentialMetatype = "init_existential_metatype",
        OpenExistentialMetatype = "open_existential_metatype",
        ThickToObjcMetatype = "thick_to_objc_metatype",
        ObjcToThickMetatype = "objc_to_thick_metatype",
        ObjcMetatypeToObject = "objc_metatype_to_object",
        ObjcExistentialMetatypeToObject = "objc_existential_metatype_to_object",
    }
    Packs = "Parameter packs" {
        TuplePackElementAddr = "tuple_pack_element_addr",
        TuplePackExtract = "tuple_pack_extract",
        PackElementGet = "pack_element_get",
        PackElementSet = "pack_element_set",
        OpenPackElement = "open_pack_element",
        PackLength = "pack_length",
        DynamicPackIndex = "dynamic_pack_index",
        PackPackIndex = "pack_pack_index",
        ScalarPackIndex = "scalar_pack_index",
    }
    Blocks = "Objective-C blocks" {
        ProjectBlockStorage = "project_block_storage",
        InitBlockStorageHeader = "init_block_storage_header",
    }
    Differentiation = "Automatic differentiation" {
        DifferentiableFunction = "differentiable_function",
        LinearFunction = "linear_function",
        DifferentiableFunctionExtract = "differentiable_function_extract",
        LinearFunctionExtract = "linear_function_extract",
        DifferentiabilityWitnessFunction = "differentiability_witness_function",
    }
    Concurrency = "Continuations, executors and actors" {
        GetAsyncContinuation = "get_async_continuation",
        GetAsyncContinuationAddr = "get_async_continuation_addr",
        ExtractExecutor = "extract_executor",
        HopToExecutor = "hop_to_executor",
    }
    KeyPaths = "Key paths" {
        Keypath = "keypath",
    }
    Diagnostics = "Debug information, run-time checks and profiling" {
        DebugValue = "debug_value",
        DebugStep = "debug_step",
        SpecifyTest = "specify_test",
        CondFail = "cond_fail",
        IncrementProfilerCounter = "increment_profiler_counter",
    }
    Terminators = "Terminators" {
        Unreachable = "unreachable",
        Return = "return",
        ReturnBorrow = "return_borrow",
        Throw = "throw",
        ThrowAddr = "throw_addr",
        Yield = "yield",
        Unwind = "unwind",
        Br = "br",
        CondBr = "cond_br",
        SwitchValue = "switch_value",
        SwitchEnum = "switch_enum",
        SwitchEnumAddr = "switch_enum_addr",
        DynamicMethodBr = "dynamic_method_br",
        CheckedCastBr = "checked_cast_br",
        CheckedCastAddrBr = "checked_cast_addr_br",
        TryApply = "try_apply",
        AwaitAsyncContinuation = "await_async_continuation",
    }
}

impl Opcode {
    /// Whether it ends a function's execution with a result.
    pub const fn returns(self) -> bool {
        matches!(self, Opcode::Return | Opcode::ReturnBorrow)
    }

    /// Whether control leaves the function in it: with a result, an error, or on the unwind path of a coroutine.
    pub const fn leaves_function(self) -> bool {
        self.returns() || matches!(self, Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind)
    }
}
