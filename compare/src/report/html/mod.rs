//! Comparisons as one self-contained page of HTML with style, script and data. `page.js` shows the result of [`data`];
//! rows of a function are created when it is unfolded.

use serde_json::{Value, json};

use super::rows::{Line, Row, RowContent, rows};
use super::{Entry, json};
use crate::comparison::{Comparison, SymbolComparison};
use crate::model::Module;
use crate::row_kind::RowKind;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page on LLVM IR.
pub fn report(entries: &[Entry]) -> String {
    let titles: Vec<&str> = entries.iter().map(|entry| entry.title.as_str()).collect();
    page(&titles, &data(entries))
}

/// The page that shows `data`.
pub(super) fn page(titles: &[&str], data: &Value) -> String {
    // Within a script element only `</` and `<!--` mean something to HTML.
    let data = data.to_string().replace('<', "\\u003c");
    PAGE.replace("{title}", &escaped(&titles.join(", ")))
        .replace("/*style*/", STYLE)
        .replace("/*script*/", SCRIPT)
        .replace("{data}", &data)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The data of the page: that of the JSON report, with all rows instead of the differences. A row is `[kind, content,
/// note, LINE of A, LINE of B]`, a line `[number, text, marks, line of SIL or 0]`, with `0` for B's text where it
/// equals A's.
fn data(entries: &[Entry]) -> Value {
    let entry = |entry: &Entry| {
        let comparison = &entry.comparison;
        json!({
            "title": entry.title,
            "a": comparison.a.name,
            "b": comparison.b.name,
            "sil": [sil(&comparison.a), sil(&comparison.b)],
            "summary": json::verdicts(comparison),
            "properties": json::properties(comparison),
            "symbols": comparison.symbols.iter().map(|one| symbol(comparison, one)).collect::<Vec<_>>(),
        })
    };
    Value::Array(entries.iter().map(entry).collect())
}

fn symbol(comparison: &Comparison, symbol: &SymbolComparison) -> Value {
    let mut head = json::symbol_head(comparison, symbol);
    let rows: Vec<Value> = rows(comparison, symbol).iter().map(|one| row(comparison, one)).collect();
    head.insert("rows".to_owned(), Value::Array(rows));
    Value::Object(head)
}

fn row(comparison: &Comparison, row: &Row) -> Value {
    let kind = number(row.kind);
    let content = match row.content {
        RowContent::Header => 0,
        RowContent::Label => 1,
        RowContent::Instruction => 2,
    };
    let text = |module: &Module, at: &Line| module.slice(at.span).to_owned();
    let same_text = match (&row.a, &row.b) {
        (Some(a), Some(b)) => row.kind == RowKind::Same && text(&comparison.a, a) == text(&comparison.b, b),
        _ => false,
    };
    let a = row.a.as_ref().map(|at| line(&comparison.a, at));
    let b = row.b.as_ref().map(|at| {
        if same_text { json!([at.number, 0, [], sil_number(&comparison.b, at)]) } else { line(&comparison.b, at) }
    });
    json!([kind, content, row.note, a, b])
}

/// The number of the line of SIL that a line came from; 0 for none.
fn sil_number(module: &Module, line: &Line) -> u32 {
    module.sil_line(line.span.start).map_or(0, |(number, _)| number)
}

/// The lines of SIL that the rows name.
fn sil(module: &Module) -> Value {
    let bodies = module.symbols.values().filter_map(|symbol| symbol.body.as_ref());
    let starts = bodies.flat_map(|body| body.instructions.values()).map(|instruction| instruction.statement.span.start);
    let named = starts.filter_map(|start| module.sil_line(start));
    Value::Object(named.map(|(number, text)| (number.to_string(), json!(text.trim()))).collect())
}

/// The number of a kind of row in the page's data.
pub(super) fn number(kind: RowKind) -> u32 {
    match kind {
        RowKind::Same => 0,
        RowKind::Changed => 1,
        RowKind::Moved => 2,
        RowKind::OnlyInA => 3,
        RowKind::OnlyInB => 4,
    }
}

/// Marks are counted in UTF-16 units, as the page's script counts.
fn line(module: &Module, line: &Line) -> Value {
    let text = module.slice(line.span);
    let units = |offset: u32| text[..(offset - line.span.start) as usize].encode_utf16().count();
    let marks: Vec<[usize; 2]> = line.marks.iter().map(|mark| [units(mark.start), units(mark.end)]).collect();
    json!([line.number, text, marks, sil_number(module, line)])
}
