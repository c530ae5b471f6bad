//! Comparisons for terminals: a summary first, then each difference in its context.

mod table;
mod unified;

use std::fmt::Write;
use std::ops::Range;

use super::Entry;
use super::rows::rows;
use crate::comparison::Comparison;
use crate::judge::Verdict;
use crate::model::Span;

/// Whether to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// With escape sequences.
    Always,
    /// Without.
    Never,
}

/// How A and B are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Lines of A with `-`, lines of B with `+`.
    Unified,
    /// A on the left, B on the right, in so many columns together.
    SideBySide(usize),
}

/// How to write.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to colour.
    pub color: Color,
    /// How A and B are laid out.
    pub layout: Layout,
    /// How many rows to show around differences.
    pub context: usize,
    /// Whether to stop after the summary.
    pub summary_only: bool,
}

/// The report.
pub fn report(entries: &[Entry], options: &Options) -> String {
    let mut text = String::new();
    for entry in entries {
        one(entry, options, &mut text);
    }
    text
}

fn one(entry: &Entry, options: &Options, text: &mut String) {
    let paint = Paint(options.color);
    let comparison = &entry.comparison;
    if !text.is_empty() {
        text.push('\n');
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", paint.bold(&entry.title));
    let _ = writeln!(text, "A: {}\nB: {}", paint.a(&comparison.a.name), paint.b(&comparison.b.name));
    table::verdicts(comparison, text);
    table::functions(comparison, &paint, text);
    properties(comparison, &paint, text);
    if options.summary_only {
        return;
    }
    for symbol in comparison.symbols.iter().filter(|symbol| symbol.verdict == Verdict::Different) {
        let rows = rows(comparison, symbol);
        unified::heading(comparison, symbol, &paint, text);
        match options.layout {
            Layout::Unified => unified::write(comparison, &rows, options.context, &paint, text),
            Layout::SideBySide(width) => unified::side_by_side(comparison, &rows, options.context, width, &paint, text),
        }
    }
}

fn properties(comparison: &Comparison, paint: &Paint, text: &mut String) {
    for property in &comparison.properties {
        let name = comparison.atoms.text(property.name);
        let _ = writeln!(text, "\n{} ({})", paint.bold(name), property.part.name());
        if let Some((content, _)) = property.a {
            let _ = writeln!(text, "- {}", paint.a(comparison.atoms.text(content)));
        }
        if let Some((content, _)) = property.b {
            let _ = writeln!(text, "+ {}", paint.b(comparison.atoms.text(content)));
        }
    }
}

/// Colours, or none.
pub(super) struct Paint(pub(super) Color);

impl Paint {
    pub(super) fn with(&self, code: &str, text: &str) -> String {
        match self.0 {
            Color::Always if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }

    pub(super) fn bold(&self, text: &str) -> String {
        self.with("1", text)
    }

    pub(super) fn dim(&self, text: &str) -> String {
        self.with("2", text)
    }

    pub(super) fn a(&self, text: &str) -> String {
        self.with("31", text)
    }

    pub(super) fn b(&self, text: &str) -> String {
        self.with("32", text)
    }

    pub(super) fn verdict(&self, verdict: Verdict, text: &str) -> String {
        match verdict {
            Verdict::Identical | Verdict::Names | Verdict::Order => self.dim(text),
            Verdict::Renamed | Verdict::Different => self.with("33", text),
            Verdict::OnlyInA => self.a(text),
            Verdict::OnlyInB => self.b(text),
        }
    }

    /// Text with one place inverted, in the colour of `code`.
    pub(super) fn marked_range(&self, code: &str, text: &str, mark: Range<usize>) -> String {
        self.marked(code, text, 0, &[Span { start: mark.start as u32, end: mark.end as u32 }])
    }

    /// Text with its marked places inverted, in the colour of `code`.
    fn marked(&self, code: &str, text: &str, at: u32, marks: &[Span]) -> String {
        if self.0 == Color::Never {
            return text.to_owned();
        }
        let mut painted = String::new();
        let mut done = 0;
        for mark in marks {
            let start = (mark.start.saturating_sub(at) as usize).clamp(done, text.len());
            let end = (mark.end.saturating_sub(at) as usize).clamp(start, text.len());
            painted += &self.with(code, &text[done..start]);
            painted += &self.with(&format!("{code};7"), &text[start..end]);
            done = end;
        }
        painted + &self.with(code, &text[done..])
    }
}
