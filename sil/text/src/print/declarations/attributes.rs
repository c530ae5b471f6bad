//! Attributes and modifiers: which are printed, in which order, and which have a line of their own.

use crate::syntax::types::Piece;

/// Attributes that Swift's printer writes on a line of their own, before the others (include/swift/AST/DeclAttr.def).
const LONG: [&str; 15] = [
    "@_silgen_name",
    "@available",
    "@_specialize",
    "@warn_unqualified_access",
    "@_cdecl",
    "@usableFromInline",
    "@discardableResult",
    "@_forbidSerializingReference",
    "@differentiable",
    "@_originallyDefinedIn",
    "@derivative",
    "@transpose",
    "@backDeployed",
    "@_expose",
    "@lifetime",
];

/// Attributes that Swift's printer leaves out of SIL.
const OMITTED: [&str; 4] = ["@_transparent", "@_effects", "@_fixed_layout", "@_show_in_interface"];

/// Modifiers after all others, in this order: Swift's printer does not treat them as attributes.
const LAST: [&str; 6] = ["static", "class", "mutating", "nonmutating", "__consuming", "consuming"];

/// The attributes before a declaration, in the printed order. None if something in them is not understood.
pub(super) fn ordered(written: &[Piece<'_>]) -> Option<Vec<String>> {
    let mut texts: Vec<String> = Vec::with_capacity(written.len());
    for piece in written {
        let text = piece.slice();
        if text.contains(['\n', '/']) {
            return None;
        }
        if !OMITTED.contains(&name(text)) {
            texts.push(match text.strip_prefix("@_specialize(where ") {
                Some(rest) => format!("@_specialize(exported: false, kind: full, where {rest}"),
                None => text.to_owned(),
            });
        }
    }
    texts.sort_by_key(|text| rank(text));
    Some(texts)
}

/// Adds an attribute that is not written, after the written ones of its kind.
pub(super) fn add(attributes: &mut Vec<String>, text: &str) {
    let rank_of_new = rank(text);
    let at = attributes.iter().position(|attribute| rank(attribute) > rank_of_new).unwrap_or(attributes.len());
    attributes.insert(at, text.to_owned());
}

/// Whether the attribute has a line of its own.
pub(super) fn is_long(text: &str) -> bool {
    LONG.contains(&name(text))
}

fn name(text: &str) -> &str {
    text.split('(').next().unwrap_or(text)
}

fn rank(text: &str) -> usize {
    match text.strip_prefix('@') {
        // The order of long attributes and others is kept.
        Some(_) => 0,
        None => LAST.iter().position(|word| *word == text).map_or(1, |position| position + 2),
    }
}
