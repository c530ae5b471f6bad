//! Swift's own library: its place in a toolchain, and the parts of it that objects ask for. Modules list their imports
//! by autolink entries, as swiftc's do: linker arguments in a section of the object, each with a zero after it.

use std::path::{Path, PathBuf};

use object::{Object, ObjectSection};

use super::linker::in_search_path;
use crate::Error;
use crate::target::Target;

/// The section with autolink entries in ELF objects.
pub const AUTOLINK_SECTION: &str = ".swift1_autolink_entries";

/// The toolchain's compiler, which its library lies beside.
const COMPILER: &str = "swiftc";

/// The folders of a toolchain with libraries, as seen from that of its programs.
const FROM_PROGRAMS: &str = "../lib/swift";

/// The shared library that every program links with.
const CORE: &str = "libswiftCore.so";

/// The file with [`SwiftLibrary::c_library_map`].
const C_LIBRARY_MAP: &str = "glibc.modulemap";

/// Swift's own library, as a shared one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwiftLibrary {
    /// The folder with `libswiftCore.so`.
    pub folder: PathBuf,
    /// Where executables find it as they start: the same folder, seen from the root of the system that it lies in.
    pub run_path: PathBuf,
}

impl SwiftLibrary {
    /// The library of the toolchain whose `lib/swift` is `sdk`; without one, that of the toolchain beside the `swiftc`
    /// on the search path.
    ///
    /// Fails with [`Error::NoSwiftLibrary`] where there is none.
    pub fn find(sdk: Option<&Path>, sysroot: Option<&Path>) -> Result<SwiftLibrary, Error> {
        let sdk = match sdk {
            Some(sdk) => Some(sdk.to_owned()),
            None => beside_compiler(),
        };
        let folder = sdk.as_deref().and_then(folder_with_core);
        let folder = folder.ok_or_else(|| Error::NoSwiftLibrary { folder: sdk.clone() })?;
        let run_path = sysroot.and_then(|root| folder.strip_prefix(root).ok()).map(|below| Path::new("/").join(below));
        Ok(SwiftLibrary { run_path: run_path.unwrap_or_else(|| folder.clone()), folder })
    }

    /// Clang's map of the C library's module that the library re-exports as `Glibc`, where the toolchain has it for the
    /// target.
    pub fn c_library_map(&self, target: &Target) -> Option<PathBuf> {
        let architecture = target.triple().split('-').next()?;
        Some(self.folder.join(architecture).join(C_LIBRARY_MAP)).filter(|map| map.is_file())
    }
}

/// `lib/swift` of the toolchain whose compiler is on the search path, wherever links lead.
fn beside_compiler() -> Option<PathBuf> {
    let compiler = in_search_path(Path::new(COMPILER))?.canonicalize().ok()?;
    compiler.parent()?.join(FROM_PROGRAMS).canonicalize().ok()
}

/// The folder of `lib/swift` for Linux, or that folder itself.
fn folder_with_core(sdk: &Path) -> Option<PathBuf> {
    let folders = [sdk.join("linux"), sdk.to_owned()];
    folders.into_iter().find(|folder| folder.join(CORE).is_file())
}

/// The linker arguments that objects ask for, each once, in the order in which they come first.
pub(super) fn autolink_entries<'a>(objects: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for content in objects {
        for entry in entries_of(content).unwrap_or_default() {
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
    }
    entries
}

fn entries_of(content: &[u8]) -> Option<Vec<String>> {
    let file = object::File::parse(content).ok()?;
    let section = file.section_by_name(AUTOLINK_SECTION)?;
    let text = section.data().ok()?;
    let entries = text.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    Some(entries.map(|entry| String::from_utf8_lossy(entry).into_owned()).collect())
}
