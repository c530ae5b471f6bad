//! What numbers and names of a module stand for: the members of named types, the attributes of groups, the content of metadata.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use super::lexer::{Token, TokenKind};
use super::outline::Outline;

/// How far the content of a metadata node reaches through other nodes.
const METADATA_DEPTH: usize = 12;

/// A hash of the content of each metadata node, by number. Nodes refer to each other in cycles, so contents are refined round by
/// round from what each node says itself.
pub fn metadata(text: &str, outline: &Outline<'_>) -> FxHashMap<String, u64> {
    let numbers: FxHashMap<&str, usize> =
        outline.nodes.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
    let own: Vec<u64> = outline.nodes.iter().map(|(name, tokens)| own_hash(text, name, tokens)).collect();
    let references: Vec<Vec<usize>> = outline
        .nodes
        .iter()
        .map(|(name, tokens)| {
            let others = tokens.iter().filter(|token| token.kind == TokenKind::MetadataNumber);
            others
                .map(|token| &text[token.span.range()])
                .filter(|other| other != name)
                .filter_map(|other| numbers.get(other).copied())
                .collect()
        })
        .collect();
    let mut hashes = own.clone();
    for _ in 0..METADATA_DEPTH {
        hashes = own
            .iter()
            .zip(&references)
            .map(|(own, references)| {
                let mut hasher = FxHasher::default();
                own.hash(&mut hasher);
                references.iter().for_each(|other| hashes[*other].hash(&mut hasher));
                hasher.finish()
            })
            .collect();
    }
    outline.nodes.iter().zip(hashes).map(|((name, _), hash)| ((*name).to_owned(), hash)).collect()
}

/// What a node says itself, with all references to other nodes alike.
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
