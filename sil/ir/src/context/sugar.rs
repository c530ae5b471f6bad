//! How a formal type is spelled where two spellings mean the same type: `[Int]` and `Array<Int>`, `T?` and
//! `Optional<T>`.

/// How one such type is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spelling {
    /// `Array<Int>`
    Full,
    /// `[Int]`
    Short,
}

/// The spellings of the types in a formal type, or in a list of them, that have a short form, in the order of the text:
/// a type before its parts. Sugar does not make a different type: types are interned without it, and code that changes
/// a type may leave its sugar as it is, because the printer drops sugar that does not fit its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Sugar {
    /// Which are short, the first in the lowest bit.
    short: u64,
    count: u32,
}

impl Sugar {
    /// The sugar of types with these spellings. More than 64 are not kept: then all are spelled in full.
    pub fn new(spellings: impl IntoIterator<Item = Spelling>) -> Self {
        let mut sugar = Sugar::default();
        for spelling in spellings {
            if sugar.count == u64::BITS {
                return Sugar::default();
            }
            sugar.short |= u64::from(spelling == Spelling::Short) << sugar.count;
            sugar.count += 1;
        }
        sugar
    }

    /// Whether nothing is spelled in its short form.
    pub fn is_plain(self) -> bool {
        self.short == 0
    }

    /// How many types there are that have a short form.
    pub fn count(self) -> u32 {
        self.count
    }

    /// How the type with this number is spelled.
    pub fn spelling(self, number: u32) -> Spelling {
        if number < self.count && self.short >> number & 1 == 1 { Spelling::Short } else { Spelling::Full }
    }
}
