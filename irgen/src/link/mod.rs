//! Links objects to executables: with the C library of the system or a sysroot, or with silc's own freestanding one.
//! Owns: the inputs of a link. `linker` finds the programs, `c_library` the system's files.
//!
//! ```text
//! board        boards without an operating system, and their linker scripts
//! image        the contents of a board's memory from an executable
//! linker       the linker program, and its flavor
//! c_library    startup files, libraries and dynamic linker of a sysroot
//! arguments    the linker's command line
//! messages     the linker's messages, as values
//! swift_library  Swift's own library, and the parts of it that objects request
//! webassembly  the command line of WebAssembly's linker
//! ```
//!
//! All files are in a temporary directory; the executable is returned as bytes, which `emit` writes.

mod arguments;
mod board;
mod c_library;
mod image;
mod linker;
mod messages;
mod swift_library;
#[cfg(test)]
mod tests;
mod webassembly;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::emit::{FileMode, write_file};
use crate::target::{ObjectFormat, System, Target};

pub use board::Board;
pub(crate) use c_library::loader_below;
pub use image::{ImageFormat, image};
pub(crate) use linker::in_search_path;
pub use swift_library::{AUTOLINK_SECTION, SwiftLibrary};

/// One object file.
#[derive(Debug, Clone, Copy)]
pub struct LinkInput<'a> {
    /// Its name in messages: the .sil file that it was compiled from.
    pub name: &'a str,
    /// The object file's content.
    pub object: &'a [u8],
}

/// Returns whether a file with this content can be linked: an object file, a library or an archive of them.
pub fn is_linkable(content: &[u8]) -> bool {
    object::FileKind::parse(content).is_ok()
}

/// Libraries that are part of the C library. silc's own C library contains all of them.
const C_LIBRARY_PARTS: &[&str] = &["c", "m", "pthread", "rt", "dl"];

/// Returns whether `-l` with this name requests a part of the C library, which is linked in any case.
pub fn is_part_of_c_library(name: &str) -> bool {
    C_LIBRARY_PARTS.contains(&name)
}

/// The C library of an executable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum CLibrary {
    /// The shared one of the system or the sysroot; `Freestanding` if there is none (and for foreign targets without a
    /// sysroot).
    #[default]
    Shared,
    /// The static one of the system or the sysroot; `Freestanding` if there is none.
    Static,
    /// silc's own small one, which needs nothing from the system.
    Freestanding,
}

/// The product of a link.
#[derive(Debug, Clone, Copy, Default)]
pub enum Product<'a> {
    /// A program with an entry point.
    #[default]
    Program,
    /// A WebAssembly module with functions for its host.
    Library {
        /// The exported symbols, in addition to those marked in their objects.
        exports: &'a [String],
    },
}

/// The memory placement of a program without an operating system.
#[derive(Debug, Clone)]
pub enum Placement {
    /// The memory of a supported board.
    Board(&'static Board),
    /// A linker script.
    Script(PathBuf),
}

/// Whether the executable keeps its symbol table and debug information.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Symbols {
    /// All of them.
    #[default]
    Keep,
    /// None of them.
    Strip,
}

/// The inputs and options of a link.
#[derive(Debug, Clone, Copy)]
pub struct LinkRequest<'a> {
    /// The target of the objects.
    pub target: &'a Target,
    /// The program's objects, in order.
    pub inputs: &'a [LinkInput<'a>],
    /// Other objects, archives and libraries, linked after the inputs in this order.
    pub files: &'a [PathBuf],
    /// Archives searched for symbols after all of these: the runtime.
    pub archives: &'a [&'a [u8]],
    /// Symbols that are linked from the archives even without references.
    pub wanted_symbols: &'a [&'a str],
    /// silc's own C library with `_start` and the compiler's support functions, if the target has one.
    pub freestanding_library: Option<&'a [u8]>,
    /// The C library of the executable.
    pub c_library: CLibrary,
    /// Whether it keeps its symbols.
    pub symbols: Symbols,
    /// The linker to use (`--linker`); else `SILC_LINKER`, else the first one found.
    pub linker: Option<&'a Path>,
    /// The root of the target's system (`--sysroot`).
    pub sysroot: Option<&'a Path>,
    /// Folders to look for `libraries` in, before the system's (`-L`).
    pub library_folders: &'a [PathBuf],
    /// Further libraries by name (`-l`).
    pub libraries: &'a [String],
    /// Swift's own library, if programs link with it.
    pub swift_library: Option<&'a SwiftLibrary>,
    /// The memory placement of a program without an operating system.
    pub placement: Option<&'a Placement>,
    /// The product.
    pub product: Product<'a>,
    /// Further arguments for the linker.
    pub extra_arguments: &'a [OsString],
}

impl<'a> LinkRequest<'a> {
    /// Creates a request with only the target and its objects.
    pub fn new(target: &'a Target, inputs: &'a [LinkInput<'a>]) -> LinkRequest<'a> {
        LinkRequest {
            target,
            inputs,
            files: &[],
            archives: &[],
            wanted_symbols: &[],
            freestanding_library: None,
            c_library: CLibrary::default(),
            symbols: Symbols::default(),
            linker: None,
            sysroot: None,
            library_folders: &[],
            libraries: &[],
            swift_library: None,
            placement: None,
            product: Product::default(),
            extra_arguments: &[],
        }
    }
}

/// Links an executable and returns its content.
///
/// Fails with [`Error::NoLinker`] if none is found, with [`Error::Link`] if the linker rejects the inputs.
pub fn link(request: &LinkRequest<'_>) -> Result<Vec<u8>, Error> {
    let unsupported = |what| Error::UnsupportedByTarget { triple: request.target.triple().to_owned(), what };
    if matches!(request.target.object_format(), ObjectFormat::MachO | ObjectFormat::Coff) {
        return Err(unsupported("linking by silc (emit an object and link it by the platform's tools)"));
    }
    let directory = tempfile::Builder::new()
        .prefix("silc-link-")
        .tempdir()
        .map_err(|source| Error::write(&std::env::temp_dir(), source))?;
    let files = Files::write(request, directory.path())?;
    if request.target.object_format() == ObjectFormat::Wasm {
        let linker = linker::find_for_webassembly(request.linker, request.target)?;
        let system = system_library(request)?;
        run(&linker, &webassembly::build(request, system.as_ref(), &files), &files)?;
    } else {
        let linker = linker::find(request.linker, request.target)?;
        let system = system_library(request)?;
        let arguments = arguments::build(request, &linker, system.as_ref(), &files, &autolinked(request));
        run(&linker.path, &arguments, &files)?;
    }
    std::fs::read(&files.output).map_err(|source| Error::read(&files.output, source))
}

/// The autolink entries of the objects for Swift's own library.
fn autolinked(request: &LinkRequest<'_>) -> Vec<String> {
    if request.swift_library.is_none() {
        return Vec::new();
    }
    let others: Vec<Vec<u8>> = request.files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    let own = request.inputs.iter().map(|input| input.object);
    swift_library::autolink_entries(own.chain(others.iter().map(Vec::as_slice)))
}

/// Returns the C library of the system to link with, or `None` for the freestanding one.
fn system_library(request: &LinkRequest<'_>) -> Result<Option<c_library::SystemLibrary>, Error> {
    let found = match request.c_library {
        CLibrary::Freestanding => None,
        _ if request.target.system() == System::BareMetal => None,
        choice => c_library::find(request.target, request.sysroot, choice, request.product),
    };
    if found.is_none()
        && matches!(request.target.system(), System::Linux | System::Wasi)
        && (request.freestanding_library.is_none() || request.sysroot.is_some())
        && request.c_library != CLibrary::Freestanding
    {
        return Err(Error::NoCLibrary {
            triple: request.target.triple().to_owned(),
            sysroot: request.sysroot.map(Path::to_owned),
        });
    }
    Ok(found)
}

/// The files of one link, in its temporary directory.
#[derive(Debug)]
struct Files {
    /// The request's inputs and files in order, with their names in messages.
    objects: Vec<(PathBuf, String)>,
    archives: Vec<PathBuf>,
    freestanding_library: Option<PathBuf>,
    linker_script: Option<PathBuf>,
    output: PathBuf,
}

impl Files {
    fn write(request: &LinkRequest<'_>, directory: &Path) -> Result<Files, Error> {
        let mut objects = Vec::new();
        for (index, input) in request.inputs.iter().enumerate() {
            let path = directory.join(format!("{index}.o"));
            write_file(input.object, &path, FileMode::Plain)?;
            objects.push((path, input.name.to_owned()));
        }
        objects.extend(request.files.iter().map(|file| (file.clone(), file.display().to_string())));
        let mut archives = Vec::new();
        for (index, archive) in request.archives.iter().enumerate() {
            let path = directory.join(format!("runtime{index}.a"));
            write_file(archive, &path, FileMode::Plain)?;
            archives.push(path);
        }
        let freestanding_library = match request.freestanding_library {
            Some(archive) => {
                let path = directory.join("freestanding.a");
                write_file(archive, &path, FileMode::Plain)?;
                Some(path)
            }
            None => None,
        };
        let linker_script = match request.placement {
            Some(Placement::Board(board)) => {
                let path = directory.join("board.ld");
                write_file(board.linker_script(request.target).as_bytes(), &path, FileMode::Plain)?;
                Some(path)
            }
            Some(Placement::Script(path)) => Some(path.clone()),
            None => None,
        };
        Ok(Files { objects, archives, freestanding_library, linker_script, output: directory.join("program") })
    }
}

fn run(linker: &Path, arguments: &[OsString], files: &Files) -> Result<(), Error> {
    let output = Command::new(linker)
        .args(arguments)
        .env("LC_ALL", "C")
        .output()
        .map_err(|source| Error::LinkerNotRun { path: linker.to_owned(), source })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let mut failure = messages::parse(&text, &files.objects);
    if failure.is_empty() {
        failure.other.push(format!("'{}' failed: {}", linker.display(), output.status));
    }
    Err(Error::Link(failure))
}
