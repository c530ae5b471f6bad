//! The command line syntax of sil-opt (lib/DriverTool/sil_opt_main.cpp): options with one dash or two, values after `=`
//! or as the next argument, passes by name in execution order. Does not own: the execution of the options (`mod`).

use std::ffi::{OsStr, OsString};
use std::num::NonZeroU32;
use std::path::PathBuf;

use irgen::target::Target;
use sil::analysis::ModuleExtent;
use sil::dump::{LocationList, PrintingOptions, PrintingPass, StorageUseList};
use sil::instructions::Opcode;
use sil::model::{AddressLowering, LanguageMode, Platform};
use sil::print::{Comments, DebugInformation, Declarations, LocationComments, OperandTypes, Order, ReadableNames};
use sil::transform::{
    AddressDependencies, AlwaysInlining, ArcLoops, ArcTransformation, AssertConfiguration, AssumedCallers,
    AsynchronousDefault, BorrowScopes, Canonicalization, CapturedCopies, ConcurrencyChecking, CopyPropagation,
    DeadClosures, EvaluatorTest, Exclusivity, ExemptFunctions, Expansion, GenericInlining, HeaderCopies,
    InOutProtection, InliningExtent, JumpThreadingBudget, LexicalLifetimes, LibraryEvolution, Lifetimes,
    LinearTransposition, MergedChecks, OptimizationGoal, OptimizationMode, OtherPasses, PackMetadata,
    PartialSpecialization, Pass, PassLimit, PassVerification, Report, RuntimeChecks, Settings, SignatureStep,
    SingleBlockLoops, StackSlots, StaticAssertions, UnavailableDeclarations, UnreadMemory, VariableNames,
};
use sil::verify::FailureKind;

use crate::misuse::Misuse;

/// A command line of sil-opt.
#[derive(Default)]
pub struct Options {
    /// The module; `-` is standard input.
    pub input: Option<PathBuf>,
    /// The output path.
    pub output: Option<PathBuf>,
    /// SIL libraries, from which bodies are linked.
    pub libraries: Vec<PathBuf>,
    /// The named passes, in execution order.
    pub passes: Vec<NamedPass>,
    /// The pipeline that runs in addition.
    pub pipeline: Pipeline,
    /// Whether only the help is printed.
    pub help: Help,
    /// Whether the module is verified before the first pass.
    pub input_verification: InputVerification,
    /// The verifier's findings to tolerate on the input, which are reported in the format of Swift's verifier. Others
    /// are errors.
    pub tolerated: Vec<FailureKind>,
    /// The treatment of the passes' diagnostics.
    pub messages: Messages,
    /// The prefixes that expectation comments may have.
    pub prefixes: Vec<String>,
    /// The format of the output.
    pub format: Format,
    /// The output path of optimisation remarks.
    pub remarks: Option<PathBuf>,
    /// Whether the module is Embedded Swift, regardless of its text.
    pub embedded: bool,
    /// The platform of the module, if specified.
    pub platform: Option<Platform>,
    /// Whether address-only values are passed as addresses, if specified.
    pub address_lowering: Option<AddressLowering>,
    /// The settings of passes.
    pub settings: Settings,
    /// The settings of printing passes.
    pub printing: PrintingOptions,
    /// The settings for printing the module.
    pub print: sil::print::PrintOptions,
}

/// The passes to run.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Pipeline {
    /// The named passes only.
    #[default]
    Named,
    /// The mandatory passes only.
    Guaranteed,
    /// The mandatory passes, then the named passes.
    Unoptimized,
    /// The mandatory and the performance passes, then the named passes.
    Performance,
}

/// Whether the help is requested.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Help {
    #[default]
    Unwanted,
    Wanted,
}

/// A pass by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedPass {
    /// A transformation of the module.
    Transformation(Pass),
    /// A pass that prints its results.
    Printing(PrintingPass),
    /// The pass that runs `specify_test` instructions.
    FunctionTests,
    /// A test pass of the constant evaluator.
    Evaluator(EvaluatorTest),
    /// A report of a transformation's queries.
    Report(Report),
}

impl NamedPass {
    fn from_name(name: &str) -> Option<Self> {
        if name == "test-runner" {
            return Some(NamedPass::FunctionTests);
        }
        if let Some(test) = EvaluatorTest::from_name(name) {
            return Some(NamedPass::Evaluator(test));
        }
        if let Some(report) = Report::from_name(name) {
            return Some(NamedPass::Report(report));
        }
        let transformation = Pass::from_name(name).map(NamedPass::Transformation);
        transformation.or_else(|| PrintingPass::from_name(name).map(NamedPass::Printing))
    }
}

/// The verification of the input.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum InputVerification {
    /// Verifies.
    #[default]
    Verify,
    /// Verifies all but the lifetimes of values, which a pass examines.
    VerifyAllButLifetimes,
    /// Does not verify.
    Skip,
}

/// The treatment of the passes' diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Messages {
    /// Diagnostics are reported.
    #[default]
    Report,
    /// Diagnostics are compared with the expectations in the file's comments.
    Compare,
}

/// The format of the output.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Readable text.
    #[default]
    Text,
    /// Serialised: everything that is needed to read the module back.
    Serialized,
}

/// The meaning of an option, with the form of its value.
enum Meaning {
    /// A switch, with an optional `=true` or `=false`.
    Switch(fn(&mut Options, Setting)),
    /// A value.
    Value(fn(&mut Options, &OsStr)),
    /// A value that is parsed; the function returns whether it is valid.
    ParsedValue(fn(&mut Options, &str) -> bool),
    /// A switch that is always on in silc.
    AlwaysOn,
    /// A switch without effect: it controls properties that silc infers from the module, or passes that follow it by
    /// default.
    SwitchWithoutEffect,
    /// An optional value; the function returns whether it is valid.
    OptionalWord(fn(&mut Options, Option<&str>) -> bool),
    /// A value without effect.
    ValueWithoutEffect,
    /// An unsupported option.
    NotYet,
}

/// The value of a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    On,
    Off,
}

impl Setting {
    fn choose<T>(self, on: T, off: T) -> T {
        match self {
            Setting::On => on,
            Setting::Off => off,
        }
    }
}

/// Splits names at commas.
fn names(value: &OsStr) -> Vec<String> {
    value.to_string_lossy().split(',').map(str::to_owned).collect()
}

fn meaning(name: &str) -> Option<Meaning> {
    use Meaning::{
        AlwaysOn, NotYet, OptionalWord, ParsedValue, Switch, SwitchWithoutEffect, Value, ValueWithoutEffect,
    };
    Some(match name {
        // Unsupported targets are ignored.
        "target" => Value(|options, value| {
            options.platform = Target::from_triple(&value.to_string_lossy()).ok().map(|target| target.platform());
        }),
        "save-optimization-record-path" => Value(|options, value| options.remarks = Some(value.into())),
        "o" => Value(|options, value| options.output = Some(value.into())),
        "diagnostics" => {
            Switch(|options, setting| options.pipeline = setting.choose(Pipeline::Guaranteed, Pipeline::Named))
        }
        "help" | "h" => Switch(|options, setting| options.help = setting.choose(Help::Wanted, Help::Unwanted)),
        "O" => Switch(|options, setting| options.optimize(OptimizationGoal::Speed, setting)),
        // These two are options of swift-frontend.
        "Osize" => Switch(|options, setting| options.optimize(OptimizationGoal::Size, setting)),
        "Onone" => Switch(|options, setting| {
            options.pipeline = setting.choose(Pipeline::Unoptimized, Pipeline::Named);
        }),
        // An option of silc: it loads SIL text instead of the compiled modules that sil-opt reads.
        "sil-library" => Value(|options, value| options.libraries.push(value.into())),
        "sil-print-types" => Switch(|options, setting| {
            options.print.operand_types = setting.choose(OperandTypes::Always, OperandTypes::WhereNeeded);
        }),
        "sil-full-demangle" => Switch(|options, setting| {
            options.print.names = setting.choose(ReadableNames::Full, ReadableNames::Simplified);
        }),
        "sil-print-all" => Switch(|options, setting| {
            options.settings.printing.others = setting.choose(OtherPasses::Changes, OtherPasses::Nothing);
        }),
        "sil-print-before" => Value(|options, value| options.settings.printing.before.extend(names(value))),
        "sil-print-after" => Value(|options, value| options.settings.printing.after.extend(names(value))),
        "sil-print-around" => Value(|options, value| options.settings.printing.around.extend(names(value))),
        "sil-print-function" => Value(|options, value| options.settings.printing.functions.extend(names(value))),
        "sil-print-functions" => Value(|options, value| {
            options.settings.printing.part = value.to_string_lossy().into_owned();
        }),
        "sil-print-no-uses" => Switch(|options, setting| {
            options.print.comments = setting.choose(Comments::WithoutUses, Comments::Write);
        }),
        "sil-print-debuginfo" => Switch(|options, setting| {
            options.print.debug_information = setting.choose(DebugInformation::Complete, DebugInformation::Omit);
            options.printing.locations = setting.choose(LocationList::Write, LocationList::Omit);
        }),
        "emit-verbose-sil" => Switch(|options, setting| {
            options.print.locations = setting.choose(LocationComments::Write, LocationComments::Omit);
        }),
        "emit-sorted-sil" => {
            Switch(|options, setting| options.print.order = setting.choose(Order::Sorted, Order::Module))
        }
        "sil-disable-ast-dump" => Switch(|options, setting| {
            options.print.declarations = setting.choose(Declarations::Omit, Declarations::Write);
        }),
        "sil-disable-input-verify" => Switch(|options, setting| {
            options.input_verification = setting.choose(InputVerification::Skip, InputVerification::Verify);
        }),
        "sil-ownership-verifier-enable-testing" => Switch(|options, setting| {
            options.input_verification =
                setting.choose(InputVerification::VerifyAllButLifetimes, InputVerification::Verify);
        }),
        "sil-verify-none" => Switch(|options, setting| {
            options.input_verification = setting.choose(InputVerification::Skip, InputVerification::Verify);
            options.settings.pass_verification = PassVerification::Skip;
        }),
        "enable-sil-verify-all" | "sil-verify-all" => Switch(|options, setting| {
            options.settings.pass_verification = setting.choose(PassVerification::Verify, PassVerification::Skip);
        }),
        "verify-continue-on-failure" => Switch(|options, setting| options.tolerate(FailureKind::Rule, setting)),
        "dont-abort-on-memory-lifetime-errors" => {
            Switch(|options, setting| options.tolerate(FailureKind::MemoryLifetime, setting))
        }
        "verify" => Switch(|options, setting| options.messages = setting.choose(Messages::Compare, Messages::Report)),
        "verify-additional-prefix" => {
            Value(|options, value| options.prefixes.push(value.to_string_lossy().into_owned()))
        }
        "sil-lower-agg-instrs-expand-all" | "enable-expand-all" => Switch(|options, setting| {
            options.settings.expansion = setting.choose(Expansion::All, Expansion::Small);
        }),
        "sil-infinite-jump-threading-budget" => Switch(|options, setting| {
            let budget = setting.choose(JumpThreadingBudget::Unlimited, JumpThreadingBudget::Limited);
            options.settings.jump_threading = budget;
        }),
        "remove-runtime-asserts" => Switch(|options, setting| {
            options.settings.runtime_checks = setting.choose(RuntimeChecks::Removed, RuntimeChecks::Kept);
        }),
        "mergeable-traps" => Switch(|options, setting| {
            options.settings.merged_checks = setting.choose(MergedChecks::All, MergedChecks::OfOneMessage);
        }),
        "sil-combine-canonicalize" => Switch(|options, setting| {
            let canonicalization = setting.choose(Canonicalization::Included, Canonicalization::Excluded);
            options.settings.canonicalization = canonicalization;
        }),
        "sil-combine-disable-alloc-stack-opts" => Switch(|options, setting| {
            options.settings.unread_memory = setting.choose(UnreadMemory::Kept, UnreadMemory::Removed);
        }),
        "constexpr-limit" => Value(|options, value| {
            if let Some(limit) = value.to_str().and_then(|text| text.parse().ok()) {
                options.settings.constant_expressions.instructions = limit;
            }
        }),
        "enable-copy-propagation" => OptionalWord(|options, word| {
            options.settings.copy_propagation = match (setting(word), word) {
                (Some(Setting::On), _) => CopyPropagation::Everywhere,
                (Some(Setting::Off), _) => CopyPropagation::Nowhere,
                (None, Some("requested-passes-only")) => CopyPropagation::RequestedPasses,
                _ => return false,
            };
            true
        }),
        "enforce-exclusivity" => Value(|options, value| {
            let is_unchecked = value == "unchecked" || value == "none";
            options.settings.exclusivity = if is_unchecked { Exclusivity::Unchecked } else { Exclusivity::Checked };
        }),
        "sil-semantic-arc-peepholes-redundant-copyvalue-elim" => {
            Switch(|options, setting| options.choose(ArcTransformation::RedundantCopies, setting))
        }
        "sil-semantic-arc-peepholes-lifetime-joining" => {
            Switch(|options, setting| options.choose(ArcTransformation::LifetimeJoining, setting))
        }
        "sil-semantic-arc-peepholes-redundant-borrowscope-elim" => {
            Switch(|options, setting| options.choose(ArcTransformation::RedundantBorrowScopes, setting))
        }
        "sil-semantic-arc-peepholes-ownership-conversion-elim" => {
            Switch(|options, setting| options.choose(ArcTransformation::OwnershipConversions, setting))
        }
        "sil-semantic-arc-redundant-move-value-elim" => {
            Switch(|options, setting| options.choose(ArcTransformation::RedundantMoves, setting))
        }
        "opt-mode" => Value(|options, value| {
            let is_optimized = value != "none";
            options.settings.optimization =
                if is_optimized { OptimizationMode::Optimized } else { OptimizationMode::None };
            options.settings.goal =
                if value == "size" { OptimizationGoal::Size } else { OptimizationGoal::Speed };
        }),
        "assert-conf-id" => ParsedValue(|options, value| {
            let configuration = value.parse().ok().and_then(AssertConfiguration::numbered);
            configuration.map(|found| options.settings.assert_configuration = found).is_some()
        }),
        "sil-opt-pass-count" => ParsedValue(|options, value| {
            options.settings.limit = PassLimit::from_text(value);
            options.settings.limit.is_some()
        }),
        // One run is no repetition.
        "sil-opt-profile-repeat" => ParsedValue(|options, value| {
            let repetitions = value.parse().ok();
            options.settings.repetitions = repetitions.filter(|repetitions: &NonZeroU32| repetitions.get() > 1);
            repetitions.is_some()
        }),
        "sil-disable-pass" => Value(|options, value| {
            options.settings.disabled.names.extend(names(value));
        }),
        "sil-disable-pass-only-function" => Value(|options, value| {
            options.settings.disabled.functions.extend(names(value));
        }),
        // A list without known names disables simplification.
        "simplify-instruction" => Value(|options, value| {
            let names = value.to_string_lossy();
            let simplified = options.settings.simplified.get_or_insert_default();
            simplified.extend(names.split(',').filter_map(Opcode::from_name));
        }),
        "enable-pack-metadata-stack-promotion" => Switch(|options, setting| {
            options.settings.pack_metadata = setting.choose(PackMetadata::OnStack, PackMetadata::OnHeap);
        }),
        "enable-experimental-static-assert" => Switch(|options, setting| {
            options.settings.static_assertions = setting.choose(StaticAssertions::Checked, StaticAssertions::Ignored);
        }),
        "enable-ossa-complete-lifetimes" => Switch(|options, setting| {
            options.settings.lifetimes = setting.choose(Lifetimes::Complete, Lifetimes::Incomplete);
        }),
        "unavailable-decl-optimization" => Value(|options, value| {
            options.settings.unavailable_declarations = match value == "complete" {
                true => UnavailableDeclarations::Removed,
                false => UnavailableDeclarations::Kept,
            };
        }),
        "enable-lexical-lifetimes" => Switch(|options, setting| {
            options.settings.lexical_lifetimes = setting.choose(LexicalLifetimes::Kept, LexicalLifetimes::Dropped);
        }),
        "enable-address-dependencies" => Switch(|options, setting| {
            let chosen = setting.choose(AddressDependencies::Heeded, AddressDependencies::Ignored);
            options.settings.address_dependencies = chosen;
        }),
        "enable-library-evolution" => Switch(|options, setting| {
            options.settings.evolution = setting.choose(LibraryEvolution::Enabled, LibraryEvolution::Disabled);
        }),
        "sil-partial-specialization" => Switch(|options, setting| {
            let enabled = options.settings.partial_specialization.max(PartialSpecialization::KnownTypes);
            options.settings.partial_specialization = setting.choose(enabled, PartialSpecialization::Disabled);
        }),
        // This only has an effect together with the other option.
        "sil-partial-specialization-with-generic-substitutions" => Switch(|options, setting| {
            let known = options.settings.partial_specialization.min(PartialSpecialization::KnownTypes);
            let all = if known == PartialSpecialization::Disabled { known } else { PartialSpecialization::AllTypes };
            options.settings.partial_specialization = setting.choose(all, known);
        }),
        "sil-inline-generics" => Switch(|options, setting| {
            options.settings.inlining.generics = setting.choose(GenericInlining::Worthwhile, GenericInlining::Forced);
        }),
        "sil-inline-threshold" => Value(|options, value| {
            let extent = if value == "0" { InliningExtent::Nothing } else { InliningExtent::Worthwhile };
            options.settings.inlining.extent = extent;
        }),
        "ignore-always-inline" => Switch(|options, setting| {
            options.settings.inlining.always = setting.choose(AlwaysInlining::Ignored, AlwaysInlining::Heeded);
        }),
        "sil-inline-never-function" => Value(|options, value| {
            let names = value.to_string_lossy();
            options.settings.inlining.never.extend(names.split(',').map(str::to_owned));
        }),
        "sil-inline-never-functions" => Value(|options, value| {
            options.settings.inlining.never_with.push(value.to_string_lossy().into_owned());
        }),
        "closure-specialize-eliminate-dead-closures" => Switch(|options, setting| {
            options.settings.dead_closures = setting.choose(DeadClosures::Removed, DeadClosures::Kept);
        }),
        "sil-fso-optimize-if-not-called" => Switch(|options, setting| {
            options.settings.signatures.callers = setting.choose(AssumedCallers::Always, AssumedCallers::Known);
        }),
        "sil-fso-disable-dead-argument" => {
            Switch(|options, setting| options.omit(SignatureStep::DeadArguments, setting))
        }
        "sil-fso-disable-owned-to-guaranteed" => {
            Switch(|options, setting| options.omit(SignatureStep::OwnedToGuaranteed, setting))
        }
        "sil-fso-disable-arg-explosion" => {
            Switch(|options, setting| options.omit(SignatureStep::ArgumentExplosion, setting))
        }
        "module-name" => {
            Value(|options, value| options.settings.module_name = Some(value.to_string_lossy().into_owned()))
        }
        "emit-sib" | "serialize" => {
            Switch(|options, setting| options.format = setting.choose(Format::Serialized, Format::Text))
        }
        "looprotate-single-block-loop" => Switch(|options, setting| {
            options.settings.single_block_loops = setting.choose(SingleBlockLoops::Rotated, SingleBlockLoops::Kept);
        }),
        "looprotate-infinite-budget" => Switch(|options, setting| {
            options.settings.header_copies = setting.choose(HeaderCopies::Any, HeaderCopies::Small);
        }),
        "sil-disable-copy-elimination-of-copyable-closure-capture" => Switch(|options, setting| {
            options.settings.captured_copies = setting.choose(CapturedCopies::OfCopyable, CapturedCopies::Needed);
        }),
        "canonical-ossa-rewrite-borrows" => Switch(|options, setting| {
            options.settings.borrow_scopes = setting.choose(BorrowScopes::Rewritten, BorrowScopes::OfArguments);
        }),
        "sil-merge-stack-slots" => Switch(|options, setting| {
            options.settings.stack_slots = setting.choose(StackSlots::Merged, StackSlots::Separate);
        }),
        "enable-move-inout-stack-protector" => Switch(|options, setting| {
            options.settings.inout_protection = setting.choose(InOutProtection::Move, InOutProtection::Ignore);
        }),
        "enable-loop-arc" => Switch(|options, setting| {
            options.settings.arc_loops = setting.choose(ArcLoops::Summarized, ArcLoops::Ignored);
        }),
        "enable-sil-opaque-values" => Switch(|options, setting| {
            options.address_lowering = setting.choose(Some(AddressLowering::Opaque), None);
        }),
        "enable-experimental-linear-map-transposition" => Switch(|options, setting| {
            let transposition = setting.choose(LinearTransposition::Enabled, LinearTransposition::Disabled);
            options.settings.linear_transposition = transposition;
        }),
        "wmo" => Switch(|options, setting| {
            options.settings.extent = setting.choose(ModuleExtent::Whole, ModuleExtent::Files);
            options.printing.extent = options.settings.extent;
        }),
        "enable-access-storage-dump-uses" => Switch(|options, setting| {
            options.printing.storage_uses = setting.choose(StorageUseList::Write, StorageUseList::Omit);
        }),
        "enable-experimental-feature" => Value(|options, value| options.embedded |= value == "Embedded"),
        // Passes that only compute analyses, which silc computes on demand.
        "compute-dominance-info" | "compute-loop-info" => SwitchWithoutEffect,
        "assume-parsing-unqualified-ownership-sil"
        | "disable-availability-checking"
        // Swift's code motion does not read it.
        | "disable-sil-cm-rr-cm"
        | "disable-objc-attr-requires-foundation-module"
        | "enable-experimental-concurrency"
        | "enable-experimental-cxx-interop"
        | "enable-experimental-differentiable-programming"
        | "enable-experimental-distributed"
        | "enable-experimental-move-only"
        | "enable-objc-interop"
        | "disable-objc-interop"
        | "disable-swift-verification"
        | "enable-ossa-modules"
        | "parse-serialized-sil"
        | "sil-print-function-isolation-info"
        | "allow-critical-edges"
        | "sil-print-on-error"
        | "type-lowering-force-opaque-value-lowering"
        | "sil-verify-without-invalidation"
        | "parse-incomplete-ossa" => SwitchWithoutEffect,
        // The debug output of Swift's passes does not exist here.
        "debug-only"
        | "F"
        | "I"
        | "module-cache-path"
        | "resource-dir"
        | "sdk"
        => ValueWithoutEffect,
        "enable-upcoming-feature" => Value(|options, value| {
            if value == "NonisolatedNonsendingByDefault" {
                options.settings.asynchronous = AsynchronousDefault::Callers;
            }
        }),
        "strict-concurrency" => Value(|options, value| {
            options.settings.concurrency.at_least(ConcurrencyChecking::of_strictness(&value.to_string_lossy()));
        }),
        "swift-version" => Value(|options, value| {
            options.settings.concurrency.at_least(ConcurrencyChecking::of_language_mode(&value.to_string_lossy()));
        }),
        "enable-existential-specializer" | "enable-copyforwarding" => AlwaysOn,
        "Onone-performance" | "lowering" => NotYet,
        _ => return None,
    })
}

/// Parses a command line.
pub fn read(arguments: &[OsString]) -> Result<Options, Misuse> {
    let mut options = Options::default();
    // In sil-opt, experimental features are off by default.
    options.settings.static_assertions = StaticAssertions::Ignored;
    options.settings.address_dependencies = AddressDependencies::Ignored;
    options.print.debug_information = DebugInformation::Omit;
    options.print.comments = Comments::Write;
    options.settings.variable_names = VariableNames::Undeclared;
    options.settings.lexical_lifetimes = LexicalLifetimes::Kept;
    options.settings.optimization = OptimizationMode::Unspecified;
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        let text = argument.to_string_lossy();
        match text.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            Some(rest) => options.read_option(rest.strip_prefix('-').unwrap_or(rest), &mut left)?,
            None if options.input.is_none() => options.input = Some(argument.into()),
            None => return Err(Misuse::Wrong(format!("'{text}': there is an input file already"))),
        }
    }
    // Single passes run as in builds for speed (lib/DriverTool/sil_opt_main.cpp).
    if options.settings.optimization == OptimizationMode::Unspecified {
        options.settings.optimization = match options.pipeline {
            Pipeline::Guaranteed | Pipeline::Unoptimized => OptimizationMode::None,
            Pipeline::Named | Pipeline::Performance => OptimizationMode::Optimized,
        };
    }
    options.settings.printing.options = options.print;
    options.refuse_uncounted()?;
    Ok(options)
}

impl Options {
    /// Switches the performance passes on or off.
    fn optimize(&mut self, goal: OptimizationGoal, setting: Setting) {
        self.pipeline = setting.choose(Pipeline::Performance, Pipeline::Named);
        self.settings.goal = setting.choose(goal, OptimizationGoal::Speed);
        self.settings.exempt = setting.choose(ExemptFunctions::Unoptimized, ExemptFunctions::None);
    }

    fn tolerate(&mut self, kind: FailureKind, setting: Setting) {
        self.tolerated.retain(|tolerated| *tolerated != kind);
        if setting == Setting::On {
            self.tolerated.push(kind);
        }
    }

    /// Rejects a pass limit if silc does not count runs as sil-opt does. Passes that do not optimise are not limited.
    fn refuse_uncounted(&mut self) -> Result<(), Misuse> {
        if self.settings.optimization == OptimizationMode::None {
            self.settings.limit = None;
        }
        let Some(limit) = self.settings.limit else { return Ok(()) };
        let transformation = |pass: &NamedPass| match pass {
            NamedPass::Transformation(pass) => Ok(*pass),
            _ => Err(Misuse::NotYet("'-sil-opt-pass-count' beside passes that change nothing".to_owned())),
        };
        let mut passes: Vec<Pass> = self.passes.iter().map(transformation).collect::<Result<_, _>>()?;
        if self.pipeline == Pipeline::Performance {
            // The pipeline of ordinary Swift contains all passes.
            passes.extend(sil::transform::performance_passes(LanguageMode::Full));
        }
        let message = |pass: Pass| Misuse::NotYet(format!("'-sil-opt-pass-count' with '-{}'", pass.name()));
        limit.uncounted(&passes).map_or(Ok(()), |pass| Err(message(pass)))
    }

    fn omit(&mut self, step: SignatureStep, setting: Setting) {
        let omitted = &mut self.settings.signatures.omitted;
        omitted.retain(|omitted| *omitted != step);
        if setting == Setting::On {
            omitted.push(step);
        }
    }

    /// Adds or removes a transformation of the pass `semantic-arc-opts`; once one is chosen, the others do not run.
    fn choose(&mut self, transformation: ArcTransformation, setting: Setting) {
        let chosen = &mut self.settings.arc_transformations;
        chosen.retain(|other| *other != transformation);
        if setting == Setting::On {
            chosen.push(transformation);
        }
    }

    fn read_option<'a>(&mut self, text: &str, left: &mut impl Iterator<Item = &'a OsString>) -> Result<(), Misuse> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(pass) = NamedPass::from_name(name) {
            self.passes.push(pass);
            return Ok(());
        }
        let wrong = |message: &str| Err(Misuse::Wrong(format!("'-{name}' {message}")));
        let mut written = || match value {
            Some(value) => Some(OsString::from(value)),
            None => left.next().cloned(),
        };
        match meaning(name) {
            Some(Meaning::Switch(set)) => match setting(value) {
                Some(setting) => set(self, setting),
                None => return wrong("is true or false"),
            },
            Some(Meaning::AlwaysOn) => match setting(value) {
                Some(Setting::On) => {}
                Some(Setting::Off) => return Err(Misuse::NotYet(format!("'-{name}=false'"))),
                None => return wrong("is true or false"),
            },
            Some(Meaning::SwitchWithoutEffect) if setting(value).is_none() => return wrong("is true or false"),
            Some(Meaning::SwitchWithoutEffect) => {}
            Some(Meaning::Value(set)) => match written() {
                Some(value) => set(self, &value),
                None => return wrong("needs a value"),
            },
            Some(Meaning::ParsedValue(set)) => match written() {
                Some(value) if value.to_str().is_some_and(|value| set(self, value)) => {}
                Some(_) => return wrong("has no such value"),
                None => return wrong("needs a value"),
            },
            Some(Meaning::OptionalWord(set)) if set(self, value) => {}
            Some(Meaning::OptionalWord(_)) => return wrong("has no such value"),
            Some(Meaning::ValueWithoutEffect) if written().is_none() => return wrong("needs a value"),
            Some(Meaning::ValueWithoutEffect) => {}
            Some(Meaning::NotYet) => return Err(Misuse::NotYet(format!("the option '-{name}'"))),
            None => return Err(Misuse::NotYet(format!("'-{name}', which is no pass or option that silc has"))),
        }
        Ok(())
    }
}

fn setting(value: Option<&str>) -> Option<Setting> {
    match value {
        None | Some("true" | "TRUE" | "True" | "1") => Some(Setting::On),
        Some("false" | "FALSE" | "False" | "0") => Some(Setting::Off),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_words(line: &str) -> Result<Options, Misuse> {
        read(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn passes_run_in_the_order_in_which_they_are_named() {
        let options = read_words("-dce a.sil --ownership-model-eliminator -dce -o=b.sil").unwrap_or_default();
        let passes = ["dce", "ownership-model-eliminator", "dce"].map(Pass::from_name);
        assert_eq!(options.passes, passes.into_iter().flatten().map(NamedPass::Transformation).collect::<Vec<_>>());
        assert_eq!(options.input, Some("a.sil".into()));
        assert_eq!(options.output, Some("b.sil".into()));
    }

    #[test]
    fn switches_are_set_and_unset() {
        let options =
            read_words("-sil-print-types --emit-sorted-sil=false -enable-sil-verify-all=1 -").unwrap_or_default();
        assert_eq!(options.print.operand_types, OperandTypes::Always);
        assert_eq!(options.print.order, Order::Module);
        assert!(options.settings.pass_verification == PassVerification::Verify);
        assert_eq!(options.input, Some("-".into()));
    }

    #[test]
    fn what_is_wrong_is_told_from_what_is_missing() {
        let wrong = |line| matches!(read_words(line), Err(Misuse::Wrong(_)));
        assert!(wrong("a.sil b.sil") && wrong("a.sil -o") && wrong("-sil-print-types=maybe"));
        assert!(matches!(read_words("a.sil -no-such-pass"), Err(Misuse::NotYet(_))));
    }
}
