//! What makes programs fast: the passes that optimise a canonical module, in Swift's order (lib/SILOptimizer/PassManager/PassPipeline.cpp,
//! `getPerformancePassPipeline`), as far as silc has them.
//!
//! Here: the order alone. Each pass is its own business.

use super::Pass;
use super::Pass::*;
use crate::model::LanguageMode;

/// What runs once before all others.
const PREPARATION: &[Pass] = &[
    ForEachUnrolling,
    Simplification,
    AccessMarkerElimination,
    DeadFunctionElimination,
    TemporaryCopyElimination,
    SideEffects,
    CopyPropagation,
    SemanticArc,
    DifferentiabilityWitnessDevirtualizer,
];

/// What each function goes through at each level, up to where calls become direct.
const FUNCTION_BEGINNING: &[Pass] = &[
    BoxToStack,
    AddressDestroyHoisting,
    CopyForwarding,
    DeadCodeElimination,
    TemporaryDestinationElimination,
    AggregateLowering,
    ScalarReplacement,
    MemoryPromotion,
    ExistentialSpecializer,
    ConstantPropagation,
    BranchSimplification,
    ConditionForwarding,
    Combination,
    BranchSimplification,
];

/// What functions go through on the middle level before the semantics of arrays are inlined.
const MID_LEVEL_LOOPS: &[Pass] = &[
    HighLevelLoopInvariantCodeMotion,
    ArrayCountPropagation,
    BoundsCheckOptimization,
    DeadCodeElimination,
    ArrayUniquenessHoisting,
    DeadCodeElimination,
    ArrayPropertySpecialization,
    ConstantStrings,
];

/// What each function goes through from there to inlining.
const BEFORE_INLINING: &[Pass] = &[
    Devirtualizer,
    GenericSpecializer,
    Devirtualizer,
    ArcSequences,
    DeinitDevirtualization,
    DestroyHoisting,
    CopyPropagation,
    SemanticArc,
];

/// What each function goes through behind inlining.
const BEHIND_INLINING: &[Pass] = &[
    CopyPropagation,
    SemanticArc,
    MemoryPromotion,
    ConstantPropagation,
    JumpThreading,
    PhiExpansion,
    Combination,
    BranchSimplification,
    CommonSubexpressionElimination,
];

/// What each function goes through once loads are replaced.
const BEHIND_LOADS: &[Pass] = &[
    SemanticArc,
    CowUniquenessFolding,
    ConstantPropagation,
    RedundantPhiElimination,
    CommonSubexpressionElimination,
    DeadCodeElimination,
    EarlyCodeMotion,
    ReleaseHoisting,
    ArcSequences,
    TemporaryCopyElimination,
    BranchSimplification,
];

/// What each function goes through once code has moved.
const FUNCTION_END: &[Pass] =
    &[RetainSinking, RetainSinking, ReleaseHoisting, ArcSequences, DestroyHoisting, CopyPropagation, SemanticArc];

/// What functions go through while semantics of the library are calls still.
const HIGH_LEVEL_LOOPS: &[Pass] = &[
    AggregateLowering,
    Combination,
    ScalarReplacement,
    MemoryPromotion,
    DeadCodeElimination,
    Combination,
    BranchSimplification,
    ConditionForwarding,
    Combination,
    BranchSimplification,
    LoopRotation,
    DeadCodeElimination,
    HighLevelCommonSubexpressionElimination,
    Combination,
    BranchSimplification,
    AccessReleaseSinking,
    AccessFolding,
    HighLevelLoopInvariantCodeMotion,
    BranchSimplification,
    AccessReleaseSinking,
    AccessFolding,
    ArrayCountPropagation,
    Combination,
    LoopUnrolling,
    BranchSimplification,
    ConstantPropagation,
    BranchSimplification,
    BoundsCheckOptimization,
    DeadCodeElimination,
    ArrayUniquenessHoisting,
    DeadCodeElimination,
    ArrayPropertySpecialization,
    ConstantStrings,
    EscapeEffects,
    SideEffects,
];

/// What the module goes through behind the functions' first round.
const HIGH_LEVEL_MODULE: &[Pass] = &[
    DeadFunctionElimination,
    DeadObjectElimination,
    GlobalPropertyOptimization,
    EscapeEffects,
    SideEffects,
    StackPromotion,
    ConstantLetProperties,
    CopyPropagation,
    SemanticArc,
    SerializationEnd,
    OwnershipLowering,
];

/// What closures, constants and signatures take.
const SPECIALIZATION: &[Pass] = &[
    CapturedArgumentElimination,
    LoopInvariantCodeMotion,
    LoopInvariantCodeMotion,
    LoopUnrolling,
    DeadFunctionElimination,
    ReadOnlyGlobals,
    DeadStoreElimination,
    DeadObjectElimination,
    BranchSimplification,
    Combination,
    ConstantPropagation,
    BranchSimplification,
    Simplification,
    StaticGlobalInitialization,
    EscapeEffects,
    SideEffects,
    ConstantLetProperties,
    CapturePropagation,
    ClosureSpecialization,
    StackPromotion,
    BranchSimplification,
    ConditionForwarding,
    Combination,
    BranchSimplification,
    EscapeEffects,
    SideEffects,
    ReleaseDevirtualization,
];

/// What runs at the end.
const CONCLUSION: &[Pass] = &[
    NamedReturnValues,
    DeadObjectElimination,
    ObjectOutlining,
    DeadStoreElimination,
    DeadCodeElimination,
    Simplification,
    StaticGlobalInitialization,
    DeadObjectElimination,
    FunctionSignatureOptimization,
    EscapeEffects,
    SideEffects,
    DeadFunctionElimination,
    CodeSinking,
    AccessReleaseSinking,
    AccessFolding,
    LoopInvariantCodeMotion,
    CowUniquenessFolding,
    BranchSimplification,
    AccessReleaseSinking,
    AccessFolding,
    EscapeEffects,
    SideEffects,
    StackPromotion,
    OverflowCheckRemoval,
    CondFailMerging,
    DeadCodeElimination,
    Combination,
    BranchSimplification,
    ObjectHeaderStripping,
    LateReleaseHoisting,
    HopToExecutorOptimization,
    AccessReleaseSinking,
    AccessFolding,
    ModuleAccessRemoval,
    DominatedAccessRemoval,
    LoopInvariantCodeMotion,
    StackProtection,
];

/// The passes that make a canonical module of this mode fast, in their order.
pub fn performance_passes(mode: LanguageMode) -> Vec<Pass> {
    let level = |loops: &[Pass], inlining: Pass, loads: Pass, motion: Pass| {
        let (calls, memory) = (&[FUNCTION_BEGINNING, loops, BEFORE_INLINING, &[inlining]].concat(), &[loads][..]);
        [calls, BEHIND_INLINING, memory, BEHIND_LOADS, &[motion], FUNCTION_END].concat()
    };
    let passes = [
        PREPARATION,
        &level(&[], EarlyInline, EarlyRedundantLoadElimination, EarlyCodeMotion),
        HIGH_LEVEL_LOOPS,
        HIGH_LEVEL_MODULE,
        &level(MID_LEVEL_LOOPS, Inline, RedundantLoadElimination, EarlyCodeMotion),
        SPECIALIZATION,
        &level(&[], Inline, RedundantLoadElimination, LateCodeMotion),
        CONCLUSION,
    ]
    .concat();
    passes.into_iter().filter(|pass| runs_in(*pass, mode)).collect()
}

/// Whether a pass runs in modules of this mode. In Embedded Swift all functions are made for their types already; these passes would make generic calls
/// in functions that are not generic.
fn runs_in(pass: Pass, mode: LanguageMode) -> bool {
    mode == LanguageMode::Full || !matches!(pass, ExistentialSpecializer | GenericSpecializer)
}
