//! The index of rules by the words on their left sides. `rewriting` has the results of rules on words.

use rustc_hash::FxHashMap;

use super::term::Symbol;

/// The left sides of rules, letter by letter. Rules are identified by their numbers.
#[derive(Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
}

/// The rules whose left sides begin with one word.
#[derive(Default, Debug)]
struct Node {
    next: FxHashMap<Symbol, usize>,
    /// The letters in `next` that mention other terms: their form in a word depends on the term before them.
    patterns: Vec<(Symbol, usize)>,
    /// The rules whose left sides begin with the word.
    beginning: Vec<usize>,
    /// Those whose left side it is.
    ending: Vec<usize>,
}

impl Trie {
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    pub(super) fn insert(&mut self, left: &[Symbol], number: usize) {
        let mut at = 0;
        for symbol in left {
            at = match self.nodes[at].next.get(symbol) {
                Some(next) => *next,
                None => self.extend(at, symbol),
            };
            self.nodes[at].beginning.push(number);
        }
        self.nodes[at].ending.push(number);
    }

    fn extend(&mut self, at: usize, symbol: &Symbol) -> usize {
        let next = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[at].next.insert(symbol.clone(), next);
        if symbol.is_pattern() {
            self.nodes[at].patterns.push((symbol.clone(), next));
        }
        next
    }

    /// The rules whose left sides begin with `word`, in the order of their numbers.
    pub(super) fn beginning_with(&self, word: &[Symbol]) -> &[usize] {
        let node = word.iter().try_fold(0, |at, symbol| self.nodes[at].next.get(symbol).copied());
        node.map_or(&[], |node| &self.nodes[node].beginning)
    }

    /// Calls `visit` with each rule whose left side stands in `term` at `at`. A letter at its end that mentions members
    /// of the rule's subject mentions, in the term, members of the term before it as well.
    pub(super) fn each_fitting(&self, term: &[Symbol], at: usize, mut visit: impl FnMut(usize)) {
        let (before, rest) = term.split_at(at);
        let mut node = &self.nodes[0];
        for found in rest {
            if !before.is_empty() && found.is_pattern() {
                let fitting = node.patterns.iter().filter(|(pattern, _)| pattern.after(before) == *found);
                fitting.for_each(|(_, next)| self.nodes[*next].ending.iter().copied().for_each(&mut visit));
            }
            let Some(next) = node.next.get(found) else { return };
            node = &self.nodes[*next];
            node.ending.iter().copied().for_each(&mut visit);
        }
    }
}
