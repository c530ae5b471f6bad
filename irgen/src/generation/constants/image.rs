//! A constant value in memory: its bits, and the addresses that the linker adds to some of its words. This is the form
//! of data in an object file, so that fields, payloads and tags are inserted without LLVM.

use crate::generation::Entity;
use crate::layout::Bits;

/// The bytes of a value.
#[derive(Clone, Debug)]
pub struct Image {
    size: u64,
    /// The bits. At an address, the number added to it.
    bits: Bits,
    /// The addresses in the order of their offsets.
    addresses: Vec<Address>,
}

/// A word with the address of an entity, which is added to the bits.
#[derive(Clone, Debug)]
pub struct Address {
    /// Its offset in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The entity.
    pub entity: Entity,
}

impl Address {
    fn end(&self) -> u64 {
        self.offset + self.size
    }
}

impl Image {
    /// `size` zero bytes.
    pub fn zero(size: u64) -> Self {
        Self { size, bits: Bits::zero(size * 8), addresses: Vec::new() }
    }

    /// `size` bytes that begin with these bits; bits beyond the size are dropped.
    pub fn of_bits(size: u64, bits: &Bits) -> Self {
        Self { size, bits: bits.resized(size * 8), addresses: Vec::new() }
    }

    /// The address of `entity`, in `size` bytes.
    pub fn address(entity: Entity, size: u64) -> Self {
        Self { addresses: vec![Address { offset: 0, size, entity }], ..Self::zero(size) }
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The addresses in it, in the order of their offsets.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// `size` bytes from `offset` on, without the addresses in them; bytes beyond the end are zero.
    pub fn bits(&self, offset: u64, size: u64) -> Bits {
        self.bits.slice(offset * 8, size * 8)
    }

    /// Inserts `part` at `offset`, where all bits are zero. The part is cut off at the end, where it has no addresses.
    pub fn put(&mut self, offset: u64, part: &Image) {
        self.bits.insert(offset * 8, &part.bits);
        let moved = part.addresses.iter().map(|address| Address { offset: address.offset + offset, ..address.clone() });
        self.addresses.extend(moved.filter(|address| address.end() <= self.size));
        self.addresses.sort_by_key(|address| address.offset);
    }

    /// Returns `size` bytes from `offset` on; bytes beyond the end are zero. `None` if that would split an address.
    pub fn slice(&self, offset: u64, size: u64) -> Option<Image> {
        let end = offset + size;
        let mut addresses = Vec::new();
        for address in self.addresses.iter().filter(|address| address.end() > offset && address.offset < end) {
            if address.offset < offset || address.end() > end {
                return None;
            }
            addresses.push(Address { offset: address.offset - offset, ..address.clone() });
        }
        Some(Image { size, bits: self.bits(offset, size), addresses })
    }

    /// Returns the low `width` bits as an integer, or `None` if the linker computes it, or if it does not fit.
    pub fn number(&self, width: u32) -> Option<u128> {
        if !self.addresses.is_empty() || width > 128 {
            return None;
        }
        let bits = self.bits.resized(u64::from(width));
        let word = |index: usize| u128::from(bits.words().get(index).copied().unwrap_or(0));
        Some(word(1) << 64 | word(0))
    }

    /// Returns whether it is one address, possibly with an addend.
    pub fn is_address(&self) -> bool {
        matches!(self.addresses.as_slice(), [only] if only.offset == 0 && only.size == self.size)
    }

    /// Adds `addend` to the word at `offset`, of `size` bytes.
    pub fn add_to_word(&mut self, offset: u64, size: u64, addend: u64) {
        let word = self.bits(offset, size).words().first().copied().unwrap_or(0).wrapping_add(addend);
        self.bits.clear_range(offset * 8, (offset + size) * 8);
        self.bits.insert(offset * 8, &Bits::from_u64(size * 8, word));
    }

    /// Sets the bits of `pattern`, none of which is set in the value. In an address this is an addition, the only
    /// operation of the linker.
    pub fn set_spare_bits(&mut self, pattern: &Bits) {
        let mut elsewhere = pattern.clone();
        for index in 0..self.addresses.len() {
            let Address { offset, size, .. } = self.addresses[index];
            let part = pattern.slice(offset * 8, size * 8).words().first().copied().unwrap_or(0);
            self.add_to_word(offset, size, part);
            elsewhere.clear_range(offset * 8, (offset + size) * 8);
        }
        self.bits.insert(0, &elsewhere);
    }
}
