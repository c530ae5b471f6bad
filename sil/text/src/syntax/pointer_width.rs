//! Infers the pointer width of a module's target platform from its text: the operand types of its `Int`s. The text does
//! not state it.

use std::ops::Range;

use memchr::memmem::rfind_iter;
use sil_ir::model::PointerWidth;
use sil_ir::source::{FileId, Span};

use super::code::{Code, Mark};

/// The marks that precede the operand of an integer of pointer width.
const MADE_OF: [Mark; 4] = [made_of("$Int"), made_of("$UInt"), made_of("$Swift.Int"), made_of("$Swift.UInt")];

const fn made_of(word: &'static str) -> Mark {
    Mark { before: &["struct"], word, after: &["(", "%"] }
}

/// A width, and the instruction that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShownWidth {
    pub(super) width: PointerWidth,
    place: Range<usize>,
}

impl ShownWidth {
    /// Returns the span of the instruction.
    pub(super) fn span(&self, file: FileId) -> Span {
        // A file too large for spans is not read.
        Span { file, start: self.place.start as u32, end: self.place.end as u32 }
    }
}

/// Returns the width that `code` shows. `None` if it has no integer of pointer width with a known operand type.
pub(super) fn pointer_width_of(code: &Code) -> Option<ShownWidth> {
    MADE_OF.iter().find_map(|mark| {
        code.find(*mark).find_map(|found| {
            let (before, operand) = code.as_str().split_at(found.end);
            let width = width_of_operand(before, operand)?;
            Some(ShownWidth { width, place: found.start..found.start + "struct".len() })
        })
    })
}

/// Returns the width of the operand at the start of `operand`: `4)`, whose definition is in `before`, or `4 :
/// $Builtin.Int64)`.
fn width_of_operand(before: &str, operand: &str) -> Option<PointerWidth> {
    let inside = operand.lines().next()?.split(')').next()?;
    let (name, ty) = inside.split_once(':').unwrap_or((inside, ""));
    if let Some(width) = width_named(ty) {
        return Some(width);
    }
    let line = definition(before, name.trim_end())?;
    match line.strip_prefix("integer_literal ") {
        Some(literal) => width_named(literal.split(',').next()?),
        // A builtin ends with its result's type. Another instruction destructures a builtin's tuple.
        None => width_named(line.starts_with("builtin ").then(|| line.rsplit(':').next())??),
    }
}

/// Returns the instruction whose only result is the value `%name`: the nearest in `before`, which ends in the function
/// that uses it. Value numbers start over in each function and initialiser.
fn definition<'c>(before: &'c str, name: &str) -> Option<&'c str> {
    let starts_line = |at: usize| {
        let line = before[..at].trim_end_matches([' ', '\t']);
        line.is_empty() || line.ends_with('\n')
    };
    let defines = |at: usize| {
        let line = before[at + 1..].lines().next()?;
        let instruction = line.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        starts_line(at).then(|| instruction.trim())
    };
    let own = &before[rfind_iter(before.as_bytes(), "\nsil").next().unwrap_or(0)..];
    let start = before.len() - own.len();
    rfind_iter(own.as_bytes(), &format!("%{name}")).find_map(|at| defines(start + at))
}

/// Returns 32 for `$Builtin.Int32`.
fn width_named(ty: &str) -> Option<PointerWidth> {
    let bits = ty.trim().strip_prefix("$Builtin.Int")?.parse().ok()?;
    PointerWidth::of_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(text: &str) -> Option<PointerWidth> {
        pointer_width_of(&Code::of(text)).map(|shown| shown.width)
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
    fn space_and_labels_make_no_difference() {
        let literal = "bb0:\n\t%0 = integer_literal $Builtin.Int32, 1\n\n\t%1 = struct $Int(%0)\n";
        assert_eq!(width(literal), Some(PointerWidth::Bits32));
        assert_eq!(width("%1 = struct $Int ( %0: $Builtin.Int32 )\n"), Some(PointerWidth::Bits32));
    }

    #[test]
    fn comments_and_literals_tell_nothing() {
        assert_eq!(width("// %9 = struct $Int (%8 : $Builtin.Int32)\n"), None);
        assert_eq!(width("let text = \"a = struct $Int (%2 : $Builtin.Int32)\"\n"), None);
        let shadowed = "  %0 = integer_literal $Builtin.Int64, 1\n// %0 = integer_literal $Builtin.Int32, 1\n";
        assert_eq!(width(&format!("{shadowed}  %1 = struct $Int (%0)\n")), Some(PointerWidth::Bits64));
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
