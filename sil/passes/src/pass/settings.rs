//! The settings of passes.

use sil_analysis::ModuleExtent;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Function, FunctionFlag};
use std::num::NonZeroU32;

use super::description::Pass;
use super::limits::PassLimit;
use super::printing::PassPrinting;

/// The settings of passes, which correspond to options of sil-opt.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The opcodes of the instructions to simplify, or `None` for all.
    pub simplified: Option<Vec<Opcode>>,
    /// The disabled passes and simplifications.
    pub disabled: DisabledPasses,
    /// The limit on pass runs, if there is one. Only the last pass that runs sees it.
    pub limit: Option<PassLimit>,
    /// The number of runs of each pass for measurements. Once if it is not set.
    pub repetitions: Option<NonZeroU32>,
    /// The functions to print while passes run.
    pub printing: PassPrinting,
    /// Whether the results of passes are verified.
    pub pass_verification: PassVerification,
    /// The aggregates whose references are counted separately.
    pub expansion: Expansion,
    /// Whether accesses are checked at run time.
    pub exclusivity: Exclusivity,
    /// Whether runtime checks are kept.
    pub runtime_checks: RuntimeChecks,
    /// The `cond_fail`s to merge.
    pub merged_checks: MergedChecks,
    /// The transformations of `semantic-arc-opts`, in order. Empty for all of them.
    pub arc_transformations: Vec<ArcTransformation>,
    /// Whether diagnostics name variables.
    pub variable_names: VariableNames,
    /// The optimisation mode.
    pub optimization: OptimizationMode,
    /// The goal of optimised functions without an attribute of their own.
    pub goal: OptimizationGoal,
    /// The functions that passes leave alone.
    pub exempt: ExemptFunctions,
    /// The treatment of lexical lifetimes.
    pub lexical_lifetimes: LexicalLifetimes,
    /// Whether the module is a resilient library.
    pub evolution: LibraryEvolution,
    /// The location of pack metadata.
    pub pack_metadata: PackMetadata,
    /// The assertions that the program checks.
    pub assert_configuration: AssertConfiguration,
    /// Whether static assertions are evaluated.
    pub static_assertions: StaticAssertions,
    /// The limit on the evaluation of constant expressions.
    pub constant_expressions: ConstantExpressions,
    /// Whether generic functions are specialised partially.
    pub partial_specialization: PartialSpecialization,
    /// The performance inlining.
    pub inlining: Inlining,
    /// Whether instruction combining removes redundant copies and borrows.
    pub canonicalization: Canonicalization,
    /// Whether instruction combining removes unread stack memory.
    pub unread_memory: UnreadMemory,
    /// The passes that canonicalise owned lifetimes.
    pub copy_propagation: CopyPropagation,
    /// Whether borrow scopes are rewritten.
    pub borrow_scopes: BorrowScopes,
    /// Whether lifetimes in dead ends are completed after SILGen cleanup.
    pub lifetimes: Lifetimes,
    /// The treatment of declarations that are unavailable on all platforms.
    pub unavailable_declarations: UnavailableDeclarations,
    /// The treatment of closures that are dead after closure specialisation.
    pub dead_closures: DeadClosures,
    /// The copies in memory that stack closures keep capturing.
    pub captured_copies: CapturedCopies,
    /// The treatment of stack closures that capture addresses of loadable values by address lowering.
    pub stack_captures: StackCaptures,
    /// The function signature optimisation.
    pub signatures: Signatures,
    /// Whether stack allocations with disjoint lifetimes share memory.
    pub stack_slots: StackSlots,
    /// The budget of jump threading.
    pub jump_threading: JumpThreadingBudget,
    /// Whether loops of one block are rotated.
    pub single_block_loops: SingleBlockLoops,
    /// The loop headers that are cloned for rotation.
    pub header_copies: HeaderCopies,
    /// The extent of the program that the module represents.
    pub extent: ModuleExtent,
    /// The treatment of values that unsafe pointers refer to and that may be on the stack of an unknown caller.
    pub inout_protection: InOutProtection,
    /// The treatment of loops by the pairing of retains and releases.
    pub arc_loops: ArcLoops,
    /// Whether a value may depend on the memory of its base.
    pub address_dependencies: AddressDependencies,
    /// The module name, if it is given.
    pub module_name: Option<String>,
    /// The strictness of concurrency checking.
    pub concurrency: ConcurrencyChecking,
    /// The default isolation of asynchronous functions, for diagnostics.
    pub asynchronous: AsynchronousDefault,
    /// Whether functions without a transpose can be made linear.
    pub linear_transposition: LinearTransposition,
}

impl Settings {
    /// Returns whether `function` is optimised for size (`SILFunction::optimizeForSize`).
    pub fn is_for_size(&self, function: &Function) -> bool {
        let own = [FunctionFlag::OptimizeNone, FunctionFlag::OptimizeForSpeed].iter().any(|flag| function.has(*flag));
        function.has(FunctionFlag::OptimizeForSize) || self.goal == OptimizationGoal::Size && !own
    }

    /// Returns whether passes leave `function` alone.
    pub(crate) fn exempts(&self, function: &Function) -> bool {
        self.exempt == ExemptFunctions::Unoptimized && function.has(FunctionFlag::OptimizeNone)
    }
}

/// Whether functions without a transpose can be made linear (`-enable-experimental-linear-map-transposition`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LinearTransposition {
    /// No, that is an error.
    #[default]
    Disabled,
    /// Yes, the transpose is left undefined.
    Enabled,
}

/// Whether generic functions are specialised for substitutions that are not all concrete.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum PartialSpecialization {
    /// No.
    #[default]
    Disabled,
    /// For the concrete types.
    KnownTypes,
    /// Also for types that contain generic parameters of the caller.
    AllTypes,
}

/// The default isolation of asynchronous functions. The text of a module contains the isolation, but not whether it was
/// the default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AsynchronousDefault {
    /// On no actor.
    #[default]
    Concurrent,
    /// On the actor of the caller (`-enable-upcoming-feature NonisolatedNonsendingByDefault`, SE-0461).
    Callers,
}

/// The strictness of concurrency checking (`-strict-concurrency`, `-swift-version`). The text of a module does not
/// contain it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ConcurrencyChecking {
    /// Only if the pass is requested by name, with warnings.
    #[default]
    Minimal,
    /// Always, with warnings.
    Complete,
    /// Always, with errors: the language mode of Swift 6.
    Swift6,
}

impl ConcurrencyChecking {
    /// Raises the strictness to that of another option.
    pub fn at_least(&mut self, other: ConcurrencyChecking) {
        *self = match (*self, other) {
            (ConcurrencyChecking::Swift6, _) | (_, ConcurrencyChecking::Swift6) => ConcurrencyChecking::Swift6,
            (ConcurrencyChecking::Complete, _) | (_, ConcurrencyChecking::Complete) => ConcurrencyChecking::Complete,
            _ => ConcurrencyChecking::Minimal,
        };
    }

    /// The strictness of `-strict-concurrency` with this value.
    pub fn of_strictness(value: &str) -> Self {
        if value == "complete" { ConcurrencyChecking::Complete } else { ConcurrencyChecking::Minimal }
    }

    /// The strictness of `-swift-version` with this value.
    pub fn of_language_mode(value: &str) -> Self {
        let mode = value.split('.').next().and_then(|mode| mode.parse::<u32>().ok());
        if mode.is_some_and(|mode| mode >= 6) { ConcurrencyChecking::Swift6 } else { ConcurrencyChecking::Minimal }
    }
}

/// Whether the results of passes are verified.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PassVerification {
    /// Never.
    #[default]
    Skip,
    /// After each pass.
    Verify,
}

/// The treatment of loops by the pairing of retains and releases (`-enable-loop-arc`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ArcLoops {
    /// The effects of a loop are summarised.
    #[default]
    Summarized,
    /// Loops are unknown.
    Ignored,
}

/// The disabled passes and simplifications (`-sil-disable-pass`, `-sil-disable-pass-only-function`).
#[derive(Clone, Default, Debug)]
pub struct DisabledPasses {
    /// Parts of the names of passes, on the command line or in Swift's compiler, or `simplify-INSTRUCTION` for the
    /// simplifications of an instruction.
    pub names: Vec<String>,
    /// The functions for which they are disabled. Empty for all.
    pub functions: Vec<String>,
}

impl DisabledPasses {
    /// Returns whether a pass is disabled for some functions.
    pub fn has(&self, pass: Pass) -> bool {
        pass.is_named(&self.names)
    }

    /// Returns whether simplifications of the instruction `opcode` are disabled in `function`.
    pub fn keeps(&self, opcode: Opcode, function: &str) -> bool {
        let name = |name: &String| name.strip_prefix("simplify-") == Some(opcode.name());
        self.names.iter().any(name) && self.concerns(function)
    }

    /// Returns whether the passes are disabled for a function.
    pub fn concerns(&self, function: &str) -> bool {
        self.functions.is_empty() || self.functions.iter().any(|name| name == function)
    }
}

/// The treatment of values that unsafe pointers refer to and that may be on the stack of an unknown caller
/// (`-enable-move-inout-stack-protector`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum InOutProtection {
    /// They are left in place.
    #[default]
    Ignore,
    /// They are moved to the function's own stack, which is protected.
    Move,
}

/// Whether canonicalisation rewrites borrow scopes (`-canonical-ossa-rewrite-borrows`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BorrowScopes {
    /// Only those of guaranteed arguments.
    #[default]
    OfArguments,
    /// All of them.
    Rewritten,
}

/// The treatment of closures that are dead after closure specialisation
/// (`-closure-specialize-eliminate-dead-closures`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DeadClosures {
    /// They are removed.
    #[default]
    Removed,
    /// They are kept.
    Kept,
}

/// The copies in memory that stack closures capture instead of the original
/// (`-sil-disable-copy-elimination-of-copyable-closure-capture`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CapturedCopies {
    /// Only copies of memory that is written during the lifetime of the closure.
    #[default]
    Needed,
    /// All copies of copyable values.
    OfCopyable,
}

/// The function signature optimisation.
#[derive(Clone, Default, Debug)]
pub struct Signatures {
    /// The functions that are assumed to be called.
    pub callers: AssumedCallers,
    /// The disabled steps.
    pub omitted: Vec<SignatureStep>,
}

impl Signatures {
    /// Returns whether a step is enabled.
    pub fn performs(&self, step: SignatureStep) -> bool {
        !self.omitted.contains(&step)
    }
}

/// The functions that are assumed to be called (`-sil-fso-optimize-if-not-called`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AssumedCallers {
    /// Functions with calls in the module.
    #[default]
    Known,
    /// All functions.
    Always,
}

/// A step of the function signature optimisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureStep {
    /// Dead arguments are removed.
    DeadArguments,
    /// Owned arguments and results with epilogue releases or retains become guaranteed or unowned.
    OwnedToGuaranteed,
    /// Aggregate arguments are exploded.
    ArgumentExplosion,
}

/// Whether lifetimes in dead ends are completed (`-enable-ossa-complete-lifetimes`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Lifetimes {
    /// No.
    #[default]
    Incomplete,
    /// In functions with lifetime-dependent values.
    WhereDependent,
    /// In all functions.
    Complete,
}

/// Whether instruction combining removes redundant copies and borrows (`-sil-combine-canonicalize`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Canonicalization {
    /// Yes.
    #[default]
    Included,
    /// No, they are left to other passes.
    Excluded,
}

/// The passes that canonicalise owned lifetimes (`-enable-copy-propagation`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CopyPropagation {
    /// All passes that can.
    #[default]
    Everywhere,
    /// Passes that are requested. In functions that keep their ownership, instruction combining is one of them.
    RequestedPasses,
    /// Only passes with no other purpose.
    Nowhere,
}

/// The treatment of declarations that are unavailable on all platforms (`-unavailable-decl-optimization`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnavailableDeclarations {
    /// They are kept.
    #[default]
    Kept,
    /// They are removed with their implementation.
    Removed,
}

/// The treatment of unread stack memory by instruction combining (`-sil-combine-disable-alloc-stack-opts`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnreadMemory {
    /// It is removed, with the copies to it.
    #[default]
    Removed,
    /// It is kept.
    Kept,
}

/// Whether stack allocations with disjoint lifetimes share memory (`-sil-merge-stack-slots`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StackSlots {
    /// Yes.
    #[default]
    Merged,
    /// No.
    Separate,
}

/// The budget of jump threading (`-sil-infinite-jump-threading-budget`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum JumpThreadingBudget {
    /// The benefit of the clone.
    #[default]
    Limited,
    /// No limit.
    Unlimited,
}

/// Whether loops of one block are rotated (`-looprotate-single-block-loop`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SingleBlockLoops {
    /// No.
    #[default]
    Kept,
    /// Yes.
    Rotated,
}

/// The loop headers that are cloned for rotation (`-looprotate-infinite-budget`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HeaderCopies {
    /// Small ones.
    #[default]
    Small,
    /// All that can be.
    Any,
}

/// The performance inlining.
#[derive(Clone, Default, Debug)]
pub struct Inlining {
    /// Whether anything is inlined.
    pub extent: InliningExtent,
    /// Whether calls with generic substitutions are inlined.
    pub generics: GenericInlining,
    /// Whether `@inline(__always)` is respected.
    pub always: AlwaysInlining,
    /// The functions that are never inlined.
    pub never: Vec<String>,
    /// Parts of the names of functions that are never inlined.
    pub never_with: Vec<String>,
}

/// Whether anything is inlined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum InliningExtent {
    /// Profitable calls.
    #[default]
    Worthwhile,
    /// Nothing.
    Nothing,
}

/// Whether calls with generic substitutions are inlined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GenericInlining {
    /// Only coroutine calls and calls that must be inlined.
    #[default]
    Forced,
    /// Like other calls.
    Worthwhile,
}

/// Whether `@inline(__always)` is respected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AlwaysInlining {
    /// Yes.
    #[default]
    Heeded,
    /// No.
    Ignored,
}

/// A transformation of the pass `semantic-arc-opts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArcTransformation {
    /// Removes redundant copies.
    RedundantCopies,
    /// Replaces copies that outlive their original with the original.
    LifetimeJoining,
    /// Removes borrows if the borrowed value can be used.
    RedundantBorrowScopes,
    /// Removes conversions to unowned if the value is alive.
    OwnershipConversions,
    /// Removes redundant moves.
    RedundantMoves,
}

impl ArcTransformation {
    /// All transformations.
    pub const ALL: &'static [ArcTransformation] = &[
        ArcTransformation::RedundantCopies,
        ArcTransformation::LifetimeJoining,
        ArcTransformation::RedundantBorrowScopes,
        ArcTransformation::OwnershipConversions,
        ArcTransformation::RedundantMoves,
    ];
}

/// The treatment by address lowering of a stack closure that captures the address of a loadable value, which is stored
/// to temporary memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StackCaptures {
    /// The memory lives until the closure is created, as in Swift's pass. The output of the single pass then equals
    /// Swift's.
    #[default]
    UntilMade,
    /// Such closures are rejected, since they would refer to deallocated memory. Programs contain none at that point.
    Refused,
}

/// The optimisation mode.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OptimizationMode {
    /// Not optimised: debug information is preserved, and lifetimes are kept.
    #[default]
    None,
    /// Not specified: debug information is preserved, but lifetimes may be shortened.
    Unspecified,
    /// Optimised for speed or size.
    Optimized,
}

/// The goal of optimised functions without an attribute of their own (`-O`, `-Osize`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OptimizationGoal {
    /// Fast.
    #[default]
    Speed,
    /// Small.
    Size,
}

/// The functions that passes leave alone.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ExemptFunctions {
    /// None: the passes are required for all programs.
    #[default]
    None,
    /// Functions marked `[Onone]`.
    Unoptimized,
}

/// Whether diagnostics about accesses name variables by their debug information.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum VariableNames {
    /// Yes, since the names are those of the Swift program.
    #[default]
    Written,
    /// No: without a Swift program there are no declarations with names.
    Undeclared,
}

/// The `cond_fail`s to merge.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MergedChecks {
    /// Those with the same message.
    #[default]
    OfOneMessage,
    /// All, since their messages are not needed.
    All,
}

/// The aggregates that are expanded into their parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Expansion {
    /// Those with few fields.
    #[default]
    Small,
    /// All.
    All,
}

/// Whether runtime checks are kept (`-remove-runtime-asserts`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RuntimeChecks {
    /// Yes.
    #[default]
    Kept,
    /// No, their conditions are assumed to hold.
    Removed,
}

/// Whether accesses are checked at run time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Exclusivity {
    /// Yes.
    #[default]
    Checked,
    /// No.
    Unchecked,
}

/// The limit on the evaluation of constant expressions (`-constexpr-limit`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstantExpressions {
    /// The number of instructions that are evaluated for one expression.
    pub instructions: u32,
}

impl Default for ConstantExpressions {
    fn default() -> Self {
        Self { instructions: 3072 }
    }
}

/// The assertions that the program checks (`SILOptions::AssertConfig` of include/swift/AST/SILOptions.h).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AssertConfiguration {
    /// All.
    #[default]
    Debug,
    /// Preconditions.
    Release,
    /// None: they are assumed to hold.
    Unchecked,
    /// Decided later.
    Open,
}

impl AssertConfiguration {
    /// Returns the configuration that the standard library gives a number, and `Open` for the greatest.
    pub fn numbered(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Debug,
            1 => Self::Release,
            2 => Self::Unchecked,
            u32::MAX => Self::Open,
            _ => return None,
        })
    }

    /// Returns the result of the builtin `assert_configuration`, unless that is decided later.
    pub fn number(self) -> Option<u32> {
        match self {
            Self::Debug => Some(0),
            Self::Release => Some(1),
            Self::Unchecked => Some(2),
            Self::Open => None,
        }
    }
}

/// Whether static assertions are evaluated (`#assert`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StaticAssertions {
    /// No, since they are an experimental feature of Swift.
    Ignored,
    /// Yes. The SIL was generated with the experimental feature, or it would contain none.
    #[default]
    Checked,
}

/// The location of pack metadata.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PackMetadata {
    /// On the stack, where it is marked.
    #[default]
    OnStack,
    /// On the heap.
    OnHeap,
}

/// Whether a value may depend on the memory of its base, if its type permits it (`-enable-address-dependencies`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AddressDependencies {
    /// Yes.
    #[default]
    Heeded,
    /// No, it depends on the variable.
    Ignored,
}

/// Whether the module is a resilient library, whose clients need not be recompiled when it changes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LibraryEvolution {
    /// No.
    #[default]
    Disabled,
    /// Yes: the stored properties of non-frozen public types may change.
    Enabled,
}

/// The treatment of lexical lifetimes when variables are promoted to values.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LexicalLifetimes {
    /// Lifetimes end at the last use.
    #[default]
    Dropped,
    /// Values live as long as the variables did.
    Kept,
}
