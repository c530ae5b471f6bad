//! The arguments of the command line, as clap reads them.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use irgen::debug::PrefixMapping;

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
    Build(BuildOptions),
    /// Build to a temporary place and run (other targets under qemu-user)
    Run(RunOptions),
    /// Parse and verify; the exit status tells
    Check(CheckOptions),
    /// Print canonical text
    Print(PrintOptions),
    /// Make a page with SIL, LLVM IR and assembly of one module side by side
    Explore(ExploreOptions),
    /// What silc can compile for, and what that needs to link and run
    Targets,
}

/// How diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people: the place, the line, a caret.
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Args)]
pub struct InputOptions {
    /// The .sil files; `-` is standard input
    #[arg(required = true, value_name = "FILE.sil")]
    pub files: Vec<PathBuf>,
    /// Read the module as Embedded Swift, whatever it looks like
    #[arg(long, overrides_with = "no_embedded")]
    pub embedded: bool,
    /// Read the module as ordinary Swift, whatever it looks like
    #[arg(long)]
    pub no_embedded: bool,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value = "human")]
    pub message_format: MessageFormat,
}

/// What `--emit` names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// An executable.
    Exe,
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
}

/// What `-O` names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    #[value(name = "0")]
    Zero,
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
    #[value(name = "3")]
    Three,
    #[value(name = "s")]
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

/// What `--runtime` names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Runtime {
    /// silc's own.
    Silc,
    /// Swift's, linked by the user.
    Swift,
    /// None.
    None,
}

/// What `-g` names: the text whose places debug information has.
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
    /// What to make
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
    /// Emit debug information, with the places of the Swift source where the SIL has them, or with those of the SIL text (-g=sil)
    #[arg(short = 'g', value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "swift", value_name = "TEXT")]
    pub debug: Option<DebugPositions>,
    /// In debug information, write paths that begin with OLD as beginning with NEW
    #[arg(long, value_name = "OLD=NEW")]
    pub debug_prefix_map: Vec<PrefixMapping>,
    /// How many modules are compiled at the same time
    #[arg(short = 'j', value_name = "N")]
    pub jobs: Option<usize>,
    /// The program has one thread: count references without atomic instructions (also -assume-single-threaded)
    #[arg(long)]
    pub assume_single_threaded: bool,
    /// The runtime to link with
    #[arg(long, value_enum, default_value = "silc")]
    pub runtime: Runtime,
    /// The root of the target's system: its C library is linked
    #[arg(long, value_name = "DIR")]
    pub sysroot: Option<PathBuf>,
    /// The linker
    #[arg(long, value_name = "PATH")]
    pub linker: Option<PathBuf>,
    /// Link the C library statically
    #[arg(long = "static")]
    pub static_library: bool,
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
}

#[derive(Args)]
pub struct PrintOptions {
    #[command(flatten)]
    pub input: InputOptions,
    /// Where the text goes; standard output by default
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct ExploreOptions {
    #[command(flatten)]
    pub input: InputOptions,
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

/// A level in a list of them: `-O0,-O2` and `-O0,2` both name two.
fn level_in_list(text: &str) -> Result<Level, String> {
    Level::from_str(text.strip_prefix("-O").unwrap_or(text), false)
}
