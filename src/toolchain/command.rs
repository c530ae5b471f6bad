//! `silc swift …` and `silc swiftc …`: runs the toolchain's own commands with silc as their frontend.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use super::installation::Toolchain;
use super::options::{BackEndOptions, HELP};
use super::session::Session;
use super::summary::summary;
use crate::arguments::MessageFormat;
use crate::report::{Reporter, Status};

/// The SwiftPM commands that compile, which accept options for swiftc.
const COMPILING: [&str; 3] = ["build", "run", "test"];

/// Runs `swift …` of the toolchain.
pub fn swift(words: &[OsString]) -> Status {
    run("swift", words, |words, toolchain, silc| {
        let is_compiling = words.first().and_then(|word| word.to_str()).is_some_and(|word| COMPILING.contains(&word));
        let mut words = words.to_vec();
        if is_compiling {
            let ours = driver_words(toolchain, silc).into_iter().flat_map(|word| ["-Xswiftc".into(), word]);
            words.splice(1..1, ours);
        }
        words
    })
}

/// Runs `swiftc …` of the toolchain.
pub fn swiftc(words: &[OsString]) -> Status {
    run("swiftc", words, |words, toolchain, silc| {
        driver_words(toolchain, silc).into_iter().chain(words.to_vec()).collect()
    })
}

/// Returns the options that make silc the frontend of a driver. The resource folder would otherwise be derived from the
/// frontend's path.
fn driver_words(toolchain: &Toolchain, silc: &Path) -> Vec<OsString> {
    let resources = toolchain.resources().into_os_string();
    ["-driver-use-frontend-path".into(), silc.into(), "-resource-dir".into(), resources].into()
}

/// Runs a program of the toolchain with the words that `arguments` returns. Prints a summary of its jobs at the end.
fn run(
    program: &str,
    words: &[OsString],
    arguments: impl Fn(&[OsString], &Toolchain, &Path) -> Vec<OsString>,
) -> Status {
    let reporter = Reporter::new(MessageFormat::Human);
    match try_run(program, words, arguments) {
        Ok(status) => status,
        Err(Failure { message, hint, status }) => {
            reporter.error(&message, hint);
            status
        }
    }
}

/// The reason why nothing was run.
struct Failure {
    message: String,
    hint: Option<&'static str>,
    status: Status,
}

impl Failure {
    fn of_system(what: &str, error: &std::io::Error) -> Self {
        Self { message: format!("{what}: {error}"), hint: None, status: Status::InputAtFault }
    }
}

fn try_run(
    program: &str,
    words: &[OsString],
    arguments: impl Fn(&[OsString], &Toolchain, &Path) -> Vec<OsString>,
) -> Result<Status, Failure> {
    let wrong = |message| Failure { message, hint: None, status: Status::Usage };
    let (options, words) = BackEndOptions::taken_from(words).map_err(wrong)?;
    let toolchain = Toolchain::find(options.toolchain.as_deref()).map_err(|missing| {
        let (message, hint) = missing.message();
        Failure { message, hint: Some(hint), status: Status::InputAtFault }
    })?;
    if words.first().map(OsString::as_os_str) == Some(OsStr::new("--help")) {
        eprintln!("{HELP}\n");
    }
    let silc = std::env::current_exe().map_err(|error| Failure::of_system("cannot find silc itself", &error))?;
    let session = Session::new().map_err(|error| Failure::of_system("cannot make a temporary folder", &error))?;
    let mut command = Command::new(toolchain.program(program));
    command.args(arguments(&words, &toolchain, &silc));
    command.envs(toolchain.environment()).envs(options.environment()).envs([session.environment()]);
    let ended = command.status().map_err(|error| {
        Failure::of_system(&format!("cannot run '{}'", toolchain.program(program).display()), &error)
    })?;
    eprint!("{}", summary(&session.records(), options.times));
    let code = ended.code().and_then(|code| u8::try_from(code).ok());
    Ok(Status::Program(code.unwrap_or(1)))
}
