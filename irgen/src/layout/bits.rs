//! Bit strings of any width, for masks of spare bits and patterns of extra inhabitants; and bit ranges.

/// A bit string, least significant bit first, in 64-bit words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    width: u64,
    words: Vec<u64>,
}

impl Bits {
    /// `width` zero bits.
    pub fn zero(width: u64) -> Self {
        Self { width, words: vec![0; width.div_ceil(64) as usize] }
    }

    /// `width` one bits.
    pub fn ones(width: u64) -> Self {
        let mut bits = Self::zero(width);
        bits.set_range(0, width);
        bits
    }

    /// The low `width` bits of `value`.
    pub fn from_u64(width: u64, value: u64) -> Self {
        let mut bits = Self::zero(width);
        if let Some(word) = bits.words.first_mut() {
            *word = if width < 64 { value & ((1 << width) - 1) } else { value };
        }
        bits
    }

    /// The low `width` bits of a number in 64-bit words, least significant first, zero-extended.
    pub fn from_words(width: u64, words: &[u64]) -> Self {
        Self { width: words.len() as u64 * 64, words: words.to_vec() }.resized(width)
    }

    /// The same for a number in two's complement, sign-extended.
    pub fn sign_extended(width: u64, words: &[u64]) -> Self {
        let is_negative = words.last().is_some_and(|word| word >> 63 != 0);
        let mut extended = words.to_vec();
        extended.resize(words.len().max(width.div_ceil(64) as usize), if is_negative { u64::MAX } else { 0 });
        Self::from_words(width, &extended)
    }

    /// The number of bits.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// The words, least significant first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bit `index`.
    pub fn get(&self, index: u64) -> bool {
        self.words[(index / 64) as usize] >> (index % 64) & 1 != 0
    }

    /// Sets bit `index`.
    pub fn set(&mut self, index: u64) {
        self.words[(index / 64) as usize] |= 1 << (index % 64);
    }

    /// Sets the bits from `start` up to, not including, `end`.
    pub fn set_range(&mut self, start: u64, end: u64) {
        for index in start..end {
            self.set(index);
        }
    }

    /// Clears the bits from `start` up to, not including, `end`; bits beyond the width are ignored.
    pub fn clear_range(&mut self, start: u64, end: u64) {
        for index in start..end.min(self.width) {
            self.words[(index / 64) as usize] &= !(1 << (index % 64));
        }
    }

    /// Copies all of `other` to the bits from `start` on; bits that would lie beyond the width are dropped.
    pub fn insert(&mut self, start: u64, other: &Bits) {
        for index in (0..other.width).filter(|index| other.get(*index)) {
            if start + index < self.width {
                self.set(start + index);
            }
        }
    }

    /// The bits from `start` up to `start + width`; bits beyond the width are zero.
    pub fn slice(&self, start: u64, width: u64) -> Bits {
        let mut bits = Bits::zero(width);
        for index in (0..width).filter(|index| start + index < self.width && self.get(start + index)) {
            bits.set(index);
        }
        bits
    }

    /// The bytes, the first with the lowest bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        bytes.take(self.width.div_ceil(8) as usize).collect()
    }

    /// The number of one bits.
    pub fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns whether no bit is one.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The bits that are one in both; as wide as `self`.
    pub fn and(&self, other: &Bits) -> Bits {
        let word = |index: usize| self.words[index] & other.words.get(index).copied().unwrap_or(0);
        Bits { width: self.width, words: (0..self.words.len()).map(word).collect() }
    }

    /// The bits that are one in either; as wide as `self`.
    pub fn or(&self, other: &Bits) -> Bits {
        let mut bits = self.clone();
        bits.insert(0, other);
        bits
    }

    /// The complement.
    pub fn not(&self) -> Bits {
        let mut bits = Bits::zero(self.width);
        for index in (0..self.width).filter(|index| !self.get(*index)) {
            bits.set(index);
        }
        bits
    }

    /// The bits of `self` widened with zeros or cut to `width`.
    pub fn resized(&self, width: u64) -> Bits {
        self.slice(0, width)
    }

    /// The positions of the one bits, lowest first.
    pub fn ones_positions(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.width).filter(|index| self.get(*index))
    }

    /// Scatters the low bits of `value` over the one bits of `self`, lowest first, as a tag into spare bits.
    pub fn scatter(&self, value: u64) -> Bits {
        let mut bits = Bits::zero(self.width);
        for (position, index) in self.ones_positions().take(64).enumerate() {
            if value >> position & 1 != 0 {
                bits.set(index);
            }
        }
        bits
    }
}

/// Bits of a value, counted from its beginning in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitRange {
    /// The first bit.
    pub offset: u64,
    /// The number of bits.
    pub width: u64,
}

impl BitRange {
    /// Returns whether an ordinary load reads exactly these bits.
    pub fn is_loadable(self) -> bool {
        self.offset.is_multiple_of(8) && matches!(self.width, 8 | 16 | 32 | 64)
    }

    /// Returns whether they are whole bytes.
    pub fn is_whole_bytes(self) -> bool {
        self.offset.is_multiple_of(8) && self.width.is_multiple_of(8)
    }

    /// Returns the aligned integer of at most 64 bits that contains them, if there is one.
    pub fn storage(self) -> Option<BitRange> {
        let holds = |width: &u64| self.offset % width + self.width <= *width;
        let width = [8, 16, 32, 64].into_iter().find(holds)?;
        Some(BitRange { offset: self.offset / width * width, width })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn scatters_into_mask() {
        let mask = Bits::from_u64(8, 0b1100_0010);
        assert_eq!(mask.scatter(0b101), Bits::from_u64(8, 0b1000_0010));
    }

    #[test]
    fn slices_across_words() {
        let mut bits = Bits::zero(128);
        bits.set_range(60, 70);
        assert_eq!(bits.slice(60, 10), Bits::ones(10));
        assert_eq!(bits.count_ones(), 10);
        assert_eq!(bits.not().count_ones(), 118);
    }
}
