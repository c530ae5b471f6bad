//! The installed Swift toolchain: its programs and its resource folder. Owns: the search for it.

use std::path::{Path, PathBuf};

/// The environment variable with a toolchain's folder.
pub const TOOLCHAIN: &str = "SILC_TOOLCHAIN";

/// The environment variable with the folder of libclang.
pub const LIBCLANG: &str = "LIBCLANG_PATH";

/// The environment variable with the clang that compiles the definitions in C headers.
pub const CLANG: &str = "SILC_CLANG";

/// A Swift toolchain, by the folder that contains `bin` and `lib`.
#[derive(Clone, Debug)]
pub struct Toolchain {
    folder: PathBuf,
}

/// The error that no toolchain was found.
#[derive(Debug, PartialEq, Eq)]
pub enum NoToolchain {
    /// In the named folder.
    In(PathBuf),
    /// On the path.
    Anywhere,
}

impl NoToolchain {
    /// Returns the error message for the user, and a hint.
    pub fn message(&self) -> (String, &'static str) {
        let hint = "install Swift 6.2 (https://www.swift.org/install/linux), and have its 'swiftc' on PATH, or name its folder with --toolchain";
        let message = match self {
            Self::In(folder) => {
                format!("'{}' has no Swift toolchain: no 'bin/swift-frontend' is in it", folder.display())
            }
            Self::Anywhere => "there is no Swift toolchain: no 'swiftc' is on PATH".to_owned(),
        };
        (message, hint)
    }
}

impl Toolchain {
    /// Returns the toolchain in the named folder, else in the folder of the environment variable, else that of the
    /// `swiftc` on the path.
    pub fn find(named: Option<&Path>) -> Result<Self, NoToolchain> {
        let environment = std::env::var_os(TOOLCHAIN).map(PathBuf::from);
        if let Some(folder) = named.map(Path::to_owned).or(environment) {
            return Self::in_folder(&folder).ok_or(NoToolchain::In(folder));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut programs = std::env::split_paths(&path).map(|folder| folder.join("swiftc"));
        programs.find_map(|program| Self::of_program(&program)).ok_or(NoToolchain::Anywhere)
    }

    /// Returns the toolchain of the resource folder `lib/swift`.
    pub fn of_resources(folder: &Path) -> Option<Self> {
        Self::in_folder(folder.parent()?.parent()?)
    }

    /// Returns the toolchain of one of its programs, following symbolic links.
    fn of_program(program: &Path) -> Option<Self> {
        let program = program.canonicalize().ok()?;
        Self::in_folder(program.parent()?.parent()?)
    }

    /// Accepts the folder with `bin`, or the folder that contains it as `usr`.
    fn in_folder(folder: &Path) -> Option<Self> {
        let folders = [folder.to_owned(), folder.join("usr")];
        folders.into_iter().find(|folder| folder.join("bin/swift-frontend").is_file()).map(|folder| Self { folder })
    }

    /// Returns the path of a program.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    /// Returns the resource folder, `lib/swift`.
    pub fn resources(&self) -> PathBuf {
        self.folder.join("lib/swift")
    }

    /// Returns the environment variables by which silc's processes find the toolchain, its clang and its libclang,
    /// unless they are set already.
    pub fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let is_free = |variable: &&(&str, PathBuf)| std::env::var_os(variable.0).is_none() && variable.1.exists();
        let variables = [(LIBCLANG, self.folder.join("lib")), (CLANG, self.program("clang"))];
        let found = variables.iter().filter(is_free).cloned();
        std::iter::once((TOOLCHAIN, self.folder.clone())).chain(found).collect()
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_is_named_by_either_folder() {
        let folder = tempfile::tempdir().expect("tests may make folders");
        let bin = folder.path().join("usr/bin");
        std::fs::create_dir_all(&bin).expect("tests may make folders");
        std::fs::write(bin.join("swift-frontend"), "").expect("tests may write");
        let usr = folder.path().join("usr");
        for named in [folder.path(), &usr] {
            assert_eq!(Toolchain::find(Some(named)).map(|found| found.folder), Ok(usr.clone()));
        }
        assert_eq!(Toolchain::of_resources(&usr.join("lib/swift")).map(|found| found.folder), Some(usr));
        let nothing = folder.path().join("nothing");
        assert_eq!(Toolchain::find(Some(&nothing)).map(|found| found.folder), Err(NoToolchain::In(nothing)));
    }
}
