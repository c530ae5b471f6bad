//! The storage of opaque values: an address, or the value whose memory contains it.
//!
//! Does not own: the assignment of storage (`allocation`, `phi_storage`), and the instructions that make addresses
//! (`materialization`).

use rustc_hash::FxHashMap;

use sil_ir::model::Value;

/// The number of an opaque value. Definitions have smaller numbers than their uses, except along back edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ordinal(usize);

/// The owner of a value's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Projection {
    /// The value itself.
    None,
    /// The value it is projected from.
    Definition(Ordinal),
    /// The aggregate of which it is the operand of this number.
    Use(Ordinal, u32),
    /// The block argument that it is passed for.
    Phi(Ordinal),
}

/// An opaque value and its storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    /// The value.
    pub(super) value: Value,
    /// Its address, once it is materialised.
    pub(super) address: Option<Value>,
    /// The owner of its memory.
    pub(super) projection: Projection,
    /// Whether its definition makes it in memory already.
    pub(super) is_rewritten: bool,
}

/// The opaque values of a function.
#[derive(Default)]
pub(super) struct Storages {
    all: Vec<Storage>,
    by_value: FxHashMap<Value, Ordinal>,
}

impl Storages {
    /// Adds a value without storage.
    pub(super) fn add(&mut self, value: Value) {
        self.insert(Storage { value, address: None, projection: Projection::None, is_rewritten: false });
    }

    /// Adds a value that is stored at `address`.
    pub(super) fn add_stored(&mut self, value: Value, address: Value) {
        self.insert(Storage { value, address: Some(address), projection: Projection::None, is_rewritten: true });
    }

    fn insert(&mut self, storage: Storage) {
        self.by_value.insert(storage.value, Ordinal(self.all.len()));
        self.all.push(storage);
    }

    /// Returns the numbers of all values, in order.
    pub(super) fn ordinals(&self) -> impl DoubleEndedIterator<Item = Ordinal> + use<> {
        (0..self.all.len()).map(Ordinal)
    }

    /// Returns the number of `value`; `None` if it is not opaque.
    pub(super) fn ordinal(&self, value: Value) -> Option<Ordinal> {
        self.by_value.get(&value).copied()
    }

    /// Returns the storage with this number.
    pub(super) fn get(&self, ordinal: Ordinal) -> &Storage {
        &self.all[ordinal.0]
    }

    /// Returns the storage with this number mutably.
    pub(super) fn get_mut(&mut self, ordinal: Ordinal) -> &mut Storage {
        &mut self.all[ordinal.0]
    }

    /// Returns the storage of `value`; `None` if it is not opaque.
    pub(super) fn of(&self, value: Value) -> Option<&Storage> {
        self.ordinal(value).map(|ordinal| self.get(ordinal))
    }

    /// Sets the address of an opaque value.
    pub(super) fn set_address(&mut self, value: Value, address: Value) {
        if let Some(ordinal) = self.ordinal(value) {
            self.get_mut(ordinal).address = Some(address);
        }
    }

    /// Sets the address of an opaque value, and marks it as rewritten.
    pub(super) fn set_rewritten(&mut self, value: Value, address: Value) {
        if let Some(ordinal) = self.ordinal(value) {
            let storage = self.get_mut(ordinal);
            storage.address = Some(address);
            storage.is_rewritten = true;
        }
    }

    /// Returns the storage of the value and of the owners of its memory, from the inside out.
    pub(super) fn projections(&self, value: Value) -> impl Iterator<Item = &Storage> {
        std::iter::successors(self.of(value), |storage| match storage.projection {
            Projection::None => None,
            Projection::Definition(outer) | Projection::Use(outer, _) | Projection::Phi(outer) => Some(self.get(outer)),
        })
    }
}
