//! The expectations of a test: comments such as `// expected-error @-1 {{text}}`, compared with the diagnostics of the
//! passes (lib/Frontend/DiagnosticVerifier.cpp). Errors of the parser and the verifier are compared too, but silc has
//! its own messages for these.

use sil::diagnostic::{Diagnostic, Level};
use sil::source::{SourceMap, Span};

/// The expectation of a comment.
#[derive(Debug, PartialEq, Eq)]
struct Expectation<'t> {
    kind: Kind,
    /// The line that it applies to, from 1.
    line: u32,
    /// The line of the comment, from 1.
    written: u32,
    count: Count,
    /// A substring of the message.
    text: &'t str,
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Error,
    Warning,
    Note,
}

/// The number of expected messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Exactly(u32),
    AtLeast(u32),
}

/// A reported message.
struct Found<'d> {
    kind: Kind,
    line: u32,
    message: &'d str,
}

const KINDS: [(&str, Kind); 3] = [("error", Kind::Error), ("warning", Kind::Warning), ("note", Kind::Note)];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Error => "error",
            Kind::Warning => "warning",
            Kind::Note => "note",
        }
    }
}

/// Compares the expectations in the file's comments with `diagnostics`. Returns a message for each difference. Only
/// comments count whose kind of message has one of the `prefixes`, or none.
///
/// Fails with the first comment in an unknown format.
pub fn differences(
    text: &str,
    prefixes: &[String],
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
) -> Result<Vec<String>, String> {
    let mut found: Vec<Found<'_>> = diagnostics.iter().flat_map(|diagnostic| messages(diagnostic, sources)).collect();
    let mut differences = Vec::new();
    for expectation in expectations(text, prefixes)? {
        let (least, most) = match expectation.count {
            Count::Exactly(count) => (count, count),
            Count::AtLeast(count) => (count, u32::MAX),
        };
        for number in 0..most {
            let Some(index) = found.iter().position(|found| expectation.is_met_by(found)) else {
                if number < least {
                    differences.push(expectation.miss(&mut found));
                }
                break;
            };
            found.remove(index);
        }
    }
    let unexpected =
        |left: &Found<'_>| format!("line {}: unexpected {} produced: {}", left.line, left.kind.name(), left.message);
    differences.extend(found.iter().map(unexpected));
    Ok(differences)
}

impl Expectation<'_> {
    fn is_met_by(&self, found: &Found<'_>) -> bool {
        self.is_at(found) && found.message.contains(self.text)
    }

    fn is_at(&self, found: &Found<'_>) -> bool {
        (self.kind, self.line) == (found.kind, found.line)
    }

    /// Returns the message for an unmet expectation. A finding at its place with another message is removed from
    /// `found`.
    fn miss(&self, found: &mut Vec<Found<'_>>) -> String {
        let Self { kind, written, text, .. } = self;
        match found.iter().position(|found| self.is_at(found)) {
            Some(index) => {
                let message = found.remove(index).message;
                format!("line {written}: incorrect message found: {message}; expected {}: {text}", kind.name())
            }
            None => format!("line {written}: expected {} not produced: {text}", kind.name()),
        }
    }
}

/// Returns a diagnostic's own message, and its notes.
fn messages<'d>(diagnostic: &'d Diagnostic, sources: &SourceMap) -> Vec<Found<'d>> {
    let line = |span: Option<Span>| span.map_or(0, |span| sources.file(span.file).position(span.start).line);
    let kind = match diagnostic.level {
        Level::Error => Kind::Error,
        Level::Uncompilable | Level::Warning => Kind::Warning,
    };
    let first = Found { kind, line: line(diagnostic.span), message: &diagnostic.message };
    let notes = diagnostic.notes.iter();
    let notes = notes.map(|note| Found { kind: Kind::Note, line: line(note.span), message: &note.message });
    std::iter::once(first).chain(notes).collect()
}

fn expectations<'t>(text: &'t str, prefixes: &[String]) -> Result<Vec<Expectation<'t>>, String> {
    let mut all = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for (at, _) in line.match_indices("expected-") {
            let rest = &line[at + "expected-".len()..];
            let after_prefix = || prefixes.iter().find_map(|prefix| rest.strip_prefix(prefix.as_str()));
            if let Some((kind, rest)) = kind(rest).or_else(|| kind(after_prefix()?)) {
                let expectation = expectation(kind, rest, number);
                all.push(expectation.ok_or_else(|| format!("line {number}: the expectation '{}'", line[at..].trim()))?);
            }
        }
    }
    Ok(all)
}

/// Splits off the kind of message that the text begins with.
fn kind(text: &str) -> Option<(Kind, &str)> {
    KINDS.iter().find_map(|(name, kind)| Some((*kind, text.strip_prefix(name)?)))
}

/// Parses the text after `expected-error`: the line, the count, and the message.
fn expectation(kind: Kind, rest: &str, written: u32) -> Option<Expectation<'_>> {
    let (line, rest) = line(rest.trim_start(), written)?;
    let (count, rest) = count(rest.trim_start())?;
    let (text, rest) = rest.trim_start().strip_prefix("{{")?.split_once("}}")?;
    // Fix-its may follow, which silc does not support.
    let is_alone = !rest.trim_start().starts_with("{{");
    is_alone.then_some(Expectation { kind, line, written, count, text })
}

fn line(rest: &str, written: u32) -> Option<(u32, &str)> {
    let Some(place) = rest.strip_prefix('@') else { return Some((written, rest)) };
    match place.strip_prefix('+') {
        Some(below) => number(below).map(|(distance, rest)| (written + distance, rest)),
        None => match place.strip_prefix('-') {
            Some(above) => number(above).and_then(|(distance, rest)| Some((written.checked_sub(distance)?, rest))),
            None => number(place),
        },
    }
}

fn count(rest: &str) -> Option<(Count, &str)> {
    if let Some(rest) = rest.strip_prefix('*') {
        return Some((Count::AtLeast(0), rest));
    }
    if !rest.starts_with(|first: char| first.is_ascii_digit()) {
        return Some((Count::Exactly(1), rest));
    }
    let (count, rest) = number(rest)?;
    Some(match rest.strip_prefix('+') {
        Some(rest) => (Count::AtLeast(count), rest),
        None => (Count::Exactly(count), rest),
    })
}

fn number(rest: &str) -> Option<(u32, &str)> {
    let end = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
    Some((rest[..end].parse().ok()?, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_where_and_how_often() {
        let text = "a // expected-error {{one}}\nb // expected-note@-1 2 {{two}} expected-warning @+3 1+{{three}}\n// expected-to\n";
        let read = expectations(text, &[]).unwrap_or_default();
        let stated: Vec<_> = read.iter().map(|found| (found.kind, found.line, found.count, found.text)).collect();
        let expected = [
            (Kind::Error, 1, Count::Exactly(1), "one"),
            (Kind::Note, 1, Count::Exactly(2), "two"),
            (Kind::Warning, 5, Count::AtLeast(1), "three"),
        ];
        assert_eq!(stated, expected);
    }

    #[test]
    fn prefixes_stand_in_front_of_kinds() {
        let text = "// expected-one-error {{a}} expected-two-error {{b}} expected-note {{c}}\n";
        let read = expectations(text, &["one-".to_owned()]).unwrap_or_default();
        assert_eq!(read.iter().map(|found| found.text).collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        for text in
            ["// expected-error@#marker {{x}}", "// expected-error-re {{x}}", "// expected-error {{x}} {{1-2=}}"]
        {
            assert!(expectations(text, &[]).is_err(), "{text}");
        }
    }
}
