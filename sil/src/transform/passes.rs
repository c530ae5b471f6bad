//! The passes, by the names that they have on the command line and in Swift's compiler (include/swift/SILOptimizer/PassManager/Passes.def).
//!
//! Does not own: what runs them, which is `pipeline`'s.

macro_rules! passes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $class:literal;)*) => {
        /// A pass over the functions of a module.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Pass {
            $($(#[$doc])* $name,)*
        }

        impl Pass {
            /// All passes.
            pub const ALL: &'static [Pass] = &[$(Pass::$name,)*];

            /// The pass of this name.
            pub fn from_name(name: &str) -> Option<Pass> {
                Pass::ALL.iter().copied().find(|pass| pass.name() == name)
            }

            /// Its name on the command line, which is Swift's.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Pass::$name => $text,)*
                }
            }

            /// The name of its class in Swift's compiler.
            pub const fn class_name(self) -> &'static str {
                match self {
                    $(Pass::$name => $class,)*
                }
            }
        }
    };
}

impl Pass {
    /// Whether its name on the command line or in Swift's compiler contains one of `parts` (`SILPassManager::isPassDisabled` in
    /// lib/SILOptimizer/PassManager/PassManager.cpp, and the options beside that).
    pub(super) fn is_named(self, parts: &[String]) -> bool {
        parts.iter().any(|part| self.name().contains(part.as_str()) || self.class_name().contains(part.as_str()))
    }
}

passes! {
    /// Selects whether accesses are checked by the compiler or as the program runs.
    AccessEnforcementSelection = "access-enforcement-selection", "AccessEnforcementSelection";
    /// Puts values in memory that only live there and are SSA values where the module has such.
    AddressLowering = "address-lowering", "AddressLowering";
    /// Puts boxes that do not escape on the stack.
    BoxToStack = "allocbox-to-stack", "AllocBoxToStack";
    /// Folds branches on `true` and `false`.
    BooleanLiteralFolding = "boolean-literal-folding", "BooleanLiteralFolding";
    /// Makes functions of their own for closures over constants alone.
    CapturePropagation = "capture-prop", "CapturePropagation";
    /// Computes what is needed on some ways alone there.
    CodeSinking = "code-sinking", "CodeSinking";
    /// Asks objects for their class where few have a method, and calls the functions of these directly.
    SpeculativeDevirtualization = "specdevirt", "SpeculativeDevirtualization";
    /// Lets functions take and give what costs their callers less.
    FunctionSignatureOptimization = "function-signature-opts", "FunctionSignatureOpts";
    /// Takes captured arguments away that nothing needs.
    CapturedArgumentElimination = "dead-arg-signature-opt", "DeadArgSignatureOpt";
    /// Marks the entries of vtables that nothing overrides.
    VTablePruning = "prune-vtables", "PruneVTables";
    /// Makes functions anew for the closures that they are called with.
    ClosureSpecialization = "closure-specialize", "ClosureSpecializer";
    /// Gives functions that take existentials generic ones beside them.
    ExistentialSpecializer = "existential-specializer", "ExistentialSpecializer";
    /// Closures live as long as the values that do not escape and are made of them.
    ClosureLifetimes = "closure-lifetime-fixup", "ClosureLifetimeFixup";
    /// Closures capture the values of variables that nothing changes any more, not their boxes.
    CapturePromotion = "capture-promotion", "CapturePromotion";
    /// Says what is wrong with operations on what is known, and puts literals in the places of what is computed of them.
    DiagnosticConstantPropagation = "diagnostic-constant-propagation", "DiagnosticConstantPropagation";
    /// The same, and folds branches on what is known. A pass of silc alone.
    ConstantFolding = "diagnostic-constant-folding", "DiagnosticConstantPropagation";
    /// Puts literals in the places of what is computed of them.
    ConstantPropagation = "performance-constant-propagation", "PerformanceConstantPropagation";
    /// States where the arguments of functions go.
    EscapeEffects = "compute-escape-effects", "ComputeEscapeEffects";
    /// States what functions read, write, copy and destroy.
    SideEffects = "compute-side-effects", "ComputeSideEffects";
    /// Resolves the operator `consume` on copyable variables in memory.
    ConsumeOperatorAddresses = "sil-consume-operator-copyable-addresses-checker", "ConsumeOperatorCopyableAddressesChecker";
    /// Resolves the operator `consume` on copyable values.
    ConsumeOperatorValues = "sil-consume-operator-copyable-values-checker", "ConsumeOperatorCopyableValuesChecker";
    /// Removes memory that is written and never read.
    DeadAllocationElimination = "predictable-deadalloc-elim", "PredictableDeadAllocationElimination";
    /// Removes functions and globals that nothing uses.
    DeadFunctionElimination = "sil-deadfuncelim", "DeadFunctionAndGlobalElimination";
    /// Calls the bodies of `forEach` on array literals with one element after the other.
    ForEachUnrolling = "for-each-loop-unroll", "ForEachLoopUnroll";
    /// Makes hops to executors of hops to actors.
    HopToActorLowering = "lower-hop-to-actor", "LowerHopToActor";
    /// Removes hops to executors that change nothing.
    HopToExecutorOptimization = "optimize-hop-to-executor", "OptimizeHopToExecutor";
    /// Says where `let` properties of objects are initialised.
    LetPropertyLowering = "let-property-lowering", "LetPropertyLowering";
    /// Makes stores to the elements of a tuple of those that make it in memory.
    TupleConstructorLowering = "lower-tuple-addr-constructor", "LowerTupleAddrConstructor";
    /// Makes closures of `thunk` instructions.
    ThunkLowering = "sil-thunk-lowering", "ThunkLowering";
    /// Says anew what variables are wherever a coroutine may go on in a function of its own.
    CoroutineVariables = "sil-onone-debuginfo-canonicalizer", "DebugInfoCanonicalizer";
    /// Says where accessors yield more than once, or not at all.
    YieldOnceCheck = "yield-once-check", "YieldOnceCheck";
    /// Lets owned values live no longer than they are used, and copies them only where they live on.
    CopyPropagation = "copy-propagation", "CopyPropagation";
    /// The same. Swift's does without borrow scopes, as this one does.
    MandatoryCopyPropagation = "mandatory-copy-propagation", "MandatoryCopyPropagation";
    /// Puts a block on each way from a `cond_br` to a block that others lead to.
    CriticalEdgeSplitting = "split-critical-edges", "SplitAllCriticalEdges";
    /// Removes instructions that nothing useful needs, dead block arguments, and branches that decide nothing.
    DeadCodeElimination = "dce", "DCE";
    /// Removes stores whose values nothing reads.
    DeadStoreElimination = "dead-store-elimination", "DeadStoreElimination";
    /// Decides which stores initialise memory, and what is destroyed where.
    DefiniteInitialization = "definite-init", "DefiniteInitialization";
    /// Takes the wrappers off trivial values that are not to be copied.
    TrivialMoveOnlyTypeEliminator = "sil-trivial-move-only-type-eliminator", "TrivialMoveOnlyTypeEliminator";
    /// Takes the wrappers off copyable values that are not to be copied.
    MoveOnlyTypeEliminator = "sil-move-only-type-eliminator", "MoveOnlyTypeEliminator";
    /// Resolves marks of noncopyable values: copies become moves and borrows.
    NoncopyableChecker = "sil-move-only-checker", "MoveOnlyChecker";
    /// The same for memory alone.
    NoncopyableMemoryChecker = "sil-move-only-address-checker", "MoveOnlyAddressChecker";
    /// The same for values alone.
    NoncopyableValueChecker = "sil-move-only-object-checker", "MoveOnlyObjectChecker";
    /// Says which closures that outlive a call capture what does not.
    InvalidEscapingCaptures = "diagnose-invalid-escaping-captures", "DiagnoseInvalidEscapingCaptures";
    /// Warns of calls of a function in itself that never end.
    InfiniteRecursion = "diagnose-infinite-recursion", "DiagnoseInfiniteRecursion";
    /// Marks what calls give as dependent on the arguments that their types say it depends on.
    LifetimeDependenceInsertion = "lifetime-dependence-insertion", "LifetimeDependenceInsertion";
    /// Lets what others depend on live as long as these are used.
    LifetimeDependenceScopeFixup = "lifetime-dependence-scope-fixup", "LifetimeDependenceScopeFixup";
    /// Says which values outlive what they depend on.
    LifetimeDependenceDiagnostics = "lifetime-dependence-diagnostics", "LifetimeDependenceDiagnostics";
    /// Warns of weak references to objects that nobody keeps.
    LifetimeIssues = "diagnose-lifetime-issues", "DiagnoseLifetimeIssues";
    /// Says which functions end without the result that they are to return.
    MissingReturn = "dataflow-diagnostics", "EmitDFDiagnostics";
    /// Inlines what is always to be inlined.
    AlwaysInline = "always-inline", "AlwaysInlineInliner";
    /// Inlines what is worth it, but for functions whose meaning later passes know.
    EarlyInline = "early-inline", "EarlyPerfInliner";
    /// Inlines what is worth it.
    Inline = "inline", "PerfInliner";
    /// Links the bodies of `[transparent]` functions that are called.
    MandatoryLinking = "mandatory-linker", "MandatorySILLinker";
    /// Puts the bodies of `[transparent]` functions in the places of calls.
    MandatoryInlining = "mandatory-inlining", "MandatoryInlining";
    /// Makes functions of Embedded Swift anew for the types that they are called with, with bodies from libraries; in ordinary Swift what functions
    /// call that must be fast.
    MandatoryPerformance = "mandatory-performance-optimizations", "MandatoryPerformanceOptimizations";
    /// Links the bodies of functions that conditions call which must hold when a program is compiled. A pass of silc alone.
    EvaluatedFunctionLinking = "evaluated-function-linking", "EvaluatedFunctionLinking";
    /// Computes such conditions. A pass of silc alone: with sil-opt they are computed where missing returns are looked for.
    StaticAssertions = "static-assertions", "StaticAssertions";
    /// Inlines what is transparent in ordinary Swift, with bodies from libraries. A pass of silc alone.
    TransparentCompletion = "transparent-completion", "TransparentCompletion";
    /// Inlines closures of transparent functions where they are made. A pass of silc alone: with sil-opt mandatory inlining does that at once.
    TransparentClosureInlining = "transparent-closure-inlining", "TransparentClosureInlining";
    /// Accesses directly what key path literals are applied to, and allocates objects as those of their classes. A pass of silc alone: with sil-opt the
    /// simplification of functions that are not optimised does that.
    UnsupportedSimplification = "unsupported-simplification", "UnsupportedSimplification";
    /// Marks where metadata of packs may lie on the stack.
    PackMetadataMarking = "pack-metadata-marker-inserter", "PackMetadataMarkerInserter";
    /// Does without memory that noncopyable values are copied to and only borrowed from.
    NoncopyableTemporaries = "sil-move-only-temp-allocation-from-let-tester", "MoveOnlyTempAllocationFromLetTester";
    /// Removes what follows calls that never return, and warns of it.
    NoReturnFolding = "noreturn-folding", "NoReturnFolding";
    /// Makes instructions that only raw SIL has those of canonical SIL.
    RawInstructionLowering = "raw-sil-inst-lowering", "RawSILInstLowering";
    /// Removes blocks that nothing leads to. A pass of silc alone.
    UnreachableBlockElimination = "unreachable-block-elimination", "UnreachableBlockElimination";
    /// Removes code that literals show to be unreachable, and what follows calls that never return.
    UnreachableCode = "diagnose-unreachable", "DiagnoseUnreachable";
    /// Says which accesses to a variable overlap though one of them must be alone.
    StaticExclusivity = "diagnose-static-exclusivity", "DiagnoseStaticExclusivity";
    /// Computes what is constant in messages for the system's log.
    OSLogOptimization = "os-log-optimization", "OSLogOptimization";
    /// Moves values into the variables that are bound to others, and back.
    ReferenceBindingTransform = "sil-reference-binding-transform", "ReferenceBindingTransform";
    /// Says which functions known to passes call others of these by way of functions that are not known.
    NestedSemanticFunctionCheck = "nested-semantic-function-check", "NestedSemanticFunctionCheck";
    /// Says which values are sent to other actors that may still be used, or that belong to one.
    RegionIsolation = "send-non-sendable", "SendNonSendable";
    /// Says where initialisers and deinitialisers of actors use what belongs to the actor, though others may know it already.
    FlowIsolation = "flow-isolation", "FlowIsolation";
    /// Makes the derivatives of functions that are to be differentiated.
    Differentiation = "differentiation", "Differentiation";
    /// Refers to derivatives where differentiability witnesses that are known name them.
    DifferentiabilityWitnessDevirtualizer = "differentiability-witness-devirtualizer", "DifferentiabilityWitnessDevirtualizer";
    /// Calls methods of classes directly that can be only one function.
    Devirtualizer = "devirtualizer", "Devirtualizer";
    /// Makes generic functions anew for the types that they are called with.
    GenericSpecializer = "generic-specializer", "GenericSpecializer";
    /// Says which transparent functions would be inlined without end.
    CircularInlining = "diagnose-circular-inlining", "CircularInliningDiagnostics";
    /// Says what functions do that are annotated not to.
    PerformanceDiagnostics = "performance-diagnostics", "PerformanceDiagnostics";
    /// Makes values of variables on the stack.
    MemoryPromotion = "mem2reg", "Mem2Reg";
    /// Passes a field of a struct where branches passed the struct and only that field is used.
    PhiExpansion = "phi-expansion", "PhiExpansion";
    /// Replaces loads of what is known, of local variables alone.
    MandatoryRedundantLoadElimination = "mandatory-redundant-load-elimination", "MandatoryRedundantLoadElimination";
    /// Replaces loads of what is known, arrays apart.
    EarlyRedundantLoadElimination = "early-redundant-load-elimination", "EarlyRedundantLoadElimination";
    /// Replaces loads of what is known.
    RedundantLoadElimination = "redundant-load-elimination", "RedundantLoadElimination";
    /// Does without arguments of blocks that are always one value, of which one part is used, or that nothing uses.
    ArgumentSimplification = "simplify-bb-args", "SimplifyBBArgs";
    /// Divides arguments of blocks with several references in them into their parts.
    ArgumentSplitting = "sroa-bb-args", "SROABBArgs";
    /// Makes checks of what branches pass in front of the branches.
    CheckHoisting = "move-cond-fail-to-preds", "MoveCondFailToPreds";
    /// Makes one of block arguments that always have the same value.
    RedundantPhiElimination = "redundant-phi-elimination", "RedundantPhiElimination";
    /// Gives globals the constants that they are initialised with.
    StaticGlobalInitialization = "initialize-static-globals", "InitializeStaticGlobals";
    /// Loads aggregates part by part, and removes copies and borrows that nothing needs.
    SilgenCleanup = "silgen-cleanup", "SILGenCleanup";
    /// Removes copies, borrows and moves that values with ownership need not.
    SemanticArc = "semantic-arc-opts", "SemanticARCOpts";
    /// Divides structs and tuples on the stack into variables of their own.
    ScalarReplacement = "sroa", "SROA";
    /// Simplifies where functions lead: blocks that one another lead to alone, and branches that are known.
    BranchSimplification = "simplify-cfg", "SimplifyCFG";
    /// The same, and lets ways on which something was decided go past where it is decided again.
    JumpThreading = "jumpthread-simplify-cfg", "JumpThreadSimplifyCFG";
    /// Simplifies instructions of functions that are optimised, several at once too.
    Combination = "sil-combine", "SILCombine";
    /// Simplifies single instructions of functions that are optimised.
    Simplification = "simplification", "Simplification";
    /// Simplifies single instructions of functions that are not optimised.
    OnoneSimplification = "onone-simplification", "OnoneSimplification";
    /// Simplifies builtins of functions that are not optimised, once types become no more concrete.
    LateOnoneSimplification = "late-onone-simplification", "LateOnoneSimplification";
    /// Moves releases out of accesses, behind them.
    AccessReleaseSinking = "access-enforcement-release", "AccessEnforcementReleaseSinking";
    /// Marks accesses that nothing conflicts with within, takes checks of local variables away, and makes one access of two.
    AccessFolding = "access-enforcement-opts", "AccessEnforcementOpts";
    /// Takes away checks of accesses that nothing in the module conflicts with.
    ModuleAccessRemoval = "access-enforcement-wmo", "AccessEnforcementWMO";
    /// Makes checks of numbers of elements once, and in front of loops.
    BoundsCheckOptimization = "bcopts", "BoundsCheckOpts";
    /// Makes arrays unique in front of the loops that change them.
    ArrayUniquenessHoisting = "cowarray-opt", "COWArrayOpts";
    /// Makes loops over arrays of objects twice, once for those whose elements lie as Swift lays them out.
    ArrayPropertySpecialization = "array-property-opt", "SwiftArrayPropertyOpt";
    /// Answers whether the elements of arrays lie as Swift lays them out where the whole module shows that they do.
    GlobalPropertyOptimization = "global-property-opt", "GlobalPropertyOpt";
    /// Puts the counts of arrays that are known in the places of asking for them.
    ArrayCountPropagation = "array-count-propagation", "ArrayCountPropagation";
    /// Allocates memory of unknown size where functions begin.
    StackHoisting = "alloc-stack-hoisting", "AllocStackHoisting";
    /// Gives loops one block in front of them and one that leads back.
    LoopCanonicalization = "loop-canonicalizer", "LoopCanonicalizer";
    /// Moves conditions down to switches over enums that they alone decide.
    ConditionForwarding = "condition-forwarding", "ConditionForwarding";
    /// Takes away checks of accesses that others make already.
    DominatedAccessRemoval = "access-enforcement-dom", "AccessEnforcementDom";
    /// Lets functions that are only applied take one context for what is bound where they are partially applied.
    PartialApplySimplification = "partial-apply-simplification", "PartialApplySimplification";
    /// Puts objects that are made of constants in globals.
    ObjectOutlining = "object-outliner", "ObjectOutliner";
    /// Marks objects whose headers nothing looks at.
    ObjectHeaderStripping = "strip-object-headers", "StripObjectHeaders";
    /// Takes away the marks of accesses that nothing checks as the program runs.
    AccessMarkerElimination = "access-marker-elim", "AccessMarkerElimination";
    /// Divides what is done with aggregates into what is done with their parts.
    AggregateLowering = "lower-aggregate-instrs", "LowerAggregateInstrs";
    /// Puts earlier results in the places of what computes the same again.
    CommonSubexpressionElimination = "cse", "CSE";
    /// The same, with calls of functions whose semantics passes know.
    HighLevelCommonSubexpressionElimination = "high-level-cse", "HighLevelCSE";
    /// Removes checks of overflow that other checks and branches make needless.
    OverflowCheckRemoval = "remove-redundant-overflow-checks", "RedundantOverflowCheckRemoval";
    /// Makes one check of several that nothing happens between.
    CondFailMerging = "merge-cond_fails", "MergeCondFails";
    /// Takes away what is there for debuggers alone.
    DebugInformationStripping = "strip-debug-info", "StripDebugInfo";
    /// Takes away steps of debuggers that other instructions make as well.
    DebugStepCleanup = "cleanup-debug-steps", "CleanupDebugSteps";
    /// Lets lifetimes end where values are last used.
    LexicalLifetimeEliminator = "sil-lexical-lifetime-eliminator", "LexicalLifetimeEliminator";
    /// Empties functions that were made anew and that nothing calls any more.
    UnusedOriginals = "sil-diagnostic-dead-function-elim", "DiagnosticDeadFunctionElimination";
    /// Makes variables that are moved to their destination in the end there in the first place.
    TemporaryDestinationElimination = "temp-lvalue-opt", "TempLValueOpt";
    /// Does without short-lived copies that are only read.
    TemporaryCopyElimination = "temp-rvalue-opt", "TempRValueOpt";
    /// Uses values that are moved where they were, or makes them where they go.
    CopyForwarding = "copy-forwarding", "CopyForwarding";
    /// Removes retains and releases that take each other back on all ways.
    ArcSequences = "arc-sequence-opts", "ARCSequenceOpts";
    /// Moves what several blocks end with to the block that they lead to, and retains of enums to where their case is known.
    EarlyCodeMotion = "early-codemotion", "EarlyCodeMotion";
    /// The same, and releases of enums as well.
    LateCodeMotion = "late-codemotion", "LateCodeMotion";
    /// Moves retains down.
    RetainSinking = "retain-sinking", "RetainSinking";
    /// Moves releases up, but for those of its arguments that a function ends with.
    ReleaseHoisting = "release-hoisting", "ReleaseHoisting";
    /// Moves all releases up.
    LateReleaseHoisting = "late-release-hoisting", "LateReleaseHoisting";
    /// The same, always with what is known of loops.
    ArcLoops = "arc-loop-opts", "ARCLoopOpts";
    /// Allocates objects that do not escape on the stack.
    StackPromotion = "stack-promotion", "StackPromotion";
    /// Ends the time in which clients see bodies of the module.
    SerializationEnd = "serialize-sil", "SerializeSILPass";
    /// Marks functions whose stack something out of bounds may overwrite, with a look at their callers.
    StackProtection = "stack-protection", "StackProtection";
    /// The same without a look at callers.
    FunctionStackProtection = "function-stack-protection", "FunctionStackProtection";
    /// Does what is done with constant strings.
    ConstantStrings = "string-optimization", "StringOptimization";
    /// Puts constants in the places of `let` properties that are always initialised with them.
    ConstantLetProperties = "let-properties-opt", "LetPropertiesOpt";
    /// Destroys what is in memory as early as can be.
    AddressDestroyHoisting = "destroy-addr-hoisting", "DestroyAddrHoisting";
    /// Destroys values as early as another copy of them lets that be.
    DestroyHoisting = "destroy-hoisting", "DestroyHoisting";
    /// Does what is the same in each round of a loop once in front of it.
    LoopInvariantCodeMotion = "licm", "LICM";
    /// The same, while functions whose semantics passes know are calls.
    HighLevelLoopInvariantCodeMotion = "high-level-licm", "HighLevelLICM";
    /// Lets loops check at their end whether they go on.
    LoopRotation = "loop-rotate", "LoopRotate";
    /// Makes copies of what small loops do that run a known number of times.
    LoopUnrolling = "loop-unroll", "LoopUnroll";
    /// Removes objects and variables that are only written to.
    DeadObjectElimination = "deadobject-elim", "DeadObjectElimination";
    /// Lets what destroys values that cannot be copied call their `deinit` itself.
    DeinitDevirtualization = "deinit-devirtualizer", "DeinitDevirtualizer";
    /// Lets the last releases of objects on the stack call their deallocators.
    ReleaseDevirtualization = "release-devirtualizer", "ReleaseDevirtualizer";
    /// Answers whether buffers are unique that were and that nothing else refers to since.
    CowUniquenessFolding = "cow-opts", "COWOpts";
    /// Says what borrowed block arguments are borrowed from.
    UpdateBorrowedFrom = "update-borrowed-from", "UpdateBorrowedFrom";
    /// Makes variables that become indirect results in the memory of the results.
    NamedReturnValues = "named-return-value-optimization", "NamedReturnValueOptimization";
    /// Marks global variables that nothing writes as constants.
    ReadOnlyGlobals = "read-only-global-variables", "ReadOnlyGlobalVariablesPass";
    /// Empties the blocks that end the program.
    UnreachableEnds = "simplify-unreachable-containing-blocks", "SimplifyUnreachableContainingBlocks";
    /// Makes functions with ownership that are not inlined at any rate into functions without.
    LateOwnershipLowering = "non-transparent-func-ownership-model-eliminator", "NonTransparentFunctionOwnershipModelEliminator";
    /// Makes functions with ownership (`[ossa]`) into functions without: copies and destroys become retains and releases.
    OwnershipLowering = "ownership-model-eliminator", "OwnershipModelEliminator";
}
