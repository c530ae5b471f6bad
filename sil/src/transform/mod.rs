//! Passes: what changes functions. Each is a file or a folder of `mandatory` or `optimizations`; `silc print --pass NAME` runs it alone. `pipeline`
//! runs them, `rounds` a pass that looks at what it made. They share how bodies are changed (`editing`), what is asked (`knowledge`) and how the Swift
//! program is spoken of (`messages`).

mod analyzed_functions;
mod constant_evaluation;
mod editing;
mod function_tests;
mod guaranteed;
mod knowledge;
mod limits;
mod mandatory;
mod messages;
mod optimizations;
mod passes;
mod performance;
mod performance_passes;
mod pipeline;
mod printing;
mod profile;
mod remarks;
mod reports;
mod rounds;
mod settings;
mod worklist;

pub use crate::analysis::{Analyses, Change};
pub use editing::block_order::sort_blocks;
pub use editing::builder::InstructionBuilder;
pub use editing::debug_values::drop_debug_values;
pub use function_tests::{EvaluatorTest, run_function_tests};
pub use guaranteed::{complete_canonical, make_canonical, make_canonical_recording, make_canonical_with};
pub use limits::PassLimit;
pub use mandatory::performance::specialized_symbol;
pub use messages::type_names::type_in_words;
pub use passes::Pass;
pub use performance::{Program, is_optimized, optimize};
pub use performance_passes::performance_passes;
pub use pipeline::{Environment, Findings, Rewrite, run, run_function_pass, run_recording, run_with};
pub use printing::{Listener, OtherPasses, PassPrinting};
pub use profile::PassTimes;
pub use remarks::{Outcome, Remark, RemarkPart};
pub use reports::Report;
pub use settings::{
    AddressDependencies, AlwaysInlining, ArcLoops, ArcTransformation, AssumedCallers, AsynchronousDefault,
    BorrowScopes, Canonicalization, CapturedCopies, ConcurrencyChecking, CopyPropagation, DeadClosures, DisabledPasses,
    Exclusivity, ExemptFunctions, Expansion, GenericInlining, HeaderCopies, InOutProtection, Inlining, InliningExtent,
    JumpThreadingBudget, LexicalLifetimes, LibraryEvolution, Lifetimes, LinearTransposition, MergedChecks,
    OptimizationGoal, OptimizationMode, PackMetadata, PartialSpecialization, PassVerification, RuntimeChecks, Settings,
    SignatureStep, Signatures, SingleBlockLoops, StackCaptures, StackSlots, StaticAssertions, UnavailableDeclarations,
    UnreadMemory, VariableNames,
};
pub use worklist::group_length;
