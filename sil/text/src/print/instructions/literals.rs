//! Writes literals.

use sil_ir::model::{Details, InstructionId, StringEncoding};

use super::BodyPrinter;

impl BodyPrinter<'_, '_> {
    pub(super) fn literal(&mut self, id: InstructionId) {
        match self.details(id) {
            Details::Integer(value) => {
                self.written_type(id, 0);
                self.printer.number(format_args!(", {value}"));
            }
            Details::WideInteger(words) => {
                self.written_type(id, 0);
                self.printer.text(", ");
                self.printer.out.push_str(&wide_decimal(words));
            }
            Details::Float(bits) => {
                self.written_type(id, 0);
                self.printer.number(format_args!(", 0x{bits:X}"));
                self.float_comment(id, *bits);
            }
            Details::String(literal) => {
                self.printer.text(match literal.encoding {
                    StringEncoding::Bytes => " bytes ",
                    StringEncoding::Utf8 => " utf8 ",
                    StringEncoding::Utf16 => " utf16 ",
                    StringEncoding::ObjCSelector => " objc_selector ",
                    StringEncoding::OsLog => " oslog ",
                });
                if literal.encoding == StringEncoding::Bytes {
                    self.printer.text("\"");
                    for byte in &literal.bytes {
                        self.printer.number(format_args!("{byte:02X}"));
                    }
                    self.printer.text("\"");
                } else {
                    self.printer.quoted_bytes(&literal.bytes);
                }
            }
            _ => {}
        }
    }
}

/// A two's complement number, least significant word first, in decimal.
fn wide_decimal(words: &[u64]) -> String {
    let negative = words.last().is_some_and(|word| word >> 63 == 1);
    let mut magnitude = words.to_vec();
    if negative {
        let mut carry = true;
        for word in &mut magnitude {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    // Groups of 19 digits, the least significant first: the capacity of a word.
    const GROUP: u128 = 10u128.pow(19);
    let mut groups = Vec::new();
    while magnitude.pop_if(|word| *word == 0).is_some() {}
    while !magnitude.is_empty() {
        let mut remainder = 0u128;
        for word in magnitude.iter_mut().rev() {
            let value = remainder << 64 | u128::from(*word);
            *word = (value / GROUP) as u64;
            remainder = value % GROUP;
        }
        groups.push(remainder);
        while magnitude.pop_if(|word| *word == 0).is_some() {}
    }
    let first = groups.pop().unwrap_or(0);
    let rest: String = groups.iter().rev().map(|group| format!("{group:019}")).collect();
    let sign = if negative { "-" } else { "" };
    format!("{sign}{first}{rest}")
}
