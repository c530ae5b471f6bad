//! Types that a module's text mentions without declarations: by mangled symbols, and by instructions and tables that
//! use them as structs, enums, classes or protocols. Only the text is examined, before types and bodies are read.

use rustc_hash::FxHashSet;
use sil_ir::context::Context;
use sil_ir::declarations::{Mention, MentionedTypes, NominalKind};
use sil_ir::symbols::{MentionedKind, Place, mentioned_types};

use crate::syntax::names::plain_name;

/// Returns the types that `text` mentions.
pub(super) fn mentions(context: &Context, text: &str) -> MentionedTypes {
    let mut mentioned = MentionedTypes::new(context.name(""));
    let mut seen = FxHashSet::default();
    for (_, symbol) in symbols(text).filter(|(_, symbol)| seen.insert(*symbol)) {
        for ty in mentioned_types(symbol) {
            if let Place::Module(module) = &ty.place {
                let path = ty.path.iter().map(|name| context.name(name)).collect();
                mentioned.add(path, Mention { module: context.name(module), kind: nominal_kind(ty.kind) });
            }
        }
    }
    let names = |path: &str| path.split('.').map(|name| context.name(plain_name(name))).collect();
    let words = word_uses(text).map(|(_, path, kind)| (path, kind));
    for (path, kind) in member_uses(text).chain(words) {
        mentioned.add_use(names(path), kind);
    }
    mentioned
}

/// Returns the kind of declaration from its kind in symbols.
pub(super) fn nominal_kind(kind: Option<MentionedKind>) -> NominalKind {
    match kind {
        Some(MentionedKind::Class) => NominalKind::Class,
        Some(MentionedKind::Structure) => NominalKind::Struct,
        Some(MentionedKind::Enum) => NominalKind::Enum,
        Some(MentionedKind::Protocol) => NominalKind::Protocol,
        None => NominalKind::Unknown,
    }
}

/// Returns the types of members in references and their kinds: `struct_extract %0, #Point.x`.
fn member_uses(text: &str) -> impl Iterator<Item = (&str, NominalKind)> {
    memchr::memchr_iter(b'#', text.as_bytes()).filter_map(|at| {
        let (whole, rest) = path_ahead(&text[at + 1..]);
        let (parent, _) = whole.rsplit_once('.')?;
        Some((parent, kind_of_parent(&text[..at], rest)?))
    })
}

/// The part of a line around a reference that is examined, in bytes. Lines may be of any length.
const NEAR: usize = 1024;

/// Returns the kind of a member's type, from the text in front of the reference and after its path.
pub(super) fn kind_of_parent(before: &str, after: &str) -> Option<NominalKind> {
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(NEAR))..];
    let line = &near[near.rfind('\n').map_or(0, |end| end + 1)..];
    let has = |word: &str| line.contains(word);
    if after.starts_with("!enumelt") {
        return Some(NominalKind::Enum);
    }
    if has("struct_extract ") || has("struct_element_addr ") {
        return Some(NominalKind::Struct);
    }
    if has("ref_element_addr ") || has("class_method ") || has("super_method ") {
        return Some(NominalKind::Class);
    }
    if has("witness_method ") || line.trim_start().starts_with("method ") {
        return Some(NominalKind::Protocol);
    }
    // An entry of a vtable.
    let entry = after[..after.floor_char_boundary(NEAR)].lines().next().unwrap_or_default();
    let inherits = entry.contains("[override]") || entry.contains("[inherited]");
    (line.trim().is_empty() && inherits).then_some(NominalKind::Class)
}

/// Returns whether the text after `before` names a case whose payload an instruction projects.
pub(super) fn is_projection(before: &str) -> bool {
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(NEAR))..];
    near.lines().next_back().is_some_and(|line| line.contains("_enum_data"))
}

/// The text in front of the name of a type of one kind only.
const WORDS: [(&str, NominalKind); 4] = [
    ("@convention(witness_method: ", NominalKind::Protocol),
    (" = struct $", NominalKind::Struct),
    (" = enum $", NominalKind::Enum),
    (" = alloc_ref $", NominalKind::Class),
];

/// Returns the type names after such words, with their offsets and kinds.
pub(super) fn word_uses(text: &str) -> impl Iterator<Item = (usize, &str, NominalKind)> {
    WORDS.into_iter().flat_map(move |(word, kind)| {
        let places = memchr::memmem::find_iter(text.as_bytes(), word).map(move |at| at + word.len());
        places.map(move |at| (at, path_ahead(&text[at..]).0, kind)).filter(|(_, path, _)| !path.is_empty())
    })
}

/// Splits `Point.x!getter` into `Point.x` and the rest.
fn path_ahead(text: &str) -> (&str, &str) {
    let ends = |character: char| !(character.is_alphanumeric() || matches!(character, '_' | '.'));
    let (path, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (path.trim_end_matches('.'), rest)
}

/// Returns the names after `@` in `text` that may be mangled, with their offsets: `@$s4main1fyyF`, `@"$s4main…"`.
pub(super) fn symbols(text: &str) -> impl Iterator<Item = (usize, &str)> {
    memchr::memchr_iter(b'@', text.as_bytes()).filter_map(|at| {
        let quoted = text[at + 1..].starts_with('"');
        let start = at + 1 + usize::from(quoted);
        let rest = &text[start..];
        if !rest.starts_with('$') {
            return None;
        }
        let ends = |character: char| match quoted {
            true => matches!(character, '"' | '\n'),
            false => !(character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.')),
        };
        Some((start, &rest[..rest.find(ends).unwrap_or(rest.len())]))
    })
}
