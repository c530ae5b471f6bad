//! Interned text: both modules of a comparison share one table, so that equal text is an equal number.

use rustc_hash::FxHashMap;

/// The number of an interned text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(u32);
cranelift_entity::entity_impl!(Atom, "atom");

/// The table.
#[derive(Default)]
pub struct Atoms {
    numbers: FxHashMap<Box<str>, Atom>,
    texts: cranelift_entity::PrimaryMap<Atom, Box<str>>,
}

impl Atoms {
    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> Atom {
        if let Some(atom) = self.numbers.get(text) {
            return *atom;
        }
        let atom = self.texts.push(text.into());
        self.numbers.insert(text.into(), atom);
        atom
    }

    /// The text of a number.
    pub fn text(&self, atom: Atom) -> &str {
        &self.texts[atom]
    }
}
