//! Accesses to memory: the base that an address is projected from, the path from there, the formal access around it.
//!
//! `base` has the kinds of bases and decides which cannot be the same memory, `path` finds them. `storage` goes on to
//! the object that a base belongs to, and `uses` finds all accesses to it. The rules are those of
//! SwiftCompilerSources/Sources/SIL/Utilities/AccessUtils.swift and lib/SIL/Utils/MemAccessUtils.cpp.

mod base;
mod path;
mod storage;
mod uses;

pub use base::{AccessBase, reference_root};
pub(crate) use base::{Addressed, addressed_global};
pub use path::{AccessKind, AccessPath, AccessScope, LocatedAccess, value_roots};
pub(crate) use storage::reference_root_through_phis;
pub use storage::{
    AccessStorage, ElementOffset, NestedAccess, StorageIdentity, StoragePath, UseRelation, is_storage_cast,
};
pub use uses::{StorageUses, accessed_operands};
