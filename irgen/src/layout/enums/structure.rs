//! The text that identifies how an enum's values are copied and destroyed.

use std::fmt::{Result, Write};

use super::{CaseKind, EnumLayout, Strategy};
use crate::layout::Bits;

impl EnumLayout {
    /// Returns the text, computed once.
    pub(crate) fn structure(&self) -> &str {
        self.structure.get_or_init(|| {
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = self.write_structure(&mut text);
            text
        })
    }

    /// Appends the text of [`TypeInfo::write_structure`] for an enum: the payload area, and each non-trivial case with
    /// its pattern. All other cases are trivial.
    pub(in crate::layout) fn write_structure(&self, text: &mut String) -> Result {
        if let (Strategy::Singleton, Some(payload)) = (&self.strategy, self.only_payload()) {
            return payload.write_structure(text);
        }
        write!(text, "E{}_{}", self.payload_size, self.tag_bits)?;
        write_bits(text, 't', &self.payload_tag_bits)?;
        for (number, case) in self.cases.iter().enumerate() {
            match &case.payload {
                Some(payload) if case.pattern.kind == CaseKind::Payload && !payload.is_trivial() => {
                    write!(text, "c{}", case.pattern.extra_tag)?;
                    write_bits(text, 'b', &case.pattern.payload)?;
                    payload.write_structure(text)?;
                    self.write_inhabitants(text, number)?;
                }
                _ => {}
            }
        }
        text.write_char('_')
    }

    /// Writes the other patterns of the payload area under the tag of a payload case, which are not payloads.
    fn write_inhabitants(&self, text: &mut String, case: usize) -> Result {
        let Some(group) = self.group_of(case) else { return Ok(()) };
        if group.matched.is_empty() {
            return Ok(());
        }
        write_bits(text, 'm', &group.mask)?;
        group.matched.iter().try_for_each(|other| write_bits(text, 'x', &self.cases[*other].pattern.payload))
    }
}

/// Writes a letter and the bits in hexadecimal words, if any is set.
fn write_bits(text: &mut String, letter: char, bits: &Bits) -> Result {
    text.write_char(letter)?;
    if !bits.is_zero() {
        for word in bits.words() {
            write!(text, "{word:X}_")?;
        }
    }
    text.write_char('_')
}
