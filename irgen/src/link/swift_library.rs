//! Swift's own library: its location in a toolchain, and the parts of it that objects request. Like swiftc's, modules
//! list their imports as autolink entries: null-terminated linker arguments in a section of the object.

use std::path::{Path, PathBuf};

use object::{Object, ObjectSection};

use super::linker::in_search_path;
use crate::Error;
use crate::target::Target;

/// The section with autolink entries in ELF objects.
pub const AUTOLINK_SECTION: &str = ".swift1_autolink_entries";

/// The toolchain's compiler, by which its library is found.
const COMPILER: &str = "swiftc";

/// The folder of a toolchain's libraries, relative to that of its programs.
const FROM_PROGRAMS: &str = "../lib/swift";

/// The shared library that every program links with.
const CORE: &str = "libswiftCore.so";

/// The file with [`SwiftLibrary::c_library_map`].
const C_LIBRARY_MAP: &str = "glibc.modulemap";

/// Swift's own library, linked dynamically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwiftLibrary {
    /// The folder with `libswiftCore.so`.
    pub folder: PathBuf,
    /// The run path of executables: the same folder, relative to the root of the system that contains it.
    pub run_path: PathBuf,
}

impl SwiftLibrary {
    /// Finds the library of the toolchain whose `lib/swift` is `sdk`; without one, that of the toolchain of the
    /// `swiftc` on the search path.
    ///
    /// Fails with [`Error::NoSwiftLibrary`] if there is none.
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

    /// Returns clang's module map of the C library that the library re-exports as `Glibc`, if the toolchain has it for
    /// the target.
    pub fn c_library_map(&self, target: &Target) -> Option<PathBuf> {
        let architecture = target.triple().split('-').next()?;
        Some(self.folder.join(architecture).join(C_LIBRARY_MAP)).filter(|map| map.is_file())
    }
}

/// Returns `lib/swift` of the toolchain whose compiler is on the search path, following links.
fn beside_compiler() -> Option<PathBuf> {
    let compiler = in_search_path(Path::new(COMPILER))?.canonicalize().ok()?;
    compiler.parent()?.join(FROM_PROGRAMS).canonicalize().ok()
}

/// Returns the folder of `lib/swift` for Linux, or `lib/swift` itself.
fn folder_with_core(sdk: &Path) -> Option<PathBuf> {
    let folders = [sdk.join("linux"), sdk.to_owned()];
    folders.into_iter().find(|folder| folder.join(CORE).is_file())
}

/// Returns the linker arguments that objects request, each once, in the order of their first occurrence.
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
