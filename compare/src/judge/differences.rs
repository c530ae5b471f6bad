//! The differences of two related instructions or headers: the parts, and the places in the text.

use super::Judge;
use crate::align::{Agreement, Alignment, Side, arrangement};
use crate::atoms::Atom;
use crate::model::{Adornment, Instruction, InstructionKind, Span, Statement, SymbolId, Term};
use crate::part::{Part, Parts};

/// The differences of two statements.
#[derive(Clone, Default)]
pub struct Difference {
    /// The parts.
    pub parts: Parts,
    /// The places in A's text.
    pub places_a: Vec<Span>,
    /// The places in B's text.
    pub places_b: Vec<Span>,
    /// Adornments of A only.
    pub adornments_a: Vec<(Atom, Span)>,
    /// Adornments of B only.
    pub adornments_b: Vec<(Atom, Span)>,
}

/// The differences of two related instructions.
pub fn of_instructions(
    a: &Side<'_>,
    b: &Side<'_>,
    alignment: &Alignment,
    ours: &Instruction,
    theirs: &Instruction,
) -> Difference {
    let part = if ours.kind == InstructionKind::DebugRecord { Part::Debug } else { Part::Body };
    let same = |ours, theirs| alignment.agreement(a, b, ours, theirs) == Agreement::Same;
    let arranged = arrangement::arranged(alignment, a, b, ours, theirs);
    of_statements(&ours.statement, &arranged, part, same)
}

/// The differences of the headers of two symbols. Their own names and the names of parameters do not count.
pub fn of_headers(judge: &Judge<'_>, ours: SymbolId, theirs: SymbolId) -> Difference {
    let same = |a: Term, b: Term| match (a, b) {
        (Term::Word(a), Term::Word(b)) => a == b,
        (Term::Value(a), Term::Value(b)) => a == b,
        (Term::Symbol(a), Term::Symbol(b)) => judge.pairing.identities_a[a] == judge.pairing.identities_b[b],
        _ => false,
    };
    of_statements(&judge.a.symbols[ours].header, &judge.b.symbols[theirs].header, Part::Body, same)
}

fn of_statements(ours: &Statement, theirs: &Statement, part: Part, same: impl Fn(Term, Term) -> bool) -> Difference {
    let mut difference = Difference::default();
    let (terms_a, terms_b) = differing_terms(ours, theirs, same);
    if !terms_a.is_empty() || !terms_b.is_empty() {
        difference.parts.insert(part);
    }
    difference.places_a.extend(terms_a.into_iter().map(|index| ours.spans[index]));
    difference.places_b.extend(terms_b.into_iter().map(|index| theirs.spans[index]));
    let by_position = ours.terms.len() == theirs.terms.len();
    let (adorned_a, adorned_b) = (sorted(&ours.adornments, by_position), sorted(&theirs.adornments, by_position));
    let (only_a, only_b) = (missing(&adorned_a, &adorned_b), missing(&adorned_b, &adorned_a));
    difference.parts.extend(only_a.iter().chain(&only_b).map(|(key, _)| key.1).collect());
    difference.places_a.extend(only_a.iter().map(|(_, span)| *span));
    difference.places_b.extend(only_b.iter().map(|(_, span)| *span));
    difference.adornments_a = only_a.into_iter().map(|(key, span)| (key.2, span)).collect();
    difference.adornments_b = only_b.into_iter().map(|(key, span)| (key.2, span)).collect();
    tidy(&mut difference.places_a);
    tidy(&mut difference.places_b);
    difference
}

/// The indices of terms that differ. Where there are more on one side, those that the longest common subsequence lacks.
fn differing_terms(
    ours: &Statement,
    theirs: &Statement,
    same: impl Fn(Term, Term) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let (ours, theirs) = (&ours.terms, &theirs.terms);
    if ours.len() == theirs.len() {
        let differing: Vec<usize> = (0..ours.len()).filter(|at| !same(ours[*at], theirs[*at])).collect();
        return (differing.clone(), differing);
    }
    let shorter = ours.len().min(theirs.len());
    let start = (0..shorter).take_while(|at| same(ours[*at], theirs[*at])).count();
    let end = (1..=shorter - start).take_while(|at| same(ours[ours.len() - at], theirs[theirs.len() - at])).count();
    let (ours, theirs) = (&ours[start..ours.len() - end], &theirs[start..theirs.len() - end]);
    let (only_a, only_b) = if ours.len() * theirs.len() <= LARGEST_TABLE {
        without_common(ours, theirs, same)
    } else {
        ((0..ours.len()).collect(), (0..theirs.len()).collect())
    };
    let shifted = |indices: Vec<usize>| indices.into_iter().map(|index| index + start).collect();
    (shifted(only_a), shifted(only_b))
}

/// The most pairs of terms that are searched for a common subsequence.
const LARGEST_TABLE: usize = 1 << 16;

/// The indices of the terms outside of the longest common subsequence.
fn without_common(ours: &[Term], theirs: &[Term], same: impl Fn(Term, Term) -> bool) -> (Vec<usize>, Vec<usize>) {
    // How long it is for the ends from each pair of indices on.
    let mut lengths = vec![vec![0_usize; theirs.len() + 1]; ours.len() + 1];
    for a in (0..ours.len()).rev() {
        for b in (0..theirs.len()).rev() {
            let longest = lengths[a + 1][b].max(lengths[a][b + 1]);
            lengths[a][b] = if same(ours[a], theirs[b]) { lengths[a + 1][b + 1] + 1 } else { longest };
        }
    }
    let (mut only_a, mut only_b) = (Vec::new(), Vec::new());
    let (mut a, mut b) = (0, 0);
    while a < ours.len() && b < theirs.len() {
        if same(ours[a], theirs[b]) {
            (a, b) = (a + 1, b + 1);
        } else if lengths[a + 1][b] >= lengths[a][b + 1] {
            only_a.push(a);
            a += 1;
        } else {
            only_b.push(b);
            b += 1;
        }
    }
    only_a.extend(a..ours.len());
    only_b.extend(b..theirs.len());
    (only_a, only_b)
}

type Key = (u32, Part, Atom);

/// Adornments by position (where that can be compared), part and content.
fn sorted(adornments: &[Adornment], by_position: bool) -> Vec<(Key, Span)> {
    let key = |adornment: &Adornment| (if by_position { adornment.at } else { 0 }, adornment.part, adornment.content);
    let mut sorted: Vec<(Key, Span)> = adornments.iter().map(|adornment| (key(adornment), adornment.span)).collect();
    sorted.sort();
    sorted
}

/// The entries that are in `these` more often than in `those`; both are sorted.
fn missing(these: &[(Key, Span)], those: &[(Key, Span)]) -> Vec<(Key, Span)> {
    let mut those = those.iter().map(|(key, _)| key).peekable();
    let mut missing = Vec::new();
    for (key, span) in these {
        while those.peek().is_some_and(|other| *other < key) {
            those.next();
        }
        if those.peek() == Some(&key) {
            those.next();
        } else {
            missing.push((*key, *span));
        }
    }
    missing
}

/// Places in the order of the text, each once.
fn tidy(places: &mut Vec<Span>) {
    places.sort();
    places.dedup();
}
