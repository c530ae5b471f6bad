//! The linker program, and its command line.

use std::env;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::error::LINKER_VARIABLE;
use crate::target::Target;

/// The linkers, in order of preference. The compilers only link for their own system.
const KNOWN_LINKERS: &[&str] = &["ld.lld-22", "ld.lld", "cc", "gcc", "clang"];

/// The same for WebAssembly.
const WEBASSEMBLY_LINKERS: &[&str] = &["wasm-ld-22", "wasm-ld"];

/// A program that links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Linker {
    pub path: PathBuf,
    pub flavor: Flavor,
}

/// The kind of arguments of a linker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavor {
    /// LLVM's linker, or mold: all ELF targets.
    Lld,
    /// GNU's linker.
    Gnu,
    /// A C compiler that calls the linker.
    Compiler,
}

impl Flavor {
    /// Determines the flavor from the usual program names: `ld.lld-22`, `aarch64-linux-gnu-gcc-12`, `/usr/bin/ld`.
    fn of(path: &Path) -> Flavor {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains("lld") || name.contains("mold") {
            Flavor::Lld
        } else if name == "cc"
            || name.ends_with("-cc")
            || ["gcc", "g++", "c++", "clang"].iter().any(|compiler| name.contains(compiler))
        {
            Flavor::Compiler
        } else {
            Flavor::Gnu
        }
    }
}

/// Finds the linker: the requested one, or the first known one that can link for the target.
pub(super) fn find(requested: Option<&Path>, target: &Target) -> Result<Linker, Error> {
    if let Some((name, path)) = find_requested(requested)? {
        return Ok(Linker { flavor: Flavor::of(&name), path });
    }
    let can_link = |flavor| flavor == Flavor::Lld || target.is_host();
    KNOWN_LINKERS
        .iter()
        .map(Path::new)
        .filter(|name| can_link(Flavor::of(name)))
        .find_map(|name| in_search_path(name).map(|path| Linker { path, flavor: Flavor::of(name) }))
        .ok_or_else(|| Error::NoLinker { triple: target.triple().to_owned() })
}

/// Finds the linker for WebAssembly, which has different arguments.
pub(super) fn find_for_webassembly(requested: Option<&Path>, target: &Target) -> Result<PathBuf, Error> {
    if let Some((_, path)) = find_requested(requested)? {
        return Ok(path);
    }
    let mut known = WEBASSEMBLY_LINKERS.iter().map(Path::new);
    known.find_map(in_search_path).ok_or_else(|| Error::NoLinker { triple: target.triple().to_owned() })
}

/// Returns the linker that the user names, as an argument or in the environment: the name, and its path.
fn find_requested(requested: Option<&Path>) -> Result<Option<(PathBuf, PathBuf)>, Error> {
    let from_environment = env::var_os(LINKER_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let Some(requested) = requested.map(Path::to_owned).or(from_environment) else { return Ok(None) };
    let path = in_search_path(&requested).ok_or_else(|| Error::LinkerNotFound { path: requested.clone() })?;
    Ok(Some((requested, path)))
}

/// Finds the program with this name or path, as a shell does.
pub(crate) fn in_search_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkers_are_told_apart_by_name() {
        for (name, flavor) in [
            ("/usr/bin/ld.lld-22", Flavor::Lld),
            ("lld", Flavor::Lld),
            ("mold", Flavor::Lld),
            ("cc", Flavor::Compiler),
            ("aarch64-linux-gnu-gcc-12", Flavor::Compiler),
            ("/opt/bin/clang", Flavor::Compiler),
            ("clang++", Flavor::Compiler),
            ("/usr/bin/ld", Flavor::Gnu),
            ("ld.bfd", Flavor::Gnu),
        ] {
            assert_eq!(Flavor::of(Path::new(name)), flavor, "{name}");
        }
    }
}
