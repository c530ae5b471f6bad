//! Comparisons as JSON, for scripts. The schema is stable: fields are added, never changed; `schema` counts changes
//! that break it.
//!
//! ```text
//! { schema, differs, comparisons: [ {
//!     title, a, b (names), differs,
//!     summary: { functions | globals | declarations: { VERDICT: count } }, totals: { a, b: COUNTS },
//!     properties: [ { name, part, a, b: LINE or null } ],
//!     symbols: [ { name, demangled, name_in_b, demangled_in_b (null where it is the same), kind, verdict, moved (the other file), pairing, parts, a, b: COUNTS or null,
//!                  differences: [ { kind, content, parts, note, a, b: LINE or null } ] } ] } ] }
//! LINE:   { line (from 1), text, marks: [ [start, end) in bytes of text ], sil: { line, text } or null, the SIL that it came from }
//! COUNTS: see report::statistics
//! ```

use serde_json::{Map, Value, json};

use super::Entry;
use super::rows::{Line, Row, RowContent, rows};
use super::statistics::Statistics;
use super::summary;
use crate::atoms::Atom;
use crate::comparison::{Comparison, SymbolComparison};
use crate::judge::Verdict;
use crate::model::{Module, Span, SymbolKind};
use crate::part::Parts;
use crate::row_kind::RowKind;

/// The version of the schema.
pub const SCHEMA: u32 = 1;

/// The report.
pub fn report(entries: &[Entry]) -> String {
    let comparisons: Vec<Value> = entries.iter().map(entry).collect();
    let differs = entries.iter().any(|entry| entry.comparison.differs());
    format!("{}\n", json!({ "schema": SCHEMA, "differs": differs, "comparisons": comparisons }))
}

fn entry(entry: &Entry) -> Value {
    let comparison = &entry.comparison;
    let (a, b) = summary::totals(comparison);
    json!({
        "title": entry.title,
        "a": comparison.a.name,
        "b": comparison.b.name,
        "differs": comparison.differs(),
        "summary": verdicts(comparison),
        "totals": { "a": counts(&a), "b": counts(&b) },
        "properties": properties(comparison),
        "symbols": comparison.symbols.iter().map(|one| symbol(comparison, one)).collect::<Vec<_>>(),
    })
}

/// How many symbols have which verdict.
pub fn verdicts(comparison: &Comparison) -> Value {
    let of = |kinds: &[SymbolKind]| {
        let counts = summary::verdicts(comparison, kinds);
        let named = Verdict::ALL.iter().zip(counts).map(|(verdict, count)| (verdict.name().to_owned(), json!(count)));
        Value::Object(named.collect())
    };
    json!({
        "functions": of(&[SymbolKind::Function]),
        "globals": of(&[SymbolKind::Variable, SymbolKind::Alias]),
        "declarations": of(&[SymbolKind::Declaration]),
    })
}

/// The properties that differ.
pub fn properties(comparison: &Comparison) -> Vec<Value> {
    let side = |module: &Module, said: Option<(Atom, Span)>| {
        let text = |content| comparison.atoms.text(content);
        said.map(|(content, span)| json!({ "line": module.line(span.start), "text": text(content), "marks": [] }))
    };
    let properties = comparison.properties.iter();
    properties
        .map(|property| {
            json!({
                "name": comparison.atoms.text(property.name),
                "part": property.part.name(),
                "a": side(&comparison.a, property.a),
                "b": side(&comparison.b, property.b),
            })
        })
        .collect()
}

/// A symbol without its differences.
pub fn symbol_head(comparison: &Comparison, symbol: &SymbolComparison) -> Map<String, Value> {
    let summary = summary::of_symbol(comparison, symbol);
    let head = json!({
        "name": summary.name,
        "demangled": summary.demangled,
        "name_in_b": summary.renamed,
        "demangled_in_b": summary.demangled_in_b,
        "kind": match symbol.kind {
            SymbolKind::Function => "function",
            SymbolKind::Declaration => "declaration",
            SymbolKind::Variable => "variable",
            SymbolKind::Alias => "alias",
        },
        "verdict": symbol.verdict.name(),
        "moved": symbol.moved,
        "pairing": symbol.reason.map(|reason| reason.name()),
        "parts": parts(symbol.parts),
        "a": summary.a.as_ref().map(counts),
        "b": summary.b.as_ref().map(counts),
    });
    match head {
        Value::Object(head) => head,
        _ => Map::new(),
    }
}

fn symbol(comparison: &Comparison, symbol: &SymbolComparison) -> Value {
    let mut object = symbol_head(comparison, symbol);
    let differences: Vec<Value> = if symbol.verdict == Verdict::Different {
        let rows = rows(comparison, symbol);
        rows.iter().filter(|row| row.kind != RowKind::Same).map(|one| row(comparison, one)).collect()
    } else {
        Vec::new()
    };
    object.insert("differences".to_owned(), json!(differences));
    Value::Object(object)
}

fn row(comparison: &Comparison, row: &Row) -> Value {
    json!({
        "kind": row.kind.name(),
        "content": match row.content {
            RowContent::Header => "header",
            RowContent::Label => "label",
            RowContent::Instruction => "instruction",
        },
        "parts": parts(row.parts),
        "note": row.note,
        "a": row.a.as_ref().map(|at| line(&comparison.a, at)),
        "b": row.b.as_ref().map(|at| line(&comparison.b, at)),
    })
}

fn line(module: &Module, line: &Line) -> Value {
    let start = line.span.start;
    let marks: Vec<[u32; 2]> = line.marks.iter().map(|mark| [mark.start - start, mark.end - start]).collect();
    let sil = module.sil_line(start).map(|(line, text)| json!({ "line": line, "text": text }));
    json!({ "line": line.number, "text": module.slice(line.span), "marks": marks, "sil": sil })
}

fn parts(parts: Parts) -> Vec<&'static str> {
    parts.iter().map(|part| part.name()).collect()
}

fn counts(statistics: &Statistics) -> Value {
    let named = Statistics::NAMES.iter().zip(statistics.values());
    Value::Object(named.map(|(name, count)| ((*name).to_owned(), json!(count))).collect())
}
