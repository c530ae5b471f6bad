//! The command line of silc. Thin: it reads arguments, calls the two libraries, and reports.
//!
//! Exit status: 0 done; 1 the input is at fault; 2 wrong usage; 70 a fault of silc itself.

mod arguments;
mod build;
mod check;
mod load;
mod print;
mod report;
mod run;
mod targets;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;
use report::Status;

fn main() -> ExitCode {
    report::install_panic_hook();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return report::usage(&error),
    };
    let outcome = std::panic::catch_unwind(|| dispatch(arguments));
    outcome.unwrap_or(Status::Internal).into()
}

fn dispatch(arguments: Arguments) -> Status {
    match arguments.command {
        Command::Build(options) => build::build(&options),
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Print(options) => print::print(&options),
        Command::Targets => targets::list(),
    }
}
