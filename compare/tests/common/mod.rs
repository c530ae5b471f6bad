//! What the tests share: comparing two texts of LLVM's.

use compare::atoms::Atoms;
use compare::read::{Source, read};
use compare::{Comparison, Parts};

/// Compares two modules.
pub fn compared(a: &str, b: &str, ignored: Parts) -> Comparison {
    let mut atoms = Atoms::default();
    let mut module = |name: &str, text: &str| {
        let source = Source { name: name.to_owned(), text: text.to_owned(), original: None, provenance: None };
        read(source, ignored, &mut atoms)
    };
    let (a, b) = (module("a", a), module("b", b));
    compare::compare(a, b, atoms, None)
}
