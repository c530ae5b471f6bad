//! The text that identifies how a type's values are copied and destroyed. Types with the same text share the functions
//! for it.

use std::fmt::{Result, Write};

use super::{Element, ReferenceKind, Scalar, TypeInfo, TypeKind};

impl TypeInfo {
    /// Appends the text, of letters, digits and `_`: the offsets of the scalars, and the counting of each reference. No
    /// text is a prefix of another.
    pub(in crate::layout) fn write_structure(&self, text: &mut String) -> Result {
        if let Some(deinit) = &self.deinit {
            write!(text, "D{}_{}", deinit.symbol.len(), deinit.symbol)?;
        }
        match &self.kind {
            TypeKind::Scalar(_) => self.elements.iter().try_for_each(|element| write_scalar(text, element)),
            TypeKind::Reference(kind) => text.write_char(match kind {
                ReferenceKind::Native => 'n',
                ReferenceKind::Bridge => 'b',
                ReferenceKind::Unowned | ReferenceKind::OptionalUnowned => 'u',
                ReferenceKind::Block => 'k',
            }),
            TypeKind::Weak => text.write_char('w'),
            TypeKind::Existential(fields) => write!(text, "x{}_", fields.len()),
            TypeKind::Raw => write!(text, "r{}_{}_", self.size, self.alignment),
            TypeKind::Record(fields) => {
                text.write_char('R')?;
                for field in fields.iter().filter(|field| field.info.size > 0) {
                    write!(text, "{}", field.offset)?;
                    field.info.write_structure(text)?;
                }
                text.write_char('_')
            }
            TypeKind::FixedArray { count, element } => {
                write!(text, "A{count}")?;
                element.write_structure(text)
            }
            TypeKind::Enum(layout) => layout.write_structure(text),
        }
    }
}

fn write_scalar(text: &mut String, element: &Element) -> Result {
    match element.scalar {
        Scalar::Pointer => text.write_char('p'),
        Scalar::Integer(bits) => write!(text, "i{bits}_"),
        Scalar::Float(bits) => write!(text, "f{bits}_"),
        Scalar::Vector { .. } => write!(text, "v{}_", element.bits),
    }
}
