//! Names: identifiers with words that they share, operators, private and local names, and references back.

use super::super::kind::Kind;
use super::super::spelling::{Fixity, Nominal};
use super::super::tree::NodeId;
use super::super::words::{MOST_WORDS, SHORTEST_WORD, words_of};
use super::super::{operator_names, punycode, standard};
use super::Demangler;

/// So often can one reference be repeated at once.
const MOST_REPETITIONS: u32 = 2048;

impl<'a> Demangler<'a> {
    pub(super) fn identifier(&mut self) -> Option<NodeId> {
        if !self.peek().is_ascii_digit() {
            return None;
        }
        let (mut has_words, mut is_punycode) = (false, false);
        if self.eat(b'0') {
            is_punycode = self.eat(b'0');
            has_words = !is_punycode;
        }
        let mut name = String::new();
        loop {
            while has_words && self.peek().is_ascii_alphabetic() {
                let letter = self.next();
                has_words = letter.is_ascii_lowercase();
                name.push_str(self.words.get(usize::from(letter.to_ascii_lowercase() - b'a'))?);
            }
            if self.eat(b'0') {
                break;
            }
            let length = self.natural().filter(|length| *length > 0)? as usize;
            if is_punycode {
                self.eat(b'_');
            }
            let slice = self.take(length)?;
            if is_punycode {
                name.push_str(&punycode::decode(slice)?);
            } else {
                name.push_str(slice);
                self.note_words(slice);
            }
            if !has_words {
                break;
            }
        }
        if name.is_empty() {
            return None;
        }
        let name = self.tree.add_text(Kind::Identifier, &name);
        Some(self.substitutable(name))
    }

    fn note_words(&mut self, text: &'a str) {
        for word in words_of(text.as_bytes()) {
            if word.len() >= SHORTEST_WORD && self.words.len() < MOST_WORDS {
                self.words.extend(text.get(word));
            }
        }
    }

    pub(super) fn operator_name(&mut self) -> Option<NodeId> {
        let name = self.pop_kind(Kind::Identifier)?;
        let operator = operator_names::decode(&self.node(name).text)?;
        let fixity = self.eat_spelled::<Fixity>()?;
        Some(self.tree.add_text(Kind::Operator(fixity), &operator))
    }

    pub(super) fn local_name(&mut self) -> Option<NodeId> {
        if self.eat(b'L') {
            let discriminator = self.pop_kind(Kind::Identifier)?;
            let name = self.pop_name()?;
            return Some(self.add(Kind::PrivateDeclName, &[discriminator, name]));
        }
        if self.eat(b'l') {
            let discriminator = self.pop_kind(Kind::Identifier)?;
            return Some(self.add(Kind::PrivateDeclName, &[discriminator]));
        }
        if matches!(self.peek(), b'a'..=b'j' | b'A'..=b'J') {
            let letter = char::from(self.next());
            let name = self.pop()?;
            let related = self.tree.add_text(Kind::RelatedEntityDeclName, letter.encode_utf8(&mut [0; 4]));
            self.append(related, name);
            return Some(related);
        }
        let discriminator = self.number()?;
        let name = self.pop_name()?;
        Some(self.add(Kind::LocalDeclName, &[discriminator, name]))
    }

    /// `A` and the text after it: references to earlier names of the symbol.
    pub(super) fn substitution(&mut self) -> Option<NodeId> {
        let mut repetitions = None;
        loop {
            match self.next() {
                letter @ b'a'..=b'z' => {
                    let node = self.repeated(repetitions, letter - b'a')?;
                    self.push(node)?;
                    repetitions = None;
                }
                letter @ b'A'..=b'Z' => return self.repeated(repetitions, letter - b'A'),
                b'_' => {
                    let index = repetitions.map_or(26, |number: u32| number as usize + 27);
                    return self.substitutions.get(index).copied();
                }
                0 => return None,
                _ => {
                    self.back();
                    repetitions = Some(self.natural()?);
                }
            }
        }
    }

    fn repeated(&mut self, repetitions: Option<u32>, index: u8) -> Option<NodeId> {
        let node = *self.substitutions.get(usize::from(index))?;
        self.repeat(node, repetitions)
    }

    /// Pushes `node` so often that it is there `repetitions` times once the caller pushes it.
    fn repeat(&mut self, node: NodeId, repetitions: Option<u32>) -> Option<NodeId> {
        let repetitions = repetitions.unwrap_or(1);
        if repetitions > MOST_REPETITIONS {
            return None;
        }
        for _ in 1..repetitions {
            self.push(node)?;
        }
        Some(node)
    }

    /// `S` and the text after it: the standard library's well-known types.
    pub(super) fn standard_substitution(&mut self) -> Option<NodeId> {
        match self.next() {
            b'o' => Some(self.tree.add_text(Kind::Module, "__C")),
            b'C' => Some(self.tree.add_text(Kind::Module, "__C_Synthesized")),
            b'g' => {
                let object = self.pop_type()?;
                let optional = self.tree.add_swift_type(Nominal::Enum, "Optional");
                let arguments = self.add(Kind::TypeList, &[object]);
                let bound = self.ty(Kind::BoundGeneric(Nominal::Enum), &[optional, arguments]);
                Some(self.substitutable(bound))
            }
            _ => {
                self.back();
                let repetitions = self.natural();
                let standard = standard::at_start_of(self.rest())?;
                self.at += standard.letters.len();
                let ty = self.tree.add_swift_type(standard.nominal, standard.name);
                self.repeat(ty, repetitions)
            }
        }
    }
}
