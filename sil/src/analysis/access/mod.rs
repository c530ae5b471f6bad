//! Accesses to memory: the base that an address is projected from, the path from there, the formal access around it.
//!
//! `base` says what bases there are and which cannot be the same memory, `path` finds them. The rules are those of
//! SwiftCompilerSources/Sources/SIL/Utilities/AccessUtils.swift and lib/SIL/Utils/MemAccessUtils.cpp.

mod base;
mod path;

pub use base::{AccessBase, reference_root};
pub use path::{AccessKind, AccessPath, AccessScope, LocatedAccess};
