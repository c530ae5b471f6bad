//! The storage of accesses that are checked as the program runs (`[dynamic]`), in code and in its callees
//! (lib/SILOptimizer/Analysis/AccessStorageAnalysis.cpp).
//!
//! Here: the accesses of one piece of code, and their union. `function_accesses` gathers them along calls.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sil_ir::context::Name;
use sil_ir::instructions::Attribute;
use sil_ir::model::{Body, Definition, InstructionId, Value};

use super::access::StorageIdentity;
use super::{AccessKind, AccessStorage, BodyView};

/// The greatest number of storages that are distinguished.
const MOST_STORAGES: usize = 200;

/// A storage as it is known outside of the function whose values identify it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KnownStorage {
    /// The storage.
    pub storage: AccessStorage,
    /// The function that its values are of; none where it is the same for all functions.
    pub function: Option<Name>,
    /// The argument of that function that it is, or that its object is.
    pub argument: Option<usize>,
    identity: StorageIdentity,
}

/// Whether other accesses may conflict within an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NestedConflict {
    /// None does: `[no_nested_conflict]`.
    None,
    /// One may.
    Possible,
}

/// The accesses to a storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StorageAccess {
    /// `Read` where all are reads, else `Modify`.
    pub kind: AccessKind,
    /// Whether one may have a conflict within.
    pub nested: NestedConflict,
}

/// The storages that are accessed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AccessedStorage {
    storages: IndexMap<KnownStorage, StorageAccess, FxBuildHasher>,
    /// The accesses to unknown storage.
    unidentified: Option<AccessKind>,
}

impl KnownStorage {
    /// `storage` of the function that `view` is of.
    pub fn new(view: &BodyView<'_>, storage: AccessStorage) -> Self {
        let root = storage.root();
        Self {
            storage,
            function: root.map(|_| view.function.name),
            argument: root.and_then(|root| entry_argument(view.body, root)),
            identity: storage.identity(view),
        }
    }

    /// Whether the two are certainly different memory.
    pub fn is_distinct(&self, other: &KnownStorage) -> bool {
        AccessStorage::are_distinct((self.storage, self.identity), (other.storage, other.identity))
    }

    /// Whether the function allocates it itself, so that callers know nothing of it.
    pub fn is_local(&self) -> bool {
        match self.storage {
            AccessStorage::Stack(_) => true,
            AccessStorage::Box(_) => self.identity == StorageIdentity::Unique,
            _ => false,
        }
    }
}

fn entry_argument(body: &Body, value: Value) -> Option<usize> {
    match body.values[value].definition {
        Definition::Argument { block, index } if block == body.entry() => Some(index as usize),
        _ => None,
    }
}

impl StorageAccess {
    /// The access that `begin` begins.
    pub fn of(body: &Body, begin: InstructionId) -> Self {
        let is_free = body.instructions[begin].attributes.contains(Attribute::NoNestedConflict);
        let nested = if is_free { NestedConflict::None } else { NestedConflict::Possible };
        let kind = AccessKind::of(body, begin);
        Self { kind: joined(kind, kind), nested }
    }

    fn joined(self, other: StorageAccess) -> StorageAccess {
        StorageAccess { kind: joined(self.kind, other.kind), nested: self.nested.max(other.nested) }
    }
}

fn joined(first: AccessKind, second: AccessKind) -> AccessKind {
    if (first, second) == (AccessKind::Read, AccessKind::Read) { AccessKind::Read } else { AccessKind::Modify }
}

impl AccessKind {
    /// Whether accesses to one storage of these kinds exclude each other.
    pub fn may_conflict(self, other: AccessKind) -> bool {
        self != AccessKind::Read || other != AccessKind::Read
    }
}

impl AccessedStorage {
    /// The accesses of unknown code.
    pub fn anything() -> Self {
        Self { unidentified: Some(AccessKind::Modify), ..Self::default() }
    }

    /// Whether it may be all there is, besides the storages that are known.
    pub fn is_anything(&self) -> bool {
        self.unidentified == Some(AccessKind::Modify)
    }

    /// The accesses to unknown storage.
    pub fn unidentified(&self) -> Option<AccessKind> {
        self.unidentified
    }

    /// The storages that are known, in the order in which they were found.
    pub fn storages(&self) -> impl Iterator<Item = (&KnownStorage, StorageAccess)> {
        self.storages.iter().map(|(storage, access)| (storage, *access))
    }

    /// The accesses to `storage`, as far as they are known.
    pub fn access(&self, storage: &KnownStorage) -> Option<StorageAccess> {
        self.storages.get(storage).copied()
    }

    /// Whether one of the accesses may exclude one of this kind to `storage`.
    pub fn may_conflict(&self, kind: AccessKind, storage: &KnownStorage) -> bool {
        self.unidentified.is_some_and(|other| kind.may_conflict(other))
            || self.storages().any(|(other, access)| kind.may_conflict(access.kind) && !storage.is_distinct(other))
    }

    /// Adds an access to a storage that is known.
    pub fn add(&mut self, storage: KnownStorage, access: StorageAccess) {
        let known = self.storages.entry(storage).or_insert(access);
        *known = known.joined(access);
        if self.storages.len() > MOST_STORAGES {
            *self = Self::anything();
        }
    }

    /// Adds an access to storage that is not known.
    pub fn add_unidentified(&mut self, kind: AccessKind) {
        let kind = joined(self.unidentified.unwrap_or(kind), kind);
        self.unidentified = Some(kind);
    }

    /// Adds that anything may be accessed. The storages that are known stay.
    pub fn add_anything(&mut self) {
        self.unidentified = Some(AccessKind::Modify);
    }

    /// Adds other accesses.
    pub fn merge(&mut self, other: &AccessedStorage) {
        if let Some(kind) = other.unidentified {
            self.add_unidentified(kind);
        }
        other.storages().for_each(|(storage, access)| self.add(*storage, access));
    }
}
