//! Text that is compared line by line, function by function: assembly and SIL. Owns how such text is cut into
//! functions, and which numbers in it mean nothing; lines are compared by Myers' algorithm.

mod assembly;
mod sil;

use std::ops::Range;

use similar::{DiffTag, TextDiff};

use crate::judge::Verdict;
use crate::pairing::Demangle;
use crate::row_kind::RowKind;

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Assembly as LLVM prints it.
    Assembly,
    /// SIL as silc prints it.
    Sil,
}

/// A function, or the lines between functions, as cut from a text.
pub struct Section {
    /// The symbol; empty for lines outside of functions.
    pub name: String,
    /// Its lines, with their numbers from 1.
    pub lines: Vec<Numbered>,
}

/// A line of a text.
pub struct Numbered {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// The compared form.
    key: String,
}

/// A line in A, in B, or in both.
pub struct ListingRow {
    /// Its kind.
    pub kind: RowKind,
    /// The line in A.
    pub a: Option<ListingLine>,
    /// The line in B.
    pub b: Option<ListingLine>,
}

/// One side of a row.
pub struct ListingLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// The bytes of it that differ.
    pub mark: Option<Range<usize>>,
}

/// A function compared.
pub struct ListingFunction {
    /// The symbol; empty for lines outside of functions.
    pub name: String,
    /// Its demangled name.
    pub demangled: Option<String>,
    /// The verdict: identical, different, or only on one side.
    pub verdict: Verdict,
    /// How many lines it has in A and B.
    pub lines: (usize, usize),
    /// All lines.
    pub rows: Vec<ListingRow>,
}

/// Two texts compared.
pub struct Listing {
    /// The name of A in reports.
    pub a: String,
    /// The name of B in reports.
    pub b: String,
    /// Functions in the order of A, then those only in B.
    pub functions: Vec<ListingFunction>,
}

impl Listing {
    /// Whether anything differs.
    pub fn differs(&self) -> bool {
        self.functions.iter().any(|function| function.verdict.is_difference())
    }
}

/// Compares two texts of the same language, each given with its name. `demangle` gives the names for reports.
pub fn compare(
    language: Language,
    (name_a, a): (String, &str),
    (name_b, b): (String, &str),
    demangle: Demangle<'_>,
) -> Listing {
    let cut = match language {
        Language::Assembly => assembly::cut,
        Language::Sil => sil::cut,
    };
    let mut theirs = cut(b);
    let mut functions = Vec::new();
    for ours in cut(a) {
        let other = theirs.iter().position(|other| other.name == ours.name).map(|at| theirs.remove(at));
        functions.push(function(Some(ours), other));
    }
    functions.extend(theirs.into_iter().map(|other| function(None, Some(other))));
    functions.iter_mut().for_each(|function| function.demangled = demangle(&function.name));
    Listing { a: name_a, b: name_b, functions }
}

fn function(ours: Option<Section>, theirs: Option<Section>) -> ListingFunction {
    let name = ours.as_ref().or(theirs.as_ref()).map(|section| section.name.clone()).unwrap_or_default();
    let sides = (ours.is_some(), theirs.is_some());
    let lines = |section: Option<Section>| section.map(|section| section.lines).unwrap_or_default();
    let (ours, theirs) = (lines(ours), lines(theirs));
    let rows = rows(&ours, &theirs);
    let verdict = match sides {
        (true, false) => Verdict::OnlyInA,
        (false, _) => Verdict::OnlyInB,
        _ if rows.iter().all(|row| row.kind == RowKind::Same) => Verdict::Identical,
        _ => Verdict::Different,
    };
    ListingFunction { name, demangled: None, verdict, lines: (ours.len(), theirs.len()), rows }
}

fn rows(ours: &[Numbered], theirs: &[Numbered]) -> Vec<ListingRow> {
    let (keys_a, keys_b) = (keys(ours), keys(theirs));
    let diff = TextDiff::from_slices(&keys_a, &keys_b);
    let mut rows = Vec::new();
    for operation in diff.ops() {
        let (old, new) = (operation.old_range(), operation.new_range());
        let (ours, theirs) = (&ours[old], &theirs[new]);
        let is_same = operation.tag() == DiffTag::Equal;
        rows.extend(ours.iter().zip(theirs).map(|(a, b)| pair(a, b, is_same)));
        let paired = ours.len().min(theirs.len());
        let line = |line: &Numbered| Some(ListingLine { number: line.number, text: line.text.clone(), mark: None });
        rows.extend(ours[paired..].iter().map(|a| ListingRow { kind: RowKind::OnlyInA, a: line(a), b: None }));
        rows.extend(theirs[paired..].iter().map(|b| ListingRow { kind: RowKind::OnlyInB, a: None, b: line(b) }));
    }
    rows
}

fn keys(lines: &[Numbered]) -> Vec<&str> {
    lines.iter().map(|line| line.key.as_str()).collect()
}

/// Two lines in one row; the text between their common beginning and their common end is marked.
fn pair(a: &Numbered, b: &Numbered, is_same: bool) -> ListingRow {
    let common = |ours: &mut dyn Iterator<Item = char>, theirs: &mut dyn Iterator<Item = char>| -> usize {
        ours.zip(theirs).take_while(|(ours, theirs)| ours == theirs).map(|(letter, _)| letter.len_utf8()).sum()
    };
    let start = common(&mut a.text.chars(), &mut b.text.chars());
    let end = common(&mut a.text[start..].chars().rev(), &mut b.text[start..].chars().rev());
    let line = |line: &Numbered| {
        let mark = (!is_same).then(|| start..line.text.len() - end);
        Some(ListingLine { number: line.number, text: line.text.clone(), mark })
    };
    ListingRow { kind: if is_same { RowKind::Same } else { RowKind::Changed }, a: line(a), b: line(b) }
}

/// Cuts a text where `starts` gives a symbol; after a line for which `ends` holds, lines belong to no function until
/// the next.
fn cut_by(
    text: &str,
    starts: impl Fn(&str) -> Option<String>,
    ends: impl Fn(&str) -> bool,
    key: impl Fn(&str) -> Option<String>,
) -> Vec<Section> {
    let mut outside = Section { name: String::new(), lines: Vec::new() };
    let mut found: Vec<Section> = Vec::new();
    let mut is_inside = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(name) = starts(line) {
            found.push(Section { name, lines: Vec::new() });
            is_inside = true;
        }
        if let Some(key) = key(line) {
            let numbered = Numbered { number: index as u32 + 1, text: line.to_owned(), key };
            match found.last_mut() {
                Some(section) if is_inside => section.lines.push(numbered),
                _ => outside.lines.push(numbered),
            }
        }
        is_inside &= !ends(line);
    }
    found.insert(0, outside);
    found
}
