//! The C runtime's archives and bitcode, one set for each target. Owns their lookup; what is done with them is the linker's and
//! the optimiser's concern.
//!
//! - The **archive** holds Swift's entry points as weak symbols, in a member for each topic. A module that defines `swift_retain`
//!   itself keeps its own. It calls a C library: `malloc`, `free`, `posix_memalign`, `write`, `memset`, `strlen`.
//! - The **bitcode** holds the same functions as `linkonce_odr` definitions, to be linked into a module before it is optimised. The
//!   IR linker takes from it only what the module refers to. The module flags and the machine attributes are removed, so it
//!   inlines into code for any CPU. What remains of it is identical to what the archive has, by name.
//! - The **C library** is an archive for executables that link with no other: `_start`, the system calls, the functions that
//!   SIL programs call, mathematics, and what LLVM calls on its own (128-bit division, half precision). All of it is weak.

/// What is embedded for one target.
#[derive(Debug)]
struct EmbeddedRuntime {
    triple: &'static str,
    archive: &'static [u8],
    bitcode: &'static [u8],
    c_library: &'static [u8],
}

static EMBEDDED: &[EmbeddedRuntime] = include!(concat!(env!("OUT_DIR"), "/embedded_runtime.rs"));

fn find(triple: &str) -> Option<&'static EmbeddedRuntime> {
    EMBEDDED.iter().find(|runtime| runtime.triple == triple)
}

/// The targets that a runtime is embedded for, as normalized triples.
pub fn targets() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|runtime| runtime.triple)
}

/// The static archive of the runtime for a normalized triple, or `None` where there is none.
pub fn archive(triple: &str) -> Option<&'static [u8]> {
    find(triple).map(|runtime| runtime.archive)
}

/// The runtime as LLVM bitcode for a normalized triple, or `None` where there is none.
pub fn bitcode(triple: &str) -> Option<&'static [u8]> {
    find(triple).map(|runtime| runtime.bitcode)
}

/// The static archive of the freestanding C library for a normalized triple, or `None` where there is none.
pub fn c_library(triple: &str) -> Option<&'static [u8]> {
    find(triple).map(|runtime| runtime.c_library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_archives_and_bitcode() {
        assert!(targets().any(|triple| triple == "x86_64-unknown-linux-gnu"));
        assert!(targets().any(|triple| triple == "aarch64-unknown-linux-gnu"));
        for triple in targets() {
            for bytes in [archive(triple), c_library(triple)] {
                assert!(bytes.is_some_and(|bytes| bytes.starts_with(b"!<arch>\n")), "{triple}");
            }
            assert!(bitcode(triple).is_some_and(|bytes| bytes.starts_with(b"BC\xC0\xDE")), "{triple}");
        }
    }

    #[test]
    fn an_unknown_target_has_none() {
        assert!(archive("m68k-unknown-linux-gnu").is_none());
    }
}
