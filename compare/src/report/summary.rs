//! The summary of a comparison: how many symbols have which verdict, and each function's counts on both sides.

use super::statistics::Statistics;
use crate::comparison::{Comparison, SymbolComparison};
use crate::judge::Verdict;
use crate::model::{Module, SymbolId, SymbolKind};

/// A symbol in the summary.
pub struct SymbolSummary {
    /// Its name, that of A where there is one, without quotes.
    pub name: String,
    /// Its demangled name.
    pub demangled: Option<String>,
    /// Its name in B, where that is another.
    pub renamed: Option<String>,
    /// Its demangled name in B, if that differs.
    pub demangled_in_b: Option<String>,
    /// Its counts in A.
    pub a: Option<Statistics>,
    /// Its counts in B.
    pub b: Option<Statistics>,
}

impl SymbolSummary {
    /// Its demangled name on both sides, if its symbol is mangled.
    pub fn readable(&self) -> Option<String> {
        match (&self.demangled, &self.demangled_in_b) {
            (Some(ours), Some(theirs)) if ours != theirs => Some(format!("{ours} → {theirs}")),
            (ours, theirs) => ours.as_ref().or(theirs.as_ref()).cloned(),
        }
    }
}

/// The summary of one symbol.
pub fn of_symbol(comparison: &Comparison, symbol: &SymbolComparison) -> SymbolSummary {
    let name = |module: &Module, id: SymbolId| {
        crate::pairing::names::unquoted(comparison.atoms.text(module.symbols[id].name)).to_owned()
    };
    let statistics = |module: &Module, id: Option<SymbolId>| {
        let body = module.symbols[id?].body.as_ref()?;
        Some(Statistics::of(module, body, &comparison.atoms))
    };
    let in_a = symbol.a.map(|id| name(&comparison.a, id));
    let in_b = symbol.b.map(|id| name(&comparison.b, id));
    let renamed = if in_a.is_some() && in_a != in_b { in_b.clone() } else { None };
    SymbolSummary {
        name: in_a.or(in_b).unwrap_or_default(),
        demangled: symbol.demangled_a.clone().or_else(|| symbol.demangled_b.clone()),
        renamed,
        demangled_in_b: symbol
            .demangled_b
            .clone()
            .filter(|_| symbol.a.is_some() && symbol.demangled_a != symbol.demangled_b),
        a: statistics(&comparison.a, symbol.a),
        b: statistics(&comparison.b, symbol.b),
    }
}

/// How many symbols of a kind have each verdict, in the order of [`Verdict::ALL`].
pub fn verdicts(comparison: &Comparison, kinds: &[SymbolKind]) -> [usize; 7] {
    Verdict::ALL.map(|verdict| {
        let of_kind = comparison.symbols.iter().filter(|symbol| kinds.contains(&symbol.kind));
        of_kind.filter(|symbol| symbol.verdict == verdict).count()
    })
}

/// The counts of all functions of both sides.
pub fn totals(comparison: &Comparison) -> (Statistics, Statistics) {
    let total = |module: &Module| {
        let mut total = Statistics::default();
        let bodies = module.symbols.values().filter_map(|symbol| symbol.body.as_ref());
        bodies.for_each(|body| total.add(&Statistics::of(module, body, &comparison.atoms)));
        total
    };
    (total(&comparison.a), total(&comparison.b))
}
