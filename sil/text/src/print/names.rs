//! Writes symbols and strings.

use sil_ir::context::{Context, Name};
use sil_ir::declarations::DeclarationTable;
use sil_ir::model::Module;

use super::Printer;

/// `@symbol`, in quotes where it is not a word.
pub fn symbol_text(module: &Module, name: Name) -> String {
    symbol_text_in(&module.context, &module.declarations, name)
}

/// [`symbol_text`] where there is no module at hand.
pub fn symbol_text_in(context: &Context, declarations: &DeclarationTable, name: Name) -> String {
    let mut printer = Printer::new(context, declarations);
    printer.symbol(name);
    printer.out
}

impl Printer<'_> {
    /// Writes `@symbol`, in quotes where it is not a word.
    pub(super) fn symbol(&mut self, name: Name) {
        let text = self.context.text(name);
        self.out.push('@');
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        if !text.is_empty() && text.bytes().all(word) {
            self.out.push_str(text);
        } else {
            self.quoted(text);
        }
    }

    /// Writes a string literal.
    pub(super) fn quoted(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            self.escaped(character);
        }
        self.out.push('"');
    }

    /// Writes a string literal whose bytes need not be Unicode.
    pub(super) fn quoted_bytes(&mut self, bytes: &[u8]) {
        self.out.push('"');
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                self.escaped(character);
            }
            for byte in chunk.invalid() {
                self.number(format_args!("\\x{byte:02X}"));
            }
        }
        self.out.push('"');
    }

    fn escaped(&mut self, character: char) {
        match character {
            '\\' => self.text("\\\\"),
            '\t' => self.text("\\t"),
            '\n' => self.text("\\n"),
            '\r' => self.text("\\r"),
            '"' => self.text("\\\""),
            '\0' => self.text("\\0"),
            control if control.is_ascii_control() => self.number(format_args!("\\u{{{:02X}}}", u32::from(control))),
            character => self.out.push(character),
        }
    }
}
