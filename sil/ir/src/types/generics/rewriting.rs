//! Rules over terms, and their completion (docs/Generics, "The Property Map" and "Completion"; Knuth and Bendix):
//! afterwards two terms are equal exactly if both become the same word. Does not own the meaning of rules for generics,
//! nor their origin.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Generics;
use super::term::{Symbol, Term};
use super::trie::Trie;
use crate::context::NominalId;

/// `left` becomes `right`, wherever it stands.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) left: Term,
    pub(super) right: Term,
}

/// The subject of rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Domain {
    /// Protocols that depend on each other.
    Protocols(Box<[NominalId]>),
    /// The parameters of a signature.
    Signature,
}

/// Complete rules of one domain. Those of the protocols that it depends on are found by [`Generics`].
#[derive(Debug)]
pub(super) struct RuleSet {
    domain: Domain,
    rules: Vec<Option<Rule>>,
    by_left: Trie,
    /// Where each symbol stands on left sides: the number of the rule and the place, in this order.
    places: FxHashMap<Symbol, Vec<(usize, usize)>>,
    completeness: Completeness,
}

/// The rules of a domain, while one of them is completed.
enum OfDomain<'s> {
    Own(&'s RuleSet),
    Other(Arc<RuleSet>),
}

impl std::ops::Deref for OfDomain<'_> {
    type Target = RuleSet;

    fn deref(&self) -> &RuleSet {
        match self {
            OfDomain::Own(set) => set,
            OfDomain::Other(set) => set,
        }
    }
}

/// Whether equal terms are known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Completeness {
    /// All of them.
    Complete,
    /// The limits were reached: terms that are known to be equal are, but there are more.
    Limited,
}

/// Longer terms are no longer looked at.
const LENGTH_LIMIT: usize = 24;
/// More rules are no longer added.
const RULE_LIMIT: usize = 4000;
/// No more than this is followed up: the consequences of some requirements are endless.
const EQUATION_LIMIT: usize = 20_000;

impl RuleSet {
    /// Completes `equations`.
    pub(super) fn new(generics: &Generics<'_>, domain: Domain, equations: Vec<(Term, Term)>) -> Self {
        let completeness = Completeness::Complete;
        let places = FxHashMap::default();
        let mut set = Self { domain, rules: Vec::new(), by_left: Trie::new(), places, completeness };
        let mut open = VecDeque::from(equations);
        let mut followed = 0;
        loop {
            let known = set.rules.len();
            while let Some((first, second)) = open.pop_front() {
                followed += 1;
                if followed > EQUATION_LIMIT {
                    set.completeness = Completeness::Limited;
                    return set;
                }
                set.follow(generics, first, second, &mut open);
            }
            // An equation that was too long for a rule would be found again.
            if set.rules.len() == known {
                return set;
            }
            open.extend(set.unifications(generics));
        }
    }

    /// Makes a rule of an equation, if it is none yet.
    fn follow(&mut self, generics: &Generics<'_>, first: Term, second: Term, open: &mut VecDeque<(Term, Term)>) {
        let (first, second) = (self.simplify(generics, first), self.simplify(generics, second));
        let (left, right) = match generics.compare(&first, &second) {
            _ if first == second => return,
            Ordering::Greater => (first, second),
            Ordering::Less => (second, first),
            Ordering::Equal => return,
        };
        if left.len() > LENGTH_LIMIT || self.rules.len() >= RULE_LIMIT {
            self.completeness = Completeness::Limited;
            return;
        }
        self.add(generics, Rule { left, right }, open);
    }

    /// The new consequences of types and classes that hold of the same terms.
    fn unifications(&self, generics: &Generics<'_>) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        for rule in self.rules.iter().flatten() {
            let Some((property, term)) = rule.left.split_last().filter(|(property, _)| property.is_pattern()) else {
                continue;
            };
            let protocol = term.first().and_then(Symbol::domain);
            for at in 0..term.len() {
                self.each_beginning_with(generics, &term[at..], |other| {
                    if let [other] = &other.left[term.len() - at..]
                        && other.is_pattern()
                    {
                        generics.unify(property, &other.after(&term[..at]), protocol, &mut found);
                    }
                });
            }
        }
        let simplified = found.into_iter();
        let simplified =
            simplified.map(|(first, second)| (self.simplify(generics, first), self.simplify(generics, second)));
        simplified.filter(|(first, second)| first != second).collect()
    }

    pub(super) fn completeness(&self) -> Completeness {
        self.completeness
    }

    /// Adds a rule; its consequences with others are to be examined.
    fn add(&mut self, generics: &Generics<'_>, rule: Rule, open: &mut VecDeque<(Term, Term)>) {
        let places = self.places.get(&rule.left[0]).map_or(&[][..], |places| places);
        for (number, at) in places {
            let is_replaced = |known: &mut Rule| fits(&rule.left, &known.left, *at);
            if let Some(known) = self.rules[*number].take_if(is_replaced) {
                open.push_back((known.left, known.right));
            }
        }
        for at in 1..rule.left.len() {
            self.each_beginning_with(generics, &rule.left[at..], |other| {
                open.extend(critical_pair(&rule, other, at));
            });
        }
        for (number, at) in places.iter().filter(|(_, at)| *at > 0) {
            let other = self.rules[*number].as_ref();
            open.extend(other.and_then(|other| critical_pair(other, &rule, *at)));
        }
        for at in 1..rule.left.len() {
            open.extend(critical_pair(&rule, &rule, at));
        }
        for (at, symbol) in rule.left.iter().enumerate() {
            self.places.entry(symbol.clone()).or_default().push((self.rules.len(), at));
        }
        self.by_left.insert(&rule.left, self.rules.len());
        self.rules.push(Some(rule));
    }

    fn owns(&self, symbol: &Symbol) -> bool {
        match (&self.domain, symbol.domain()) {
            (Domain::Protocols(protocols), Some(protocol)) => protocols.contains(&protocol),
            (Domain::Signature, domain) => domain.is_none(),
            (Domain::Protocols(_), None) => false,
        }
    }

    /// Calls `visit` for each rule whose left side begins with `word`, which is not empty, of whatever domain.
    pub(super) fn each_beginning_with(&self, generics: &Generics<'_>, word: &[Symbol], visit: impl FnMut(&Rule)) {
        let Some(set) = self.of_domain(generics, &word[0]) else { return };
        set.by_left.beginning_with(word).iter().filter_map(|number| set.rules[*number].as_ref()).for_each(visit);
    }

    /// The rules whose left sides begin with `symbol`, if there are any.
    fn of_domain(&self, generics: &Generics<'_>, symbol: &Symbol) -> Option<OfDomain<'_>> {
        if self.owns(symbol) {
            return Some(OfDomain::Own(self));
        }
        symbol.domain().map(|protocol| OfDomain::Other(generics.rules_of(protocol)))
    }

    /// The normal form of `term` by all rules.
    pub(super) fn simplify(&self, generics: &Generics<'_>, mut term: Term) -> Term {
        let mut at = 0;
        while at < term.len() {
            let set = self.of_domain(generics, &term[at]);
            match set.as_ref().and_then(|set| set.fitting(&term, at)) {
                Some(rule) => {
                    term.splice(at..at + rule.left.len(), rule.right.iter().cloned());
                    at = 0;
                }
                None => at += 1,
            }
        }
        if let Some(pattern) = term.last_mut().and_then(Symbol::pattern_mut) {
            for argument in &mut pattern.arguments {
                *argument = self.simplify(generics, std::mem::take(argument));
            }
        }
        term
    }

    /// The first rule of this set whose left side stands in `term` at `at`.
    fn fitting(&self, term: &[Symbol], at: usize) -> Option<&Rule> {
        let mut first = None;
        self.by_left.each_fitting(term, at, |number| {
            if self.rules[number].is_some() && first.is_none_or(|first| number < first) {
                first = Some(number);
            }
        });
        self.rules[first?].as_ref()
    }
}

/// Whether `left` stands in `term` at `at`.
fn fits(left: &[Symbol], term: &[Symbol], at: usize) -> bool {
    let Some(part) = term.get(at..at + left.len()) else { return false };
    let Some(((last, front), (found, found_front))) = left.split_last().zip(part.split_last()) else { return false };
    front == found_front && (last == found || (at > 0 && last.after(&term[..at]) == *found))
}

/// If `second` begins at `at` in the left side of `first` and ends after it: the results of both for the whole.
fn critical_pair(first: &Rule, second: &Rule, at: usize) -> Option<(Term, Term)> {
    let (before, shared) = first.left.split_at(at);
    let rest = second.left.strip_prefix(shared).filter(|rest| !rest.is_empty())?;
    let mut one = Term::with_capacity(first.right.len() + rest.len());
    one.extend_from_slice(&first.right);
    one.extend(rest.iter().map(|symbol| symbol.after(before)));
    let other = [before, &second.right].concat();
    Some((one, other))
}
