//! Starts a built program: directly for this machine, otherwise under an emulator of its target.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::Error;
use crate::link::{Board, Placement, in_search_path, loader_below};
use crate::target::{Architecture, ObjectFormat, System, Target};

/// The means of starting programs of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runner {
    /// Directly.
    Native,
    /// The dynamic linker of another system for this processor, with its libraries.
    Loader {
        /// The dynamic linker's path.
        path: PathBuf,
        /// The folders with libraries.
        folders: Vec<PathBuf>,
    },
    /// An emulator of the target's processor and Linux.
    Emulator {
        /// The emulator's path.
        path: PathBuf,
        /// The folder with the target's shared libraries.
        sysroot: Option<PathBuf>,
    },
    /// A WebAssembly engine.
    Engine {
        /// The engine's path.
        path: PathBuf,
        /// The kind of engine.
        engine: Engine,
    },
    /// An emulator of a board.
    Board {
        /// The emulator's path.
        path: PathBuf,
        /// The board.
        board: &'static Board,
    },
}

/// A WebAssembly engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Has only the system interface.
    Wasmtime,
    /// Has JavaScript, and a script that starts the program.
    Node,
}

/// The script that starts a program under Node: a trap is reported as one of Linux's signals.
const NODE_SCRIPT: &str = include_str!("run/node.js");

/// Determines the means of starting programs of a target, whose system is below `sysroot`. Libraries are in `folders`
/// as well.
///
/// Fails with [`Error::NoEmulator`] if none is installed, with [`Error::UnsupportedByTarget`] for systems that are not
/// emulated and for programs of unknown boards.
pub fn runner(
    target: &Target,
    sysroot: Option<&Path>,
    folders: &[PathBuf],
    placement: Option<&Placement>,
) -> Result<Runner, Error> {
    if target.is_host() {
        let loader = sysroot.and_then(|sysroot| loader_below(target, sysroot));
        return Ok(match loader {
            Some((path, system)) => Runner::Loader { path, folders: [folders, &system].concat() },
            None => Runner::Native,
        });
    }
    if let Some(Placement::Board(board)) = placement {
        return Ok(Runner::Board { path: installed(target, board.emulator)?, board });
    }
    if target.object_format() == ObjectFormat::Wasm {
        return engine(target);
    }
    let emulator = match (target.system(), target.architecture()) {
        (System::Linux, Architecture::X86_64) => "qemu-x86_64",
        (System::Linux, Architecture::Aarch64) => "qemu-aarch64",
        (System::Linux, Architecture::Arm) => "qemu-arm",
        (System::Linux, Architecture::Riscv64) => "qemu-riscv64",
        _ => {
            let triple = target.triple().to_owned();
            return Err(Error::UnsupportedByTarget { triple, what: "running programs on this machine" });
        }
    };
    Ok(Runner::Emulator { path: installed(target, emulator)?, sysroot: sysroot.map(Path::to_owned) })
}

/// Returns an engine. Programs without the system interface need the imports of a host.
fn engine(target: &Target) -> Result<Runner, Error> {
    let named = |name: &str, engine| in_search_path(Path::new(name)).map(|path| Runner::Engine { path, engine });
    let wasmtime = || named("wasmtime", Engine::Wasmtime).filter(|_| target.system() == System::Wasi);
    let node = || named("node", Engine::Node).or_else(|| named("nodejs", Engine::Node));
    wasmtime().or_else(node).ok_or_else(|| Error::NoEmulator { triple: target.triple().to_owned(), emulator: "node" })
}

fn installed(target: &Target, emulator: &'static str) -> Result<PathBuf, Error> {
    [emulator.to_owned(), format!("{emulator}-static")]
        .iter()
        .find_map(|name| in_search_path(Path::new(name)))
        .ok_or_else(|| Error::NoEmulator { triple: target.triple().to_owned(), emulator })
}

/// The options of a board's emulator: its serial line is standard input and output, and programs can use semihosting to
/// write and to exit.
const EMULATED_BOARD: [&str; 9] = [
    "-display",
    "none",
    "-monitor",
    "none",
    "-serial",
    "stdio",
    "-no-reboot",
    "-semihosting-config",
    "enable=on,target=native",
];

impl Runner {
    /// Returns the command that starts `program`, without its arguments.
    pub fn command(&self, program: &Path) -> Command {
        match self {
            Runner::Native => Command::new(program),
            Runner::Loader { path, folders } => {
                let mut command = Command::new(path);
                let folders: Vec<_> = folders.iter().map(|folder| folder.as_os_str()).collect();
                command.arg("--library-path").arg(folders.join(OsStr::new(":"))).arg(program);
                command
            }
            Runner::Emulator { path, sysroot } => {
                let mut command = Command::new(path);
                if let Some(sysroot) = sysroot {
                    command.arg("-L").arg(sysroot);
                }
                command.arg(program);
                command
            }
            Runner::Engine { path, engine } => {
                let mut command = Command::new(path);
                match engine {
                    Engine::Wasmtime => command.arg("run"),
                    // Version 18 needs an option for the system interface; later ones warn on standard error that it
                    // may change.
                    Engine::Node => command.args([
                        "--experimental-wasi-unstable-preview1",
                        "--no-warnings",
                        "-e",
                        NODE_SCRIPT,
                        "--",
                    ]),
                };
                command.arg(program);
                command
            }
            Runner::Board { path, board } => {
                let mut command = Command::new(path);
                command.args(board.machine).args(EMULATED_BOARD).arg("-kernel").arg(program);
                command
            }
        }
    }

    /// Runs `program` to its end, with this process's standard input and output, and returns the status that a shell
    /// would show. A board's program has no arguments.
    pub fn run(&self, program: &Path, arguments: &[OsString]) -> Result<i32, Error> {
        let mut command = self.command(program);
        let status = command.args(arguments).status();
        let status = status.map_err(|source| Error::NotRun { program: program.to_owned(), source })?;
        Ok(match self {
            Runner::Engine { engine: Engine::Wasmtime, .. } if status.code() == Some(WASMTIME_TRAPPED) => TRAPPED,
            _ => shell_status(status),
        })
    }
}

/// The exit status of wasmtime if the program trapped. A program's own status is less than 126.
const WASMTIME_TRAPPED: i32 = 134;

/// The exit status of a program ended by an illegal instruction.
const TRAPPED: i32 = 128 + 4;

/// Returns the status that a shell would show: the program's own, or 128 plus the signal that ended it.
fn shell_status(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128 + signal;
        }
    }
    status.code().unwrap_or(1)
}
