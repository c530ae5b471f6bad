//! Every error after the lowering, as one type, and its class. Owns: the messages for users. Does not own: the printing
//! of diagnostics.

mod link_failure;

pub use link_failure::{DuplicateSymbol, LinkFailure, SymbolPlace, UndefinedSymbol};

use std::io;
use std::path::{Path, PathBuf};

use headers::HeaderError;
use sil_ir::diagnostic::Diagnostic;

/// The environment variable with the linker, if `--linker` is not given.
pub const LINKER_VARIABLE: &str = "SILC_LINKER";

/// The version of LLVM that silc is built with.
const LLVM_VERSION: u32 = 22;

/// An error in the input at its place, or one after the lowering.
#[derive(Debug)]
pub enum Failure {
    /// Code in the input that silc cannot compile.
    Diagnostics(Vec<Diagnostic>),
    /// Any other error.
    Error(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

/// An error after the creation of the LLVM module. `Display` gives the message without a leading `error:`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The target triple is not supported.
    #[error("unknown target '{triple}'{}", suggestion(.similar.as_deref()))]
    UnknownTarget {
        /// The triple as given.
        triple: String,
        /// A supported triple close to it.
        similar: Option<String>,
    },
    /// LLVM does not know the `--cpu` name for the target.
    #[error("unknown CPU '{cpu}' for target '{triple}'{}", suggestion(.similar.as_deref()))]
    UnknownCpu {
        /// The name as given.
        cpu: String,
        /// The target it was given for.
        triple: String,
        /// A known name close to it.
        similar: Option<String>,
    },
    /// A feature is not written `+name` or `-name`, or the target does not have it.
    #[error(
        "unknown feature '{feature}' for target '{triple}' (write +name or -name){}",
        suggestion(.similar.as_deref())
    )]
    UnknownFeature {
        /// The feature as given, sign included.
        feature: String,
        /// The target it was given for.
        triple: String,
        /// A known feature close to it, with its sign.
        similar: Option<String>,
    },
    /// The target exists but lacks the requested ability, such as linking without a known linker.
    #[error("target '{triple}' does not support {what}")]
    UnsupportedByTarget {
        /// The target.
        triple: String,
        /// The requested ability, as a noun.
        what: &'static str,
    },
    /// No linker for the target is installed.
    #[error("no linker found for target '{triple}'")]
    NoLinker {
        /// The target.
        triple: String,
    },
    /// The requested linker does not exist.
    #[error("there is no linker '{}'", .path.display())]
    LinkerNotFound {
        /// The name or path as given.
        path: PathBuf,
    },
    /// The linker could not be started.
    #[error("cannot run the linker '{}': {}", .path.display(), io_reason(.source))]
    LinkerNotRun {
        /// The linker.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no C library to link with: none in the sysroot, or no sysroot and no library of silc's own.
    #[error("no C library found for target '{triple}'{}", place_of_search(.sysroot.as_deref()))]
    NoCLibrary {
        /// The target.
        triple: String,
        /// The sysroot that was searched.
        sysroot: Option<PathBuf>,
    },
    /// Swift's own library was not found.
    #[error("Swift's own library was not found{}", library_search(.folder.as_deref()))]
    NoSwiftLibrary {
        /// The folder that was searched.
        folder: Option<PathBuf>,
    },
    /// The target has no board with the name, or no board at all.
    #[error("{}", unknown_board(.board.as_deref(), .triple))]
    UnknownBoard {
        /// The name as given.
        board: Option<String>,
        /// The target it was given for.
        triple: String,
        /// The boards that run the target's code.
        known: Vec<&'static str>,
    },
    /// An executable has no memory image.
    #[error("there is no image of the program's memory: {0}")]
    NoImage(String),
    /// The linker failed: missing or duplicate symbols, or other errors.
    #[error("{0}")]
    Link(LinkFailure),
    /// Programs of the target cannot be run on this machine.
    #[error("running programs for target '{triple}' needs '{emulator}', which is not installed")]
    NoEmulator {
        /// The target.
        triple: String,
        /// The emulator's name.
        emulator: &'static str,
    },
    /// A built program could not be started.
    #[error("cannot run '{}': {}", .program.display(), io_reason(.source))]
    NotRun {
        /// The program.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file could not be read.
    #[error("cannot read '{}': {}", .path.display(), io_reason(.source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write '{}': {}", .path.display(), io_reason(.source))]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// LLVM's code generator rejected the module, for example because of inline assembly or a missing feature.
    #[error("{0}")]
    CodeGeneration(String),
    /// LLVM IR or bitcode from the input could not be read.
    #[error("'{name}' is not LLVM IR that can be read: {message}")]
    BadLlvmInput {
        /// Name of the buffer or file.
        name: String,
        /// LLVM's message.
        message: String,
    },
    /// Clang's bitcode is newer than silc's LLVM.
    #[error("the clang that compiles what C headers define is newer than silc's LLVM {LLVM_VERSION}")]
    NewerClang,
    /// The definitions of C headers that a module needs are not available.
    #[error("{0}")]
    Headers(#[from] headers::HeaderError),
    /// An internal error of silc: LLVM's verifier rejected a generated module, or LLVM failed.
    #[error("internal: {0}")]
    Internal(String),
}

/// The class of an [`Error`], which determines the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// The input program is at fault.
    Input,
    /// The usage of silc, or the installed programs, are at fault.
    Usage,
    /// silc itself is at fault: to be reported.
    Internal,
}

impl ErrorClass {
    /// The process's exit status for errors of this class.
    pub fn exit_status(self) -> u8 {
        match self {
            ErrorClass::Input => 1,
            ErrorClass::Usage => 2,
            ErrorClass::Internal => 70,
        }
    }
}

impl Error {
    /// The class of the error.
    pub fn class(&self) -> ErrorClass {
        match self {
            Error::UnknownTarget { .. }
            | Error::UnknownCpu { .. }
            | Error::UnknownFeature { .. }
            | Error::UnsupportedByTarget { .. }
            | Error::NoLinker { .. }
            | Error::LinkerNotFound { .. }
            | Error::LinkerNotRun { .. }
            | Error::NoCLibrary { .. }
            | Error::NoSwiftLibrary { .. }
            | Error::UnknownBoard { .. }
            | Error::NoEmulator { .. }
            | Error::NewerClang
            | Error::Headers(HeaderError::NoClang | HeaderError::NoLibclang | HeaderError::NoHeader { .. }) => {
                ErrorClass::Usage
            }
            Error::Read { .. }
            | Error::Write { .. }
            | Error::CodeGeneration(_)
            | Error::BadLlvmInput { .. }
            | Error::Link(_)
            | Error::NoImage(_)
            | Error::NotRun { .. }
            | Error::Headers(_) => ErrorClass::Input,
            Error::Internal(_) => ErrorClass::Internal,
        }
    }

    /// A hint for the user as a `help:` line, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::UnknownTarget { .. } => Some("`silc targets` lists the supported targets".to_owned()),
            Error::NoLinker { .. } | Error::LinkerNotFound { .. } => Some(format!(
                "install lld (Debian and Ubuntu: 'apt install lld'), or name a linker with --linker or {LINKER_VARIABLE}"
            )),
            Error::NoCLibrary { .. } => Some(
                "name the root of the target's system with --sysroot, or emit an object with --emit obj".to_owned(),
            ),
            Error::NoSwiftLibrary { .. } => Some(
                "install a Swift toolchain so that 'swiftc' is on the search path, or name its folder 'lib/swift' with --swift-sdk"
                    .to_owned(),
            ),
            Error::NoEmulator { emulator, .. } => Some(format!("install {}", package_of(emulator))),
            Error::UnknownBoard { known, .. } => Some(match known.is_empty() {
                true => "name a linker script with --linker-script".to_owned(),
                false => format!(
                    "its boards are {}; for another, name a linker script with --linker-script",
                    known.join(", ")
                ),
            }),
            Error::NewerClang => Some(format!("name clang {LLVM_VERSION} in SILC_CLANG")),
            Error::Headers(error) => error.hint().map(str::to_owned),
            Error::Internal(_) => Some(REPORT_HINT.to_owned()),
            _ => None,
        }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Error {
        Error::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Error {
        Error::Write { path: path.to_owned(), source }
    }
}

/// The request for a report, for internal errors of silc.
pub const REPORT_HINT: &str =
    "this is a fault of silc; please report it with the .sil input, the command line and this message";

fn suggestion(similar: Option<&str>) -> String {
    similar.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

fn unknown_board(board: Option<&str>, triple: &str) -> String {
    match board {
        Some(board) => format!("target '{triple}' has no board '{board}'"),
        None => format!("silc knows no board for target '{triple}'"),
    }
}

/// The Debian package with an emulator.
fn package_of(emulator: &str) -> &'static str {
    match emulator {
        "qemu-system-arm" | "qemu-system-aarch64" => "qemu-system-arm",
        "qemu-system-riscv32" | "qemu-system-riscv64" => "qemu-system-misc",
        "node" => "Node (the package 'nodejs') or wasmtime",
        _ => "qemu-user",
    }
}

fn place_of_search(sysroot: Option<&Path>) -> String {
    sysroot.map(|sysroot| format!(" in '{}'", sysroot.display())).unwrap_or_default()
}

fn library_search(folder: Option<&Path>) -> String {
    match folder {
        Some(folder) => format!(" in '{}'", folder.display()),
        None => ": there is no toolchain beside a 'swiftc' on the search path".to_owned(),
    }
}

/// The system's reason without Rust's `(os error 13)` tail.
fn io_reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
