//! Starts a built program: directly where it is for this machine, else under an emulator of its target.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::Error;
use crate::link::{in_search_path, loader_below};
use crate::target::{Architecture, System, Target};

/// How programs of a target are started here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runner {
    /// As any program.
    Native,
    /// By the dynamic linker of another system for this processor, with the libraries of that.
    Loader {
        /// The dynamic linker's path.
        path: PathBuf,
        /// The folders with libraries.
        folders: Vec<PathBuf>,
    },
    /// By an emulator of the target's processor and Linux.
    Emulator {
        /// The emulator's path.
        path: PathBuf,
        /// Where it finds the target's shared libraries.
        sysroot: Option<PathBuf>,
    },
}

/// Finds out how programs of a target are started here, where the target's system lies below `sysroot`. Libraries are in `folders` as well.
///
/// Fails with [`Error::NoEmulator`] where none is installed, with [`Error::UnsupportedByTarget`] for programs that
/// are not of Linux.
pub fn runner(target: &Target, sysroot: Option<&Path>, folders: &[PathBuf]) -> Result<Runner, Error> {
    if target.is_host() {
        let loader = sysroot.and_then(|sysroot| loader_below(target, sysroot));
        return Ok(match loader {
            Some((path, system)) => Runner::Loader { path, folders: [folders, &system].concat() },
            None => Runner::Native,
        });
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
    [emulator.to_owned(), format!("{emulator}-static")]
        .iter()
        .find_map(|name| in_search_path(Path::new(name)))
        .map(|path| Runner::Emulator { path, sysroot: sysroot.map(Path::to_owned) })
        .ok_or_else(|| Error::NoEmulator { triple: target.triple().to_owned(), emulator })
}

impl Runner {
    /// The command that starts `program`, to be given its arguments.
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
        }
    }

    /// Runs `program` to its end, with this process's standard input and output.
    pub fn run(&self, program: &Path, arguments: &[OsString]) -> Result<ExitStatus, Error> {
        let mut command = self.command(program);
        command.args(arguments).status().map_err(|source| Error::NotRun { program: program.to_owned(), source })
    }
}

/// The status that a shell would show: the program's own, or 128 and the signal that ended it.
pub fn shell_status(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128 + signal;
        }
    }
    status.code().unwrap_or(1)
}
