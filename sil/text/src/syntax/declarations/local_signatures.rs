//! Derives the generic parameters of local types, which no declaration shows, from the heads of their witness tables
//! and members, which spell them with their requirements. For a type with no such heads, the arguments at its uses are
//! counted.
//!
//! Generic functions and members of generic types cannot declare types, so that the parameters of a local type are the
//! outermost ones.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use sil_ir::context::{Context, SignatureId, Type};
use sil_ir::declarations::DeclarationTable;
use sil_ir::source::FileId;
use sil_ir::symbols::Symbol;

use super::local_accessors::function_type;
use super::local_types::has_local_name;
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};

/// The generic parameters of local types in heads, and the argument counts at uses; gathered at the first query.
pub(super) struct LocalSignatures<'t> {
    text: &'t str,
    entities: &'t [Entity],
    gathered: OnceCell<Gathered<'t>>,
}

struct Gathered<'t> {
    /// The number of generic arguments at all uses of a type; `None` if the uses disagree.
    counts: FxHashMap<&'t str, Option<usize>>,
    /// The lists of parameters with their requirements, by type name.
    clauses: FxHashMap<&'t str, Vec<&'t str>>,
}

impl<'t> LocalSignatures<'t> {
    /// Creates the signatures for `text`, whose parts are `entities`.
    pub(super) fn new(text: &'t str, entities: &'t [Entity]) -> Self {
        Self { text, entities, gathered: OnceCell::new() }
    }

    /// Returns the signature of the local type `name` and the number of its parameters; `None` if the type is not
    /// generic. The shortest list is taken: members may have further requirements.
    pub(super) fn of(
        &self,
        context: &Context,
        table: &DeclarationTable,
        file: FileId,
        name: &str,
    ) -> Option<(SignatureId, u32)> {
        let gathered = self.gathered.get_or_init(|| Gathered {
            counts: argument_counts(self.text),
            clauses: clauses(self.text, self.entities),
        });
        let count = (*gathered.counts.get(name)?)?;
        let parameters =
            |clause: &str| items(clause[1..clause.len() - 1].split(" where ").next().unwrap_or_default()).count();
        let written = gathered.clauses.get(name).map_or(&[][..], Vec::as_slice).iter();
        let shortest = written.filter(|clause| parameters(clause) == count).min_by_key(|clause| clause.len());
        let clause = shortest.map_or_else(|| plain_clause(count), |clause| (*clause).to_owned());
        Some((signature(context, table, file, &clause)?, count as u32))
    }
}

fn clauses<'t>(text: &'t str, entities: &[Entity]) -> FxHashMap<&'t str, Vec<&'t str>> {
    let mut clauses: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for entity in entities {
        let line = text[entity.start as usize..entity.end as usize].lines().next().unwrap_or_default();
        let head = match entity.kind {
            EntityKind::Function => head_of_member(line),
            EntityKind::WitnessTable => head_of_table(line),
            _ => None,
        };
        if let Some((name, clause)) = head {
            clauses.entry(name).or_default().push(clause);
        }
    }
    clauses
}

/// Returns the number of generic arguments after each name.
fn argument_counts(text: &str) -> FxHashMap<&str, Option<usize>> {
    let mut counts: FxHashMap<&str, Option<usize>> = FxHashMap::default();
    for at in memchr::memchr_iter(b'<', text.as_bytes()) {
        let word = text.as_bytes()[..at].iter().rev().take_while(|byte| is_word(**byte)).count();
        if word == 0 {
            continue;
        }
        let Some(list) = clause_at(&text[at..]) else { continue };
        let count = items(&list[1..list.len() - 1]).count();
        let known = counts.entry(&text[at - word..at]).or_insert(Some(count));
        if *known != Some(count) {
            *known = None;
        }
    }
    counts
}

/// Returns whether a name may contain this byte; bytes of characters outside ASCII count as letters.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns the type and the parameters in `sil private @… : $@convention(method) <T where T : P> (…) -> …`.
fn head_of_member(line: &str) -> Option<(&str, &str)> {
    let (at, symbol) = symbols(line).next()?;
    if !has_local_name(symbol) {
        return None;
    }
    let path = Symbol::demangle(symbol)?.declaring_types()?;
    let [name] = path.as_slice() else { return None };
    let ty = line[at + symbol.len()..].split_once(" : $")?.1;
    let clause = clause_at(&ty[ty.find('<')?..])?;
    let function = &ty[ty.find('<')? + clause.len()..];
    let written = function.find(name.as_str()).map(|at| &function[at..at + name.len()]);
    written.filter(|_| function.starts_with(" (")).map(|name| (name, clause))
}

/// Returns the type and the parameters in `sil_witness_table private <T where T : P> Name<T>: Q module main {`.
fn head_of_table(line: &str) -> Option<(&str, &str)> {
    let clause = clause_at(&line[line.find('<')?..])?;
    let conforming = line[line.find('<')? + clause.len()..].strip_prefix(' ')?;
    let (name, _) = conforming.split_once('<')?;
    Some((name, clause))
}

/// Returns the list in angle brackets at the start of `text`.
fn clause_at(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            '\n' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[..at + 1]).filter(|list| list.len() > 2);
        }
    }
    None
}

/// Returns the items of a list that is separated by commas outside of brackets.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    list.split(move |character| {
        match character {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    })
}

/// `<τ_0_0, τ_0_1>`
fn plain_clause(count: usize) -> String {
    let parameters: Vec<String> = (0..count).map(|index| format!("τ_0_{index}")).collect();
    format!("<{}>", parameters.join(", "))
}

fn signature(context: &Context, table: &DeclarationTable, file: FileId, clause: &str) -> Option<SignatureId> {
    let function = function_type(context, table, file, &format!("{clause} () -> ()"))?;
    match context.get(function) {
        Type::FormalFunction(function) => function.signature,
        _ => None,
    }
}
