//! The C runtime's archives and bitcode, one set for each target. Owns: their lookup. Does not own: their use by the
//! linker and the optimiser.
//!
//! - The **archive** contains Swift's entry points as weak symbols, in a member for each topic. A module that defines
//!   `swift_retain` itself keeps its own. It calls a C library: `malloc`, `free`, `posix_memalign`, `write`, `memset`,
//!   `strlen`.
//! - The **bitcode** contains the same functions as `linkonce_odr` definitions, which are linked into a module before
//!   it is optimised. The IR linker only takes the functions that the module refers to. The module flags and the
//!   machine attributes are removed, so it can be inlined into code for any CPU. The rest of it is identical to the
//!   archive's functions, by name.
//! - The **C library** is an archive for executables that link with no other: `_start`, the system calls, or the
//!   start-up of a board and its heap, the functions that SIL programs call, mathematics, and functions that LLVM calls
//!   itself (128-bit division, half precision). All of it is weak.
//! - The **Swift image** registers an executable's metadata sections with Swift's own library, if that is the runtime.
//! - The **shims** are SwiftShims's static inline functions, which a dump of SIL declares and no library defines. They
//!   are bitcode like the runtime's; every object file contains those that it calls, at every level and for every
//!   runtime.

use crate::target::Target;

/// The embedded files of one target.
#[derive(Debug)]
struct EmbeddedRuntime {
    triple: &'static str,
    archive: &'static [u8],
    bitcode: &'static [u8],
    c_library: Option<CLibrary>,
    swift_image: Option<&'static [u8]>,
    shims: &'static [u8],
    shim_symbols: &'static [&'static str],
}

/// The freestanding C library.
#[derive(Debug)]
struct CLibrary {
    archive: &'static [u8],
    /// The symbols that it defines, sorted.
    symbols: &'static [&'static str],
}

static EMBEDDED: &[EmbeddedRuntime] = include!(concat!(env!("OUT_DIR"), "/embedded_runtime.rs"));

/// Returns the runtime of the target itself, or of the closest relative whose code it runs.
fn find(target: &Target) -> Option<&'static EmbeddedRuntime> {
    let of_target = EMBEDDED.iter().find(|runtime| runtime.triple == target.triple());
    let is_close = |runtime: &&EmbeddedRuntime| {
        Target::from_triple(runtime.triple).is_ok_and(|embedded| embedded.is_close_relative_of(target))
    };
    of_target.or_else(|| EMBEDDED.iter().rfind(is_close))
}

/// The targets that a runtime is embedded for, as triples.
pub fn targets() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|runtime| runtime.triple)
}

/// The static archive of the runtime, or `None` if there is none for the target.
pub fn archive(target: &Target) -> Option<&'static [u8]> {
    find(target).map(|runtime| runtime.archive)
}

/// The runtime as LLVM bitcode, or `None` if there is none for the target.
pub fn bitcode(target: &Target) -> Option<&'static [u8]> {
    find(target).map(|runtime| runtime.bitcode)
}

/// The static archive of the freestanding C library, or `None` if there is none for the target.
pub fn c_library(target: &Target) -> Option<&'static [u8]> {
    Some(find(target)?.c_library.as_ref()?.archive)
}

/// The symbols that the freestanding C library defines, sorted: a program may define such a function itself.
pub fn c_library_symbols(target: &Target) -> &'static [&'static str] {
    find(target).and_then(|runtime| runtime.c_library.as_ref()).map_or(&[], |library| library.symbols)
}

/// The archive that registers an executable with Swift's own library, or `None` if the target has no such library.
pub fn swift_image(target: &Target) -> Option<&'static [u8]> {
    find(target)?.swift_image
}

/// The shims as LLVM bitcode, if one of them is `wanted` by its symbol.
pub fn shims(target: &Target, wanted: impl Fn(&str) -> bool) -> Option<&'static [u8]> {
    find(target).filter(|runtime| runtime.shim_symbols.iter().any(|symbol| wanted(symbol))).map(|runtime| runtime.shims)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;
    use crate::target::SUPPORTED_TARGETS;

    /// Returns whether the bytes are bitcode. Clang adds a header to the bitcode of Apple's targets.
    fn is_bitcode(bytes: &[u8]) -> bool {
        bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(b"\xDE\xC0\x17\x0B")
    }

    #[test]
    fn every_supported_target_has_a_runtime_and_shims() {
        for listed in SUPPORTED_TARGETS {
            let target = Target::from_triple(listed.triple).unwrap();
            assert!(archive(&target).is_some_and(|bytes| bytes.starts_with(b"!<arch>\n")), "{}", listed.triple);
            assert!(bitcode(&target).is_some_and(is_bitcode), "{}", listed.triple);
            let square_root = shims(&target, |symbol| symbol == "_stdlib_squareRoot");
            assert!(square_root.is_some_and(is_bitcode), "{}", listed.triple);
            assert!(shims(&target, |symbol| symbol == "no_such_function").is_none(), "{}", listed.triple);
        }
    }

    #[test]
    fn close_relatives_share_a_runtime() {
        let archive = |triple| archive(&Target::from_triple(triple).unwrap()).map(<[u8]>::as_ptr);
        assert_eq!(archive("x86_64-unknown-linux-musl"), archive("x86_64-unknown-linux-gnu"));
        assert_eq!(archive("thumbv8m.base-none-eabi"), archive("thumbv6m-none-eabi"));
        assert_eq!(archive("thumbv7em-none-eabi"), archive("thumbv7m-none-eabi"));
        assert_eq!(archive("thumbv8m.main-none-eabihf"), archive("thumbv7m-none-eabihf"));
        assert_eq!(archive("armv7r-none-eabi"), archive("armv6k-none-eabi"));
        assert_ne!(archive("riscv32imc-unknown-none-elf"), archive("riscv32imac-unknown-none-elf"));
        assert_eq!(archive("arm64-apple-macosx14.0"), archive("arm64-apple-macosx"));
        assert_ne!(archive("thumbv7em-none-eabihf"), archive("thumbv7em-none-eabi"));
        assert_ne!(archive("armv7-unknown-linux-gnueabihf"), archive("armv7-unknown-linux-gnueabi"));
        assert_ne!(archive("armv6-unknown-linux-gnueabihf"), archive("armv7-unknown-linux-gnueabihf"));
        assert_eq!(archive("armv6-none-eabi"), archive("armv4t-none-eabi"), "it does not know all instructions of 6K");
        assert_eq!(archive("riscv64-unknown-linux-gnu"), None);
    }

    #[test]
    fn there_is_a_c_library() {
        let linux = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "armv7-unknown-linux-gnueabihf"];
        let bare_metal = ["thumbv6m-none-eabi", "thumbv7em-none-eabihf", "riscv64-unknown-none-elf", "wasm32-wasip1"];
        for triple in linux.into_iter().chain(bare_metal) {
            assert!(c_library(&Target::from_triple(triple).unwrap()).is_some(), "{triple}");
        }
        assert!(c_library(&Target::from_triple("arm64-apple-macosx").unwrap()).is_none());
    }
}
