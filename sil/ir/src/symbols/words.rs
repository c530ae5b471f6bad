//! The words of identifiers, which later identifiers of a symbol can refer to (docs/ABI/Mangling.rst, "Identifiers").

use std::ops::Range;

/// As many words can be referred to as there are letters.
pub(super) const MOST_WORDS: usize = 26;

/// Shorter words are not remembered.
pub(super) const SHORTEST_WORD: usize = 2;

/// The words of `identifier` as ranges of bytes: they begin at a character that is neither a digit nor `_`, and end
/// before `_` or where upper case follows another character.
pub(super) fn words_of(identifier: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for position in 0..=identifier.len() {
        let byte = identifier.get(position).copied();
        if let Some(begin) = start {
            let former = identifier[position - 1];
            let ends =
                byte.is_none_or(|byte| byte == b'_' || (!former.is_ascii_uppercase() && byte.is_ascii_uppercase()));
            if ends {
                words.push(begin..position);
                start = None;
            }
        }
        if start.is_none() && byte.is_some_and(|byte| !byte.is_ascii_digit() && byte != b'_') {
            start = Some(position);
        }
    }
    words
}
