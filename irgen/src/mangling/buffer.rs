//! The text of a mangled name: identifiers with word substitutions, and back-references that merge with the one before
//! (docs/ABI/Mangling.rst, "Identifiers" and "Substitutions").

/// As many words can be referred to as there are letters.
const WORDS_AT_MOST: usize = 26;

/// A mangled name in the making.
#[derive(Default)]
pub(super) struct Buffer {
    text: String,
    words: Vec<Box<str>>,
    last: Option<LastSubstitution>,
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

/// What a substitution refers to.
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
        self.text.push_str(text);
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// `INDEX`: `_` for 0, `0_` for 1, …
    pub(super) fn index(&mut self, index: usize) {
        if let Some(rest) = index.checked_sub(1) {
            self.text.push_str(&rest.to_string());
        }
        self.text.push('_');
    }

    /// An identifier with its length, words that appeared before replaced by letters.
    pub(super) fn identifier(&mut self, identifier: &str) {
        if !identifier.is_ascii() {
            return self.punycode(identifier);
        }
        let pieces = self.split(identifier);
        let last_word = pieces.iter().rposition(|piece| matches!(piece, Piece::Word(_)));
        if last_word.is_some() {
            self.text.push('0');
        }
        for (number, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Literal(literal) => {
                    self.text.push_str(&literal.len().to_string());
                    self.text.push_str(literal);
                }
                Piece::Word(word) if Some(number) == last_word => {
                    self.text.push((b'A' + *word as u8) as char);
                    if number + 1 == pieces.len() {
                        self.text.push('0');
                    }
                }
                Piece::Word(word) => self.text.push((b'a' + *word as u8) as char),
            }
        }
    }

    /// Splits an identifier at the words that are known, and learns the others.
    fn split<'i>(&mut self, identifier: &'i str) -> Vec<Piece<'i>> {
        let mut pieces = Vec::new();
        let mut done = 0;
        for (start, end) in words_of(identifier) {
            let word = &identifier[start..end];
            if let Some(known) = self.words.iter().position(|known| **known == *word) {
                if done < start {
                    pieces.push(Piece::Literal(&identifier[done..start]));
                }
                pieces.push(Piece::Word(known));
                done = end;
            } else if word.len() >= 2 && self.words.len() < WORDS_AT_MOST {
                self.words.push(word.into());
            }
        }
        if done < identifier.len() {
            pieces.push(Piece::Literal(&identifier[done..]));
        }
        pieces
    }

    fn punycode(&mut self, identifier: &str) {
        let encoded = punycode(identifier);
        self.text.push_str("00");
        self.text.push_str(&encoded.len().to_string());
        if encoded.starts_with(|first: char| first.is_ascii_digit() || first == '_') {
            self.text.push('_');
        }
        self.text.push_str(&encoded);
    }

    /// A back-reference to the entity with this number.
    pub(super) fn back_reference(&mut self, index: usize) {
        match index.checked_sub(WORDS_AT_MOST) {
            Some(rest) => {
                self.text.push('A');
                self.index(rest);
            }
            None => {
                let letter = ((b'A' + index as u8) as char).to_string();
                self.substitution(&letter, SubstitutionKind::BackReference);
            }
        }
    }

    /// A substitution, merged with the one right before it where both have the same kind.
    pub(super) fn substitution(&mut self, operand: &str, kind: SubstitutionKind) {
        if !self.merge(operand, kind) {
            self.text.push(match kind {
                SubstitutionKind::Standard => 'S',
                SubstitutionKind::BackReference => 'A',
            });
            let position = self.text.len();
            self.text.push_str(operand);
            self.last = Some(LastSubstitution { position, end: self.text.len(), count: 1, kind });
        }
    }

    fn merge(&mut self, operand: &str, kind: SubstitutionKind) -> bool {
        let Some(last) = self.last.as_mut().filter(|last| last.end == self.text.len() && last.kind == kind) else {
            return false;
        };
        let previous = self.text[last.position..].trim_start_matches(|digit: char| digit.is_ascii_digit());
        if previous == operand {
            last.count += 1;
            let merged = format!("{}{operand}", last.count);
            self.text.truncate(last.position);
            self.text.push_str(&merged);
        } else if kind == SubstitutionKind::BackReference {
            // Only the last reference in a row is a capital letter.
            let lowered = self.text.pop().map(|letter| letter.to_ascii_lowercase());
            self.text.extend(lowered);
            last.position = self.text.len();
            last.count = 1;
            self.text.push_str(operand);
        } else {
            return false;
        }
        last.end = self.text.len();
        true
    }
}

/// The words of an identifier as byte ranges: runs without `_`, and what begins with a capital letter after another.
fn words_of(identifier: &str) -> Vec<(usize, usize)> {
    let bytes = identifier.as_bytes();
    let mut words = Vec::new();
    let mut start = None;
    for position in 0..=bytes.len() {
        let character = bytes.get(position).copied().unwrap_or(0);
        let ends = character == 0
            || character == b'_'
            || (position > 0 && !bytes[position - 1].is_ascii_uppercase() && character.is_ascii_uppercase());
        if let Some(begin) = start.filter(|_| ends) {
            words.push((begin, position));
            start = None;
        }
        if start.is_none() && character != 0 && character != b'_' && !character.is_ascii_digit() {
            start = Some(position);
        }
    }
    words
}

/// RFC 3492 with `_` for the delimiter and `A`…`J` for the digits `0`…`9`.
fn punycode(identifier: &str) -> String {
    const BASE: u32 = 36;
    let digit = |value: u32| (if value < 26 { b'a' + value as u8 } else { b'A' + (value - 26) as u8 }) as char;
    let characters: Vec<u32> = identifier.chars().map(u32::from).collect();
    let mut encoded: String = identifier.chars().filter(char::is_ascii).collect();
    let basic = encoded.len() as u32;
    let mut handled = basic;
    if basic > 0 {
        encoded.push('_');
    }
    let (mut code_point, mut delta, mut bias) = (128u32, 0u32, 72u32);
    while (handled as usize) < characters.len() {
        let Some(next) = characters.iter().copied().filter(|character| *character >= code_point).min() else { break };
        delta += (next - code_point) * (handled + 1);
        code_point = next;
        for character in &characters {
            if *character < code_point {
                delta += 1;
            }
            if *character != code_point {
                continue;
            }
            let mut rest = delta;
            for step in 1.. {
                let threshold = (step * BASE).saturating_sub(bias).clamp(1, 26);
                if rest < threshold {
                    break;
                }
                encoded.push(digit(threshold + (rest - threshold) % (BASE - threshold)));
                rest = (rest - threshold) / (BASE - threshold);
            }
            encoded.push(digit(rest));
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled += 1;
        }
        delta += 1;
        code_point += 1;
    }
    encoded
}

fn adapt(delta: u32, handled: u32, is_first: bool) -> u32 {
    let mut delta = delta / if is_first { 700 } else { 2 };
    delta += delta / handled;
    let mut steps = 0;
    while delta > 455 {
        delta /= 35;
        steps += 36;
    }
    steps + 36 * delta / (delta + 38)
}
