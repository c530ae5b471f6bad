//! Passes: the code that changes functions. Each is a file or a folder of `mandatory` or `optimizations`, with a value
//! of its own beside its code and a row in `registry`; `silc print --pass NAME` runs it alone. `pass` has the words of
//! passes, on which all of them stand; `manager` runs them, in the orders of `pipelines`. They share how bodies are
//! changed (`editing`), questions (`knowledge`) and the words for a Swift program (`messages`).
#![forbid(unsafe_code)]

mod constant_evaluation;
mod editing;
mod function_tests;
mod knowledge;
mod manager;
mod mandatory;
mod messages;
mod optimizations;
mod pass;
mod pipelines;
mod registry;
mod reports;

pub use editing::block_order::sort_blocks;
pub use editing::builder::InstructionBuilder;
pub use editing::debug_values::drop_debug_values;
pub use function_tests::{EvaluatorTest, run_function_tests};
pub use manager::{group_length, run, run_recording, run_with};
pub use mandatory::performance::specialized_symbol;
pub use messages::type_names::type_in_words;
pub use pass::settings::{
    AddressDependencies, AlwaysInlining, ArcLoops, ArcTransformation, AssertConfiguration, AssumedCallers,
    AsynchronousDefault, BorrowScopes, Canonicalization, CapturedCopies, ConcurrencyChecking, CopyPropagation,
    DeadClosures, DisabledPasses, Exclusivity, ExemptFunctions, Expansion, GenericInlining, HeaderCopies,
    InOutProtection, Inlining, InliningExtent, JumpThreadingBudget, LexicalLifetimes, LibraryEvolution, Lifetimes,
    LinearTransposition, MergedChecks, OptimizationGoal, OptimizationMode, PackMetadata, PartialSpecialization,
    PassVerification, RuntimeChecks, Settings, SignatureStep, Signatures, SingleBlockLoops, StackCaptures, StackSlots,
    StaticAssertions, UnavailableDeclarations, UnreadMemory, VariableNames,
};
pub use pass::{
    Afterwards, Description, Environment, Findings, FunctionPass, Gate, Gates, Listener, MadeWrong, ModuleEnvironment,
    ModulePass, OtherPasses, Outcome, OwnershipGate, Pass, PassLimit, PassPrinting, PassTimes, ProgramPass, Remark,
    RemarkPart, Rewrite, Rewrites, Runner,
};
pub use pipelines::{
    LOWERING_PASSES, Program, complete_canonical, is_optimized, make_canonical, make_canonical_recording,
    make_canonical_with, optimize, performance_passes,
};
pub use reports::Report;
pub use sil_analysis::{Analyses, Change};
