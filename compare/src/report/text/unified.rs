//! The rows of a function on a terminal, below each other or side by side, with so many rows of context.

use std::fmt::Write;

use super::Paint;
use crate::comparison::{Comparison, SymbolComparison};
use crate::model::Module;
use crate::report::rows::{Line, Row, RowContent};
use crate::report::summary;
use crate::row_kind::RowKind;

/// The line above a function's or global's rows.
pub fn heading(comparison: &Comparison, symbol: &SymbolComparison, paint: &Paint, text: &mut String) {
    let summary = summary::of_symbol(comparison, symbol);
    let renamed = match (&summary.renamed, symbol.reason) {
        (Some(other), Some(reason)) => format!(" → @{other} (same by {})", reason.name()),
        _ => String::new(),
    };
    let differs = symbol.parts.names();
    let name = paint.bold(&format!("@{}{renamed}", summary.name));
    let _ = writeln!(text, "\n{name}: {} in {differs}", symbol.verdict.description());
    if let Some(readable) = summary.readable() {
        let _ = writeln!(text, "{}", paint.dim(&readable));
    }
}

/// Below each other: `-` for A, `+` for B.
pub fn write(comparison: &Comparison, rows: &[Row], context: usize, paint: &Paint, text: &mut String) {
    for_shown(rows, context, |row| match row {
        None => text.push_str("  …\n"),
        Some(row) => write_row(comparison, row, paint, text),
    });
}

fn write_row(comparison: &Comparison, row: &Row, paint: &Paint, text: &mut String) {
    let note = note(row);
    match (&row.a, &row.b) {
        (Some(a), Some(_)) if row.kind == RowKind::Same => {
            put(&comparison.a, a, ' ', "0", &indent(row), "", paint, text);
        }
        (a, b) => {
            if let Some(a) = a {
                put(&comparison.a, a, '-', "31", &indent(row), if b.is_none() { &note } else { "" }, paint, text);
            }
            if let Some(b) = b {
                put(&comparison.b, b, '+', "32", &indent(row), &note, paint, text);
            }
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one line's looks, said at three places above")]
fn put(
    module: &Module,
    line: &Line,
    sign: char,
    code: &str,
    indent: &str,
    note: &str,
    paint: &Paint,
    text: &mut String,
) {
    let mut at = line.span.start;
    for (index, part) in module.slice(line.span).split('\n').enumerate() {
        let number = paint.dim(&format!("{:>6}", line.number as usize + index));
        let note = if index == 0 { paint.dim(note) } else { String::new() };
        let painted = if sign == ' ' { part.to_owned() } else { paint.marked(code, part, at, &line.marks) };
        let indent = if index == 0 { indent } else { "" };
        let _ = writeln!(text, "{sign}{number}  {indent}{painted}{note}");
        at += part.len() as u32 + 1;
    }
}

/// A on the left, B on the right, cut to the width.
pub fn side_by_side(
    comparison: &Comparison,
    rows: &[Row],
    context: usize,
    width: usize,
    paint: &Paint,
    text: &mut String,
) {
    let column = width.saturating_sub(21) / 2;
    for_shown(rows, context, |row| {
        let Some(row) = row else {
            text.push_str("  …\n");
            return;
        };
        let sign = match row.kind {
            RowKind::Same => ' ',
            RowKind::Changed => '|',
            RowKind::Moved => '~',
            RowKind::OnlyInA => '<',
            RowKind::OnlyInB => '>',
        };
        let a = row.a.as_ref().map(|line| cell(&comparison.a, line, column, "31", row, paint)).unwrap_or_default();
        let b = row.b.as_ref().map(|line| cell(&comparison.b, line, column, "32", row, paint)).unwrap_or_default();
        for index in 0..a.len().max(b.len()) {
            let blank = || " ".repeat(column + 8);
            let left = a.get(index).cloned().unwrap_or_else(blank);
            let right = b.get(index).cloned().unwrap_or_default();
            let _ = writeln!(text, "{left} {sign} {}", right.trim_end());
        }
    });
}

/// The lines of one side, each of the same width.
fn cell(module: &Module, line: &Line, width: usize, code: &str, row: &Row, paint: &Paint) -> Vec<String> {
    let mut at = line.span.start;
    let parts = module.slice(line.span).split('\n').enumerate();
    parts
        .map(|(index, part)| {
            let number = paint.dim(&format!("{:>6}", line.number as usize + index));
            let indent = if index == 0 { indent(row) } else { String::new() };
            let room = width.saturating_sub(indent.len());
            let cut: String = part.chars().take(room).collect();
            let blank = " ".repeat(room - cut.chars().count());
            let painted = if row.kind == RowKind::Same { cut } else { paint.marked(code, &cut, at, &line.marks) };
            at += part.len() as u32 + 1;
            format!("{number}  {indent}{painted}{blank}")
        })
        .collect()
}

/// The note after a line.
fn note(row: &Row) -> String {
    if row.note.is_empty() { String::new() } else { format!("  ; {}", row.note) }
}

fn indent(row: &Row) -> String {
    match row.content {
        RowContent::Instruction => "  ".to_owned(),
        RowContent::Header | RowContent::Label => String::new(),
    }
}

/// Calls `show` for each row near a difference, and with none where rows are left out. A label stands with its block.
fn for_shown<'a>(rows: &'a [Row], context: usize, mut show: impl FnMut(Option<&'a Row>)) {
    let mut shown = vec![false; rows.len()];
    for (index, _) in rows.iter().enumerate().filter(|(_, row)| row.kind != RowKind::Same) {
        let start = index.saturating_sub(context);
        let end = (index + context + 1).min(rows.len());
        shown[start..end].fill(true);
        let label = rows[..=index].iter().rposition(|row| row.content == RowContent::Label);
        if let Some(label) = label {
            shown[label] = true;
        }
    }
    let mut skipped = false;
    for (row, shown) in rows.iter().zip(shown) {
        if shown {
            if skipped {
                show(None);
            }
            show(Some(row));
        }
        skipped = !shown;
    }
}
