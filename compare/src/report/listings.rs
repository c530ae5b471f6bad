//! Comparisons of assembly or SIL as text, JSON and HTML.

use std::fmt::Write;

use serde_json::{Value, json};

use super::html;
use super::text::{Options, Paint};
use crate::judge::Verdict;
use crate::listing::{Listing, ListingFunction, ListingLine, ListingRow};
use crate::row_kind::RowKind;

/// For terminals: which functions differ, then their lines.
pub fn text(listings: &[(String, Listing)], options: &Options) -> String {
    let mut text = String::new();
    let paint = Paint(options.color);
    for (title, listing) in listings {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}\nA: {}\nB: {}\n", paint.bold(title), paint.a(&listing.a), paint.b(&listing.b));
        for verdict in Verdict::ALL {
            let count = counted(listing).filter(|function| function.verdict == verdict).count();
            if count > 0 {
                let _ = writeln!(text, "{:20}{count:>10}", verdict.description());
            }
        }
        let _ = writeln!(text, "\n{:>15}", "lines");
        for function in listing.functions.iter().filter(|function| function.verdict.is_difference()) {
            let verdict = paint.verdict(function.verdict, function.verdict.description());
            let readable = function.demangled.iter().map(|name| format!("  {}", paint.dim(name))).collect::<String>();
            let _ = writeln!(text, "{:>15}  {verdict}  {}{readable}", lines(function), name(function));
        }
        if !options.summary_only {
            let differing = listing.functions.iter().filter(|function| function.verdict == Verdict::Different);
            differing.for_each(|function| write_function(function, options, &paint, &mut text));
        }
    }
    text
}

fn counted(listing: &Listing) -> impl Iterator<Item = &ListingFunction> {
    listing.functions.iter().filter(|function| !function.name.is_empty())
}

fn name(function: &ListingFunction) -> &str {
    if function.name.is_empty() { "(outside of functions)" } else { &function.name }
}

fn lines(function: &ListingFunction) -> String {
    match function.lines {
        (a, b) if a == b => a.to_string(),
        (a, b) => format!("{a} → {b}"),
    }
}

fn write_function(function: &ListingFunction, options: &Options, paint: &Paint, text: &mut String) {
    let _ = writeln!(text, "\n{}", paint.bold(name(function)));
    if let Some(readable) = &function.demangled {
        let _ = writeln!(text, "{}", paint.dim(readable));
    }
    let differs = |row: &ListingRow| row.kind != RowKind::Same;
    let mut skipped = false;
    for (index, row) in function.rows.iter().enumerate() {
        let start = index.saturating_sub(options.context);
        let end = (index + options.context + 1).min(function.rows.len());
        let is_shown = function.rows[start..end].iter().any(differs);
        if is_shown {
            if skipped {
                text.push_str("  …\n");
            }
            write_row(row, paint, text);
        }
        skipped = !is_shown;
    }
}

fn write_row(row: &ListingRow, paint: &Paint, text: &mut String) {
    let mut put = |sign: char, code: &str, line: &ListingLine| {
        let number = paint.dim(&format!("{:>6}", line.number));
        let painted = match &line.mark {
            Some(mark) => paint.marked_range(code, &line.text, mark.clone()),
            None => paint.with(code, &line.text),
        };
        let _ = writeln!(text, "{sign}{number}  {painted}");
    };
    match (row.kind, &row.a, &row.b) {
        (RowKind::Same, Some(a), _) => put(' ', "0", a),
        (_, a, b) => {
            if let Some(a) = a {
                put('-', "31", a);
            }
            if let Some(b) = b {
                put('+', "32", b);
            }
        }
    }
}

/// As JSON: `{ schema, differs, comparisons: [ { title, a, b, differs, functions: [ { name, demangled, verdict, lines:
/// [A, B], differences } ] } ] }` with the differences as in the report on LLVM IR.
pub fn json(listings: &[(String, Listing)]) -> String {
    let line = |line: &Option<ListingLine>| {
        line.as_ref().map(|line| {
            let marks: Vec<[usize; 2]> = line.mark.iter().map(|mark| [mark.start, mark.end]).collect();
            json!({ "line": line.number, "text": line.text, "marks": marks })
        })
    };
    let row = |row: &ListingRow| json!({ "kind": row.kind.name(), "a": line(&row.a), "b": line(&row.b) });
    let function = |function: &ListingFunction| {
        let differing =
            function.rows.iter().filter(|row| row.kind != RowKind::Same && function.verdict == Verdict::Different);
        json!({
            "name": function.name,
            "demangled": function.demangled,
            "verdict": function.verdict.name(),
            "lines": [function.lines.0, function.lines.1],
            "differences": differing.map(row).collect::<Vec<_>>(),
        })
    };
    let comparison = |(title, listing): &(String, Listing)| {
        json!({
            "title": title,
            "a": listing.a,
            "b": listing.b,
            "differs": listing.differs(),
            "functions": listing.functions.iter().map(function).collect::<Vec<_>>(),
        })
    };
    let differs = listings.iter().any(|(_, listing)| listing.differs());
    let comparisons: Vec<Value> = listings.iter().map(comparison).collect();
    format!("{}\n", json!({ "schema": super::json::SCHEMA, "differs": differs, "comparisons": comparisons }))
}

/// The same page as for LLVM IR, without its counts.
pub fn html(listings: &[(String, Listing)]) -> String {
    let titles: Vec<&str> = listings.iter().map(|(title, _)| title.as_str()).collect();
    let data = listings.iter().map(|(title, listing)| {
        let counts = Verdict::ALL.iter().map(|verdict| {
            let count = counted(listing).filter(|function| function.verdict == *verdict).count();
            (verdict.name().to_owned(), json!(count))
        });
        json!({
            "title": title,
            "a": listing.a,
            "b": listing.b,
            "summary": { "functions": Value::Object(counts.collect()) },
            "properties": [],
            "symbols": listing.functions.iter().map(page_function).collect::<Vec<_>>(),
        })
    });
    html::page(&titles, &Value::Array(data.collect()))
}

fn page_function(function: &ListingFunction) -> Value {
    let line = |line: &Option<ListingLine>| {
        line.as_ref().map(|line| {
            let units = |at: usize| line.text[..at].encode_utf16().count();
            let marks: Vec<[usize; 2]> = line.mark.iter().map(|mark| [units(mark.start), units(mark.end)]).collect();
            json!([line.number, line.text, marks])
        })
    };
    let rows = function.rows.iter().map(|row| json!([html::number(row.kind), 0, "", line(&row.a), line(&row.b)]));
    json!({
        "name": name(function),
        "demangled": function.demangled,
        "name_in_b": null,
        "demangled_in_b": null,
        "kind": "function",
        "verdict": function.verdict.name(),
        "pairing": null,
        "parts": [],
        "a": { "lines": function.lines.0 },
        "b": { "lines": function.lines.1 },
        "rows": rows.collect::<Vec<_>>(),
    })
}
