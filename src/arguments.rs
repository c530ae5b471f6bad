//! The arguments of the command line, as clap reads them.

use std::ffi::OsString;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Parser, Subcommand, ValueEnum};
use compare::Part;
use irgen::debug::PrefixMapping;
use sil::dump::Dump;
use sil::model::SwiftVersion;
use sil::transform::{ConcurrencyChecking, Pass};

/// Compiles SIL, Swift's intermediate language, to native code.
#[derive(Parser)]
#[command(name = "silc", version, about)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Compile .sil files to an executable, an object, assembly, LLVM IR or bitcode
    #[command(mut_arg("files", linked_files))]
    Build(BuildOptions),
    /// Build to a temporary place and run (other targets under qemu); object files and archives are linked, as by build
    Run(RunOptions),
    /// Parse and verify; the exit status tells
    Check(CheckOptions),
    /// Print canonical text, a picture of a function, or the output of a pass
    Print(PrintOptions),
    /// Run passes by their names, as Swift's sil-opt does, with its options
    #[command(disable_help_flag = true)]
    Opt(OptOptions),
    /// Compile one .sil file by the words of swift-frontend's command line
    #[command(disable_help_flag = true)]
    Frontend(FrontendOptions),
    /// Run `swift build`, `swift run`, `swift test` and others of a Swift toolchain with silc as its back end
    #[command(disable_help_flag = true)]
    Swift(ToolchainOptions),
    /// Run a toolchain's swiftc with silc as its back end
    #[command(disable_help_flag = true)]
    Swiftc(ToolchainOptions),
    /// Compare LLVM IR: two of .sil, .ll, .bc or folders of them, or one .sil at two levels or for two targets
    Diff(DiffOptions),
    /// Make a page with SIL, LLVM IR and assembly of one module side by side
    Explore(ExploreOptions),
    /// List the targets, with the tools that each needs to link and run
    Targets,
    /// Write manual pages and completions for shells, as packages of silc have them
    #[command(hide = true)]
    Manual(ManualOptions),
}

#[derive(Args)]
pub struct ManualOptions {
    /// The folder to write to: files go where they belong below /usr/share
    pub folder: PathBuf,
}

/// Makes the input files optional, for builds that need none.
fn linked_files(files: Arg) -> Arg {
    let help = "The .sil files; `-` is standard input. Object files, archives and libraries are linked with them";
    files.value_name("FILE").help(help).required(false)
}

/// The format of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people: the place, the line, a caret.
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Args, Clone)]
pub struct InputOptions {
    /// The .sil files; `-` is standard input
    #[arg(required = true, value_name = "FILE.sil")]
    pub files: Vec<PathBuf>,
    /// Read the module as Embedded Swift, also if its text suggests otherwise
    #[arg(long, overrides_with = "no_embedded")]
    pub embedded: bool,
    /// Read the module as ordinary Swift, also if its text suggests otherwise
    #[arg(long)]
    pub no_embedded: bool,
    /// The version of Swift that printed the module, for the declarations of its library; by default, the text tells
    #[arg(long, value_name = "VERSION", value_parser = version_parser())]
    pub swift_version: Option<SwiftVersion>,
    /// Read the SIL in a text: skip heads of dumps, fences, prompts and functions with omissions, replace demangled
    /// names by symbols, and add the usual imports
    #[arg(long)]
    pub lenient: bool,
    /// How many threads work at the same time; one for each processor by default
    #[arg(short = 'j', value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// A library as SIL: the declarations for its import, and the bodies of functions that modules only declare
    #[arg(long, value_name = "FILE.sil")]
    pub sil_library: Vec<PathBuf>,
    /// The name of the module; by default, its text tells
    #[arg(long, value_name = "NAME")]
    pub module_name: Option<String>,
    /// The declarations of the whole module as SIL, for a module of which the input has some files alone
    #[arg(long, value_name = "FILE.sil")]
    pub module_declarations: Option<PathBuf>,
    /// The declarations of another file of the module as SIL: 'a.swift.sil' for 'a.swift'
    #[arg(long, value_name = "FILE.sil", conflicts_with = "module_declarations")]
    pub file_declarations: Vec<PathBuf>,
    /// A module among --sil-library that may change the storage of its types: it is compiled for library evolution
    #[arg(long, value_name = "NAME")]
    pub evolving_module: Vec<String>,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value = "human")]
    pub message_format: MessageFormat,
}

/// The C headers that modules import.
#[derive(Args, Clone, Default)]
pub struct HeaderArguments {
    /// A C header whose types and inline functions the modules use (also -import-objc-header)
    #[arg(long, value_name = "FILE")]
    pub import_header: Vec<PathBuf>,
    /// A folder to look for C headers in
    #[arg(short = 'I', value_name = "DIR")]
    pub include_folders: Vec<PathBuf>,
    /// A macro for C headers
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub definitions: Vec<String>,
    /// A flag for clang, which reads C headers (also -Xcc)
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub c_flag: Vec<String>,
}

impl HeaderArguments {
    /// Returns whether the arguments name headers, or folders that may contain modules of C.
    pub fn are_given(&self) -> bool {
        !(self.import_header.is_empty() && self.include_folders.is_empty() && self.c_flag.is_empty())
    }
}

/// The values of `--emit`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// An executable.
    Exe,
    /// An executable's bytes as a board's memory has them.
    Bin,
    /// The same as Intel's hexadecimal text.
    Hex,
    /// A WebAssembly module without a beginning, whose host calls the functions with names of C's (`@_cdecl`, `@c`) and
    /// `@_expose`.
    Wasm,
    /// An object file.
    Obj,
    /// Assembly.
    Asm,
    /// LLVM IR text.
    LlvmIr,
    /// LLVM bitcode.
    LlvmBc,
    /// Canonical SIL.
    Sil,
    /// The archive of silc's runtime for the target, to link objects with; it takes no input file.
    Runtime,
}

/// The values of `-O`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    #[value(name = "0", alias = "none")]
    Zero,
    #[value(name = "1")]
    One,
    #[value(name = "2", alias = "unchecked")]
    Two,
    #[value(name = "3")]
    Three,
    #[value(name = "s", alias = "size")]
    Size,
    #[value(name = "z")]
    LeastSize,
}

impl fmt::Display for Level {
    /// As people write it: `-O2`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.to_possible_value();
        write!(formatter, "-O{}", name.as_ref().map_or("", |name| name.get_name()))
    }
}

/// The values of `--sil-optimizer`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SilOptimizer {
    /// By the level of optimisation: nothing at -O0, small programs at -Os and -Oz, else fast ones
    Level,
    /// Nothing: they do not run
    None,
    /// Fast programs
    Speed,
    /// Small programs
    Size,
}

/// The values of `--runtime`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Runtime {
    /// silc's own.
    Silc,
    /// Swift's own.
    Swift,
    /// None.
    None,
}

/// The values of `-g`: the text whose places debug information has.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DebugPositions {
    /// The Swift source where the SIL says where it comes from, the SIL text otherwise
    Swift,
    /// The SIL text
    Sil,
}

#[derive(Args)]
pub struct BuildOptions {
    #[command(flatten)]
    pub input: InputOptions,
    /// Where the output goes; `-` is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// The kind of output
    #[arg(long, value_enum, default_value = "exe")]
    pub emit: Emit,
    #[command(flatten)]
    pub target: TargetOptions,
    /// Print the time of each phase on standard error
    #[arg(long)]
    pub time_phases: bool,
}

#[derive(Args)]
pub struct TargetOptions {
    #[command(flatten)]
    pub headers: HeaderArguments,
    /// The target triple; this machine's by default
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The CPU, or `native`
    #[arg(long, value_name = "NAME")]
    pub cpu: Option<String>,
    /// CPU features, each +NAME or -NAME
    #[arg(long, value_name = "FEATURES", value_delimiter = ',', allow_hyphen_values = true)]
    pub features: Vec<String>,
    /// How much to optimise
    #[arg(short = 'O', value_enum, default_value = "0", value_name = "LEVEL")]
    pub level: Level,
    /// The aim of SIL's performance passes, which run on modules that they have not run on
    #[arg(long, value_enum, default_value = "level", value_name = "GOAL")]
    pub sil_optimizer: SilOptimizer,
    /// Emit debug information, with the places of the Swift source where the SIL has them, or with those of the SIL
    /// text (-g=sil)
    #[arg(short = 'g', value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "swift", value_name = "TEXT")]
    pub debug: Option<DebugPositions>,
    /// In debug information, write paths that begin with OLD as beginning with NEW
    #[arg(long, value_name = "OLD=NEW")]
    pub debug_prefix_map: Vec<PrefixMapping>,
    /// The program has one thread: count references without atomic instructions (also -assume-single-threaded)
    #[arg(long)]
    pub assume_single_threaded: bool,
    /// The runtime to link with
    #[arg(long, value_enum, default_value = "silc")]
    pub runtime: Runtime,
    /// The folder `lib/swift` of a Swift toolchain, whose library is linked with --runtime swift; that beside `swiftc`
    /// by default
    #[arg(long, value_name = "DIR")]
    pub swift_sdk: Option<PathBuf>,
    /// The root of the target's system: its C library is linked
    #[arg(long, value_name = "DIR")]
    pub sysroot: Option<PathBuf>,
    /// The linker
    #[arg(long, value_name = "PATH")]
    pub linker: Option<PathBuf>,
    /// Link the C library statically
    #[arg(long = "static")]
    pub static_library: bool,
    /// The board that a program without an operating system is for; a board of qemu's by default
    #[arg(long, value_name = "NAME", conflicts_with = "linker_script")]
    pub board: Option<String>,
    /// Where a program without an operating system is placed, for a board that silc does not know
    #[arg(long, value_name = "FILE")]
    pub linker_script: Option<PathBuf>,
    /// Leave the symbol table out
    #[arg(long)]
    pub strip: bool,
    /// A folder to look for libraries in
    #[arg(short = 'L', value_name = "DIR")]
    pub library_folders: Vec<PathBuf>,
    /// A library to link
    #[arg(short = 'l', value_name = "NAME")]
    pub libraries: Vec<String>,
}

#[derive(Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub input: InputOptions,
    #[command(flatten)]
    pub target: TargetOptions,
    /// The program's arguments
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,
}

#[derive(Args)]
pub struct CheckOptions {
    #[command(flatten)]
    pub input: InputOptions,
    #[command(flatten)]
    pub headers: HeaderArguments,
    /// The target that C headers are read for; this machine's by default
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Report the diagnostics of the passes that lead to this stage as well, for raw modules
    #[arg(long, value_enum)]
    pub stage: Option<CheckStage>,
    #[command(flatten)]
    pub concurrency: ConcurrencyOptions,
    /// Print the results of an analysis, function by function
    #[arg(long, value_name = "ANALYSIS", value_parser = dump_parser())]
    pub dump: Option<Dump>,
    /// Print it of this function alone
    #[arg(long, value_name = "NAME", requires = "dump")]
    pub function: Option<String>,
}

fn dump_parser() -> impl TypedValueParser<Value = Dump> {
    let names = Dump::ALL.iter().map(|dump| dump.name());
    PossibleValuesParser::new(names).try_map(|name| Dump::from_name(&name).ok_or("no such analysis"))
}

fn version_parser() -> impl TypedValueParser<Value = SwiftVersion> {
    let names = SwiftVersion::ALL.map(SwiftVersion::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<SwiftVersion>().map_err(|_| "no such version"))
}

fn pass_parser() -> impl TypedValueParser<Value = Pass> {
    let mut names: Vec<&str> = Pass::ALL.iter().map(|pass| pass.name()).collect();
    names.sort_unstable();
    PossibleValuesParser::new(names).try_map(|name| Pass::from_name(&name).ok_or("no such pass"))
}

/// The values of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// Text for Graphviz.
    Dot,
    /// A picture that browsers show.
    Svg,
}

#[derive(Args)]
pub struct PrintOptions {
    #[command(flatten)]
    pub input: InputOptions,
    /// Print the module at this stage
    #[arg(long, value_enum)]
    pub stage: Option<PrintStage>,
    #[command(flatten)]
    pub concurrency: ConcurrencyOptions,
    /// Run this pass before printing; several run in the order given
    #[arg(long = "pass", value_name = "NAME", value_delimiter = ',', value_parser = pass_parser())]
    pub passes: Vec<Pass>,
    /// Write the comments of Swift's printer: users, predecessors, readable names
    #[arg(long, conflicts_with = "cfg")]
    pub comments: bool,
    /// Write debug scopes and locations
    #[arg(short = 'g', conflicts_with = "cfg")]
    pub debug: bool,
    /// Draw the control-flow graph of this function instead
    #[arg(long, value_name = "FUNCTION")]
    pub cfg: Option<String>,
    /// The format of the graph
    #[arg(long, value_enum, default_value = "dot", requires = "cfg")]
    pub format: Picture,
    /// Where the text goes; standard output by default
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// The values of `silc check --stage`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckStage {
    /// Canonical SIL, after the guaranteed passes.
    Canonical,
}

/// The values of `--concurrency`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Concurrency {
    /// As `-strict-concurrency=complete` of swiftc.
    Complete,
    /// As `-swift-version 6`.
    Swift6,
}

/// Checks on the path to canonical SIL beside those that always run.
#[derive(Args)]
pub struct ConcurrencyOptions {
    /// Check for values that actors share, on the way to canonical SIL; errors are those of Swift 6, warnings those of
    /// complete checking before
    #[arg(long, value_enum, value_name = "HOW", requires = "stage")]
    concurrency: Option<Concurrency>,
}

impl ConcurrencyOptions {
    /// How strict the checks are.
    pub fn checking(&self) -> ConcurrencyChecking {
        match self.concurrency {
            Some(Concurrency::Complete) => ConcurrencyChecking::Complete,
            Some(Concurrency::Swift6) => ConcurrencyChecking::Swift6,
            None => ConcurrencyChecking::default(),
        }
    }
}

/// The values of `silc print --stage`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PrintStage {
    /// Canonical SIL, after the guaranteed passes.
    Canonical,
    /// The SIL that IRGen takes.
    Lowered,
}

#[derive(Args, Clone)]
pub struct OptOptions {
    /// A .sil file, passes such as -dce, and options such as -sil-print-types or -o OUT
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

#[derive(Args, Clone)]
pub struct FrontendOptions {
    /// The kind of output, such as -emit-ir or -c, a .sil file, and options such as -O, -target TRIPLE or -o OUT
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

#[derive(Args, Clone)]
pub struct ToolchainOptions {
    /// The words of the toolchain's own command, and of silc's --sil-optimizer swift|silc, --strict, --keep-sil DIR,
    /// --time, --toolchain DIR
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// The values of `silc diff --emit`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffEmit {
    /// LLVM IR, by its structure.
    LlvmIr,
    /// Assembly, function by function as text.
    Asm,
    /// Canonical SIL, function by function as text.
    Sil,
    /// Object files: sizes of sections and functions.
    Obj,
}

/// How comparisons are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For terminals.
    Text,
    /// For scripts.
    Json,
    /// One page that needs nothing else.
    Html,
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On terminals.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

fn part_parser() -> impl TypedValueParser<Value = Part> {
    let names = Part::optional().map(Part::name);
    PossibleValuesParser::new(names).try_map(|name| Part::from_name(&name).ok_or("no such part"))
}

#[derive(Args)]
pub struct DiffOptions {
    /// A .sil, .ll or .bc file, or a folder of them; also .s with --emit asm, .o with --emit obj
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The other side; without it, A at several levels or for several targets
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,
    /// The form to compare
    #[arg(long, value_enum, default_value = "llvm-ir")]
    pub emit: DiffEmit,
    /// How the comparison is written
    #[arg(long, value_enum, default_value = "text")]
    pub format: DiffFormat,
    /// Where it goes; standard output by default
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Parts that are not compared
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = part_parser())]
    pub ignore: Vec<Part>,
    /// Compare this function alone; with two names, that of A with that of B
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub function: Vec<String>,
    /// How many instructions to show around differences
    #[arg(long, value_name = "N", default_value = "3")]
    pub context: usize,
    /// Show the summary only
    #[arg(long)]
    pub summary: bool,
    /// When to colour
    #[arg(long, value_enum, default_value = "auto")]
    pub color: ColorChoice,
    /// How many columns there are; A and B stand side by side from 160 on
    #[arg(long, value_name = "COLUMNS")]
    pub width: Option<usize>,
    /// The targets that .sil is compiled for
    #[arg(long = "target", value_name = "TRIPLE", value_delimiter = ',')]
    pub targets: Vec<String>,
    /// The levels at which .sil is compiled, as -O0,-O2
    #[arg(short = 'O', value_name = "LEVEL", value_delimiter = ',', value_parser = level_in_list, default_value = "0")]
    pub levels: Vec<Level>,
    /// The CPU that .sil is compiled for
    #[arg(long, value_name = "NAME")]
    pub cpu: Option<String>,
    /// CPU features, each +NAME or -NAME
    #[arg(long, value_name = "FEATURES", value_delimiter = ',', allow_hyphen_values = true)]
    pub features: Vec<String>,
    /// Count references without atomic instructions
    #[arg(long)]
    pub assume_single_threaded: bool,
    /// Read .sil as Embedded Swift, also if its text suggests otherwise
    #[arg(long, overrides_with = "no_embedded")]
    pub embedded: bool,
    /// Read .sil as ordinary Swift, also if its text suggests otherwise
    #[arg(long)]
    pub no_embedded: bool,
    #[command(flatten)]
    pub headers: HeaderArguments,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value = "human")]
    pub message_format: MessageFormat,
}

#[derive(Args)]
pub struct ExploreOptions {
    #[command(flatten)]
    pub input: InputOptions,
    #[command(flatten)]
    pub headers: HeaderArguments,
    /// Where the page goes; FILE.html in the current folder by default
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// The target triples, each with tabs of its own; this machine's by default
    #[arg(long = "target", value_name = "TRIPLE", value_delimiter = ',')]
    pub targets: Vec<String>,
    /// How much to optimise: a tab each, as in -O0,-O2
    #[arg(
        short = 'O',
        value_name = "LEVEL",
        value_delimiter = ',',
        value_parser = level_in_list,
        default_value = "0,2"
    )]
    pub levels: Vec<Level>,
}

/// Parses a level in a list: `-O0,-O2` and `-O0,2` both contain level 2.
fn level_in_list(text: &str) -> Result<Level, String> {
    Level::from_str(text.strip_prefix("-O").unwrap_or(text), false)
}
