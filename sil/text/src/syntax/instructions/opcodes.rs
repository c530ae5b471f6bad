//! The opcode of an instruction: current and former spellings, and suggestions for unknown ones.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::suggestion::closest;

/// Former spellings and their current opcodes.
const FORMER: &[(&str, Opcode)] = &[
    ("mark_must_check", Opcode::MarkUnresolvedNonCopyableValue),
    ("thin_function_to_pointer", Opcode::UncheckedTrivialBitCast),
    ("pointer_to_thin_function", Opcode::UncheckedTrivialBitCast),
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

/// Returns the opcode called `text`.
fn opcode_named(text: &str) -> Option<Opcode> {
    use std::sync::LazyLock;
    static NAMES: LazyLock<rustc_hash::FxHashMap<&'static str, Opcode>> =
        LazyLock::new(|| Opcode::ALL.iter().map(|opcode| (opcode.name(), *opcode)).collect());
    NAMES.get(text).copied()
}
