//! Symbols that went to another file: only in A in one comparison, only in B in another.

use rustc_hash::FxHashMap;

use super::Entry;
use crate::comparison::{Comparison, SymbolComparison};
use crate::judge::Verdict;
use crate::model::{Naming, SymbolKind};

/// Notes where the symbols that are on one side only are on the other side.
pub fn find(entries: &mut [Entry]) {
    for (verdict, other) in [(Verdict::OnlyInA, Verdict::OnlyInB), (Verdict::OnlyInB, Verdict::OnlyInA)] {
        let mut titles: FxHashMap<String, String> = FxHashMap::default();
        for entry in entries.iter() {
            for symbol in definitions(&entry.comparison, other) {
                if let Some(name) = name(&entry.comparison, symbol) {
                    titles.insert(name, entry.title.clone());
                }
            }
        }
        for entry in entries.iter_mut() {
            let moved: Vec<Option<String>> = definitions(&entry.comparison, verdict)
                .map(|symbol| titles.get(&name(&entry.comparison, symbol)?).cloned())
                .collect();
            let symbols = entry.comparison.symbols.iter_mut();
            let symbols = symbols.filter(|symbol| symbol.verdict == verdict && symbol.kind != SymbolKind::Declaration);
            symbols.zip(moved).for_each(|(symbol, moved)| symbol.moved = moved);
        }
    }
}

fn definitions(comparison: &Comparison, verdict: Verdict) -> impl Iterator<Item = &SymbolComparison> {
    let symbols = comparison.symbols.iter();
    symbols.filter(move |symbol| symbol.verdict == verdict && symbol.kind != SymbolKind::Declaration)
}

/// The symbol's name, if it means anything.
fn name(comparison: &Comparison, symbol: &SymbolComparison) -> Option<String> {
    let side = symbol.a.map(|id| &comparison.a.symbols[id]).or(symbol.b.map(|id| &comparison.b.symbols[id]))?;
    (side.naming == Naming::Meaningful).then(|| comparison.atoms.text(side.name).to_owned())
}
