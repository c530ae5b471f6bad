//! What passes are told beside the module.

use std::num::NonZeroU32;

use super::description::Pass;
use super::limits::PassLimit;
use super::printing::PassPrinting;
use crate::analysis::ModuleExtent;
use crate::instructions::Opcode;
use crate::model::{Function, FunctionFlag};

/// What passes are told beside the module, as options of sil-opt tell it.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The kinds of instructions that are simplified; none where all are.
    pub simplified: Option<Vec<Opcode>>,
    /// Which passes and simplifications do not run.
    pub disabled: DisabledPasses,
    /// How often passes run; always where that is not limited. Of the limit only the last pass that runs is told.
    pub limit: Option<PassLimit>,
    /// How often each pass runs, to be measured; once where that is not said.
    pub repetitions: Option<NonZeroU32>,
    /// Which functions are printed as passes run.
    pub printing: PassPrinting,
    /// Whether what passes make that run function by function is verified.
    pub pass_verification: PassVerification,
    /// Which aggregates are divided where references are counted.
    pub expansion: Expansion,
    /// Whether accesses are checked as the program runs.
    pub exclusivity: Exclusivity,
    /// Whether programs check what must hold as they run.
    pub runtime_checks: RuntimeChecks,
    /// Which checks become one.
    pub merged_checks: MergedChecks,
    /// Which transformations `semantic-arc-opts` makes, in this order; all of them where none is named.
    pub arc_transformations: Vec<ArcTransformation>,
    /// Whether messages call variables by their names.
    pub variable_names: VariableNames,
    /// What functions are compiled for.
    pub optimization: OptimizationMode,
    /// What optimised functions are to be that do not say it themselves.
    pub goal: OptimizationGoal,
    /// Which functions passes leave alone.
    pub exempt: ExemptFunctions,
    /// What becomes of the lifetimes that people see.
    pub lexical_lifetimes: LexicalLifetimes,
    /// Whether the module is a library whose clients need not be compiled anew when it changes.
    pub evolution: LibraryEvolution,
    /// Where metadata of packs lie.
    pub pack_metadata: PackMetadata,
    /// Which assertions a program checks, as the standard library numbers them; none where that is left open.
    pub assert_configuration: Option<u32>,
    /// Whether conditions are computed that must hold when a program is compiled.
    pub static_assertions: StaticAssertions,
    /// How far constant expressions are evaluated.
    pub constant_expressions: ConstantExpressions,
    /// Whether generic functions are specialised for calls of which not all types are known.
    pub partial_specialization: PartialSpecialization,
    /// What is inlined to make programs fast.
    pub inlining: Inlining,
    /// Whether copies and borrows that nothing needs go where instructions are combined.
    pub canonicalization: Canonicalization,
    /// What becomes of memory on the stack that nothing reads, where instructions are combined.
    pub unread_memory: UnreadMemory,
    /// Where owned values get canonical lifetimes.
    pub copy_propagation: CopyPropagation,
    /// Whether copies of what is borrowed are rewritten.
    pub borrow_scopes: BorrowScopes,
    /// Whether values end on ways that never leave functions, behind cleaning up what SILGen makes.
    pub lifetimes: Lifetimes,
    /// What becomes of declarations that are unavailable everywhere.
    pub unavailable_declarations: UnavailableDeclarations,
    /// What becomes of closures that functions were made anew for.
    pub dead_closures: DeadClosures,
    /// Which copies in memory closures on the stack capture.
    pub captured_copies: CapturedCopies,
    /// What address lowering does where closures on the stack capture the addresses of loadable values.
    pub stack_captures: StackCaptures,
    /// How function signatures are optimised.
    pub signatures: Signatures,
    /// Whether allocations that are never there at the same time share memory.
    pub stack_slots: StackSlots,
    /// What copies of blocks may cost that let jumps go past decisions.
    pub jump_threading: JumpThreadingBudget,
    /// Whether loops of one block are rotated.
    pub single_block_loops: SingleBlockLoops,
    /// Which headers are copied to rotate loops.
    pub header_copies: HeaderCopies,
    /// How much of a program the module is.
    pub extent: ModuleExtent,
    /// What becomes of values that are reached through unsafe pointers and may lie on the stack of a caller that is not known.
    pub inout_protection: InOutProtection,
    /// What is known of loops where pairs of retains and releases are looked for.
    pub arc_loops: ArcLoops,
    /// Whether what depends on a value may depend on the memory that this lies in.
    pub address_dependencies: AddressDependencies,
    /// What the module is called, where that is said.
    pub module_name: Option<String>,
    /// How strictly it is checked what actors share.
    pub concurrency: ConcurrencyChecking,
    /// Where asynchronous functions run that say nothing of it, for the words about them.
    pub asynchronous: AsynchronousDefault,
    /// Whether functions can be made linear that nobody wrote a transpose for.
    pub linear_transposition: LinearTransposition,
}

impl Settings {
    /// Whether `function` is to be small rather than fast (`SILFunction::optimizeForSize`).
    pub fn is_for_size(&self, function: &Function) -> bool {
        let own = [FunctionFlag::OptimizeNone, FunctionFlag::OptimizeForSpeed].iter().any(|flag| function.has(*flag));
        function.has(FunctionFlag::OptimizeForSize) || self.goal == OptimizationGoal::Size && !own
    }

    /// Whether passes leave `function` alone.
    pub(in crate::transform) fn exempts(&self, function: &Function) -> bool {
        self.exempt == ExemptFunctions::Unoptimized && function.has(FunctionFlag::OptimizeNone)
    }
}

/// Whether functions can be made linear that nobody wrote a transpose for (`-enable-experimental-linear-map-transposition`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LinearTransposition {
    /// That is an error.
    #[default]
    Disabled,
    /// Their transpose is left open.
    Enabled,
}

/// Whether generic functions are specialised for calls of which not all types are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum PartialSpecialization {
    /// They are not.
    #[default]
    Disabled,
    /// For the types that are known.
    KnownTypes,
    /// For types with generic parameters of the caller, too.
    AllTypes,
}

/// Where asynchronous functions run that say nothing of it. The text of a module says where they run, but not what they say.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AsynchronousDefault {
    /// On no actor.
    #[default]
    Concurrent,
    /// Where their callers run (`-enable-upcoming-feature NonisolatedNonsendingByDefault`, SE-0461).
    Callers,
}

/// How strictly it is checked what actors share (`-strict-concurrency`, `-swift-version`). The text of a module does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ConcurrencyChecking {
    /// Where that is asked for by the name of the pass, and with warnings.
    #[default]
    Minimal,
    /// Everywhere, with warnings.
    Complete,
    /// Everywhere, with errors: the language mode of Swift 6.
    Swift6,
}

impl ConcurrencyChecking {
    /// The stricter one of two options.
    pub fn at_least(&mut self, other: ConcurrencyChecking) {
        *self = match (*self, other) {
            (ConcurrencyChecking::Swift6, _) | (_, ConcurrencyChecking::Swift6) => ConcurrencyChecking::Swift6,
            (ConcurrencyChecking::Complete, _) | (_, ConcurrencyChecking::Complete) => ConcurrencyChecking::Complete,
            _ => ConcurrencyChecking::Minimal,
        };
    }

    /// What `-strict-concurrency=complete` asks for.
    pub fn of_strictness(value: &str) -> Self {
        if value == "complete" { ConcurrencyChecking::Complete } else { ConcurrencyChecking::Minimal }
    }

    /// What `-swift-version 6` asks for.
    pub fn of_language_mode(value: &str) -> Self {
        let mode = value.split('.').next().and_then(|mode| mode.parse::<u32>().ok());
        if mode.is_some_and(|mode| mode >= 6) { ConcurrencyChecking::Swift6 } else { ConcurrencyChecking::Minimal }
    }
}

/// Whether what a pass made is verified.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PassVerification {
    /// It is not.
    #[default]
    Skip,
    /// After every pass.
    Verify,
}

/// What is known of loops where pairs of retains and releases are looked for (`-enable-loop-arc`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ArcLoops {
    /// What they do as a whole.
    #[default]
    Summarized,
    /// Nothing.
    Ignored,
}

/// Which passes and simplifications do not run (`-sil-disable-pass`, `-sil-disable-pass-only-function`).
#[derive(Clone, Default, Debug)]
pub struct DisabledPasses {
    /// Parts of the names of passes, as the command line or Swift's compiler calls them; `simplify-INSTRUCTION` for simplifications of an instruction.
    pub names: Vec<String>,
    /// The functions that this holds for; all where none is named.
    pub functions: Vec<String>,
}

impl DisabledPasses {
    /// Whether a pass does not run on some functions.
    pub fn has(&self, pass: Pass) -> bool {
        pass.is_named(&self.names)
    }

    /// Whether instructions of the kind `opcode` are not simplified in the function called `function`.
    pub fn keeps(&self, opcode: Opcode, function: &str) -> bool {
        let name = |name: &String| name.strip_prefix("simplify-") == Some(opcode.name());
        self.names.iter().any(name) && self.concerns(function)
    }

    /// Whether it holds for the function of this name.
    pub fn concerns(&self, function: &str) -> bool {
        self.functions.is_empty() || self.functions.iter().any(|name| name == function)
    }
}

/// What becomes of values that are reached through unsafe pointers and may lie on the stack of a caller that is not known
/// (`-enable-move-inout-stack-protector`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum InOutProtection {
    /// They stay where they are.
    #[default]
    Ignore,
    /// They are moved to the function's own stack, which is protected.
    Move,
}

/// Whether copies of what is borrowed are rewritten where owned values get canonical lifetimes (`-canonical-ossa-rewrite-borrows`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BorrowScopes {
    /// Those of borrowed arguments alone.
    #[default]
    OfArguments,
    /// All.
    Rewritten,
}

/// What becomes of closures that functions were made anew for and that nothing else needs (`-closure-specialize-eliminate-dead-closures`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DeadClosures {
    /// They are not made any more.
    #[default]
    Removed,
    /// They stay.
    Kept,
}

/// Which copies in memory closures on the stack capture, and not what was copied (`-sil-disable-copy-elimination-of-copyable-closure-capture`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CapturedCopies {
    /// Those of what is written as long as the closure lives.
    #[default]
    Needed,
    /// All copies of values that may be copied.
    OfCopyable,
}

/// How function signatures are optimised.
#[derive(Clone, Default, Debug)]
pub struct Signatures {
    /// Which functions are called.
    pub callers: AssumedCallers,
    /// What is not done.
    pub omitted: Vec<SignatureStep>,
}

impl Signatures {
    /// Whether something is done.
    pub fn performs(&self, step: SignatureStep) -> bool {
        !self.omitted.contains(&step)
    }
}

/// Which functions are called, as far as their signatures are concerned (`-sil-fso-optimize-if-not-called`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AssumedCallers {
    /// Those that the module shows calls of.
    #[default]
    Known,
    /// All.
    Always,
}

/// A part of the optimisation of function signatures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureStep {
    /// What nothing needs is not passed.
    DeadArguments,
    /// What is released at the end is lent, and who calls retains what is given.
    OwnedToGuaranteed,
    /// Parts are passed for what they are parts of.
    ArgumentExplosion,
}

/// Whether values end on ways that never leave functions (`-enable-ossa-complete-lifetimes`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Lifetimes {
    /// Only where SILGen ends them.
    #[default]
    Incomplete,
    /// In functions with values that must not outlive others.
    WhereDependent,
    /// They do.
    Complete,
}

/// Whether copies and borrows that nothing needs go where instructions are combined (`-sil-combine-canonicalize`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Canonicalization {
    /// They go.
    #[default]
    Included,
    /// They stay: that is the business of other passes.
    Excluded,
}

/// Where owned values get canonical lifetimes (`-enable-copy-propagation`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CopyPropagation {
    /// In all passes that can give them.
    #[default]
    Everywhere,
    /// In passes that are asked for. With functions that keep their ownership, combining instructions is one of them.
    RequestedPasses,
    /// Only where a pass is there for nothing else.
    Nowhere,
}

/// What becomes of declarations that are unavailable everywhere (`-unavailable-decl-optimization`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnavailableDeclarations {
    /// They stay.
    #[default]
    Kept,
    /// They go, and what is done for them.
    Removed,
}

/// What becomes of memory on the stack that nothing reads, where instructions are combined (`-sil-combine-disable-alloc-stack-opts`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnreadMemory {
    /// It goes, with the copies to it.
    #[default]
    Removed,
    /// It stays.
    Kept,
}

/// Whether allocations that are never there at the same time share memory (`-sil-merge-stack-slots`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StackSlots {
    /// They do.
    #[default]
    Merged,
    /// Each has its own.
    Separate,
}

/// What copies of blocks may cost that let jumps go past decisions (`-sil-infinite-jump-threading-budget`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum JumpThreadingBudget {
    /// As much as they are worth.
    #[default]
    Limited,
    /// Anything.
    Unlimited,
}

/// Whether loops of one block are rotated (`-looprotate-single-block-loop`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SingleBlockLoops {
    /// They stay as they are.
    #[default]
    Kept,
    /// They are.
    Rotated,
}

/// Which headers are copied to rotate loops (`-looprotate-infinite-budget`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HeaderCopies {
    /// Those that cost little.
    #[default]
    Small,
    /// All that can be.
    Any,
}

/// What is inlined to make programs fast.
#[derive(Clone, Default, Debug)]
pub struct Inlining {
    /// Whether anything is.
    pub extent: InliningExtent,
    /// Whether calls with generic arguments that are themselves generic are inlined.
    pub generics: GenericInlining,
    /// Whether `@inline(__always)` is heeded.
    pub always: AlwaysInlining,
    /// Functions that are not inlined.
    pub never: Vec<String>,
    /// Functions whose names have one of these in them are not inlined.
    pub never_with: Vec<String>,
}

/// Whether anything is inlined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum InliningExtent {
    /// What is worth it.
    #[default]
    Worthwhile,
    /// Nothing.
    Nothing,
}

/// Whether calls with generic arguments that are themselves generic are inlined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GenericInlining {
    /// Only those of coroutines, and of what must be inlined.
    #[default]
    Forced,
    /// As other calls.
    Worthwhile,
}

/// Whether `@inline(__always)` is heeded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AlwaysInlining {
    /// It is.
    #[default]
    Heeded,
    /// It is not.
    Ignored,
}

/// A transformation of the pass `semantic-arc-opts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArcTransformation {
    /// Copies that nothing needs go.
    RedundantCopies,
    /// Copies that live on where what was copied is destroyed are that itself.
    LifetimeJoining,
    /// Borrows go where what is borrowed can be used itself.
    RedundantBorrowScopes,
    /// Conversions to unowned values go where the value lives.
    OwnershipConversions,
    /// Moves that change nothing go.
    RedundantMoves,
}

impl ArcTransformation {
    /// All of them.
    pub const ALL: &'static [ArcTransformation] = &[
        ArcTransformation::RedundantCopies,
        ArcTransformation::LifetimeJoining,
        ArcTransformation::RedundantBorrowScopes,
        ArcTransformation::OwnershipConversions,
        ArcTransformation::RedundantMoves,
    ];
}

/// What address lowering does where a closure on the stack captures the address of a value that can be loaded: the memory for that.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StackCaptures {
    /// It is there until the closure is made, as Swift's pass has it: what the pass is given alone it makes what Swift makes of it.
    #[default]
    UntilMade,
    /// Such closures are refused: they would refer to memory that is not there any more. Programs have none by then.
    Refused,
}

/// What functions are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OptimizationMode {
    /// To be debugged: what debuggers show stays, and values live as long as they did.
    #[default]
    None,
    /// Nothing says that: what debuggers show stays, but values live no longer than they are used.
    Unspecified,
    /// To be fast or small.
    Optimized,
}

/// What optimised functions are to be that do not say it themselves (`-O`, `-Osize`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OptimizationGoal {
    /// Fast.
    #[default]
    Speed,
    /// Small.
    Size,
}

/// Which functions passes leave alone.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ExemptFunctions {
    /// None: every program needs what passes do.
    #[default]
    None,
    /// Those that say that they are not to be optimised (`[Onone]`).
    Unoptimized,
}

/// Whether messages about accesses call variables by the names that their instructions give them for debuggers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum VariableNames {
    /// They do: the names are those of the Swift program.
    #[default]
    Written,
    /// They do not: without a Swift program there are no declarations that could have names.
    Undeclared,
}

/// Which checks become one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MergedChecks {
    /// Those that say the same when they fail.
    #[default]
    OfOneMessage,
    /// All: nobody needs to know which one failed.
    All,
}

/// Which aggregates are divided into their parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Expansion {
    /// Those of few fields.
    #[default]
    Small,
    /// All.
    All,
}

/// Whether programs check what must hold as they run (`-remove-runtime-asserts`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RuntimeChecks {
    /// They do.
    #[default]
    Kept,
    /// They take it for granted.
    Removed,
}

/// Whether accesses are checked as the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Exclusivity {
    /// They are.
    #[default]
    Checked,
    /// They are not.
    Unchecked,
}

/// How far constant expressions are evaluated (`-constexpr-limit`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstantExpressions {
    /// So many instructions of functions are run for one of them.
    pub instructions: u32,
}

impl Default for ConstantExpressions {
    fn default() -> Self {
        Self { instructions: 3072 }
    }
}

/// Whether conditions are computed that must hold when a program is compiled (`#assert`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StaticAssertions {
    /// They are not: Swift only has them as an experiment.
    Ignored,
    /// They are: Swift made the SIL with that experiment, or there would be none in it.
    #[default]
    Checked,
}

/// Where metadata of packs lie.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PackMetadata {
    /// On the stack, where that is marked.
    #[default]
    OnStack,
    /// On the heap.
    OnHeap,
}

/// Whether what depends on a value may depend on the memory that this lies in, where its type says so (`-enable-address-dependencies`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AddressDependencies {
    /// It may.
    #[default]
    Heeded,
    /// It depends on the variable.
    Ignored,
}

/// Whether the module is a library whose clients need not be compiled anew when it changes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LibraryEvolution {
    /// It is not.
    #[default]
    Disabled,
    /// It is: what public types store that are not frozen may become something else.
    Enabled,
}

/// What becomes of the lifetimes that people see where variables become values.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LexicalLifetimes {
    /// Values live until they are last used.
    #[default]
    Dropped,
    /// Values live as long as the variables did.
    Kept,
}
