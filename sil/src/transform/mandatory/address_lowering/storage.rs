//! Where opaque values are stored: for each of them an address, or whose memory it is a part of.
//!
//! Does not own: how that is decided (`allocation`, `phi_storage`), nor the instructions that lead to an address (`materialization`).

use rustc_hash::FxHashMap;

use crate::model::Value;

/// The number of an opaque value: definitions have smaller numbers than uses, as far as no loop leads back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ordinal(usize);

/// Whose memory a value lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Projection {
    /// Its own.
    None,
    /// That of what it is taken out of.
    Definition(Ordinal),
    /// That of what it is put into, as the operand of this number.
    Use(Ordinal, u32),
    /// That of the block argument that it is passed for.
    Phi(Ordinal),
}

/// An opaque value and what is known of its memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    /// The value.
    pub(super) value: Value,
    /// Its address, once instructions lead there.
    pub(super) address: Option<Value>,
    /// Whose memory it lies in.
    pub(super) projection: Projection,
    /// Whether what makes the value does so in memory now.
    pub(super) is_rewritten: bool,
}

/// The opaque values of a function.
#[derive(Default)]
pub(super) struct Storages {
    all: Vec<Storage>,
    by_value: FxHashMap<Value, Ordinal>,
}

impl Storages {
    /// Adds a value that is stored nowhere yet.
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

    /// The numbers of all values, in order.
    pub(super) fn ordinals(&self) -> impl DoubleEndedIterator<Item = Ordinal> + use<> {
        (0..self.all.len()).map(Ordinal)
    }

    /// The number of `value`; none where it is not opaque.
    pub(super) fn ordinal(&self, value: Value) -> Option<Ordinal> {
        self.by_value.get(&value).copied()
    }

    /// The value of this number.
    pub(super) fn get(&self, ordinal: Ordinal) -> &Storage {
        &self.all[ordinal.0]
    }

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, ordinal: Ordinal) -> &mut Storage {
        &mut self.all[ordinal.0]
    }

    /// What is known of `value`; none where it is not opaque.
    pub(super) fn of(&self, value: Value) -> Option<&Storage> {
        self.ordinal(value).map(|ordinal| self.get(ordinal))
    }

    /// Says where an opaque value is stored.
    pub(super) fn set_address(&mut self, value: Value, address: Value) {
        if let Some(ordinal) = self.ordinal(value) {
            self.get_mut(ordinal).address = Some(address);
        }
    }

    /// Says where an opaque value is stored, and that it is made there.
    pub(super) fn set_rewritten(&mut self, value: Value, address: Value) {
        if let Some(ordinal) = self.ordinal(value) {
            let storage = self.get_mut(ordinal);
            storage.address = Some(address);
            storage.is_rewritten = true;
        }
    }

    /// The value and those whose memory it lies in, from the inside out.
    pub(super) fn projections(&self, value: Value) -> impl Iterator<Item = &Storage> {
        std::iter::successors(self.of(value), |storage| match storage.projection {
            Projection::None => None,
            Projection::Definition(outer) | Projection::Use(outer, _) | Projection::Phi(outer) => Some(self.get(outer)),
        })
    }
}
