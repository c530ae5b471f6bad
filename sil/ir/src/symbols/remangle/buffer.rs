//! The text of a mangled name: identifiers with word substitutions, and back-references that merge with the one before
//! (docs/ABI/Mangling.rst, "Identifiers" and "Substitutions").

use super::super::kind::Reference;
use super::super::punycode;
use super::super::words::{MOST_WORDS, SHORTEST_WORD, words_of};

/// A substitution is repeated so often at most.
const MOST_REPETITIONS: usize = 2048;

/// A mangled name in the making.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    words: Vec<Box<str>>,
    last: Option<LastSubstitution>,
    references: Vec<usize>,
}

/// The substitution that ends the text, which the next one may merge with.
struct LastSubstitution {
    /// Where its operand starts.
    position: usize,
    /// Where it ends.
    end: usize,
    count: usize,
    kind: SubstitutionKind,
}

/// The referent of a substitution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SubstitutionKind {
    /// `S…`: a type of the standard library.
    Standard,
    /// `A…`: something earlier in the name.
    BackReference,
}

/// A piece of an identifier.
enum Piece<'i> {
    Literal(&'i str),
    Word(usize),
}

impl Buffer {
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The text, and where the addresses of references stand in it.
    pub(super) fn finish(self) -> (Vec<u8>, Vec<usize>) {
        (self.bytes, self.references)
    }

    /// `INDEX`: `_` for 0, `0_` for 1, …
    pub(super) fn index(&mut self, index: usize) {
        if let Some(rest) = index.checked_sub(1) {
            self.push(&rest.to_string());
        }
        self.push("_");
    }

    /// A control byte and an address.
    pub(super) fn reference(&mut self, reference: Reference, address: i32) {
        self.bytes.push(reference.control_byte());
        self.references.push(self.bytes.len());
        self.bytes.extend_from_slice(&address.to_le_bytes());
    }

    /// An identifier with its length, words that appeared before replaced by letters.
    pub(super) fn identifier(&mut self, identifier: &str) {
        if punycode::is_needed(identifier) {
            return self.punycode(identifier);
        }
        let pieces = self.split(identifier);
        let last_word = pieces.iter().rposition(|piece| matches!(piece, Piece::Word(_)));
        if last_word.is_some() {
            self.push("0");
        }
        for (number, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Literal(literal) => {
                    self.push(&literal.len().to_string());
                    // A digit would belong to the length.
                    let digit = literal.starts_with(|first: char| first.is_ascii_digit());
                    self.push(if digit { "X" } else { "" });
                    self.push(if digit { &literal[1..] } else { literal });
                }
                Piece::Word(word) if Some(number) == last_word => {
                    self.bytes.push(b'A' + *word as u8);
                    if number + 1 == pieces.len() {
                        self.push("0");
                    }
                }
                Piece::Word(word) => self.bytes.push(b'a' + *word as u8),
            }
        }
    }

    /// Splits an identifier at the words that are known, and learns the others.
    fn split<'i>(&mut self, identifier: &'i str) -> Vec<Piece<'i>> {
        let mut pieces = Vec::new();
        let mut done = 0;
        for range in words_of(identifier.as_bytes()) {
            let word = &identifier[range.clone()];
            if let Some(known) = self.words.iter().position(|known| **known == *word) {
                if done < range.start {
                    pieces.push(Piece::Literal(&identifier[done..range.start]));
                }
                pieces.push(Piece::Word(known));
                done = range.end;
            } else if word.len() >= SHORTEST_WORD && self.words.len() < MOST_WORDS {
                self.words.push(word.into());
            }
        }
        if done < identifier.len() {
            pieces.push(Piece::Literal(&identifier[done..]));
        }
        pieces
    }

    fn punycode(&mut self, identifier: &str) {
        let encoded = punycode::encode(identifier);
        self.push("00");
        self.push(&encoded.len().to_string());
        if encoded.starts_with(|first: char| first.is_ascii_digit() || first == '_') {
            self.push("_");
        }
        self.push(&encoded);
    }

    /// A back-reference to the entity with this number.
    pub(super) fn back_reference(&mut self, index: usize) {
        match index.checked_sub(MOST_WORDS) {
            Some(rest) => {
                self.push("A");
                self.index(rest);
            }
            None => {
                let letter = char::from(b'A' + index as u8);
                self.substitution(letter.encode_utf8(&mut [0; 4]), SubstitutionKind::BackReference);
            }
        }
    }

    /// A substitution, merged with the one right before it where both have the same kind.
    pub(super) fn substitution(&mut self, operand: &str, kind: SubstitutionKind) {
        if !self.merge(operand, kind) {
            self.push(match kind {
                SubstitutionKind::Standard => "S",
                SubstitutionKind::BackReference => "A",
            });
            let position = self.bytes.len();
            self.push(operand);
            self.last = Some(LastSubstitution { position, end: self.bytes.len(), count: 1, kind });
        }
    }

    fn merge(&mut self, operand: &str, kind: SubstitutionKind) -> bool {
        let ends_text = |last: &&mut LastSubstitution| {
            last.end == self.bytes.len() && last.kind == kind && last.count < MOST_REPETITIONS
        };
        let Some(last) = self.last.as_mut().filter(ends_text) else { return false };
        let previous = &self.bytes[last.position..];
        let digits = previous.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if &previous[digits..] == operand.as_bytes() {
            last.count += 1;
            let merged = format!("{}{operand}", last.count);
            self.bytes.truncate(last.position);
            self.bytes.extend_from_slice(merged.as_bytes());
        } else if kind == SubstitutionKind::BackReference {
            // Only the last reference in a row is a capital letter.
            let lowered = self.bytes.pop().map(|letter| letter.to_ascii_lowercase());
            self.bytes.extend(lowered);
            last.position = self.bytes.len();
            last.count = 1;
            self.bytes.extend_from_slice(operand.as_bytes());
        } else {
            return false;
        }
        last.end = self.bytes.len();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifiers(names: &[&str]) -> String {
        let mut buffer = Buffer::default();
        names.iter().for_each(|name| buffer.identifier(name));
        String::from_utf8_lossy(&buffer.finish().0).into_owned()
    }

    #[test]
    fn words_that_appeared_become_letters() {
        assert_eq!(
            identifiers(&["__ContiguousArrayStorageBase", "_doNotCallMeBase"]),
            "28__ContiguousArrayStorageBase012_doNotCallMeD0"
        );
        assert_eq!(identifiers(&["AbcDefGHI", "MyAbcGHI_Def"]), "9AbcDefGHI02Myac1_B0");
        assert_eq!(identifiers(&["class_inheritance", "Animal"]), "17class_inheritance6Animal");
    }

    #[test]
    fn identifiers_with_other_characters_are_punycode() {
        assert_eq!(identifiers(&["vergüenza"]), "0012vergenza_JFa");
        for name in ["vergüenza", "a.b", "0", "1 + 1", "日本語", "_é_"] {
            assert_eq!(punycode::decode(&punycode::encode(name)).as_deref(), Some(name));
        }
    }

    #[test]
    fn substitutions_in_a_row_merge() {
        let text = |buffer: Buffer| String::from_utf8_lossy(&buffer.finish().0).into_owned();
        let mut buffer = Buffer::default();
        for index in [0, 4, 4, 1, 1] {
            buffer.back_reference(index);
        }
        assert_eq!(text(buffer), "Aa2e2B");
        let mut buffer = Buffer::default();
        for letter in ["i", "i", "i", "b"] {
            buffer.substitution(letter, SubstitutionKind::Standard);
        }
        assert_eq!(text(buffer), "S3iSb");
    }
}
