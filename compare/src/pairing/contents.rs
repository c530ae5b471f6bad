//! A hash of a symbol's definition that does not depend on the names of private symbols. Private globals are paired by
//! it.

use std::hash::{Hash, Hasher};

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHasher;

use crate::align::{self, Side};
use crate::atoms::Atoms;
use crate::model::{Module, Naming, SymbolId, Term};

/// How far contents reach through private symbols that hold references to others.
const DEPTH: usize = 3;

/// The hashes of all symbols.
pub fn hashes(module: &Module, atoms: &Atoms) -> SecondaryMap<SymbolId, u64> {
    let mut hashes = SecondaryMap::new();
    for (id, symbol) in module.symbols.iter() {
        if symbol.naming == Naming::Meaningful {
            hashes[id] = hash_of(super::names::key_of(atoms.text(symbol.name)));
        }
    }
    for _ in 0..DEPTH {
        let before = hashes.clone();
        for (id, symbol) in module.symbols.iter().filter(|(_, symbol)| symbol.naming == Naming::Arbitrary) {
            let mut hasher = FxHasher::default();
            symbol.kind.hash(&mut hasher);
            if let Some(body) = &symbol.body {
                align::body_hash(&Side { body, identities: &before }).hash(&mut hasher);
            }
            for term in &symbol.header.terms {
                match term {
                    Term::Symbol(other) if *other == id => {}
                    Term::Symbol(other) => before[*other].hash(&mut hasher),
                    other => other.hash(&mut hasher),
                }
            }
            hashes[id] = hasher.finish();
        }
    }
    hashes
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
