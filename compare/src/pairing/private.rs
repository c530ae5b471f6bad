//! Symbols with meaningless names: by their contents, and among equals by their names or by their uses, whichever fits
//! more of the uses.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::contents;
use crate::align::Relation;
use crate::atoms::Atoms;
use crate::model::{Module, Naming, Statement, Symbol, SymbolId, Term};

/// Symbols of both modules that hold the same.
pub struct Group {
    a: Vec<SymbolId>,
    b: Vec<SymbolId>,
}

/// The criterion among symbols with the same contents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// The name, then the order of uses.
    Name,
    /// The order of uses.
    Use,
}

/// The groups of symbols of both modules that hold the same.
pub fn candidates(a: &Module, b: &Module, atoms: &Atoms) -> Vec<Group> {
    let mut numbers: FxHashMap<u64, usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for (module, is_a) in [(a, true), (b, false)] {
        let hashes = contents::hashes(module, atoms);
        for (id, _) in module.symbols.iter().filter(|(_, symbol)| symbol.naming == Naming::Arbitrary) {
            let number = *numbers.entry(hashes[id]).or_insert_with(|| {
                groups.push(Group { a: Vec::new(), b: Vec::new() });
                groups.len() - 1
            });
            if is_a { groups[number].a.push(id) } else { groups[number].b.push(id) }
        }
    }
    groups
}

/// Pairs within the groups.
pub fn pairs(
    a: &Module,
    b: &Module,
    groups: &[Group],
    uses: &Uses,
    preference: Preference,
) -> Vec<(SymbolId, SymbolId)> {
    let mut pairs = Vec::new();
    for group in groups {
        let (mut ours, mut theirs) = (group.a.clone(), group.b.clone());
        if preference == Preference::Name {
            ours.retain(|id| {
                let same = theirs.iter().position(|other| b.symbols[*other].name == a.symbols[*id].name);
                pairs.extend(same.map(|at| (*id, theirs.remove(at))));
                same.is_none()
            });
        }
        ours.sort_by_key(|id| (uses.first_in_a[*id], *id));
        theirs.sort_by_key(|id| (uses.first_in_b[*id], *id));
        pairs.extend(ours.into_iter().zip(theirs));
    }
    pairs
}

/// Where symbols without meaningful names are used: for each pair of symbols that are paired already, in the order of
/// the control-flow graph.
pub struct Uses {
    sequences: Vec<(Vec<SymbolId>, Vec<SymbolId>)>,
    /// A rank for each symbol of A by its first use; those that are not used have none and come first.
    first_in_a: SecondaryMap<SymbolId, u32>,
    first_in_b: SecondaryMap<SymbolId, u32>,
}

impl Uses {
    /// Collects them.
    pub fn new(a: &Module, b: &Module, paired: &Relation<SymbolId>) -> Self {
        let pairs = a.symbols.keys().filter_map(|id| Some((id, paired.in_b(id)?)));
        let sequences: Vec<_> =
            pairs.map(|(ours, theirs)| (uses(a, &a.symbols[ours]), uses(b, &b.symbols[theirs]))).collect();
        let first_in_a = ranks(sequences.iter().map(|(ours, _)| ours));
        let first_in_b = ranks(sequences.iter().map(|(_, theirs)| theirs));
        Self { sequences, first_in_a, first_in_b }
    }

    /// How many uses are of symbols that `pairs` pairs.
    pub fn agreement(&self, pairs: &[(SymbolId, SymbolId)]) -> usize {
        let mut in_b: SecondaryMap<SymbolId, Option<SymbolId>> = SecondaryMap::new();
        for (ours, theirs) in pairs {
            in_b[*ours] = Some(*theirs);
        }
        let uses = self.sequences.iter().flat_map(|(ours, theirs)| ours.iter().zip(theirs));
        uses.filter(|(ours, theirs)| in_b[**ours] == Some(**theirs)).count()
    }
}

fn uses(module: &Module, symbol: &Symbol) -> Vec<SymbolId> {
    let mut statements: Vec<&Statement> = vec![&symbol.header];
    if let Some(body) = &symbol.body {
        let blocks = body.in_reverse_postorder().into_iter();
        let instructions = blocks.flat_map(|block| body.blocks[block].instructions());
        statements.extend(instructions.map(|at| &body.instructions[at].statement));
    }
    let terms = statements.into_iter().flat_map(|statement| &statement.terms);
    let symbols = terms.filter_map(|term| match term {
        Term::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    symbols.filter(|symbol| module.symbols[*symbol].naming == Naming::Arbitrary).collect()
}

fn ranks<'a>(sequences: impl Iterator<Item = &'a Vec<SymbolId>>) -> SecondaryMap<SymbolId, u32> {
    let mut ranks = SecondaryMap::new();
    for (rank, symbol) in sequences.flatten().enumerate() {
        if ranks[*symbol] == 0 {
            ranks[*symbol] = rank as u32 + 1;
        }
    }
    ranks
}
