//! The tables of the summary.

use std::fmt::Write;

use super::Paint;
use crate::comparison::Comparison;
use crate::judge::Verdict;
use crate::model::SymbolKind;
use crate::report::statistics::Statistics;
use crate::report::summary;

/// How many symbols have which verdict.
pub fn verdicts(comparison: &Comparison, text: &mut String) {
    let functions = summary::verdicts(comparison, &[SymbolKind::Function]);
    let globals = summary::verdicts(comparison, &[SymbolKind::Variable, SymbolKind::Alias]);
    let declarations = summary::verdicts(comparison, &[SymbolKind::Declaration]);
    let _ = writeln!(text, "\n{:20}{:>10}{:>10}{:>14}", "", "functions", "globals", "declarations");
    for (index, verdict) in Verdict::ALL.into_iter().enumerate() {
        let counts = [functions[index], globals[index], declarations[index]];
        if counts != [0, 0, 0] {
            let [functions, globals, declarations] = counts;
            let _ = writeln!(text, "{:20}{functions:>10}{globals:>10}{declarations:>14}", verdict.description());
        }
    }
}

/// Each function that is not equal, with its counts on both sides, and the sum of all functions.
pub fn functions(comparison: &Comparison, paint: &Paint, text: &mut String) {
    let differing = comparison.symbols.iter().filter(|symbol| symbol.verdict.is_difference());
    let mut lines = Vec::new();
    for symbol in differing.filter(|symbol| symbol.kind == SymbolKind::Function) {
        let summary = summary::of_symbol(comparison, symbol);
        let name = match &summary.renamed {
            Some(other) => format!("{} → {other}", summary.name),
            None => summary.name.clone(),
        };
        let readable = summary.readable().map(|name| format!("  {}", paint.dim(&name))).unwrap_or_default();
        let parts = if symbol.parts.is_empty() { String::new() } else { format!(" ({})", symbol.parts.names()) };
        let moved = symbol.moved.iter().map(|file| format!(", moved: in {file}")).collect::<String>();
        let verdict = format!("{}{parts}{moved}", symbol.verdict.description());
        let tail = format!("{}  {name}{readable}", paint.verdict(symbol.verdict, &verdict));
        lines.push((counts(summary.a.as_ref(), summary.b.as_ref()), tail));
    }
    let (a, b) = summary::totals(comparison);
    lines.push((counts(Some(&a), Some(&b)), "all functions".to_owned()));
    let _ = writeln!(text, "\n{}", COLUMNS.map(|(name, _)| format!("{name:>13}")).concat());
    for (counts, tail) in lines {
        let _ = writeln!(text, "{}  {tail}", counts.map(|count| format!("{count:>13}")).concat());
    }
}

type Column = (&'static str, fn(&Statistics) -> u32);

const COLUMNS: [Column; 6] = [
    ("instructions", |counts| counts.instructions),
    ("calls", |counts| counts.calls),
    ("retains", |counts| counts.retains),
    ("releases", |counts| counts.releases),
    ("allocations", |counts| counts.allocations),
    ("size", |counts| counts.size),
];

/// `5` where both are the same, `5 → 6` where they are not, `-` where there is none.
fn counts(a: Option<&Statistics>, b: Option<&Statistics>) -> [String; 6] {
    COLUMNS.map(|(_, count)| match (a.map(count), b.map(count)) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => format!("{a} → {b}"),
        (Some(a), None) => format!("{a} → -"),
        (None, Some(b)) => format!("- → {b}"),
        (None, None) => "-".to_owned(),
    })
}
