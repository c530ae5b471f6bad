//! The opcode of an instruction: today's spelling, older ones, and suggestions for what is neither.

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;

/// Spellings of former versions, and what they are called today.
const FORMER: &[(&str, Opcode)] = &[
    ("mark_must_check", Opcode::MarkUnresolvedNonCopyableValue),
    ("thin_function_to_pointer", Opcode::UncheckedTrivialBitCast),
    ("pointer_to_thin_function", Opcode::UncheckedTrivialBitCast),
    ("is_escaping_closure", Opcode::DestroyNotEscapedClosure),
    ("moveonlywrapper_to_copyable_value", Opcode::MoveonlywrapperToCopyable),
];

impl BodyReader<'_, '_> {
    /// Reads an opcode.
    pub(in super::super) fn opcode(&mut self) -> Parsed<Opcode> {
        let cursor = &mut self.reader.cursor;
        if !cursor.at(Token::Identifier) {
            return Err(cursor.expected("an instruction"));
        }
        let text = cursor.peek_text();
        let former = || FORMER.iter().find(|(name, _)| *name == text).map(|(_, opcode)| *opcode);
        match opcode_named(text).or_else(former) {
            Some(opcode) => {
                cursor.bump();
                Ok(opcode)
            }
            None => {
                let error =
                    Diagnostic::error("unknown-instruction", format!("unknown instruction '{text}'"), cursor.span());
                let names = Opcode::ALL.iter().map(|opcode| opcode.name());
                Err(Box::new(match closest(text, names) {
                    Some(name) => error.hint(format!("did you mean '{name}'?")),
                    None => error,
                }))
            }
        }
    }
}

/// The opcode called `text`.
fn opcode_named(text: &str) -> Option<Opcode> {
    use std::sync::LazyLock;
    static NAMES: LazyLock<rustc_hash::FxHashMap<&'static str, Opcode>> =
        LazyLock::new(|| Opcode::ALL.iter().map(|opcode| (opcode.name(), *opcode)).collect());
    NAMES.get(text).copied()
}

/// The name that differs least from `text`, where it differs little.
pub(in super::super) fn closest(text: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let limit = text.len() / 4 + 1;
    let near = names.map(|name| (distance(text, name), name));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name)
}

/// How many insertions, removals and changes of bytes lead from one text to the other.
fn distance(from: &str, to: &str) -> usize {
    if from.len().abs_diff(to.len()) > from.len() / 4 + 1 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, byte) in from.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in to.bytes().enumerate() {
            let change = diagonal + usize::from(byte != other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
