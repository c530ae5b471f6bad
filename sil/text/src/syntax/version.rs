//! Infers from its text the version of Swift that printed a module. The text does not state it.

use sil_ir::model::SwiftVersion;

use super::code::{Code, Mark};
use super::isolation::comments_above;
use super::scan::{Entity, EntityKind};

const fn word(word: &'static str) -> Mark {
    Mark { before: &[], word, after: &[] }
}

/// Marks that no version before 6.3 writes.
const IN_6_3: [Mark; 3] = [
    Mark { before: &["["], word: "heuristic_always_inline", after: &["]"] },
    Mark { before: &["="], ..word("vector_base_addr") },
    Mark { after: &["<"], ..word("_InlineArray") },
];

/// String literals that no version before 6.3 writes, with the words in front of them.
const LITERALS_IN_6_3: [(&[&str], &str); 3] = [
    (&["builtin"], "prepareInitialization"),
    (&["builtin"], "getEnumTag"),
    (&["@_semantics", "("], "derived_enum_equals"),
];

/// A mark that no version before 6.2 writes.
const IN_6_2: Mark = Mark { after: &["("], ..word("associated_conformance") };

/// The comment above functions that versions before 6.2 do not write. It counts only directly above a function.
const ISOLATION: &str = "// Isolation: unspecified";

/// A return: 6.0 writes the type of the operand, later versions do so only on request.
const RETURN: Mark = Mark { after: &["%"], ..word("return") };

/// Returns the version that printed `text`, which has this code and these entities. Without evidence, returns the
/// newest version, which includes the features of all others.
pub(super) fn version_of(text: &str, code: &Code, entities: &[Entity]) -> SwiftVersion {
    let has_literal = |(before, literal): &(&[&str], &str)| code.has_literal(text, before, literal);
    if IN_6_3.iter().any(|mark| code.has(*mark)) || LITERALS_IN_6_3.iter().any(has_literal) {
        return SwiftVersion::V6_3;
    }
    let functions = || entities.iter().filter(|entity| entity.kind == EntityKind::Function);
    let states_isolation = |function: &Entity| comments_above(text, function.start).any(|line| line == ISOLATION);
    if code.has(IN_6_2) || functions().any(states_isolation) {
        return SwiftVersion::V6_2;
    }
    let mut returns = code.find(RETURN).filter(|found| is_first_in_line(code, found.start));
    match returns.next() {
        Some(found) => {
            let line = code.as_str()[found.start..].lines().next().unwrap_or_default();
            if line.contains(':') { SwiftVersion::V6_0 } else { SwiftVersion::V6_2 }
        }
        None => SwiftVersion::default(),
    }
}

fn is_first_in_line(code: &Code, at: usize) -> bool {
    let before = &code.as_str()[..at];
    before[before.rfind('\n').map_or(0, |end| end + 1)..].trim_ascii().is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::scan::entities;
    use super::*;

    fn version(text: &str) -> SwiftVersion {
        let code = Code::of(text);
        version_of(text, &code, &entities(&code))
    }

    #[test]
    fn the_text_tells_the_version() {
        assert_eq!(version("bb0:\n  %0 = tuple ()\n  return %0 : $()               // id: %1\n"), SwiftVersion::V6_0);
        assert_eq!(
            version("bb0:\n  %0 = tuple ()\n  return %0                     // id: %1 : $\n"),
            SwiftVersion::V6_2
        );
        assert_eq!(version("  %3 = vector_base_addr %2\n  return %3\n"), SwiftVersion::V6_3);
        assert_eq!(version("  %3 = builtin \"getEnumTag\"<T>(%2)\n  return %3\n"), SwiftVersion::V6_3);
        assert_eq!(version("// f()\n// Isolation: unspecified\nsil @f\nbb0:\n  return %0 : $()\n"), SwiftVersion::V6_2);
        assert_eq!(version("sil_stage canonical\n"), SwiftVersion::V6_3);
    }

    #[test]
    fn comments_and_literals_tell_nothing() {
        let function = "sil @f\nbb0:\n  return %0 : $()\n";
        assert_eq!(version(&format!("// [heuristic_always_inline]\n{function}")), SwiftVersion::V6_0);
        assert_eq!(version(&format!("let a = \"_InlineArray<\"\n{function}")), SwiftVersion::V6_0);
        assert_eq!(version(&format!("// builtin \"getEnumTag\"\n{function}")), SwiftVersion::V6_0);
        assert_eq!(version(&format!("// Isolation: unspecified\n\n\n{function}")), SwiftVersion::V6_0);
        assert_eq!(version(&format!("/*\n  return %0\n*/\n{function}")), SwiftVersion::V6_0);
    }
}
