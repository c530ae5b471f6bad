//! How wide the pointers of the platform are that a module was made for, as seen from its text: what its `Int`s are made of. The text
//! itself does not say.

use std::ops::Range;

use memchr::memmem::{Finder, rfind};

use crate::model::PointerWidth;
use crate::source::{FileId, Span};

/// What is followed by the operand of which an integer of a pointer's width is made.
const MADE_OF: [&str; 4] =
    ["= struct $Int (%", "= struct $UInt (%", "= struct $Swift.Int (%", "= struct $Swift.UInt (%"];

/// A width, and the instruction that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShownWidth {
    pub(super) width: PointerWidth,
    place: Range<usize>,
}

impl ShownWidth {
    /// Where it stands in its file.
    pub(super) fn span(&self, file: FileId) -> Span {
        // Files that spans cannot count are not read.
        Span { file, start: self.place.start as u32, end: self.place.end as u32 }
    }
}

/// The width that `text` shows. `None`: the text has no integer of a pointer's width whose parts it tells.
pub(super) fn pointer_width_of(text: &str) -> Option<ShownWidth> {
    MADE_OF.iter().find_map(|mark| {
        let finder = Finder::new(mark);
        finder.find_iter(text.as_bytes()).find_map(|start| {
            let operand = &text[start + mark.len()..];
            let width = width_of_operand(&text[..start], operand)?;
            let keyword = start + "= ".len();
            Some(ShownWidth { width, place: keyword..keyword + "struct".len() })
        })
    })
}

/// The width of what begins `operand`: `4)`, whose definition stands in `before`, or `4 : $Builtin.Int64)`.
fn width_of_operand(before: &str, operand: &str) -> Option<PointerWidth> {
    let inside = operand.lines().next()?.split(')').next()?;
    let (name, ty) = inside.split_once(" : ").unwrap_or((inside, ""));
    if let Some(width) = width_named(ty) {
        return Some(width);
    }
    // Values are numbered anew in each function and initial value.
    let before = &before[rfind(before.as_bytes(), b"\nsil").unwrap_or(0)..];
    let definition = format!("\n  %{name} = ");
    let start = rfind(before.as_bytes(), definition.as_bytes())?;
    let line = before[start + definition.len()..].lines().next()?;
    let line = line.split(" //").next()?.trim_end();
    match line.strip_prefix("integer_literal ") {
        Some(literal) => width_named(literal.split(',').next()?),
        // A builtin ends with its result's type; one with several results is taken apart by another instruction.
        None => width_named(line.starts_with("builtin ").then(|| line.rsplit(" : ").next())??),
    }
}

/// 32 of `$Builtin.Int32`.
fn width_named(ty: &str) -> Option<PointerWidth> {
    let bits = ty.trim().strip_prefix("$Builtin.Int")?.parse().ok()?;
    PointerWidth::of_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(text: &str) -> Option<PointerWidth> {
        pointer_width_of(text).map(|shown| shown.width)
    }

    #[test]
    fn what_an_int_is_made_of_tells_the_width() {
        let literal = "bb0:\n  %0 = integer_literal $Builtin.Int32, 1       // user: %1\n  %1 = struct $Int (%0)\n";
        assert_eq!(width(literal), Some(PointerWidth::Bits32));
        let written = "bb0(%0 : $Builtin.Int64):\n  %1 = struct $UInt (%0 : $Builtin.Int64)\n";
        assert_eq!(width(written), Some(PointerWidth::Bits64));
        let builtin =
            "  %2 = builtin \"truncOrBitCast_Word_Int32\"(%1) : $Builtin.Int32 // user: %3\n  %3 = struct $Int (%2)\n";
        assert_eq!(width(&format!("bb0:\n{builtin}")), Some(PointerWidth::Bits32));
    }

    #[test]
    fn other_integers_tell_nothing() {
        let narrow = "bb0:\n  %0 = integer_literal $Builtin.Int32, 1\n  %1 = struct $Int32 (%0)\n";
        assert_eq!(width(narrow), None);
        let argument = "bb0(%0 : $Builtin.Int64):\n  %1 = struct $Int (%0)\n";
        assert_eq!(width(argument), None);
        assert_eq!(width("  %1 = struct $Int (%"), None);
        let other = "bb0:\n  %0 = integer_literal $Builtin.Int32, 1\n  return %0\n}\n\nsil @f : $() -> () {\n";
        assert_eq!(width(&format!("{other}{argument}")), None);
    }
}
