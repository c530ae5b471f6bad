//! The contents of a module's numbers and names: the members of named types, the attributes of groups, the content of
//! metadata.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use super::lexer::{Token, TokenKind};
use super::outline::Outline;

/// How far the content of a metadata node reaches through other nodes.
const METADATA_DEPTH: usize = 12;

/// How far it is spelled out.
const SPELLED_DEPTH: usize = 4;

/// How many bytes of it are spelled out before nodes are left out.
const SPELLED_LENGTH: usize = 160;

/// The content of each metadata node, by number: its text with the nodes that it refers to in their places. Where that
/// becomes long, a hash of all that is left out follows.
pub fn metadata<'a>(text: &'a str, outline: &Outline<'a>) -> FxHashMap<&'a str, String> {
    let nodes = Nodes::new(text, outline);
    let hashes = nodes.hashes();
    let contents = outline.nodes.iter().enumerate().map(|(index, (name, _))| {
        let mut content = String::new();
        let is_whole = nodes.spell(index, SPELLED_DEPTH, &mut content);
        if !is_whole {
            content.push_str(&format!(" #{:016x}", hashes[index]));
        }
        (*name, content)
    });
    contents.collect()
}

/// The metadata nodes of a module by index.
struct Nodes<'a, 'b> {
    text: &'a str,
    nodes: &'b [(&'a str, Vec<Token>)],
    numbers: FxHashMap<&'a str, usize>,
}

impl<'a, 'b> Nodes<'a, 'b> {
    fn new(text: &'a str, outline: &'b Outline<'a>) -> Self {
        let numbers = outline.nodes.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
        Self { text, nodes: &outline.nodes, numbers }
    }

    /// A hash of each node's content. Nodes refer to each other in cycles, so contents are refined round by round from
    /// each node's own text.
    fn hashes(&self) -> Vec<u64> {
        let own: Vec<u64> = self.nodes.iter().map(|(name, tokens)| own_hash(self.text, name, tokens)).collect();
        let references: Vec<Vec<usize>> =
            self.nodes.iter().map(|(name, tokens)| self.references(name, tokens)).collect();
        let mut hashes = own.clone();
        for _ in 0..METADATA_DEPTH {
            let refined = own.iter().zip(&references).map(|(own, references)| {
                let mut hasher = FxHasher::default();
                own.hash(&mut hasher);
                references.iter().for_each(|other| hashes[*other].hash(&mut hasher));
                hasher.finish()
            });
            hashes = refined.collect();
        }
        hashes
    }

    /// The nodes that a node refers to, itself aside.
    fn references(&self, name: &str, tokens: &[Token]) -> Vec<usize> {
        let numbers = tokens.iter().filter(|token| token.kind == TokenKind::MetadataNumber);
        let others = numbers.map(|token| &self.text[token.span.range()]).filter(|other| *other != name);
        others.filter_map(|other| self.numbers.get(other).copied()).collect()
    }

    /// Writes a node with those that it refers to. Gives whether nothing was left out.
    fn spell(&self, index: usize, depth: usize, into: &mut String) -> bool {
        if depth == 0 || into.len() > SPELLED_LENGTH {
            into.push('…');
            return false;
        }
        let (name, tokens) = &self.nodes[index];
        let mut is_whole = true;
        let mut end = tokens.first().map_or(0, |token| token.span.start);
        for token in tokens {
            if token.span.start > end {
                into.push(' ');
            }
            end = token.span.end;
            let word = &self.text[token.span.range()];
            match self.numbers.get(word) {
                Some(_) if word == *name => into.push_str("itself"),
                Some(other) if token.kind == TokenKind::MetadataNumber => {
                    is_whole &= self.spell(*other, depth - 1, into)
                }
                _ => into.push_str(word),
            }
        }
        is_whole
    }
}

/// The hash of a node's own text, with all references to other nodes alike.
fn own_hash(text: &str, name: &str, tokens: &[Token]) -> u64 {
    let mut hasher = FxHasher::default();
    for token in tokens {
        match token.kind {
            TokenKind::MetadataNumber if &text[token.span.range()] == name => "itself".hash(&mut hasher),
            TokenKind::MetadataNumber => "node".hash(&mut hasher),
            _ => text[token.span.range()].hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// The attributes of a group or list, each as its text.
pub fn attributes(text: &str, tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = attribute_end(text, tokens, at);
        let words: Vec<&str> = tokens[at..end].iter().map(|token| &text[token.span.range()]).collect();
        found.push(words.concat());
        at = end;
    }
    found
}

/// Where the attribute that begins at token `at` ends: `NAME`, `NAME=VALUE` or `NAME(…)`.
fn attribute_end(text: &str, tokens: &[Token], at: usize) -> usize {
    match tokens.get(at + 1).map(|token| &text[token.span.range()]) {
        Some("=") => (at + 3).min(tokens.len()),
        Some("(") => closing(text, tokens, at + 1),
        _ => at + 1,
    }
}

/// One past the bracket that closes the one at `at`; the end of the tokens where it is missing.
pub fn closing(text: &str, tokens: &[Token], at: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        if token.kind == TokenKind::Punctuation {
            match text.as_bytes()[token.span.start as usize] {
                b'(' | b'{' | b'[' => depth += 1,
                b')' | b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return index + 1;
            }
        }
    }
    tokens.len()
}
