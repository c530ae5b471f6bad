//! Names: identifiers with words that they share, operators, private and local names, and references back.

use super::super::node::{Kind, NodeId, Nominal};
use super::super::punycode;
use super::Parser;

/// So many words of a symbol can be referred to.
const MOST_WORDS: usize = 26;

/// So often can one reference be repeated at once.
const MOST_REPETITIONS: u32 = 2048;

impl<'a> Parser<'a> {
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
            let slice = self.text.get(self.at..self.at.checked_add(length)?)?;
            if is_punycode {
                name.push_str(&punycode::decode(slice)?);
            } else {
                name.push_str(slice);
                self.note_words(slice);
            }
            self.at += length;
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

    /// Words begin at a letter and end before `_`, or where upper case follows lower case.
    fn note_words(&mut self, text: &'a str) {
        let bytes = text.as_bytes();
        let mut start = None;
        for index in 0..=bytes.len() {
            let byte = bytes.get(index).copied();
            if let Some(begun) = start {
                let former = bytes[index - 1];
                let ends = byte.is_none_or(|byte| byte == b'_' || (!is_upper(former) && is_upper(byte)));
                if ends {
                    if index - begun >= 2 && self.words.len() < MOST_WORDS {
                        self.words.extend(text.get(begun..index));
                    }
                    start = None;
                }
            }
            if start.is_none() && byte.is_some_and(|byte| !byte.is_ascii_digit() && byte != b'_') {
                start = Some(index);
            }
        }
    }

    pub(super) fn operator_name(&mut self) -> Option<NodeId> {
        const CHARACTERS: &[u8; 26] = b"& @/= >    <*!|+?%-~   ^ .";
        let name = self.pop_kind(Kind::Identifier)?;
        let mut operator = String::new();
        for character in self.node(name).text.chars() {
            let written = match character {
                'a'..='z' => char::from(CHARACTERS[usize::from(character as u8 - b'a')]),
                _ if !character.is_ascii() => character,
                _ => return None,
            };
            if written == ' ' {
                return None;
            }
            operator.push(written);
        }
        let fixity = match self.next() {
            b'i' => " infix",
            b'p' => " prefix",
            b'P' => " postfix",
            _ => return None,
        };
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

    /// `A` and what follows: references to what the symbol has named before.
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

    /// `S` and what follows: the standard library's well-known types.
    pub(super) fn standard_substitution(&mut self) -> Option<NodeId> {
        match self.next() {
            b'o' => Some(self.tree.add_text(Kind::Module, "__C")),
            b'C' => Some(self.tree.add_text(Kind::Module, "__C_Synthesized")),
            b'g' => {
                let object = self.pop_type()?;
                let optional = self.swift_type(Nominal::Enum, "Optional");
                let arguments = self.add(Kind::TypeList, &[object]);
                let bound = self.ty(Kind::BoundGeneric(Nominal::Enum), &[optional, arguments]);
                Some(self.substitutable(bound))
            }
            _ => {
                self.back();
                let repetitions = self.natural();
                let concurrency = self.eat(b'c');
                let (nominal, name) = match concurrency {
                    true => concurrency_type(self.next())?,
                    false => standard_type(self.next())?,
                };
                let ty = self.swift_type(nominal, name);
                self.repeat(ty, repetitions)
            }
        }
    }

    fn swift_type(&mut self, nominal: Nominal, name: &str) -> NodeId {
        let module = self.tree.add_text(Kind::Module, "Swift");
        let name = self.tree.add_text(Kind::Identifier, name);
        self.ty(Kind::Nominal(nominal), &[module, name])
    }
}

fn is_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase()
}

/// The types of `include/swift/Demangling/StandardTypesMangling.def`.
fn standard_type(letter: u8) -> Option<(Nominal, &'static str)> {
    use Nominal::{Enum, Protocol, Structure};
    Some(match letter {
        b'A' => (Structure, "AutoreleasingUnsafeMutablePointer"),
        b'a' => (Structure, "Array"),
        b'b' => (Structure, "Bool"),
        b'D' => (Structure, "Dictionary"),
        b'd' => (Structure, "Double"),
        b'f' => (Structure, "Float"),
        b'h' => (Structure, "Set"),
        b'I' => (Structure, "DefaultIndices"),
        b'i' => (Structure, "Int"),
        b'J' => (Structure, "Character"),
        b'N' => (Structure, "ClosedRange"),
        b'n' => (Structure, "Range"),
        b'O' => (Structure, "ObjectIdentifier"),
        b'P' => (Structure, "UnsafePointer"),
        b'p' => (Structure, "UnsafeMutablePointer"),
        b'R' => (Structure, "UnsafeBufferPointer"),
        b'r' => (Structure, "UnsafeMutableBufferPointer"),
        b'S' => (Structure, "String"),
        b's' => (Structure, "Substring"),
        b'u' => (Structure, "UInt"),
        b'V' => (Structure, "UnsafeRawPointer"),
        b'v' => (Structure, "UnsafeMutableRawPointer"),
        b'W' => (Structure, "UnsafeRawBufferPointer"),
        b'w' => (Structure, "UnsafeMutableRawBufferPointer"),
        b'q' => (Enum, "Optional"),
        b'B' => (Protocol, "BinaryFloatingPoint"),
        b'E' => (Protocol, "Encodable"),
        b'e' => (Protocol, "Decodable"),
        b'F' => (Protocol, "FloatingPoint"),
        b'G' => (Protocol, "RandomNumberGenerator"),
        b'H' => (Protocol, "Hashable"),
        b'j' => (Protocol, "Numeric"),
        b'K' => (Protocol, "BidirectionalCollection"),
        b'k' => (Protocol, "RandomAccessCollection"),
        b'L' => (Protocol, "Comparable"),
        b'l' => (Protocol, "Collection"),
        b'M' => (Protocol, "MutableCollection"),
        b'm' => (Protocol, "RangeReplaceableCollection"),
        b'Q' => (Protocol, "Equatable"),
        b'T' => (Protocol, "Sequence"),
        b't' => (Protocol, "IteratorProtocol"),
        b'U' => (Protocol, "UnsignedInteger"),
        b'X' => (Protocol, "RangeExpression"),
        b'x' => (Protocol, "Strideable"),
        b'Y' => (Protocol, "RawRepresentable"),
        b'y' => (Protocol, "StringProtocol"),
        b'Z' => (Protocol, "SignedInteger"),
        b'z' => (Protocol, "BinaryInteger"),
        _ => return None,
    })
}

fn concurrency_type(letter: u8) -> Option<(Nominal, &'static str)> {
    use Nominal::{Class, Protocol, Structure};
    Some(match letter {
        b'A' => (Protocol, "Actor"),
        b'C' => (Structure, "CheckedContinuation"),
        b'c' => (Structure, "UnsafeContinuation"),
        b'E' => (Structure, "CancellationError"),
        b'e' => (Structure, "UnownedSerialExecutor"),
        b'F' => (Protocol, "Executor"),
        b'f' => (Protocol, "SerialExecutor"),
        b'G' => (Structure, "TaskGroup"),
        b'g' => (Structure, "ThrowingTaskGroup"),
        b'h' => (Protocol, "TaskExecutor"),
        b'I' => (Protocol, "AsyncIteratorProtocol"),
        b'i' => (Protocol, "AsyncSequence"),
        b'J' => (Structure, "UnownedJob"),
        b'M' => (Class, "MainActor"),
        b'P' => (Structure, "TaskPriority"),
        b'S' => (Structure, "AsyncStream"),
        b's' => (Structure, "AsyncThrowingStream"),
        b'T' => (Structure, "Task"),
        b't' => (Structure, "UnsafeCurrentTask"),
        _ => return None,
    })
}
