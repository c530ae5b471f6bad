//! Shared by the tests: a comparison of two texts of LLVM's.

use compare::atoms::Atoms;
use compare::model::Module;
use compare::read::{Source, read};
use compare::{Comparison, Parts};

/// Compares two modules without demangling.
pub fn compared(a: &str, b: &str, ignored: Parts) -> Comparison {
    let (a, b, atoms) = modules(a, b, ignored);
    compare::compare(a, b, atoms, &|_| None)
}

/// Reads two modules with one table of texts.
pub fn modules(a: &str, b: &str, ignored: Parts) -> (Module, Module, Atoms) {
    let mut atoms = Atoms::default();
    let mut module = |name: &str, text: &str| {
        let source = Source { name: name.to_owned(), text: text.to_owned(), original: None, provenance: None };
        read(source, ignored, &mut atoms)
    };
    let (a, b) = (module("a", a), module("b", b));
    (a, b, atoms)
}
