//! The command line of silc. Parses arguments, calls the two libraries, and reports diagnostics.
//!
//! Exit status: 0 on success; 1 for invalid input; 2 for wrong usage; 70 for an internal error.

mod arguments;
mod build;
mod check;
mod diff;
mod excerpt;
mod explore;
mod frontend;
mod headers;
mod inputs;
mod library;
mod load;
mod lower;
mod manual;
mod misuse;
mod opt;
mod print;
mod progress;
mod report;
mod run;
mod swift_sources;
mod targets;
mod text;
mod toolchain;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::{Arguments, Command, FrontendOptions, MessageFormat};
use clap::Parser;
use report::{Reporter, Status};

/// The allocator of both LLVM's `malloc` and Rust.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    report::install_panic_hook();
    let words: Vec<OsString> = std::env::args_os().collect();
    if toolchain::is_compiler_call(words.first()) && !toolchain::is_frontend_call(&words) {
        return toolchain::swiftc(words.get(1..).unwrap_or_default()).into();
    }
    if toolchain::is_frontend_call(&words) {
        return toolchain::frontend_job(words.get(1..).unwrap_or_default()).into();
    }
    let arguments = match Arguments::try_parse_from(spelled_out(words.into_iter())) {
        Ok(arguments) => arguments,
        Err(error) => return report::usage(&error).into(),
    };
    let outcome = std::panic::catch_unwind(|| dispatch(arguments));
    outcome.unwrap_or(Status::Internal).into()
}

/// Normalises the spelling of options. `-O` alone is `-O2`. `-assume-single-threaded` and swiftc's options for C
/// headers have one dash, as in other compilers. The words after `--` belong to the program. Commands that replace
/// Swift's own tools have the options of those tools.
fn spelled_out(arguments: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut ours = true;
    arguments.enumerate().map(move |(index, argument)| {
        ours &= argument != "--" && !(index == 1 && OF_SWIFT.iter().any(|command| argument == *command));
        match argument.to_str() {
            Some("-O") if ours => "-O2".into(),
            Some("-assume-single-threaded") if ours => "--assume-single-threaded".into(),
            Some("-import-objc-header") if ours => "--import-header".into(),
            Some("-Xcc") if ours => "--c-flag".into(),
            _ => argument,
        }
    })
}

/// The commands that replace Swift's own tools.
const OF_SWIFT: [&str; 4] = ["opt", "frontend", "swift", "swiftc"];

fn dispatch(arguments: Arguments) -> Status {
    match arguments.command {
        Command::Build(options) => build::build(&options),
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Print(options) => print::print(&options),
        Command::Opt(options) => opt::opt(&options),
        Command::Frontend(options) => as_frontend(&options),
        Command::Swift(options) => toolchain::swift(&options.arguments),
        Command::Swiftc(options) => toolchain::swiftc(&options.arguments),
        Command::Diff(options) => diff::diff(&options),
        Command::Explore(options) => explore::explore(&options),
        Command::Targets => targets::list(),
        Command::Manual(options) => manual::write(&options.folder),
    }
}

/// Runs a command line of swift-frontend.
fn as_frontend(options: &FrontendOptions) -> Status {
    if !toolchain::is_about_sil(&options.arguments) && options.arguments.iter().any(|word| word == "-frontend") {
        return toolchain::frontend_job(&options.arguments);
    }
    let own = match frontend::as_own(options, &Reporter::new(MessageFormat::Human)) {
        Ok(words) => Arguments::try_parse_from(words),
        Err(status) => return status,
    };
    match own {
        Ok(arguments) => dispatch(arguments),
        Err(error) => report::usage(&error),
    }
}
