//! The C library of a system: startup files, libraries, dynamic linker. Supports the layouts of Debian and Ubuntu
//! (multiarch), Fedora and Arch (`lib64`), Alpine and musl cross toolchains, and wasi-libc.

use std::path::{Path, PathBuf};

use super::{CLibrary, Product};
use crate::target::{Architecture, Environment, System, Target};

/// A C library to link with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SystemLibrary {
    /// Shared or static.
    pub kind: Kind,
    /// Startup files linked before the objects.
    pub start_files: Vec<PathBuf>,
    /// Startup files linked after everything.
    pub end_files: Vec<PathBuf>,
    /// Folders with libraries.
    pub folders: Vec<PathBuf>,
    /// GCC's support library, if there is one.
    pub support_libraries: Vec<PathBuf>,
}

/// The kind of linking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Dynamic, with this dynamic linker (a path on the system that runs the program).
    Shared { dynamic_linker: String },
    /// Static.
    Static,
}

/// Finds the C library below `sysroot`, or the host's for its own target.
pub(super) fn find(
    target: &Target,
    sysroot: Option<&Path>,
    choice: CLibrary,
    product: Product<'_>,
) -> Option<SystemLibrary> {
    let root = match sysroot {
        Some(root) => root,
        None if target.is_host() => Path::new("/"),
        None => return None,
    };
    let folders = library_folders(target, root);
    match choice {
        CLibrary::Shared | CLibrary::Static if target.system() == System::Wasi => of_wasi(root, product),
        CLibrary::Shared => shared(target, root, folders),
        CLibrary::Static => statically_linked(target, root, folders),
        CLibrary::Freestanding => None,
    }
}

fn shared(target: &Target, root: &Path, folders: Vec<PathBuf>) -> Option<SystemLibrary> {
    let start_files = all_in(&folders, &["Scrt1.o", "crti.o"])?;
    let end_files = all_in(&folders, &["crtn.o"])?;
    first_in(&folders, "libc.so")?;
    let dynamic_linker = dynamic_linker(target, root)?;
    let support_libraries = gcc_libraries(target, root, &["libgcc.a"]).unwrap_or_default();
    Some(SystemLibrary { kind: Kind::Shared { dynamic_linker }, start_files, end_files, folders, support_libraries })
}

fn statically_linked(target: &Target, root: &Path, folders: Vec<PathBuf>) -> Option<SystemLibrary> {
    let start_files = all_in(&folders, &["crt1.o", "crti.o"])?;
    let end_files = all_in(&folders, &["crtn.o"])?;
    first_in(&folders, "libc.a")?;
    // glibc's static library calls the unwinder; musl does not need it.
    let support_libraries = match gcc_libraries(target, root, &["libgcc.a", "libgcc_eh.a"]) {
        Some(libraries) => libraries,
        None if is_musl(target) => Vec::new(),
        None => return None,
    };
    Some(SystemLibrary { kind: Kind::Static, start_files, end_files, folders, support_libraries })
}

/// Finds wasi-libc, which is linked statically. Programs and libraries have different startup files.
fn of_wasi(root: &Path, product: Product<'_>) -> Option<SystemLibrary> {
    let names = ["lib/wasm32-wasip1", "lib/wasm32-wasi", "usr/lib/wasm32-wasip1", "usr/lib/wasm32-wasi"];
    let folder = names.iter().map(|name| root.join(name)).find(|folder| folder.join("libc.a").is_file())?;
    let start_files: &[&str] = match product {
        Product::Program => &["crt1-command.o", "crt1.o"],
        Product::Library { .. } => &["crt1-reactor.o"],
    };
    let start_file = start_files.iter().map(|file| folder.join(file)).find(|path| path.is_file())?;
    Some(SystemLibrary {
        kind: Kind::Static,
        start_files: vec![start_file],
        end_files: Vec::new(),
        folders: vec![folder],
        support_libraries: Vec::new(),
    })
}

fn is_musl(target: &Target) -> bool {
    matches!(target.environment(), Environment::Musl | Environment::MuslSoftFloat | Environment::MuslHardFloat)
}

/// The name of the architecture in paths of Linux systems.
fn architecture_name(target: &Target) -> &'static str {
    match target.architecture() {
        Architecture::X86_64 => "x86_64",
        Architecture::I386 => "i386",
        Architecture::Aarch64 => "aarch64",
        Architecture::Arm | Architecture::Thumb => "arm",
        Architecture::Riscv64 => "riscv64",
        Architecture::Riscv32 => "riscv32",
        Architecture::Wasm32 => "wasm32",
        Architecture::Wasm64 => "wasm64",
    }
}

/// The suffix of the environment in paths of Linux systems.
fn environment_name(target: &Target) -> &'static str {
    match target.environment() {
        Environment::Default | Environment::MachO => "gnu",
        Environment::Musl => "musl",
        Environment::SoftFloat => "gnueabi",
        Environment::HardFloat => "gnueabihf",
        Environment::MuslSoftFloat => "musleabi",
        Environment::MuslHardFloat => "musleabihf",
    }
}

/// Returns folders that may contain libraries of the target, the most specific first; only existing ones.
fn library_folders(target: &Target, root: &Path) -> Vec<PathBuf> {
    let multiarch = format!("{}-linux-{}", architecture_name(target), environment_name(target));
    let mut folders = vec![
        format!("usr/lib/{multiarch}"),
        format!("lib/{multiarch}"),
        format!("usr/{multiarch}/lib"),
        format!("{multiarch}/lib"),
    ];
    if target.pointer_size() == 8 {
        folders.extend(["usr/lib64".to_owned(), "lib64".to_owned()]);
    }
    folders.extend(["usr/lib".to_owned(), "lib".to_owned()]);
    folders.iter().map(|folder| root.join(folder)).filter(|folder| folder.is_dir()).collect()
}

fn first_in(folders: &[PathBuf], file: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())
}

fn all_in(folders: &[PathBuf], files: &[&str]) -> Option<Vec<PathBuf>> {
    files.iter().map(|file| first_in(folders, file)).collect()
}

/// Libraries of the newest GCC below the root: `usr/lib/gcc/x86_64-linux-gnu/12/libgcc.a`.
fn gcc_libraries(target: &Target, root: &Path, files: &[&str]) -> Option<Vec<PathBuf>> {
    let prefix = format!("{}-", architecture_name(target));
    let mut versions: Vec<(u32, PathBuf)> = ["usr/lib/gcc", "usr/lib/gcc-cross"]
        .iter()
        .flat_map(|folder| entries(&root.join(folder)))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
        .flat_map(|path| entries(&path))
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((name.split('.').next()?.parse().ok()?, path))
        })
        .collect();
    versions.sort();
    versions.iter().rev().find_map(|(_, folder)| all_in(std::slice::from_ref(folder), files))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Returns the dynamic linker of the system below `root`, which can run its programs elsewhere, and the folders with
/// its libraries. `None` for the host's system.
pub(crate) fn loader_below(target: &Target, root: &Path) -> Option<(PathBuf, Vec<PathBuf>)> {
    if root.canonicalize().ok()? == Path::new("/") {
        return None;
    }
    let loader = root.join(dynamic_linker(target, root)?.trim_start_matches('/'));
    loader.is_file().then(|| (loader, library_folders(target, root)))
}

/// Returns the dynamic linker's path on the target's system: glibc's or musl's, whichever exists.
fn dynamic_linker(target: &Target, root: &Path) -> Option<String> {
    let name = architecture_name(target);
    let glibc = match (target.architecture(), target.environment()) {
        (Architecture::X86_64, _) => "/lib64/ld-linux-x86-64.so.2".to_owned(),
        (Architecture::Aarch64, _) => "/lib/ld-linux-aarch64.so.1".to_owned(),
        (Architecture::Riscv64, _) => "/lib/ld-linux-riscv64-lp64d.so.1".to_owned(),
        (Architecture::Arm, Environment::HardFloat) => "/lib/ld-linux-armhf.so.3".to_owned(),
        (Architecture::Arm, _) => "/lib/ld-linux.so.3".to_owned(),
        _ => return None,
    };
    let hard_float = if target.environment() == Environment::MuslHardFloat { "hf" } else { "" };
    let musl = format!("/lib/ld-musl-{name}{hard_float}.so.1");
    let present = |path: &str| root.join(path.trim_start_matches('/')).symlink_metadata().is_ok();
    if is_musl(target) || (!present(&glibc) && present(&musl)) { Some(musl) } else { Some(glibc) }
}
