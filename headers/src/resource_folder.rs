//! Clang's own headers (`stddef.h`, `stdint.h`, …), which C libraries need. They lie in a folder that belongs to clang,
//! and libclang may be installed without it. Owns the search for such a folder, and headers of silc's own for where
//! there is none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::libclang::{Library, SourceText};

/// The folder of headers that belong to clang itself, such as `stddef.h`.
#[derive(Debug)]
pub enum ResourceFolder {
    /// The one that libclang finds, or that the arguments name.
    Usual,
    /// That of another clang.
    Other(PathBuf),
    /// One with silc's own headers, which is there as long as this value is.
    Own(TempDir),
}

/// Silc's own headers by their names.
const OWN: [(&str, &str); 10] = [
    ("float.h", include_str!("../own/include/float.h")),
    ("iso646.h", include_str!("../own/include/iso646.h")),
    ("limits.h", include_str!("../own/include/limits.h")),
    ("stdalign.h", include_str!("../own/include/stdalign.h")),
    ("stdarg.h", include_str!("../own/include/stdarg.h")),
    ("stdatomic.h", include_str!("../own/include/stdatomic.h")),
    ("stdbool.h", include_str!("../own/include/stdbool.h")),
    ("stddef.h", include_str!("../own/include/stddef.h")),
    ("stdint.h", include_str!("../own/include/stdint.h")),
    ("stdnoreturn.h", include_str!("../own/include/stdnoreturn.h")),
];

/// Where systems have libraries, and with them clangs.
const LIBRARY_FOLDERS: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt/homebrew/opt/llvm/lib"];

impl ResourceFolder {
    /// The folder for headers that clang parses with `arguments`: the usual one where clang finds its headers with
    /// them.
    ///
    /// Fails where silc's own headers cannot be written.
    pub fn find(library: Library, arguments: &[String]) -> io::Result<Self> {
        if is_stated(arguments) || finds_headers(library, arguments) {
            return Ok(ResourceFolder::Usual);
        }
        for folder in installed() {
            let other = ResourceFolder::Other(folder);
            let with_it: Vec<String> = arguments.iter().cloned().chain(other.arguments()).collect();
            if finds_headers(library, &with_it) {
                return Ok(other);
            }
        }
        own().map(ResourceFolder::Own)
    }

    /// The arguments that name the folder to clang.
    pub fn arguments(&self) -> Vec<String> {
        match self {
            ResourceFolder::Usual => Vec::new(),
            ResourceFolder::Other(folder) => vec![argument(folder)],
            ResourceFolder::Own(folder) => {
                // The folder is another one each time, which nothing that is compiled may show.
                vec![argument(folder.path()), format!("-ffile-prefix-map={}={SHOWN}", folder.path().display())]
            }
        }
    }
}

/// The name for the folder with silc's own headers that compiled code has.
const SHOWN: &str = "/silc-headers";

fn argument(folder: &Path) -> String {
    format!("-resource-dir={}", folder.display())
}

/// Whether the arguments name the folder of clang's own headers, or exclude them.
fn is_stated(arguments: &[String]) -> bool {
    let tells = |argument: &String| {
        let name = argument.trim_start_matches('-');
        name.starts_with("resource-dir") || matches!(name, "nostdinc" | "nobuiltininc")
    };
    arguments.iter().any(tells)
}

/// Whether clang finds its own headers. The C library's `limits.h` asks for clang's.
fn finds_headers(library: Library, arguments: &[String]) -> bool {
    let text = "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n".to_owned();
    let texts = [SourceText { path: "silc-own-headers.c".to_owned(), text }];
    library.parse(&texts, arguments).is_some_and(|parsed| parsed.errors().is_empty())
}

/// The folders of the clangs that this machine has, the newest one first.
fn installed() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in LIBRARY_FOLDERS.map(Path::new) {
        let versions = entries(folder).into_iter().filter(|entry| name_begins_with(entry, "llvm"));
        let clangs = versions.map(|version| version.join("lib/clang")).chain([folder.join("clang")]);
        found.extend(clangs.flat_map(|clang| entries(&clang)));
    }
    found.retain(|folder| folder.join("include/stddef.h").is_file());
    found.sort_by_key(|folder| std::cmp::Reverse(version(folder)));
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn name_begins_with(path: &Path, prefix: &str) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix))
}

/// The version that a folder is called by: `22`, `14.0.6`.
fn version(folder: &Path) -> Vec<u32> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

/// A folder with silc's own headers.
fn own() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("silc-headers").tempdir()?;
    let include = folder.path().join("include");
    fs::create_dir(&include)?;
    OWN.iter().try_for_each(|(name, text)| fs::write(include.join(name), text))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    /// C that asks all of silc's own headers for something.
    const USES: &str = "
#include <float.h>
#include <iso646.h>
#include <limits.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
_Static_assert(sizeof(size_t) == sizeof(sizeof(int)) and sizeof(intptr_t) == sizeof(void *), \"\");
_Static_assert(INT64_MIN < 0 and UINT8_MAX == 255 and LONG_MIN < 0 and CHAR_BIT == 8 and UINT64_C(1) << 63 > 0, \"\");
_Static_assert(alignof(max_align_t) >= alignof(long long) and DBL_MAX > FLT_MAX and DBL_MANT_DIG >= 24, \"\");
struct pair { int first; bool second; };
atomic_int counter;
atomic_flag flag = ATOMIC_FLAG_INIT;
noreturn void stop(void);
int sum(int first, ...) {
  va_list list;
  va_start(list, first);
  int second = va_arg(list, int);
  va_end(list);
  if (atomic_flag_test_and_set(&flag)) stop();
  return first + second + atomic_fetch_add(&counter, 1) + (int)offsetof(struct pair, second);
}
";

    #[test]
    fn own_headers_serve_all_kinds_of_targets() {
        let folder = ResourceFolder::Own(own().unwrap());
        for target in
            ["x86_64-unknown-linux-gnu", "thumbv6m-none-eabi", "riscv32-none-elf", "wasm32", "aarch64-none-elf"]
        {
            let own_arguments = [format!("--target={target}"), "-std=gnu11".to_owned(), "-nostdlibinc".to_owned()];
            let arguments: Vec<String> = own_arguments.into_iter().chain(folder.arguments()).collect();
            let texts = [SourceText { path: "uses.c".to_owned(), text: USES.to_owned() }];
            let parsed = Library::load().unwrap().parse(&texts, &arguments).unwrap();
            assert_eq!(parsed.errors(), Vec::<String>::new(), "{target}");
        }
    }

    #[test]
    fn compiled_code_does_not_show_the_folder_of_own_headers() {
        let folder = own().unwrap();
        let map = format!("-ffile-prefix-map={}=/silc-headers", folder.path().display());
        assert!(ResourceFolder::Own(folder).arguments().contains(&map));
    }

    #[test]
    fn the_folder_that_is_told_is_taken() {
        let library = Library::load().unwrap();
        let nowhere = "-resource-dir=/nowhere".to_owned();
        let arguments = vec!["--target=thumbv6m-none-eabi".to_owned(), "-nostdlibinc".to_owned()];
        let stated = ResourceFolder::find(library, &[arguments, vec![nowhere]].concat()).unwrap();
        assert!(matches!(stated, ResourceFolder::Usual));
    }
}
